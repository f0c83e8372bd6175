// A program that launches kernels without check(), for test_program.sh: "clean", "racy" or "failing".
#include <cstdio>
#include <cstring>
#include <fermata/fermata.hpp>
#include <vector>

namespace fm = fermata;

FERMATA_KERNEL add(unsigned* sum) {
  if (fm::this_grid().block_rank() == 0) *sum += 1;
}

FERMATA_KERNEL add_from_everywhere(unsigned* sum) {
  *sum += 1;  // here
}

int main(int argc, char** argv) try {
  bool const racy = argc > 1 && std::strcmp(argv[1], "clean") != 0;
  fm::device const gpu;
  fm::stream const s(gpu);
  fm::buffer<unsigned> const sum(s, std::vector<unsigned>(1));
  for (int i = 0; i < 3; ++i) fm::launch(s, {2, 1}, racy ? add_from_everywhere : add, sum.data());
  s.synchronize();
  return argc > 1 && std::strcmp(argv[1], "failing") == 0 ? 3 : 0;
} catch (fm::error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
