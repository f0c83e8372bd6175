# Executables of this repository that hold kernels: written once, compiled by the selected backend's compiler.

include_guard()

# What each build has compiled as kernel code, one "<target> <source>" a line, for the check that all backends
# build the same files.
set(FERMATA_KERNEL_LIST ${CMAKE_BINARY_DIR}/kernel_sources.txt)
file(WRITE ${FERMATA_KERNEL_LIST} "")

# fermata_add_kernel_executable(<name> SOURCES <file>...)
function(fermata_add_kernel_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE fermata::fermata fermata_warnings)
  fermata_kernel_sources(${name})
  foreach(source IN LISTS arg_SOURCES)
    file(RELATIVE_PATH relative ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    file(APPEND ${FERMATA_KERNEL_LIST} "${name} ${relative}\n")
  endforeach()
endfunction()

add_library(fermata_warnings INTERFACE)
set(warnings -Wall -Wextra)
# g++ sees an overlap inside std::string's operator+ that cannot be (GCC bug 105651), and elements of an array unset
# that unrolled loops with the same condition set and read.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND warnings -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(FERMATA_WERROR)
  list(APPEND warnings -Werror)
endif()
target_compile_options(fermata_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warnings}>)
list(JOIN warnings "," warnings_list)
target_compile_options(fermata_warnings INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${warnings_list}>)
