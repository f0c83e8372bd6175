// An all-gather between the blocks of a persistent kernel: in every step each block publishes a chunk, and every
// block reads all chunks. Nobody waits for everybody; each thread waits for the words it reads. This is the internal
// first form of `exchange`; fermata-bench measures it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fermata/atomic.hpp>
#include <fermata/backend/exchange.hpp>
#include <fermata/backend/spin.hpp>
#include <fermata/block.hpp>
#include <fermata/detail/device_code.hpp>
#include <fermata/detail/unroll.hpp>
#include <fermata/detail/word.hpp>
#include <fermata/detail/words4.hpp>
#include <fermata/fence.hpp>
#include <fermata/flagged.hpp>
#include <fermata/grid.hpp>
#include <fermata/sentinel.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// How the memory of an exchange is laid out. Values travel in units, the piece that one poll loads. Every block owns
// the same number of units and at least one: observing all units of a step proves that every block has published it,
// which re-use of the buffers rests on (see exchange). So the count is padded up to a whole number of units a block.
struct exchange_shape {
  unsigned units_per_block;
  unsigned units;
  std::size_t words;  // 32-bit words of memory, all buffers together
};

// Values are their own flag. A unit is four words, loaded by one 16-byte poll of which every word is tested.
//
// Buffers and FenceEvery: a buffer is emptied again by its owner two steps after it was filled, and filled again
// `Buffers` steps after. Every thread executes one device-scope fence in each `FenceEvery`-th step. A fence waits for
// the thread's own stores and so delays the polls behind it; a larger ring lets more steps do without. The assertion
// below is what exchange's argument needs.
template <class T, unsigned Buffers = 32, unsigned FenceEvery = 15>
struct sentinel_protocol {
  static_assert(sizeof(T) == 4, "fermata::detail::sentinel_protocol: values of four bytes");
  static_assert((Buffers & (Buffers - 1)) == 0, "a power of two, so that no division is needed");
  static_assert(Buffers >= FenceEvery + 1 + (FenceEvery > 2 ? FenceEvery : 2),
                "fermata::detail::sentinel_protocol: a buffer would be polled again before its emptying is ordered");

  using value_type = T;
  using unit = words4;
  static constexpr unsigned values_per_unit = 4;
  static constexpr unsigned buffers = Buffers;
  static constexpr unsigned fence_every = FenceEvery;
  static constexpr bool rearms = true;
  // What the host fills the memory with before a launch.
  static constexpr std::uint32_t initial_word = sentinel_traits<T>::empty;

  FERMATA_DEVICE static unit load(unit const* p) noexcept { return backend::load_words<thread_scope::device>(p); }
  FERMATA_DEVICE static void store(unit* p, unit const& u) noexcept {
    backend::store_words<thread_scope::device>(p, u);
  }

  FERMATA_DEVICE static bool filled(unit const& u, std::uint32_t) noexcept {
    return (u.w[0] != initial_word) & (u.w[1] != initial_word) & (u.w[2] != initial_word) & (u.w[3] != initial_word);
  }
  FERMATA_DEVICE static T value(unit const& u, unsigned k) noexcept { return from_word<T>(u.w[k]); }
  // `source(index)` gives the value.
  template <class Source>
  FERMATA_DEVICE static unit pack(Source&& source, unsigned first, std::uint32_t) noexcept {
    unit u;
    unroll<4>(
        [&](unsigned k) { u.w[k] = sentinel_traits<T>::canonicalise(to_word(static_cast<T>(source(first + k)))); });
    return u;
  }
  FERMATA_DEVICE static unit empty() noexcept { return {{initial_word, initial_word, initial_word, initial_word}}; }
};

// Value and step in one 8-byte word, which is loaded whole: nothing to empty, nothing to order, twice the bytes.
template <class T>
struct flagged_protocol {
  using value_type = T;
  using unit = std::uint64_t;
  static constexpr unsigned values_per_unit = 1;
  static constexpr unsigned buffers = 2;
  static constexpr bool rearms = false;
  static constexpr std::uint32_t initial_word = 0;

  FERMATA_DEVICE static unit load(unit const* p) noexcept {
    return backend::atomic_load<thread_scope::device, std::memory_order_relaxed>(p);
  }
  FERMATA_DEVICE static void store(unit* p, unit u) noexcept {
    backend::atomic_store<thread_scope::device, std::memory_order_relaxed>(p, u);
  }
  // Zeroed memory carries epoch 0, so steps are sent as 1, 2, …
  FERMATA_DEVICE static bool filled(unit u, std::uint32_t step) noexcept { return flagged<T>::epoch_of(u) == step + 1; }
  FERMATA_DEVICE static T value(unit u, unsigned) noexcept { return flagged<T>::value_of(u); }
  template <class Source>
  FERMATA_DEVICE static unit pack(Source&& source, unsigned first, std::uint32_t step) noexcept {
    return flagged<T>::pack(source(first), step + 1);
  }
};

// The shape for `values` values and `blocks` blocks.
template <class Protocol>
constexpr exchange_shape shape_of_exchange(unsigned blocks, unsigned values) noexcept {
  unsigned const units = (values + Protocol::values_per_unit - 1) / Protocol::values_per_unit;
  unsigned const per_block = units == 0 ? 1 : (units + blocks - 1) / blocks;
  std::size_t const words_per_unit = sizeof(typename Protocol::unit) / sizeof(std::uint32_t);
  return {per_block, per_block * blocks, words_per_unit * Protocol::buffers * per_block * blocks};
}

// One thread's view of the exchange; every thread of the grid holds one and makes the same calls, once a step:
//
//   gather.publish([&](unsigned index) { return value; });      // for the values that the calling block owns; an index
//                                                               // from the number of values on is padding
//   gather.await_all([&](unsigned index, T value) { … });       // each thread of the block gets its share
//   gather.advance();                                           // a block barrier
//
// Pre     launched cooperatively with blocks of `Threads` threads; the memory holds Protocol::initial_word in every
//         word when the kernel starts; the unit that a thread polls, and the units that it publishes, are the same in
//         every step (they follow from its rank).
// Order   a value orders nothing but itself: data that lies elsewhere needs a release and an acquire.
//
// Why re-using the buffers is right. Step j uses buffer j mod B.
//
// Nobody overwrites what is still read. In step j a block empties its chunk of the buffer of step j-2. Its threads
// have passed the barrier of step j-1, so together they have observed all units of step j-1, at least one from every
// block. A block publishes step j-1 only after its own barrier of step j-2, when all of its threads had read what they
// wanted of step j-2. The buffer that is published to has been emptied since, or, where nothing is emptied and two
// buffers alternate, holds step j-2, to which the same argument applies.
//
// Nobody reads what was there before (sentinel; an old epoch gives itself away). Let p be the thread that owns a unit
// and c a thread of any block that polls it. p empties the unit in step s; the poll of step s-2+B may find the unit
// empty or filled anew, but must not find the value of step s-2. p empties and fills in program order, which is the
// order of the writes to these words, so it is enough that the emptying happens before that poll:
//   p: empty (step s) → fence F in step s' → publish step s'+1;   s' is the first step >= s with a fence, s' < s + E
//   c: polls of step s'+1 observe that publish → fence G → later polls
// F releases, G acquires, and the observed word is published after F and read before G: F synchronises with G
// (fence to fence, through an atomic word; scopes device). The fence of a step stands before the step's polls, so the
// first one after the polls of step s'+1 is in step s'+2 for E = 1, and in step s'+E for E >= 2. With s' = s+E-1 at
// worst, polls from step s+E-1+max(E, 2) on are safe, and step s-2+B is one of them if B >= E+1+max(E, 2).
//
// Where the fence stands: after the publish, in the shadow of its way to the other blocks, during which there would be
// nothing but polls that fail.
template <class Protocol, unsigned Threads, unsigned MaxPolls>
class exchange {
 public:
  using value_type = typename Protocol::value_type;
  using unit = typename Protocol::unit;

  FERMATA_DEVICE exchange(void* memory, unsigned units_per_block) noexcept
      : memory_(static_cast<unit*>(memory)),
        rank_(this_block().thread_rank()),
        units_per_block_(units_per_block),
        units_(units_per_block * this_grid().num_blocks()),
        first_own_(units_per_block * this_grid().block_rank()) {}

  // Sends the values of the calling block; `source(index)` is called for each by the thread that owns it.
  template <class Source>
  FERMATA_DEVICE void publish(Source&& source) noexcept {
    published_ = backend::cycle_stamp();
    unit* const own = buffer(step_) + first_own_;
    // In the first two steps this is a buffer that nobody has used yet.
    [[maybe_unused]] unit* const old = buffer(step_ - 2) + first_own_;
    for (unsigned i = rank_; i < units_per_block_; i += Threads) {
      Protocol::store(own + i, Protocol::pack(source, (first_own_ + i) * Protocol::values_per_unit, step_));
      if constexpr (Protocol::rearms) Protocol::store(old + i, Protocol::empty());
    }
    if constexpr (Protocol::rearms) {
      if (--steps_to_fence_ == 0) {
        steps_to_fence_ = Protocol::fence_every;
        atomic_thread_fence(memory_order_acq_rel, thread_scope_device);
      }
    }
  }

  // Waits for all values of the step; `consume(index, value)` is called for each by one thread of every block. A
  // thread has up to MaxPolls polls in flight before it tests the first.
  template <class Consume>
  FERMATA_DEVICE void await_all(Consume&& consume) noexcept {
    // Polls that come too early only stand in the way of the data.
    backend::wait_until(published_, backend::exchange_first_poll());
    unit const* const all = buffer(step_);
    for (unsigned first = rank_; first < units_; first += Threads * MaxPolls) {
      unit seen[MaxPolls];
      bool wanted[MaxPolls];
      unroll<MaxPolls>([&](unsigned i) { wanted[i] = first + i * Threads < units_; });
      bool again;
      do {
        again = false;
        unroll<MaxPolls>([&](unsigned i) {
          if (wanted[i]) seen[i] = Protocol::load(all + first + i * Threads);
        });
        unroll<MaxPolls>([&](unsigned i) {
          wanted[i] = wanted[i] && !Protocol::filled(seen[i], step_);
          again = again || wanted[i];
        });
      } while (again);
      unroll<MaxPolls>([&](unsigned i) {
        if (first + i * Threads >= units_) return;
        unroll<Protocol::values_per_unit>([&](unsigned k) {
          consume((first + i * Threads) * Protocol::values_per_unit + k, Protocol::value(seen[i], k));
        });
      });
    }
  }

  // Ends the step.
  FERMATA_DEVICE void advance() noexcept {
    this_block().sync();
    ++step_;
  }

 private:
  FERMATA_DEVICE unit* buffer(std::uint32_t step) const noexcept {
    return memory_ + std::size_t{step & (Protocol::buffers - 1)} * units_;
  }

  unit* memory_;
  unsigned rank_, units_per_block_, units_, first_own_;
  std::uint32_t step_ = 0;
  std::uint32_t published_ = 0;
  // The first fence comes in step 0.
  std::uint32_t steps_to_fence_ = 1;
};

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
