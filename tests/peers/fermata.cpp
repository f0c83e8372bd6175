// What is compared, through fermata. See run.
#include <fermata/kernel.hpp>
#include <fermata/reduce.hpp>
#include <fermata/tile.hpp>
#include <fermata/wave.hpp>

namespace fm = fermata;

using add = fm::plus;
using least = fm::minimum;

FERMATA_DEVICE bool is_first_lane() { return fm::this_wave().lane() == 0; }

template <class T, class Op>
FERMATA_DEVICE T wave_all(T value, Op op) {
  return fm::this_wave().reduce(value, op);
}
template <class T, class Op>
FERMATA_DEVICE T wave_first(T value, Op op) {
  return wave_all(value, op);
}
template <class T, class Op>
FERMATA_DEVICE T wave_inclusive(T value, Op op) {
  return fm::this_wave().inclusive_scan(value, op);
}
template <class T>
FERMATA_DEVICE T wave_exclusive(T value, add) {
  return fm::this_wave().exclusive_scan(value);
}
template <class T>
FERMATA_DEVICE T wave_exclusive(T value, least op) {
  return fm::this_wave().exclusive_scan(value, op, ~T{0});
}

template <class T, class Op>
FERMATA_DEVICE T block_all(T value, Op op) {
  return fm::block_reduce(value, op);
}
template <class T, class Op>
FERMATA_DEVICE T block_first(T value, Op op) {
  return block_all(value, op);
}
// A block scans as a tile of all its threads.
FERMATA_DEVICE auto whole_block() {
  FERMATA_SHARED(scratch, fm::tile_scratch<256, 256>);
  return fm::tiled_partition<256>(fm::this_block(), scratch);
}
template <class T, class Op>
FERMATA_DEVICE T block_inclusive(T value, Op op) {
  return whole_block().inclusive_scan(value, op);
}
template <class T>
FERMATA_DEVICE T block_exclusive(T value, add) {
  return whole_block().exclusive_scan(value);
}
template <class T>
FERMATA_DEVICE T block_exclusive(T value, least op) {
  return whole_block().exclusive_scan(value, op, ~T{0});
}

// CUB and rocPRIM take the size of the block as a constant. fermata takes blocks of any size, and is compiled twice: as
// it is, and with a block of which the compiler is told.
FERMATA_DEVICE void before_anything() {
#ifdef PEERS_KNOWN_SIZE
  fm::dim3 const block = fm::this_block().dim();
  if (block.x != 256 || block.y != 1 || block.z != 1) __builtin_unreachable();
#endif
}

#include "kernels.hpp"
