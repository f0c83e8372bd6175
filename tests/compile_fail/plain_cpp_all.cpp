// A plain C++ file of a GPU project includes everything.
// EXPECT: fermata: this header holds device code; compile the file with the backend's device compiler .* Plain C\+\+
// files may include <fermata/runtime.hpp>
//
// COMPILER: plain
#include <fermata/fermata.hpp>
