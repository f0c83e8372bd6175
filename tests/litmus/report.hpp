// The table and the JSON file.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "run.hpp"

namespace litmus {

void print_heading();
void print_row(row const& r, row_result const& result);

// How many rows of each verdict, in words.
std::string summary(std::vector<row_result> const& results);

// A file that is opened before the first row runs, so that a name that cannot be written fails at once.
class json_file {
 public:
  // Throws std::runtime_error.
  explicit json_file(std::string const& path);
  ~json_file();
  json_file(json_file const&) = delete;
  json_file& operator=(json_file const&) = delete;

  void write(fm::device const& d, options const& o, std::vector<row> const& rows,
             std::vector<row_result> const& results);

 private:
  std::string path_;
  std::FILE* file_;
};

}  // namespace litmus
