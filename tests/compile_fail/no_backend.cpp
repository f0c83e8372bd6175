// No backend on the include path.
// EXPECT: fermata/backend/config.hpp
// COMPILER: no_backend
#include <fermata/fermata.hpp>
