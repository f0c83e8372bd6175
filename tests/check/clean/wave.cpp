// The twins of bug/wave.cpp.
#include <optional>

#include "../support.hpp"

namespace {

FERMATA_KERNEL wave_reduction(unsigned const* in, unsigned* out) {
  FERMATA_SHARED(values, unsigned[32]);
  unsigned const lane = fm::this_block().thread_rank();
  values[lane] = in[lane];
  fm::this_wave().sync();
  for (unsigned d = 16; d != 0; d /= 2) {
    if (lane < d) values[lane] += values[lane + d];
    fm::this_wave().sync();
  }
  if (lane == 0) *out = values[0];
}

FERMATA_KERNEL sync_after_the_vote(unsigned* out) {
  FERMATA_SHARED(place, unsigned);
  if (fm::this_wave().elect()) place = 0;
  fm::this_wave().sync();
  if (fm::this_wave().elect()) place = 7;
  if (!fm::this_wave().any(true)) return;
  fm::this_wave().sync();
  out[fm::this_block().thread_rank()] = place;
}

FERMATA_KERNEL reduction_by_all_lanes(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  unsigned const sum = fm::this_wave().reduce(lane < 16 ? lane : 0u, fm::plus{});
  fm::this_wave().sync();
  out[fm::this_block().thread_rank()] = sum;
}

FERMATA_KERNEL vote_in_uniform_loop(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  unsigned turns = 0;
  for (unsigned i = 0; fm::this_wave().any(i <= lane % 2); ++i) turns += i <= lane % 2;
  out[fm::this_block().thread_rank()] = fm::this_wave().ballot(turns == 1).count();
}

FERMATA_KERNEL ballot_before_the_branches(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  fm::lane_mask const low = fm::this_wave().ballot(lane < 8), lower = fm::this_wave().ballot(lane < 4);
  out[fm::this_block().thread_rank()] = (lane % 2 == 0 ? low : lower).count();
}

FERMATA_KERNEL members_alone_call(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  if (lane < 16) out[lane] = fm::this_wave().subset(fm::lane_mask::all(16)).reduce(lane, fm::plus{});
}

FERMATA_KERNEL members_by_ballot(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  fm::lane_group const low = fm::this_wave().subset(fm::this_wave().ballot(lane < 8));
  if (lane >= 8) return;
  unsigned const sum = low.reduce(lane, fm::plus{});
  if (lane == 0) *out = sum;
}

FERMATA_KERNEL masks_apart(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  if (lane >= 16) return;
  fm::lane_mask const low = fm::lane_mask::all(8), mine = lane < 8 ? low : fm::lane_mask::all(16) - low;
  out[lane] = fm::this_wave().subset(mine).reduce(lane, fm::plus{});
}

FERMATA_KERNEL reduction_of_partial_wave(unsigned* out) {
  unsigned const sum = fm::this_wave().reduce(1u, fm::plus{});
  if (fm::this_wave().lane() == 0) *out = sum;
}

// A tree by shuffles over whole tiles: every lane that is read is there.
FERMATA_KERNEL tree_over_tiles(unsigned* out) {
  auto const four = fm::tiled_partition<4>(fm::this_block());
  unsigned sum = 1;
  for (unsigned d = 2; d != 0; d /= 2) sum += four.shfl_xor(sum, d);
  out[fm::this_block().thread_rank()] = sum;
}

// Who gets the value of a lane that is not there says that it is none, whichever lane comes last.
FERMATA_KERNEL shift_without_the_end(unsigned* out) {
  auto const wave = fm::this_wave();
  std::optional<fm::check_ignore> unused;
  if (wave.lane() + 16 >= wave.live()) unused.emplace(kind::inactive_lane_read, "what comes from no lane is not used");
  unsigned const value = wave.shfl_down(wave.lane(), 16);
  if (wave.lane() + 16 < wave.live()) out[wave.lane()] = value;
}

FERMATA_KERNEL broadcast_before_the_return(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const value = fm::this_wave().broadcast(rank + 1, 0);
  if (rank != 0) out[rank] = value;
}

FERMATA_KERNEL results_by_tiles_of_32(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const sum = fm::tiled_partition<32>(fm::this_wave()).reduce(1u, fm::plus{});
  if (rank % 32 == 0) out[rank / 32] = sum;
}

FERMATA_KERNEL ballot_of_any_width(unsigned* count) {
  unsigned const here = fm::this_wave().ballot(true).count();
  fm::block_atomic_ref<unsigned> const total(*count);
  if (fm::this_wave().elect()) total.fetch_add(here, fm::memory_order_relaxed);
}

}  // namespace

TEST_CASE("clean/wave_reduction_without_sync") {
  test::stays_clean([](test::memory& m) {
    return fm::check(wave_reduction, {1, 32}, m.filled(32, 1u), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/vote_is_no_sync") {
  test::stays_clean([](test::memory& m) { return fm::check(sync_after_the_vote, {1, 32}, m.zeros<unsigned>(32)); });
}

TEST_CASE("clean/reduction_in_branch") {
  test::stays_clean([](test::memory& m) { return fm::check(reduction_by_all_lanes, {1, 64}, m.zeros<unsigned>(64)); });
}

TEST_CASE("clean/vote_in_loop") {
  test::stays_clean([](test::memory& m) { return fm::check(vote_in_uniform_loop, {1, 64}, m.zeros<unsigned>(64)); });
}

TEST_CASE("clean/ballot_in_both_branches") {
  test::stays_clean([](test::memory& m) {
    return fm::check(ballot_before_the_branches, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("clean/caller_not_in_mask") {
  test::stays_clean([](test::memory& m) { return fm::check(members_alone_call, {1, 32}, m.zeros<unsigned>(32)); });
}

TEST_CASE("clean/member_has_returned") {
  test::stays_clean([](test::memory& m) { return fm::check(members_by_ballot, {1, 32}, m.zeros<unsigned>(1)); });
}

TEST_CASE("clean/overlapping_masks") {
  test::stays_clean([](test::memory& m) { return fm::check(masks_apart, {1, 32}, m.zeros<unsigned>(32)); });
}

TEST_CASE("clean/tree_over_partial_wave") {
  test::stays_clean([](test::memory& m) {
    return fm::check(reduction_of_partial_wave, {1, 20}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/tree_over_partial_wave, by tiles") {
  test::stays_clean([](test::memory& m) { return fm::check(tree_over_tiles, {1, 20}, m.zeros<unsigned>(20)); });
}

TEST_CASE("clean/tree_over_partial_wave, a value that is not used") {
  test::stays_clean([](test::memory& m) { return fm::check(shift_without_the_end, {1, 20}, m.zeros<unsigned>(20)); });
}

TEST_CASE("clean/broadcast_from_returned_lane") {
  test::stays_clean([](test::memory& m) {
    return fm::check(broadcast_before_the_return, {1, 32}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("clean/results_by_32") {
  test::stays_clean_between_widths([](test::memory& m) {
    return fm::check_widths(results_by_tiles_of_32, {1, 64}, m.zeros<unsigned>(2));
  });
}

TEST_CASE("clean/ballot_of_32_bits") {
  test::stays_clean_between_widths([](test::memory& m) {
    return fm::check_widths(ballot_of_any_width, {1, 64}, m.zeros<unsigned>(1));
  });
}
