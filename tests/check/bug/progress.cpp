// Kernels that never end on some GPU, or on all. The lines are those of the waits; what is awaited may be named, too.
#include <bit>

#include "../support.hpp"

namespace {

using test::leads_its_block;
using test::word;

// C8. A barrier of all blocks, of which not all can be resident.
FERMATA_KERNEL more_blocks_than_fit(unsigned* arrived) {
  if (!leads_its_block()) return;
  word(*arrived).fetch_add(1, fm::memory_order_release);
  while (word(*arrived).load(fm::memory_order_acquire) < fm::this_grid().num_blocks()) {  // here: more_blocks_than_fit
  }
}

// C9. The consumer is scheduled first, and the producer not before it has ended.
FERMATA_KERNEL consumer_before_producer(fm::sentinel<float>* slot, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 1)
    slot->publish(1.0f);
  else
    *out = slot->await();  // here: consumer_before_producer
}

// The same with a barrier of the library in an ordinary launch.
FERMATA_KERNEL grid_barrier_not_resident(fm::grid_barrier<fm::central_generation> barrier) {
  barrier.sync();  // here: grid_barrier_not_resident
}

// Each lane takes the lock for itself. On hardware whose lanes share a program counter the one that has it waits for
// those that try. (The load inside stands for work in the critical section.)
FERMATA_KERNEL lock_taken_by_each_lane(unsigned* lock, unsigned* sum) {
  while (word(*lock).exchange(1, fm::memory_order_acquire) != 0) {  // here: lock_taken_by_each_lane
  }
  *sum += word(*lock).load(fm::memory_order_relaxed);
  word(*lock).store(0, fm::memory_order_release);  // here: lock_taken_by_each_lane?
}

// One lane waits for another one of its wave.
FERMATA_KERNEL lane_waits_for_lane(unsigned* data, unsigned* out) {
  FERMATA_SHARED(flag, unsigned);
  fm::block_atomic_ref<unsigned> const ready(flag);
  unsigned const lane = fm::this_block().thread_rank();
  if (lane == 0) ready.store(0, fm::memory_order_relaxed);
  fm::this_block().sync();
  if (lane == 31) {
    *data = 42;
    ready.store(1, fm::memory_order_release);  // here: lane_waits_for_lane?
  } else if (lane == 0) {
    while (ready.load(fm::memory_order_acquire) == 0) {  // here: lane_waits_for_lane
    }
    *out = *data;
  }
}

// Two lanes wait for each other by turns, with a barrier of the block between: that each of them comes to the wait at
// another time does not help. (In the last step the word is there.)
FERMATA_KERNEL lanes_wait_by_turns(unsigned* words) {
  unsigned const lane = fm::this_block().thread_rank();
  if (lane == 0) word(words[2]).store(1, fm::memory_order_relaxed);
  fm::this_block().sync();
  for (unsigned step = 0; step < 3; ++step) {
    if (lane == step % 2) {
      while (word(words[step]).load(fm::memory_order_relaxed) == 0) {  // here: lanes_wait_by_turns
      }
    } else if (lane == (step + 1) % 2 && step < 2) {
      word(words[step]).store(1, fm::memory_order_relaxed);  // here: lanes_wait_by_turns?
    }
    fm::this_block().sync();
  }
}

// The same by a slot whose publisher is a lane of the waiter's wave.
FERMATA_KERNEL slot_filled_by_own_wave(fm::sentinel<float, fm::thread_scope::block>* slot, float* out) {
  unsigned const lane = fm::this_wave().lane();
  if (lane == 5)
    slot->publish(1.0f);  // here: slot_filled_by_own_wave?
  else if (lane == 3)
    *out = slot->await();  // here: slot_filled_by_own_wave
}

// The lanes of one wave arrive at a barrier in two places, each of which waits for the other. (One of the kernel's
// barriers and not the block's: it is the waiting on one's own wave that is the mistake.)
FERMATA_KERNEL barrier_met_in_two_places(unsigned* out) {
  FERMATA_SHARED(meeting, fm::barrier<fm::thread_scope_block>);
  unsigned const rank = fm::this_block().thread_rank();
  if (rank == 0) meeting.init(32);
  fm::this_block().sync();
  if (rank < 16)
    meeting.arrive_and_wait();  // here: barrier_met_in_two_places?
  else
    meeting.arrive_and_wait();  // here: barrier_met_in_two_places?
  out[rank] = rank;
}

// There are two signals, and three are waited for.
FERMATA_KERNEL one_signal_too_few(fm::counter<>* done) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() < 2)
    done->signal();
  else
    done->await(3);  // here: one_signal_too_few
}

// The value that is waited for is there only for a moment.
FERMATA_KERNEL transient_value(unsigned* state) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*state).store(1, fm::memory_order_release);
    word(*state).store(2, fm::memory_order_release);
  } else {
    while (word(*state).load(fm::memory_order_acquire) != 1) {  // here: transient_value
    }
  }
}

// One way out of the critical section does not unlock.
FERMATA_KERNEL lock_kept(unsigned* lock, unsigned const* work) {
  if (!leads_its_block()) return;
  unsigned expected = 0;
  while (!word(*lock).compare_exchange_strong(expected, 1, fm::memory_order_acquire)) expected = 0;  // here: lock_kept
  if (work[fm::this_grid().block_rank()] == 0) return;
  word(*lock).store(0, fm::memory_order_release);
}

// Two locks, taken in different orders by two blocks.
FERMATA_KERNEL locks_in_two_orders(fm::binary_semaphore<fm::thread_scope_device>* locks) {
  if (!leads_its_block()) return;
  unsigned const me = fm::this_grid().block_rank();
  locks[me].acquire();
  locks[1 - me].acquire();  // here: locks_in_two_orders
  locks[1 - me].release();
  locks[me].release();
}

// C13. A barrier that only counts: a block that is fast arrives again before a slow one has seen that the count was
// zero, which it never is again. What is lost is the signal; that it was given by resetting a counter in use may be
// what is told of it.
FERMATA_KERNEL barrier_without_generation(unsigned* count, unsigned rounds) {
  if (!leads_its_block()) return;
  for (unsigned r = 0; r < rounds; ++r) {
    if (word(*count).fetch_add(1, fm::memory_order_acq_rel) == fm::this_grid().num_blocks() - 1) {
      word(*count).store(0, fm::memory_order_release);  // here: barrier_without_generation?
    } else {
      while (word(*count).load(fm::memory_order_acquire) != 0) {  // here: barrier_without_generation
      }
    }
  }
}

// PROTOCOLS: the mark for "empty" is -0, and it is compared as a number: a zero that has been published equals it.
FERMATA_KERNEL minus_zero_compared_as_float(unsigned* slot, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*slot).store(std::bit_cast<unsigned>(0.0f), fm::memory_order_relaxed);
  } else {
    float value = -0.0f;
    while (value == -0.0f) {
      unsigned const bits = word(*slot).load(fm::memory_order_relaxed);  // here: minus_zero_compared_as_float
      value = std::bit_cast<float>(bits);
    }
    *out = value;
  }
}

// A compare-exchange loop that compares numbers: a NaN is never equal to what was expected, however often it is stored.
FERMATA_KERNEL nan_in_a_cas_loop(float* sum) {
  if (!leads_its_block()) return;
  fm::block_atomic_ref<float> const ref(*sum);
  float old = ref.load(fm::memory_order_relaxed);
  for (;;) {
    float const assumed = old;
    ref.compare_exchange_strong(old, assumed + 1.0f, fm::memory_order_relaxed);  // here: nan_in_a_cas_loop
    if (old == assumed) break;
  }
}

// Two blocks change a word for ever, each waiting for a number that neither stores.
FERMATA_KERNEL nobody_gives_way(unsigned* turn) {
  if (!leads_its_block()) return;
  unsigned const me = fm::this_grid().block_rank();
  while (word(*turn).exchange(me, fm::memory_order_acq_rel) != 2) {  // here: nobody_gives_way
  }
}

// C15. A plain read in a loop: the compiler reads once, and then the loop waits for nothing. Where the write comes
// first in the schedule the loop ends, and what is left of the mistake is that its read and the write race.
FERMATA_KERNEL plain_spin(unsigned* flag, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *out = 1;
    *flag = 1;  // here: plain_spin?
  } else {
    while (*flag == 0) {  // here: plain_spin
    }
  }
}

}  // namespace

TEST_CASE("bug/more_blocks_than_fit") {
  test::finds(kind::non_resident_deadlock, [](test::memory& m) {
    return fm::check(more_blocks_than_fit, {4, 4}, m.zeros<unsigned>(1)).resident_blocks(2);
  });
}

TEST_CASE("bug/consumer_before_producer") {
  test::finds(kind::non_resident_deadlock, [](test::memory& m) {
    return fm::check(consumer_before_producer, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<float>(1))
        .resident_blocks(1);
  });
}

TEST_CASE("bug/grid_barrier_not_resident") {
  test::finds(kind::non_resident_deadlock, [](test::memory& m) {
    return fm::check(grid_barrier_not_resident, {4, 4}, m.barrier<fm::central_generation>()).resident_blocks(3);
  });
}

TEST_CASE("bug/lock_taken_by_each_lane") {
  test::finds(kind::same_wave_wait, [](test::memory& m) {
    return fm::check(lock_taken_by_each_lane, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/lane_waits_for_lane") {
  test::finds(kind::same_wave_wait, [](test::memory& m) {
    return fm::check(lane_waits_for_lane, {1, 32}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/lanes_wait_by_turns") {
  test::finds(kind::same_wave_wait, [](test::memory& m) {
    return fm::check(lanes_wait_by_turns, {1, 8}, m.zeros<unsigned>(3));
  });
}

TEST_CASE("bug/slot_filled_by_own_wave") {
  test::finds(kind::same_wave_wait, [](test::memory& m) {
    return fm::check(slot_filled_by_own_wave, {1, 8}, m.filled(1, fm::sentinel<float, fm::thread_scope::block>()),
                     m.zeros<float>(1));
  });
}

TEST_CASE("bug/barrier_met_in_two_places") {
  test::finds(kind::same_wave_wait,
              [](test::memory& m) {
                return fm::check(barrier_met_in_two_places, {1, 32}, m.zeros<unsigned>(32));
              },
              // It is threads at different barriers, too.
              {.instead = {kind::barrier_divergence}});
}

TEST_CASE("bug/one_signal_too_few") {
  test::finds(kind::lost_signal, [](test::memory& m) {
    return fm::check(one_signal_too_few, {3, 4}, m.zeros<fm::counter<>>(1)).cooperative();
  });
}

TEST_CASE("bug/transient_value") {
  test::finds(kind::lost_signal, [](test::memory& m) {
    return fm::check(transient_value, {2, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("bug/lock_kept") {
  test::finds(kind::lost_signal, [](test::memory& m) {
    return fm::check(lock_kept, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(2)).cooperative();
  });
}

TEST_CASE("bug/locks_in_two_orders") {
  test::finds(kind::lost_signal, [](test::memory& m) {
    // Semaphores of one permit each, as init(1) leaves them.
    auto* const locks = reinterpret_cast<fm::binary_semaphore<fm::thread_scope_device>*>(m.filled(2, 1u));
    return fm::check(locks_in_two_orders, {2, 4}, locks).cooperative();
  });
}

TEST_CASE("bug/barrier_without_generation") {
  test::finds(kind::lost_signal,
              [](test::memory& m) {
                return fm::check(barrier_without_generation, {2, 4}, m.zeros<unsigned>(1), 4).cooperative();
              },
              {.instead = {kind::reset_unordered}});
}

TEST_CASE("bug/minus_zero_compared_as_float") {
  test::finds(kind::lost_signal, [](test::memory& m) {
    return fm::check(minus_zero_compared_as_float, {2, 4}, m.filled(1, std::bit_cast<unsigned>(-0.0f)),
                     m.zeros<float>(1))
        .cooperative();
  });
}

TEST_CASE("bug/nan_in_a_cas_loop") {
  test::finds(kind::livelock, [](test::memory& m) {
    return fm::check(nan_in_a_cas_loop, {1, 4}, m.filled(1, std::bit_cast<float>(0x7FC00000u))).steps(5000);
  });
}

TEST_CASE("bug/nobody_gives_way") {
  test::finds(kind::livelock, [](test::memory& m) {
    return fm::check(nobody_gives_way, {2, 4}, m.zeros<unsigned>(1)).steps(5000).cooperative();
  });
}

TEST_CASE("bug/plain_spin") {
  test::finds(
      kind::livelock,
      [](test::memory& m) {
        return fm::check(plain_spin, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).steps(50000).cooperative();
      },
      {.instead = {kind::data_race, kind::non_atomic_sync_word}, .several = true});
}
