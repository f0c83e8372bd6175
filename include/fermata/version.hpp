// The version of fermata: the one place it is written. CMake reads it from here.
#pragma once

#define FERMATA_VERSION_MAJOR 0
#define FERMATA_VERSION_MINOR 1
#define FERMATA_VERSION_PATCH 0

// One comparable number: 10203 for 1.2.3.
#define FERMATA_VERSION \
  (FERMATA_VERSION_MAJOR * 10000 + FERMATA_VERSION_MINOR * 100 + FERMATA_VERSION_PATCH)
