# Installation: the headers of every backend, always; which targets a package offers is decided where it is used.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir lib/cmake/fermata)
install(DIRECTORY include/fermata DESTINATION include)
foreach(backend IN LISTS FERMATA_KNOWN_BACKENDS)
  install(DIRECTORY backends/${backend}/include/ DESTINATION include/fermata-${backend})
endforeach()
# The host backend's runtime is compiled by its user, with the user's compiler and sanitizers.
install(DIRECTORY backends/host/src/ DESTINATION share/fermata/host)
install(PROGRAMS ci/hip-bitcode DESTINATION share/fermata)

write_basic_package_version_file(${PROJECT_BINARY_DIR}/fermataConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/fermataConfig.cmake cmake/FermataBackends.cmake cmake/FermataHost.cmake cmake/FermataCheck.cmake cmake/FermataCuda.cmake
              cmake/FermataHip.cmake ${PROJECT_BINARY_DIR}/fermataConfigVersion.cmake
        DESTINATION ${package_dir})

# The build tree serves as a package, too: -Dfermata_DIR=<build>.
file(WRITE ${PROJECT_BINARY_DIR}/fermataConfig.cmake "include(${PROJECT_SOURCE_DIR}/cmake/fermataConfig.cmake)\n")
