# The host backend: kernels run on the CPU, as fibers.
include_guard()

find_package(Threads REQUIRED)
find_package(Boost 1.71 QUIET COMPONENTS context)
if(NOT TARGET Boost::context)
  message(FATAL_ERROR "fermata: the host backend needs Boost.Context 1.71 or newer, which was not found. "
                      "On Debian and Ubuntu: apt-get install libboost-context-dev. Elsewhere, point CMAKE_PREFIX_PATH at a Boost.")
endif()

fermata_interface_target(host)

# The executor. Compiled where it is used, with the user's own compiler and sanitizers.
file(GLOB fermata_host_sources CONFIGURE_DEPENDS ${FERMATA_HOST_SOURCE_DIR}/*.cpp)
add_library(fermata_host_runtime STATIC ${fermata_host_sources})
target_compile_features(fermata_host_runtime PRIVATE cxx_std_20)
target_include_directories(fermata_host_runtime PRIVATE ${FERMATA_INCLUDE_DIR} ${FERMATA_INCLUDE_DIR_host})
if(FERMATA_ENABLE_ASSERTIONS)
  target_compile_definitions(fermata_host_runtime PRIVATE FERMATA_ENABLE_ASSERTIONS)
endif()
target_link_libraries(fermata_host_runtime PRIVATE Boost::context PUBLIC Threads::Threads)
# May end up in a shared library.
set_target_properties(fermata_host_runtime PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
if(PROJECT_NAME STREQUAL "fermata")
  # -Wno-restrict: g++ sees an overlap inside std::string's operator+ that cannot be (GCC bug 105651).
  target_compile_options(fermata_host_runtime PRIVATE -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                         $<$<BOOL:${FERMATA_WERROR}>:-Werror>)
endif()
target_link_libraries(fermata_host INTERFACE fermata_host_runtime)

# fermata_kernel_sources_host(<target>): kernels are plain C++ here.
function(fermata_kernel_sources_host target)
endfunction()
