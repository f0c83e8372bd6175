// What can be checked without a device.
#pragma once

#include <vector>

#include "rows.hpp"

namespace litmus {

// Checks the model against verdicts published elsewhere, the rows against the model, and the pairing; prints what it
// checked. Returns the number of failures. Needs no device.
unsigned self_test(std::vector<row> const& rows);

}  // namespace litmus
