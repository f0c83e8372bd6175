# fermata::hip: the headers, the HIP runtime, and how kernel code is compiled.
#
# Two ways, chosen by what is there:
#   CMake's HIP language   with a full ROCm, CMake 3.28 or newer, and CMAKE_HIP_COMPILER (or HIPCXX) set, or ROCm's own
#                          clang found under ROCM_PATH (or /opt/rocm)
#   plain C++ with clang   otherwise, as with Debian's packages: the C++ compiler compiles kernel code itself (-x hip)

if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
  set(CMAKE_HIP_ARCHITECTURES gfx90a gfx942 gfx1100 CACHE STRING "AMD GPU architectures to compile for")
endif()

set(fermata_hip_packages "apt-get install clang-19 lld-19 llvm-19 clang-tools-19 libamdhip64-dev rocm-device-libs librocprim-dev")
set(fermata_rocm_path /opt/rocm)
if(DEFINED ENV{ROCM_PATH})
  set(fermata_rocm_path $ENV{ROCM_PATH})
endif()

set(FERMATA_HIP_LANGUAGE FALSE)
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.28)
  if(CMAKE_HIP_COMPILER OR DEFINED ENV{HIPCXX} OR EXISTS ${fermata_rocm_path}/llvm/bin/clang++)
    set(FERMATA_HIP_LANGUAGE TRUE)
  endif()
elseif(CMAKE_HIP_COMPILER)
  message(FATAL_ERROR
    "fermata: CMAKE_HIP_COMPILER is set, and CMake's HIP language needs CMake 3.28 or newer with it (this is "
    "${CMAKE_VERSION}). Unset it and pass -DCMAKE_CXX_COMPILER=<clang++ 19 or newer, or ROCm's amdclang++>, or use a newer CMake.")
endif()

if(FERMATA_HIP_LANGUAGE)
  enable_language(HIP)
  find_package(hip CONFIG REQUIRED HINTS ${fermata_rocm_path})
  fermata_interface_target(hip)
  target_link_libraries(fermata_hip INTERFACE hip::host)
  target_compile_features(fermata_hip INTERFACE $<$<COMPILE_LANGUAGE:HIP>:hip_std_20>)

  function(fermata_kernel_sources_hip target)
    get_target_property(sources ${target} SOURCES)
    set_source_files_properties(${sources} PROPERTIES LANGUAGE HIP)
  endfunction()
  return()
endif()

if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR
    "fermata: FERMATA_BACKEND=hip needs clang 19 or newer (or ROCm's amdclang++) as the C++ compiler, because it compiles the "
    "kernels; this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. Configure an empty build directory with "
    "`cmake --preset hip`, or with -DCMAKE_CXX_COMPILER=clang++-19. On Debian: ${fermata_hip_packages}. "
    "Without HIP use -DFERMATA_BACKEND=host.")
endif()

find_path(FERMATA_HIP_INCLUDE_DIR hip/hip_runtime.h HINTS ${fermata_rocm_path}/include)
find_library(FERMATA_HIP_LIBRARY amdhip64 HINTS ${fermata_rocm_path}/lib)
find_path(FERMATA_HIP_DEVICE_LIBRARY_DIR ocml.bc
          HINTS ${fermata_rocm_path}/amdgcn/bitcode
          PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode /usr/lib/amdgcn/bitcode /usr/amdgcn/bitcode)
foreach(missing IN ITEMS "FERMATA_HIP_INCLUDE_DIR;the header hip/hip_runtime.h" "FERMATA_HIP_LIBRARY;the library amdhip64"
                         "FERMATA_HIP_DEVICE_LIBRARY_DIR;the device library (ocml.bc)")
  list(POP_FRONT missing variable)
  if(NOT ${variable})
    message(FATAL_ERROR
      "fermata: FERMATA_BACKEND=hip needs ${missing}, which was not found. On Debian: ${fermata_hip_packages}. With ROCm "
      "elsewhere than in /opt/rocm set the environment variable ROCM_PATH, or pass -D${variable}=<path>. "
      "Without HIP use -DFERMATA_BACKEND=host.")
  endif()
endforeach()

# The device library, completed where it lacks an architecture that was asked for.
set(fermata_device_library ${FERMATA_HIP_DEVICE_LIBRARY_DIR})
foreach(arch IN LISTS CMAKE_HIP_ARCHITECTURES)
  string(REGEX REPLACE "^gfx([0-9a-f]+).*" "\\1" isa "${arch}")
  if(NOT EXISTS ${FERMATA_HIP_DEVICE_LIBRARY_DIR}/oclc_isa_version_${isa}.bc)
    set(fermata_device_library ${CMAKE_BINARY_DIR}/fermata-hip-bitcode)
  endif()
endforeach()
if(NOT fermata_device_library STREQUAL FERMATA_HIP_DEVICE_LIBRARY_DIR)
  execute_process(
    COMMAND ${FERMATA_HIP_BITCODE_SCRIPT} --from ${FERMATA_HIP_DEVICE_LIBRARY_DIR} --into ${fermata_device_library}
            ${CMAKE_HIP_ARCHITECTURES}
    RESULT_VARIABLE status ERROR_VARIABLE message)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "fermata: the HIP device library lacks some of ${CMAKE_HIP_ARCHITECTURES}, and they could not be derived:\n${message}"
                        "On Debian: ${fermata_hip_packages}.")
  endif()
endif()

cmake_path(GET FERMATA_HIP_INCLUDE_DIR PARENT_PATH fermata_hip_root)
set(fermata_hip_options -x hip --rocm-path=${fermata_hip_root} --rocm-device-lib-path=${fermata_device_library})
foreach(arch IN LISTS CMAKE_HIP_ARCHITECTURES)
  list(APPEND fermata_hip_options --offload-arch=${arch})
endforeach()

# Compiling and linking one kernel finds whatever else is missing: the linker for device code, the bundler, an
# architecture that the compiler does not know.
if(NOT FERMATA_HIP_PROBED STREQUAL "${CMAKE_CXX_COMPILER} ${fermata_hip_options}")
  set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/fermata-hip-probe)
  file(WRITE ${probe}.cpp "#include <hip/hip_runtime.h>\n__global__ void kernel(int* p) { *p = 1; }\n"
                          "int main() { return hipFree(nullptr) == hipSuccess && kernel == nullptr; }\n")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${fermata_hip_options} -idirafter ${FERMATA_HIP_INCLUDE_DIR} -c ${probe}.cpp -o ${probe}.o
                  RESULT_VARIABLE status OUTPUT_VARIABLE message ERROR_VARIABLE message)
  if(status EQUAL 0)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${probe}.o ${FERMATA_HIP_LIBRARY} -o ${probe}
                    RESULT_VARIABLE status OUTPUT_VARIABLE message ERROR_VARIABLE message)
  endif()
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "fermata: ${CMAKE_CXX_COMPILER} cannot build a HIP program for ${CMAKE_HIP_ARCHITECTURES}:\n${message}"
                        "On Debian: ${fermata_hip_packages}.")
  endif()
  set(FERMATA_HIP_PROBED "${CMAKE_CXX_COMPILER} ${fermata_hip_options}" CACHE INTERNAL "options with which a HIP program has been built")
endif()

fermata_interface_target(hip)
# For plain C++ files, too, which use the host half of the API.
target_compile_definitions(fermata_hip INTERFACE __HIP_PLATFORM_AMD__=1)
target_include_directories(fermata_hip SYSTEM INTERFACE ${FERMATA_HIP_INCLUDE_DIR})
target_link_libraries(fermata_hip INTERFACE ${FERMATA_HIP_LIBRARY})
set_property(TARGET fermata_hip PROPERTY FERMATA_HIP_OPTIONS ${fermata_hip_options})

function(fermata_kernel_sources_hip target)
  get_target_property(options fermata_hip FERMATA_HIP_OPTIONS)
  get_target_property(sources ${target} SOURCES)
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS ${options})  # a source may have options of its own
endfunction()
