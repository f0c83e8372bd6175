// The twins of bug/progress.cpp.
#include <bit>

#include "../support.hpp"

namespace {

using test::leads_its_block;
using test::word;

FERMATA_KERNEL all_blocks_meet(unsigned* arrived) {
  if (!leads_its_block()) return;
  word(*arrived).fetch_add(1, fm::memory_order_release);
  while (word(*arrived).load(fm::memory_order_acquire) < fm::this_grid().num_blocks()) {
  }
}

FERMATA_KERNEL consumer_and_producer(fm::sentinel<float>* slot, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 1)
    slot->publish(1.0f);
  else
    *out = slot->await();
}

FERMATA_KERNEL grid_barrier_resident(fm::grid_barrier<fm::central_generation> barrier) { barrier.sync(); }

FERMATA_KERNEL lock_taken_lane_by_lane(unsigned* lock, unsigned* sum) {
  fm::wave_serialize([&] {
    while (word(*lock).exchange(1, fm::memory_order_acquire) != 0) {
    }
    *sum += word(*lock).load(fm::memory_order_relaxed);
    word(*lock).store(0, fm::memory_order_release);
  });
}

// One elected lane takes the lock for its wave.
FERMATA_KERNEL lock_taken_by_one_lane(unsigned* lock, unsigned* sum) {
  if (fm::this_wave().elect()) {
    while (word(*lock).exchange(1, fm::memory_order_acquire) != 0) {
    }
  }
  fm::this_wave().sync();
  if (fm::this_wave().lane() == 1) *sum += 1;
  fm::this_wave().sync();
  if (fm::this_wave().elect()) word(*lock).store(0, fm::memory_order_release);
}

FERMATA_KERNEL lane_syncs_with_lane(unsigned* data, unsigned* out) {
  unsigned const lane = fm::this_block().thread_rank();
  if (lane == 31) *data = 42;
  fm::this_wave().sync();
  if (lane == 0) *out = *data;
}

FERMATA_KERNEL slot_filled_by_another_wave(fm::sentinel<float, fm::thread_scope::block>* slot, float* out) {
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 69)
    slot->publish(1.0f);
  else if (rank == 3)
    *out = slot->await();
}

FERMATA_KERNEL barrier_met_in_one_place(unsigned* out) {
  FERMATA_SHARED(meeting, fm::barrier<fm::thread_scope_block>);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) meeting.init(32);
  fm::this_block().sync();
  if (rank < 16) out[rank] = rank;
  meeting.arrive_and_wait();
  if (rank >= 16) out[rank] = out[rank - 16];
}

// What the completion reads is no wait, and makes nobody forget who came to the barrier how often.
struct reads_much {
  unsigned* words;
  FERMATA_DEVICE void operator()() const noexcept {
    unsigned sum = 0;
    for (unsigned i = 0; i < 200; ++i) sum += fm::block_atomic_ref<unsigned>(words[i]).load(fm::memory_order_relaxed);
    words[200] += sum;
  }
};

FERMATA_KERNEL barrier_whose_completion_reads_much(unsigned* words, unsigned rounds) {
  using barrier = fm::barrier<fm::thread_scope_block, reads_much>;
  FERMATA_SHARED(meeting, barrier);
  auto const block = fm::this_block();
  if (block.thread_rank() == 0) meeting.init(block.size(), reads_much{words});
  block.sync();
  for (unsigned r = 0; r < rounds; ++r) meeting.arrive_and_wait();
}

// The same value again and again, each time at another place: nobody waits.
FERMATA_KERNEL looks_without_a_loop(unsigned* count, unsigned* out) {
  unsigned seen = word(*count).load(fm::memory_order_relaxed);
  seen += word(*count).fetch_or(0, fm::memory_order_relaxed);
  seen += word(*count).load(fm::memory_order_relaxed);
  seen += word(*count).fetch_add(1, fm::memory_order_relaxed);
  out[fm::this_block().thread_rank()] = seen;
}

// Lane 0 arrives for its block and looks at two words, lane 1 at one, which may still show it what was there before.
FERMATA_KERNEL leader_arrives_for_its_wave(fm::grid_barrier<fm::striped> barrier) {
  for (unsigned round = 0; round < 12; ++round) barrier.sync();
}

FERMATA_KERNEL enough_signals(fm::counter<>* done) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() < 2)
    done->signal();
  else
    done->await(2);
}

FERMATA_KERNEL value_that_stays(unsigned* state) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*state).store(1, fm::memory_order_release);
    word(*state).store(2, fm::memory_order_release);
  } else {
    while (word(*state).load(fm::memory_order_acquire) < 1) {
    }
  }
}

FERMATA_KERNEL lock_given_back(unsigned* lock, unsigned const* work, unsigned* sum) {
  if (!leads_its_block()) return;
  unsigned expected = 0;
  while (!word(*lock).compare_exchange_strong(expected, 1, fm::memory_order_acquire)) expected = 0;
  if (work[fm::this_grid().block_rank()] != 0) *sum += 1;
  word(*lock).store(0, fm::memory_order_release);
}

FERMATA_KERNEL locks_in_one_order(fm::binary_semaphore<fm::thread_scope_device>* locks) {
  if (!leads_its_block()) return;
  locks[0].acquire();
  locks[1].acquire();
  locks[1].release();
  locks[0].release();
}

FERMATA_KERNEL barrier_with_generation(unsigned* count, unsigned* generation, unsigned rounds) {
  if (!leads_its_block()) return;
  for (unsigned r = 0; r < rounds; ++r) {
    if (word(*count).fetch_add(1, fm::memory_order_acq_rel) == fm::this_grid().num_blocks() - 1) {
      word(*count).store(0, fm::memory_order_relaxed);
      word(*generation).store(r + 1, fm::memory_order_release);
    } else {
      while (word(*generation).load(fm::memory_order_acquire) == r) {
      }
    }
  }
}

FERMATA_KERNEL minus_zero_compared_as_bits(unsigned* slot, float* out) {
  if (!leads_its_block()) return;
  unsigned const empty = std::bit_cast<unsigned>(-0.0f);
  if (fm::this_grid().block_rank() == 0) {
    word(*slot).store(std::bit_cast<unsigned>(0.0f), fm::memory_order_relaxed);
  } else {
    unsigned bits = empty;
    while (bits == empty) bits = word(*slot).load(fm::memory_order_relaxed);
    *out = std::bit_cast<float>(bits);
  }
}

FERMATA_KERNEL nan_in_a_cas_loop(float* sum) {
  if (!leads_its_block()) return;
  fm::block_atomic_ref<float> const ref(*sum);
  float old = ref.load(fm::memory_order_relaxed);
  while (!ref.compare_exchange_strong(old, old + 1.0f, fm::memory_order_relaxed)) {
  }
}

FERMATA_KERNEL each_takes_its_turn(unsigned* turn) {
  if (!leads_its_block()) return;
  unsigned const me = fm::this_grid().block_rank();
  while (word(*turn).load(fm::memory_order_acquire) != me) {
  }
  word(*turn).store(me + 1, fm::memory_order_release);
}

FERMATA_KERNEL atomic_spin(unsigned* flag, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *out = 1;
    word(*flag).store(1, fm::memory_order_relaxed);
  } else {
    while (word(*flag).load(fm::memory_order_relaxed) == 0) {
    }
  }
}

// Waves that wait by operations which the lanes do together: none of them ever goes on for long by itself.
FERMATA_KERNEL waves_wait_for_their_turn(unsigned* turn) {
  unsigned const threads = fm::this_block().size();
  for (unsigned t = fm::this_grid().block_rank(); t < 3; t += fm::this_grid().num_blocks()) {
    while (fm::aggregated_fetch_add(word(*turn), 0, fm::memory_order_relaxed) != t * threads) {
    }
    fm::aggregated_add(word(*turn), 1, fm::memory_order_relaxed);
  }
}

// A lane of another wave stores.
FERMATA_KERNEL lane_waits_for_another_wave(unsigned* words) {
  unsigned const rank = fm::this_block().thread_rank();
  for (unsigned step = 0; step < 3; ++step) {
    if (rank == step % 2) {
      while (word(words[step]).load(fm::memory_order_relaxed) == 0) {
      }
    } else if (rank == 64 + step % 2) {
      word(words[step]).store(1, fm::memory_order_relaxed);
    }
    fm::this_block().sync();
  }
}

// In each step the lanes store, and then wait for several words of each other, at once, and not all for as many.
FERMATA_KERNEL lanes_wait_for_some_words(unsigned* words) {
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned step = 1; step <= 4; ++step) {
    word(words[rank]).store(step, fm::memory_order_relaxed);
    bool again = true;
    while (again) {
      again = false;
      for (unsigned i = rank; i <= threads; i += 5)
        again |= word(words[(i + step) % threads]).load(fm::memory_order_relaxed) < step;
    }
    fm::this_block().sync();
  }
}

}  // namespace

TEST_CASE("clean/more_blocks_than_fit") {
  test::stays_clean([](test::memory& m) {
    return fm::check(all_blocks_meet, {4, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/consumer_before_producer") {
  test::stays_clean([](test::memory& m) {
    return fm::check(consumer_and_producer, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<float>(1))
        .cooperative();
  });
}

TEST_CASE("clean/grid_barrier_not_resident") {
  test::stays_clean([](test::memory& m) {
    return fm::check(grid_barrier_resident, {4, 4}, m.barrier<fm::central_generation>())
        .resident_blocks(4)
        .cooperative();
  });
}

TEST_CASE("clean/lock_taken_by_each_lane") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lock_taken_lane_by_lane, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/lock_taken_by_each_lane, by one for all") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lock_taken_by_one_lane, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/lane_waits_for_lane") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lane_syncs_with_lane, {1, 32}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/slot_filled_by_own_wave") {
  test::stays_clean([](test::memory& m) {
    return fm::check(slot_filled_by_another_wave, {1, 128}, m.filled(1, fm::sentinel<float, fm::thread_scope::block>()),
                     m.zeros<float>(1));
  });
}

TEST_CASE("clean/barrier_met_in_two_places") {
  test::stays_clean([](test::memory& m) {
    return fm::check(barrier_met_in_one_place, {1, 32}, m.zeros<unsigned>(32));
  });
}

TEST_CASE("clean/barrier_met_in_two_places, a completion that reads much") {
  test::stays_clean([](test::memory& m) {
    return fm::check(barrier_whose_completion_reads_much, {1, 33}, m.zeros<unsigned>(201), 3);
  });
}

TEST_CASE("clean/lane_waits_for_lane, looks without a loop") {
  test::stays_clean([](test::memory& m) {
    return fm::check(looks_without_a_loop, {1, 32}, m.zeros<unsigned>(1), m.zeros<unsigned>(32));
  });
}

TEST_CASE("clean/lane_waits_for_lane, an older value") {
  test::stays_clean([](test::memory& m) {
    return fm::check(leader_arrives_for_its_wave, {2, 3}, m.barrier<fm::striped>()).cooperative();
  });
}

TEST_CASE("clean/lane_waits_for_lane, as many words as each likes") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lanes_wait_for_some_words, {1, 12}, m.zeros<unsigned>(12));
  });
}

TEST_CASE("clean/lanes_wait_by_turns") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lane_waits_for_another_wave, {1, 66}, m.zeros<unsigned>(3));
  });
}

TEST_CASE("clean/one_signal_too_few") {
  test::stays_clean([](test::memory& m) {
    return fm::check(enough_signals, {3, 4}, m.zeros<fm::counter<>>(1)).cooperative();
  });
}

TEST_CASE("clean/transient_value") {
  test::stays_clean([](test::memory& m) {
    return fm::check(value_that_stays, {2, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/lock_kept") {
  test::stays_clean([](test::memory& m) {
    return fm::check(lock_given_back, {2, 4}, m.zeros<unsigned>(1), m.uploaded(std::vector<unsigned>{0, 1}),
                     m.zeros<unsigned>(1))
        .cooperative();
  });
}

TEST_CASE("clean/locks_in_two_orders") {
  test::stays_clean([](test::memory& m) {
    auto* const locks = reinterpret_cast<fm::binary_semaphore<fm::thread_scope_device>*>(m.filled(2, 1u));
    return fm::check(locks_in_one_order, {2, 4}, locks).cooperative();
  });
}

TEST_CASE("clean/barrier_without_generation") {
  test::stays_clean([](test::memory& m) {
    return fm::check(barrier_with_generation, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1), 4).cooperative();
  });
}

TEST_CASE("clean/minus_zero_compared_as_float") {
  test::stays_clean([](test::memory& m) {
    return fm::check(minus_zero_compared_as_bits, {2, 4}, m.filled(1, std::bit_cast<unsigned>(-0.0f)),
                     m.zeros<float>(1))
        .cooperative();
  });
}

TEST_CASE("clean/nan_in_a_cas_loop") {
  test::stays_clean([](test::memory& m) {
    return fm::check(nan_in_a_cas_loop, {1, 4}, m.filled(1, std::bit_cast<float>(0x7FC00000u)));
  });
}

TEST_CASE("clean/nobody_gives_way") {
  test::stays_clean([](test::memory& m) {
    return fm::check(each_takes_its_turn, {2, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/nobody_gives_way, by waves") {
  test::stays_clean([](test::memory& m) {
    return fm::check(waves_wait_for_their_turn, {2, 2}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/plain_spin") {
  test::stays_clean([](test::memory& m) {
    return fm::check(atomic_spin, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}
