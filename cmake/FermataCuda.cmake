# fermata::cuda: the headers, the CUDA runtime, and C++20 for nvcc.

include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(FATAL_ERROR
    "fermata: FERMATA_BACKEND=cuda needs nvcc (CUDA Toolkit 12.8 or newer with libcu++), and none was found. Install the "
    "toolkit and put its bin directory on PATH, or pass -DCMAKE_CUDA_COMPILER=<path to nvcc>. "
    "Without an NVIDIA toolkit use -DFERMATA_BACKEND=host.")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "CUDA architectures to compile for")
endif()
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT CUDA IN_LIST languages)
  # A language enabled in a subdirectory is lost to the targets of the directories above it.
  if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)
    message(FATAL_ERROR "fermata: the CUDA backend needs the language CUDA in your project: project(<name> LANGUAGES CXX CUDA), "
                        "before add_subdirectory or find_package(fermata).")
  endif()
  enable_language(CUDA)
endif()
find_package(CUDAToolkit REQUIRED)

fermata_interface_target(cuda)
target_link_libraries(fermata_cuda INTERFACE CUDA::cudart_static)
# As an option, because CMake 3.25 does not know that nvcc 13 has C++20 and refuses the feature cuda_std_20.
target_compile_options(fermata_cuda INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)

function(fermata_kernel_sources_cuda target)
  get_target_property(sources ${target} SOURCES)
  set_source_files_properties(${sources} PROPERTIES LANGUAGE CUDA)
endfunction()
