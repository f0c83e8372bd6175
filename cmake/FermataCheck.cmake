# The checker: the host backend once more, with a runtime that watches every access. A target that links fermata::check
# instead of fermata::host has its sources compiled with calls of that runtime; the sources are the same.
include_guard()

include(${CMAKE_CURRENT_LIST_DIR}/FermataHost.cmake)
if(NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR
        (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15)))
  message(FATAL_ERROR "fermata: the checker needs g++ or clang 15 or newer, whose instrumentation sees every copy; "
                      "this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}.")
endif()

file(GLOB fermata_check_sources CONFIGURE_DEPENDS ${FERMATA_HOST_SOURCE_DIR}/*.cpp ${FERMATA_HOST_SOURCE_DIR}/check/*.cpp)
add_library(fermata_check_objects OBJECT ${fermata_check_sources})
target_compile_features(fermata_check_objects PRIVATE cxx_std_20)
target_compile_definitions(fermata_check_objects PRIVATE FERMATA_CHECK $<$<BOOL:${FERMATA_ENABLE_ASSERTIONS}>:FERMATA_ENABLE_ASSERTIONS>)
target_include_directories(fermata_check_objects PRIVATE ${FERMATA_INCLUDE_DIR} ${FERMATA_INCLUDE_DIR_host})
target_link_libraries(fermata_check_objects PRIVATE Boost::context Threads::Threads)
# Objects that all libraries of a process share would stay visible.
target_compile_options(fermata_check_objects PRIVATE -O2 $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
set_target_properties(fermata_check_objects PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
if(PROJECT_NAME STREQUAL "fermata")
  target_compile_options(fermata_check_objects PRIVATE -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                         $<$<BOOL:${FERMATA_WERROR}>:-Werror>)
endif()

# One object that shows nothing but the library's own functions and the hooks. The linker would otherwise take one copy of
# each template that kernels and runtime have in common: an instrumented one for the runtime, which would then call itself,
# or a plain one for the kernels, which would hide their accesses.
set(fermata_check_object ${CMAKE_BINARY_DIR}/fermata_check_runtime.o)
add_custom_command(OUTPUT ${fermata_check_object}
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${fermata_check_object}.all $<TARGET_OBJECTS:fermata_check_objects>
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=__tsan_* --keep-global-symbol=__sanitizer_cov_trace_pc
          "--keep-global-symbol=_ZN7fermata*" "--keep-global-symbol=_ZNK7fermata*"
          "--keep-global-symbol=_ZZN7fermata*" "--keep-global-symbol=_ZGVZN7fermata*"
          ${fermata_check_object}.all ${fermata_check_object}
  COMMAND ${CMAKE_COMMAND} -E rm ${fermata_check_object}.all
  DEPENDS fermata_check_objects $<TARGET_OBJECTS:fermata_check_objects>
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Packing the checker's runtime")
add_library(fermata_check_runtime STATIC ${fermata_check_object})
set_target_properties(fermata_check_runtime PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(fermata_check_runtime PUBLIC Boost::context Threads::Threads ${CMAKE_DL_LIBS})

set(FERMATA_INCLUDE_DIR_check ${FERMATA_INCLUDE_DIR_host})
fermata_interface_target(check)
target_compile_definitions(fermata_check INTERFACE FERMATA_CHECK)
# -O1 keeps the accesses that the source has, more or less; -O2 deletes loops that wait for a plain variable.
set(fermata_check_options -fsanitize=thread -fsanitize-coverage=trace-pc -O1 -g -fno-omit-frame-pointer
                          -fno-optimize-sibling-calls)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ has no fences in mind here, tells volatile accesses apart only when asked, and calls memcpy by its name.
  list(APPEND fermata_check_options -Wno-tsan --param=tsan-distinguish-volatile=1
       -include ${FERMATA_HOST_SOURCE_DIR}/check/instrumented_copies.hpp)
else()
  # clang makes one call of two equal ones in two branches, of no line; the lanes would seem to be in one place.
  list(APPEND fermata_check_options "SHELL:-mllvm -tsan-distinguish-volatile=1" "SHELL:-mllvm -tsan-instrument-read-before-write=1"
       "SHELL:-mllvm -enable-tail-merge=0" "SHELL:-mllvm -simplifycfg-sink-common=false")
endif()
target_compile_options(fermata_check INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${fermata_check_options}>)
target_link_libraries(fermata_check INTERFACE fermata_check_runtime)

# fermata_kernel_sources_check(<target>): kernels are plain C++ here.
function(fermata_kernel_sources_check target)
endfunction()
