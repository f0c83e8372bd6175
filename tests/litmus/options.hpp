// The command line.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "plan.hpp"

namespace litmus {

// A command line that makes no sense: exit status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct options {
  enum class action { run, list, export_files, self_test, help };

  action what = action::run;
  std::string filter;
  std::uint64_t instances = 10000;                           // at least so many a row
  std::vector<unsigned> strides = {128, 1024, 8192, 65536};  // bytes from x to y
  unsigned threads = 256;                                    // a block, at most; fewer on the host backend's fibers
  unsigned blocks = 0;                                       // of the test; 0: two a multiprocessor
  unsigned stress = 0;                                       // blocks that make traffic
  unsigned delay = 32;                                       // iterations that a wave idles, at most
  warming warm = warming::alternate;
  std::uint32_t seed = 1;
  unsigned device = 0;
  unsigned demanded_wave = 0;
  bool pause = false;
  bool fault = false;
  std::string json;
  std::string directory;  // of export_files
};

options parse(int argc, char** argv);
char const* usage();

}  // namespace litmus
