# The backends: which exist, and a macro that makes the target of one of them. fermata's own build and the installed
# package use the same files, so that a target means the same in both.

include_guard()

set(FERMATA_KNOWN_BACKENDS host cuda hip)

# Where things lie: beside this file's folder in a checkout, under the prefix in an installation.
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/../backends)
  get_filename_component(FERMATA_ROOT ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
  set(FERMATA_INCLUDE_DIR ${FERMATA_ROOT}/include)
  foreach(backend IN LISTS FERMATA_KNOWN_BACKENDS)
    set(FERMATA_INCLUDE_DIR_${backend} ${FERMATA_ROOT}/backends/${backend}/include)
  endforeach()
  set(FERMATA_HOST_SOURCE_DIR ${FERMATA_ROOT}/backends/host/src)
  set(FERMATA_HIP_BITCODE_SCRIPT ${FERMATA_ROOT}/ci/hip-bitcode)
else()
  get_filename_component(FERMATA_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
  set(FERMATA_INCLUDE_DIR ${FERMATA_ROOT}/include)
  foreach(backend IN LISTS FERMATA_KNOWN_BACKENDS)
    set(FERMATA_INCLUDE_DIR_${backend} ${FERMATA_ROOT}/include/fermata-${backend})
  endforeach()
  set(FERMATA_HOST_SOURCE_DIR ${FERMATA_ROOT}/share/fermata/host)
  set(FERMATA_HIP_BITCODE_SCRIPT ${FERMATA_ROOT}/share/fermata/hip-bitcode)
endif()
set(FERMATA_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# fermata_add_backend(<backend>): makes the target fermata::<backend>, and the function
# fermata_kernel_sources_<backend>(<target>). The first backend that is made is the default of fermata_kernel_sources.
# FATAL_ERROR if the backend is unknown or its toolkit is missing, with the next step.
# A macro, because a language can only be enabled at file scope.
macro(fermata_add_backend backend)
  get_property(fermata_default_backend GLOBAL PROPERTY FERMATA_DEFAULT_BACKEND)
  if(NOT fermata_default_backend)
    set_property(GLOBAL PROPERTY FERMATA_DEFAULT_BACKEND ${backend})
  endif()
  if("${backend}" STREQUAL "host")
    include(${FERMATA_CMAKE_DIR}/FermataHost.cmake)
  elseif("${backend}" STREQUAL "check")
    include(${FERMATA_CMAKE_DIR}/FermataCheck.cmake)
  elseif("${backend}" STREQUAL "cuda")
    include(${FERMATA_CMAKE_DIR}/FermataCuda.cmake)
  elseif("${backend}" STREQUAL "hip")
    include(${FERMATA_CMAKE_DIR}/FermataHip.cmake)
  else()
    message(FATAL_ERROR "fermata: there is no backend \"${backend}\". Use -DFERMATA_BACKEND=host, cuda or hip.")
  endif()
endmacro()

# fermata_interface_target(<backend>): what all backends share: two include directories and C++20.
function(fermata_interface_target backend)
  add_library(fermata_${backend} INTERFACE)
  add_library(fermata::${backend} ALIAS fermata_${backend})
  target_include_directories(fermata_${backend} INTERFACE ${FERMATA_INCLUDE_DIR} ${FERMATA_INCLUDE_DIR_${backend}})
  target_compile_features(fermata_${backend} INTERFACE cxx_std_20)
  # For everything that links the target: the two builds are different types.
  if(FERMATA_ENABLE_ASSERTIONS)
    target_compile_definitions(fermata_${backend} INTERFACE FERMATA_ENABLE_ASSERTIONS)
  endif()
endfunction()

# fermata_kernel_sources(<target> [<backend>]): has the target's sources compiled as kernel code of the backend.
function(fermata_kernel_sources target)
  get_property(backend GLOBAL PROPERTY FERMATA_DEFAULT_BACKEND)
  if(ARGC GREATER 1)
    set(backend ${ARGV1})
  endif()
  cmake_language(CALL fermata_kernel_sources_${backend} ${target})
endfunction()
