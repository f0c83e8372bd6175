// Included before all else in code that the checker watches, where the compiler is g++: it calls these functions by
// their names, and the copies would go unseen.
#pragma once

extern "C" {
// Not volatile: a name for the linker, no instruction; the same below.
void* memcpy(void*, void const*, __SIZE_TYPE__) noexcept __asm__("__tsan_memcpy");
void* memmove(void*, void const*, __SIZE_TYPE__) noexcept __asm__("__tsan_memmove");
void* memset(void*, int, __SIZE_TYPE__) noexcept __asm__("__tsan_memset");
}
