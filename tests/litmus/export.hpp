// Tests as text for other people's model checkers.
#pragma once

#include <string>
#include <vector>

#include "rows.hpp"

namespace litmus {

// The row in the PTX litmus format of Dat3M (Dartagnan). Its last line is the row's claim: `exists` if the asked
// outcome is allowed, `~exists` if not. Pre: the row has a program.
std::string litmus_text(row const& r);

// A file for each row. Pre: the rows have programs. Throws std::runtime_error naming what could not be written.
void export_rows(std::vector<row> const& rows, std::string const& directory);

}  // namespace litmus
