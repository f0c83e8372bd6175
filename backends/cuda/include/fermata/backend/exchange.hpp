// CUDA: sixteen bytes as relaxed words in one access.
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>

#include <fermata/detail/word_pair.hpp>
#include <fermata/detail/words4.hpp>
#include <fermata/scope.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// A vector access is relaxed and atomic for each element (PTX ISA, "Vector Data-types").
template <thread_scope S>
FERMATA_DEVICE detail::words4 load_words(void const* p) noexcept {
  detail::words4 r;
  if constexpr (S <= thread_scope::block)
    asm volatile("ld.relaxed.cta.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3]) : "l"(p) : "memory");
  else if constexpr (S <= thread_scope::device)
    asm volatile("ld.relaxed.gpu.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3]) : "l"(p) : "memory");
  else
    asm volatile("ld.relaxed.sys.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r.w[0]), "=r"(r.w[1]), "=r"(r.w[2]), "=r"(r.w[3]) : "l"(p) : "memory");
  return r;
}

template <thread_scope S>
FERMATA_DEVICE void store_words(void* p, detail::words4 v) noexcept {
  if constexpr (S <= thread_scope::block)
    asm volatile("st.relaxed.cta.v4.b32 [%0], {%1, %2, %3, %4};"
                 :: "l"(p), "r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3]) : "memory");
  else if constexpr (S <= thread_scope::device)
    asm volatile("st.relaxed.gpu.v4.b32 [%0], {%1, %2, %3, %4};"
                 :: "l"(p), "r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3]) : "memory");
  else
    asm volatile("st.relaxed.sys.v4.b32 [%0], {%1, %2, %3, %4};"
                 :: "l"(p), "r"(v.w[0]), "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3]) : "memory");
}

template <thread_scope S>
FERMATA_DEVICE detail::word_pair load_word_pair(void const* p) noexcept {
  detail::word_pair r;
  if constexpr (S <= thread_scope::block)
    asm volatile("ld.relaxed.cta.v2.b64 {%0, %1}, [%2];" : "=l"(r.w[0]), "=l"(r.w[1]) : "l"(p) : "memory");
  else if constexpr (S <= thread_scope::device)
    asm volatile("ld.relaxed.gpu.v2.b64 {%0, %1}, [%2];" : "=l"(r.w[0]), "=l"(r.w[1]) : "l"(p) : "memory");
  else
    asm volatile("ld.relaxed.sys.v2.b64 {%0, %1}, [%2];" : "=l"(r.w[0]), "=l"(r.w[1]) : "l"(p) : "memory");
  return r;
}

template <thread_scope S>
FERMATA_DEVICE void store_word_pair(void* p, detail::word_pair v) noexcept {
  if constexpr (S <= thread_scope::block)
    asm volatile("st.relaxed.cta.v2.b64 [%0], {%1, %2};" :: "l"(p), "l"(v.w[0]), "l"(v.w[1]) : "memory");
  else if constexpr (S <= thread_scope::device)
    asm volatile("st.relaxed.gpu.v2.b64 [%0], {%1, %2};" :: "l"(p), "l"(v.w[0]), "l"(v.w[1]) : "memory");
  else
    asm volatile("st.relaxed.sys.v2.b64 [%0], {%1, %2};" :: "l"(p), "l"(v.w[0]), "l"(v.w[1]) : "memory");
}

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
