// Waves: operations that not all lanes call together, groups that are not what they name, lanes that are not there, and
// programs for one width.
#include "../support.hpp"

namespace {

// C4. The steps of a reduction in shared memory, as if the lanes ran in step.
FERMATA_KERNEL wave_reduction_without_sync(unsigned const* in, unsigned* out) {
  FERMATA_SHARED(values, unsigned[32]);
  unsigned const lane = fm::this_block().thread_rank();
  values[lane] = in[lane];
  fm::this_wave().sync();
  for (unsigned d = 16; d != 0; d /= 2)
    if (lane < d) values[lane] += values[lane + d];  // here: wave_reduction_without_sync
  if (lane == 0) *out = values[0];
}

// C4. A vote brings the lanes together, but orders no memory: only sync() does.
FERMATA_KERNEL vote_is_no_sync(unsigned* out) {
  FERMATA_SHARED(place, unsigned);
  if (fm::this_wave().elect()) place = 0;
  fm::this_wave().sync();
  if (fm::this_wave().elect()) place = 7;  // here: vote_is_no_sync
  if (!fm::this_wave().any(true)) return;
  out[fm::this_block().thread_rank()] = place;  // here: vote_is_no_sync
}

// Half of the lanes reduce, the other half goes on to the next operation of the wave.
FERMATA_KERNEL reduction_in_branch(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  unsigned sum = 0;
  if (lane < 16) sum = fm::this_wave().reduce(lane, fm::plus{});  // here: reduction_in_branch
  fm::this_wave().sync();                                         // here: reduction_in_branch
  out[fm::this_block().thread_rank()] = sum;
}

// A vote in a loop that turns more often for some lanes.
FERMATA_KERNEL vote_in_loop(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  unsigned turns = 0;
  for (unsigned i = 0; i <= lane % 2; ++i) turns += fm::this_wave().any(true);       // here: vote_in_loop
  out[fm::this_block().thread_rank()] = fm::this_wave().ballot(turns == 1).count();  // here: vote_in_loop
}

// The same operation in both branches. Where lanes of one branch do not wait for those of the other it gives each half
// a result of its own.
FERMATA_KERNEL ballot_in_both_branches(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  unsigned count = 0;
  if (lane % 2 == 0)
    count = fm::this_wave().ballot(lane < 8).count();  // here: ballot_in_both_branches
  else
    count = fm::this_wave().ballot(lane < 4).count();  // here: ballot_in_both_branches
  out[fm::this_block().thread_rank()] = count;
}

// All lanes call the operation of a group of which half of them are no members.
FERMATA_KERNEL caller_not_in_mask(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  fm::lane_group const low = fm::this_wave().subset(fm::lane_mask::all(16));
  out[lane] = low.reduce(lane, fm::plus{});  // here: caller_not_in_mask
}

// A group names lanes that have gone.
FERMATA_KERNEL member_has_returned(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  fm::lane_group const low = fm::this_wave().subset(fm::lane_mask::all(16));
  if (lane >= 8) return;                              // here: member_has_returned?
  unsigned const sum = low.reduce(lane, fm::plus{});  // here: member_has_returned
  if (lane == 0) *out = sum;
}

// The lanes do not agree on who belongs to the group: those above wait for those below, who do not wait for them.
FERMATA_KERNEL overlapping_masks(unsigned* out) {
  unsigned const lane = fm::this_wave().lane();
  if (lane >= 16) return;  // here: overlapping_masks?
  fm::lane_mask const mine = lane < 8 ? fm::lane_mask::all(8) : fm::lane_mask::all(16);
  out[lane] = fm::this_wave().subset(mine).reduce(lane, fm::plus{});  // here: overlapping_masks
}

// The steps of a tree over a wave that is not full read lanes that do not exist.
FERMATA_KERNEL tree_over_partial_wave(unsigned* out) {
  unsigned sum = 1;
  for (unsigned d = 16; d != 0; d /= 2) sum += fm::this_wave().shfl_down(sum, d);  // here: tree_over_partial_wave
  if (fm::this_wave().lane() == 0) *out = sum;
}

// The lane whose value is asked for has returned.
FERMATA_KERNEL broadcast_from_returned_lane(unsigned* out) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) return;                               // here: broadcast_from_returned_lane?
  out[rank] = fm::this_wave().broadcast(rank + 1, 0);  // here: broadcast_from_returned_lane
}

// C16. One result for each 32 threads, from an operation of the wave.
FERMATA_KERNEL results_by_32(unsigned* out) {  // here: results_by_32?
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const sum = fm::this_wave().reduce(1u, fm::plus{});
  if (rank % 32 == 0) out[rank / 32] = sum;  // here: results_by_32?
}

// C16. A ballot is cut to 32 bits.
FERMATA_KERNEL ballot_of_32_bits(unsigned* count) {  // here: ballot_of_32_bits?
  auto const bits = static_cast<unsigned>(fm::this_wave().ballot(true).to_uint64());
  fm::block_atomic_ref<unsigned> const total(*count);
  if (!fm::this_wave().elect()) return;
  total.fetch_add(__builtin_popcount(bits), fm::memory_order_relaxed);  // here: ballot_of_32_bits?
}

}  // namespace

TEST_CASE("bug/wave_reduction_without_sync") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(wave_reduction_without_sync, {1, 32}, m.filled(32, 1u), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/vote_is_no_sync") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(vote_is_no_sync, {1, 32}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("bug/reduction_in_branch") {
  test::finds(kind::wave_divergence, [](test::memory& m) {
    return fm::check(reduction_in_branch, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/vote_in_loop") {
  test::finds(kind::wave_divergence, [](test::memory& m) {
    return fm::check(vote_in_loop, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/ballot_in_both_branches") {
  test::finds(kind::wave_divergence, [](test::memory& m) {
    return fm::check(ballot_in_both_branches, {1, 64}, m.zeros<unsigned>(64));
  });
}

TEST_CASE("bug/caller_not_in_mask") {
  test::finds(kind::mask_mismatch, [](test::memory& m) {
    return fm::check(caller_not_in_mask, {1, 32}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("bug/member_has_returned") {
  test::finds(kind::mask_mismatch, [](test::memory& m) {
    return fm::check(member_has_returned, {1, 32}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/overlapping_masks") {
  test::finds(kind::mask_mismatch, [](test::memory& m) {
    return fm::check(overlapping_masks, {1, 32}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("bug/tree_over_partial_wave") {
  test::finds(kind::inactive_lane_read, [](test::memory& m) {
    return fm::check(tree_over_partial_wave, {1, 20}, m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/broadcast_from_returned_lane") {
  test::finds(kind::inactive_lane_read, [](test::memory& m) {
    return fm::check(broadcast_from_returned_lane, {1, 32}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("bug/results_by_32") {
  test::finds_between_widths([](test::memory& m) {
    return fm::check_widths(results_by_32, {1, 64}, m.zeros<unsigned>(2));
  });
}

TEST_CASE("bug/ballot_of_32_bits") {
  test::finds_between_widths([](test::memory& m) {
    return fm::check_widths(ballot_of_32_bits, {1, 64}, m.zeros<unsigned>(1));
  });
}
