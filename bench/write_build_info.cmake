# Run at build time, so that the revision is that of the sources that are compiled: cmake -D… -P write_build_info.cmake
# Writes OUTPUT only if it changes.
if(NOT FERMATA_GIT_REVISION)
  set(FERMATA_GIT_REVISION unknown)
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=12
                    WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}
                    RESULT_VARIABLE failed OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
      set(FERMATA_GIT_REVISION ${described})
    endif()
  endif()
endif()
file(READ ${CMAKE_CURRENT_LIST_DIR}/published.txt FERMATA_BENCH_PUBLISHED)
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_info.hpp.in ${OUTPUT} @ONLY)
