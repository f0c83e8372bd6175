// Fences: with relaxed atomics around them they carry plain data, as far as their scope reaches.
#include "store_buffering.hpp"

namespace {

// What is part of which order; all of the library asks these.
constexpr std::memory_order relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
                            release = std::memory_order_release, acq_rel = std::memory_order_acq_rel,
                            seq_cst = std::memory_order_seq_cst;
using fm::detail::acquires, fm::detail::releases, fm::detail::valid_for_load, fm::detail::valid_for_store;
static_assert(!acquires(relaxed) && acquires(acquire) && !acquires(release) && acquires(acq_rel) && acquires(seq_cst));
static_assert(!releases(relaxed) && !releases(acquire) && releases(release) && releases(acq_rel) && releases(seq_cst));
static_assert(valid_for_load(relaxed) && valid_for_load(acquire) && valid_for_load(seq_cst));
static_assert(!valid_for_load(release) && !valid_for_load(acq_rel));
static_assert(valid_for_store(relaxed) && valid_for_store(release) && valid_for_store(seq_cst));
static_assert(!valid_for_store(acquire) && !valid_for_store(acq_rel));

// Of a compare-exchange: the least order that is both that of success and that of failure.
constexpr bool both_are(std::memory_order failure, std::memory_order with_relaxed, std::memory_order with_acquire,
                        std::memory_order with_release, std::memory_order with_acq_rel) {
  using fm::detail::both_orders;
  return both_orders(relaxed, failure) == with_relaxed && both_orders(acquire, failure) == with_acquire &&
         both_orders(release, failure) == with_release && both_orders(acq_rel, failure) == with_acq_rel &&
         both_orders(seq_cst, failure) == seq_cst;
}
static_assert(both_are(relaxed, relaxed, acquire, release, acq_rel));
static_assert(both_are(acquire, acquire, acquire, acq_rel, acq_rel));
static_assert(both_are(seq_cst, seq_cst, seq_cst, seq_cst, seq_cst));

// Block 0 sends messages, block 1 takes them; the flags are relaxed, so that everything depends on the fences.
template <class Release, class Acquire, class Scope>
FERMATA_KERNEL between_blocks(unsigned* data, unsigned* flags, unsigned* wrong, unsigned rounds) {
  constexpr unsigned words = 16, stride = 32;
  if (fm::this_block().thread_rank() != 0) return;
  fm::atomic_ref<unsigned, Scope{}> const sent(flags[0]), taken(flags[stride]);
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    if (fm::this_grid().block_rank() == 0) {
      for (unsigned w = 0; w < words; ++w) data[w * stride] = test::mix(round * words + w);
      fm::atomic_thread_fence(Release{}, Scope{});
      sent.store(round, fm::memory_order_relaxed);
      while (taken.load(fm::memory_order_relaxed) != round) {
      }
      fm::atomic_thread_fence(Acquire{}, Scope{});
    } else {
      while (sent.load(fm::memory_order_relaxed) != round) {
      }
      fm::atomic_thread_fence(Acquire{}, Scope{});
      for (unsigned w = 0; w < words; ++w) mismatches += data[w * stride] != test::mix(round * words + w);
      fm::atomic_thread_fence(Release{}, Scope{});
      taken.store(round, fm::memory_order_relaxed);
    }
  }
  if (fm::this_grid().block_rank() == 1) *wrong = mismatches;
}

// The same between the first lanes of two waves of one block, in shared and in global memory.
template <class Release, class Acquire>
FERMATA_KERNEL between_waves(unsigned* global, unsigned* wrong, unsigned rounds) {
  FERMATA_SHARED(tile, unsigned[8]);
  FERMATA_SHARED(flags, unsigned[2]);
  auto const block = fm::this_block();
  if (block.thread_rank() < 2) flags[block.thread_rank()] = 0;
  block.sync();
  bool const sender = block.thread_rank() == 0, receiver = block.thread_rank() == fm::wave::size();
  if (!sender && !receiver) return;
  fm::block_atomic_ref<unsigned> const sent(flags[0]), taken(flags[1]);
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    if (sender) {
      for (unsigned w = 0; w < 8; ++w) tile[w] = global[w * 32] = test::mix(round * 8 + w);
      fm::atomic_thread_fence(Release{}, fm::thread_scope_block);
      sent.store(round, fm::memory_order_relaxed);
      while (taken.load(fm::memory_order_relaxed) != round) {
      }
      fm::atomic_thread_fence(Acquire{}, fm::thread_scope_block);
    } else {
      while (sent.load(fm::memory_order_relaxed) != round) {
      }
      fm::atomic_thread_fence(Acquire{}, fm::thread_scope_block);
      for (unsigned w = 0; w < 8; ++w)
        mismatches += (tile[w] != test::mix(round * 8 + w)) + (global[w * 32] != test::mix(round * 8 + w));
      fm::atomic_thread_fence(Release{}, fm::thread_scope_block);
      taken.store(round, fm::memory_order_relaxed);
    }
  }
  if (receiver) *wrong = mismatches;
}

// Relaxed accesses with a seq_cst fence between them.
template <class Scope>
FERMATA_KERNEL store_fence_load(unsigned* x, unsigned* y, unsigned* meeting, unsigned* seen, unsigned* idle,
                                unsigned rounds) {
  test::store_buffering(x, y, meeting, seen, idle, rounds, [](auto mine, auto other) {
    mine.store(1, fm::memory_order_relaxed);
    fm::atomic_thread_fence(fm::memory_order_seq_cst, Scope{});
    return other.load(fm::memory_order_relaxed);
  });
}

// Data written by all threads of block 0, published by a fence and a flag of its leader alone: the block barrier before
// the fence makes the leader's release cover the others' writes.
FERMATA_KERNEL leader_publishes(unsigned* data, unsigned* flag, unsigned* wrong) {
  auto const block = fm::this_block();
  unsigned const i = block.thread_rank();
  fm::device_atomic_ref<unsigned> const published(*flag);
  if (fm::this_grid().block_rank() == 0) {
    data[i] = test::mix(i);
    block.sync();
    if (i == 0) {
      fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
      published.store(1, fm::memory_order_relaxed);
    }
  } else {
    if (i == 0) {
      while (published.load(fm::memory_order_relaxed) == 0) {
      }
      fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
    }
    block.sync();
    if (data[i] != test::mix(i)) fm::device_atomic_ref<unsigned>(*wrong).fetch_add(1, fm::memory_order_relaxed);
  }
}

template <class Release, class Acquire, class Scope>
void check_between_blocks(Release, Acquire, Scope) {
  auto data = test::filled<unsigned>(16 * 32), flags = test::filled<unsigned>(64),
       wrong = test::filled<unsigned>(1, 0xFF);
  test::run_cooperative({2, 32}, between_blocks<Release, Acquire, Scope>, data.data(), flags.data(), wrong.data(),
                        400u);
  CHECK(test::difference(wrong, std::vector<unsigned>{0}) == "");
}

template <class Release, class Acquire>
void check_between_waves(Release, Acquire) {
  auto data = test::filled<unsigned>(8 * 32), wrong = test::filled<unsigned>(1, 0xFF);
  test::run({1, 2 * test::wave_size()}, between_waves<Release, Acquire>, data.data(), wrong.data(), 400u);
  CHECK(test::difference(wrong, std::vector<unsigned>{0}) == "");
}

template <class Scope>
void check_store_fence_load(Scope) {
  test::check_store_buffering(store_fence_load<Scope>);
}

}  // namespace

TEST_SUITE("fence") {
  TEST_CASE("release and acquire fences carry data between blocks") {
    check_between_blocks(fm::memory_order_release, fm::memory_order_acquire, fm::thread_scope_device);
    check_between_blocks(fm::memory_order_release, fm::memory_order_acquire, fm::thread_scope_system);
  }
  TEST_CASE("acq_rel and seq_cst fences do both") {
    check_between_blocks(fm::memory_order_acq_rel, fm::memory_order_acq_rel, fm::thread_scope_device);
    check_between_blocks(fm::memory_order_seq_cst, fm::memory_order_seq_cst, fm::thread_scope_device);
    check_between_blocks(fm::memory_order_acq_rel, fm::memory_order_seq_cst, fm::thread_scope_system);
  }
  TEST_CASE("block-scope fences carry data between waves") {
    check_between_waves(fm::memory_order_release, fm::memory_order_acquire);
    check_between_waves(fm::memory_order_acq_rel, fm::memory_order_acq_rel);
    check_between_waves(fm::memory_order_seq_cst, fm::memory_order_seq_cst);
  }
  TEST_CASE("seq_cst fences order a store before a later load") {
    check_store_fence_load(fm::thread_scope_device);
    check_store_fence_load(fm::thread_scope_system);
  }
  TEST_CASE("a leader's release covers what its block did before the block barrier") {
    for (unsigned threads : {1u, 32u, 64u, 200u, 256u}) {
      CAPTURE(threads);
      for (unsigned repeat = 0; repeat < 5; ++repeat) {
        auto data = test::filled<unsigned>(threads), flag = test::filled<unsigned>(1),
             wrong = test::filled<unsigned>(1);
        test::run_cooperative({2, threads}, leader_publishes, data.data(), flag.data(), wrong.data());
        CHECK(test::difference(wrong, std::vector<unsigned>{0}) == "");
      }
    }
  }
}
