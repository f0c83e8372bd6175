// A plain C++ file of a GPU project includes a header that holds device code.
// EXPECT: fermata: this header holds device code; compile the file with the backend's device compiler .* Plain C\+\+
// files may include <fermata/runtime.hpp>
//
// COMPILER: plain
#include <fermata/atomic.hpp>
