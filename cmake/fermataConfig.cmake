# find_package(fermata [COMPONENTS host|check|cuda|hip ...]): a target fermata::<backend> for each component, `host` if none
# is named, and fermata::fermata for the first of them. A component whose toolkit is missing is an error that says what
# to install.
include(${CMAKE_CURRENT_LIST_DIR}/FermataBackends.cmake)

if(NOT fermata_FIND_COMPONENTS)
  set(fermata_FIND_COMPONENTS host)
endif()
foreach(component IN LISTS fermata_FIND_COMPONENTS)
  if(NOT TARGET fermata::${component})
    fermata_add_backend(${component})
  endif()
  set(fermata_${component}_FOUND TRUE)
endforeach()
if(NOT TARGET fermata::fermata)
  list(GET fermata_FIND_COMPONENTS 0 fermata_first_component)
  add_library(fermata::fermata ALIAS fermata_${fermata_first_component})
endif()
