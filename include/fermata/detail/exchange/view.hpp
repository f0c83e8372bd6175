// One thread's view of an exchange, and why re-using its buffers is right. Public through exchange::open().
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstddef>
#include <cstdint>

#include <fermata/backend/atomic.hpp>
#include <fermata/backend/spin.hpp>
#include <fermata/block.hpp>
#include <fermata/detail/exchange/protocol.hpp>
#include <fermata/detail/unroll.hpp>
#include <fermata/fence.hpp>
#include <fermata/grid.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace detail {

// What the host tells the device: the memory, and the shape of it.
struct exchange_place {
  void* memory;
  std::uint32_t* steps;  // a word for each block: the steps that it has made in all launches
  unsigned blocks, values, units_per_block, chunk;
};

}  // namespace detail

// Every thread of the grid opens one and makes the same calls, once a step:
//
//   gather.publish([&](unsigned index) { return value; });  // for each index that the block owns, by one thread;
//                                                           // or publish(index, value) for each of them
//   gather.await_all([&](unsigned index, T value) { … });   // for each index of all, by one thread of the block
//   gather.advance();                                       // a block barrier
//
// Why re-using the buffers is right. Step j uses buffer j mod B. Between launches everything is ordered, and the number
// of the step goes on where it was, so that a launch is a pause between two steps and no more.
//
// Nobody overwrites what is still read. In step j a block empties its chunk of the buffer of step j-2, or, where
// nothing is emptied, writes to the buffer of step j-B with B >= 2. Its threads have passed the barrier of step j-1,
// so together they have observed all units of step j-1, at least one from every block. A block publishes step j-1 only
// after its own barrier of step j-2, when all of its threads had read what they wanted of step j-2. No fence is needed
// for this: that a thread has read what it waited for decides whether its block comes to the barrier, hence to the
// next publish, hence whether the other block comes to its own barrier and overwrites. A read cannot see a write that
// happens only because of what the read has seen (PTX ISA, "No-Thin-Air"; AMD issues no store while a branch before it
// waits for a load).
//
// Nobody reads what was there before.
//  - flagged: an old epoch gives itself away.
//  - sense bit: the bit of step j is j/B mod 2, so it differs between a use of a buffer and the next, and the memory
//    starts with the bit that the first use does not send. A thread polls the same words in every step of a launch,
//    and has waited for the value of step j-B in the words that it polls in step j; reads of one word by one thread do
//    not go backwards, so it sees that value, whose bit is the other one, or a later one. The value of step j+B, with
//    the other bit again, and that of step j+2B, with the same, are not there yet: they overwrite, see above. So the
//    bit of step j means the value of step j. Each word is tested for itself, as only words are whole.
//  - sentinel: nothing tells the value of step j from that of step j-B, so the emptying between them must be seen. Let
//    p be the thread that owns a word and c a thread of any block that polls it. p empties the word in step s; the
//    poll of step s-2+B may find it empty or filled anew, but must not find the value of step s-2. p empties and fills
//    in program order, which is the order of the writes to this word, so it is enough that the emptying happens before
//    that poll. With a fence in every E-th step:
//      p: empty (step s) → fence F in step s' → publish step s'+1;   s' is the first step >= s with a fence, s' < s + E
//      c: polls of step s'+1 observe that publish → fence G → later polls
//    F releases, G acquires, and the observed word is published after F and read before G: F synchronises with G
//    (fence to fence, through an atomic word; scopes device). The fence of a step stands before the step's polls, so
//    the first one after the polls of step s'+1 is in step s'+2 for E = 1, and in step s'+E for E >= 2. With
//    s' = s+E-1 at worst, polls from step s+E-1+max(E, 2) on are safe, and step s-2+B is one of them if
//    B >= E+1+max(E, 2).
//
// Where that fence stands: after the publish, in the shadow of its way to the other blocks, during which there would be
// nothing but polls that fail.
//
// Words that no value belongs to, because units are whole and every block has one, are published by the view itself:
// together with the values, or, where they are published one by one, when the block begins to wait.
template <class T, class Protocol, unsigned Threads, unsigned MaxPolls>
class exchange_view {
  using codec = detail::exchange_codec<T, Protocol>;
  using layout = typename Protocol::layout;
  using unit = typename codec::unit;
  static constexpr unsigned per_unit = codec::values_per_unit;
  static constexpr bool spread = layout::chunk_alignment > sizeof(unit);

 public:
  using value_type = T;

  FERMATA_DEVICE explicit exchange_view(detail::exchange_place const& place) noexcept
      : place_(place),
        rank_(this_block().thread_rank()),
        threads_(Threads != 0 ? Threads : this_block().size()),
        units_(place.units_per_block * place.blocks),
        first_own_(place.units_per_block * this_grid().block_rank()),
        own_(spread ? place.chunk * this_grid().block_rank() : first_own_),
        slots_(spread ? place.chunk * place.blocks : units_),
        step_(backend::atomic_load<thread_scope::device, std::memory_order_relaxed>(saved_step())) {
    if constexpr (layout::replicas > 1) copy_ = this_grid().block_rank() % layout::replicas * slots_;
    if constexpr (spread) find_slots(first_slots_, rank_);
  }

  // The next launch goes on with the step after the last advance().
  FERMATA_DEVICE ~exchange_view() {
    if (rank_ == 0) backend::atomic_store<thread_scope::device, std::memory_order_relaxed>(saved_step(), step_);
  }

  exchange_view(exchange_view const&) = delete;
  exchange_view& operator=(exchange_view const&) = delete;

  // The values that the calling block owns: first_own() up to, and without, last_own().
  FERMATA_DEVICE unsigned first_own() const noexcept {
    unsigned const first = first_own_ * per_unit;
    return first < place_.values ? first : place_.values;
  }
  FERMATA_DEVICE unsigned last_own() const noexcept {
    unsigned const last = (first_own_ + place_.units_per_block) * per_unit;
    return last < place_.values ? last : place_.values;
  }

  // Sends the values of the calling block; `source(index)` is called for each by one thread.
  // Pre: all threads of the block call it.
  template <class Source>
  FERMATA_DEVICE void publish(Source&& source) noexcept {
    unit* const own = buffer(step_) + own_;
    // In the first two steps this is a buffer that nobody has used yet.
    [[maybe_unused]] unit* const old = buffer(step_ - 2) + own_;
    for (unsigned i = rank_; i < place_.units_per_block; i += threads_) {
      unit u;
      detail::unroll<per_unit>([&](unsigned k) {
        unsigned const index = (first_own_ + i) * per_unit + k;
        u.w[k] = codec::encode(index < place_.values ? static_cast<T>(source(index)) : T{}, step_);
      });
      each_copy([&](unsigned copy) { codec::store(own + copy + i, u); });
      if constexpr (codec::rearms) each_copy([&](unsigned copy) { codec::store(old + copy + i, empty()); });
    }
    stamp();
    padded_ = true;
  }

  // Sends one value of the calling block's, from whichever thread has it.
  // Pre: each index from first_own() to last_own() is published once a step, by the same thread in all steps of a
  // launch, and not with the other form beside.
  FERMATA_DEVICE void publish(unsigned index, T value) noexcept {
    store_word(index / per_unit - first_own_, index % per_unit, value);
    stamp();
  }

  // Waits for all values of the step; `consume(index, value)` is called for each by one thread of every block, the same
  // in every step. A thread has up to MaxPolls polls in flight before it tests the first.
  template <class Consume>
  FERMATA_DEVICE void await_all(Consume&& consume) noexcept {
    if (!padded_) publish_padding();
    padded_ = false;
    if constexpr (codec::rearms) {
      if (--steps_to_fence_ == 0) {
        steps_to_fence_ = codec::fence_every;
        atomic_thread_fence(memory_order_acq_rel, thread_scope_device);
      }
    }
    // Polls that come too early only stand in the way of the data.
    if (!stamped_) published_ = backend::cycle_stamp();
    stamped_ = false;
    backend::wait_until(published_, backend::exchange_first_poll(sizeof(unit), units_));
    unit const* const all = buffer(step_) + copy_;
    unsigned const whole = place_.values / per_unit;  // units without padding
    unsigned places[MaxPolls];
    if constexpr (spread) detail::unroll<MaxPolls>([&](unsigned i) { places[i] = first_slots_[i]; });
    for (unsigned first = rank_; first < units_; first += threads_ * MaxPolls) {
      if (spread && first != rank_) find_slots(places, first);
      unit const* const from = all + first;
      unit seen[MaxPolls];
      bool wanted[MaxPolls];
      detail::unroll<MaxPolls>([&](unsigned i) { wanted[i] = first + i * threads_ < units_; });
      bool again;
      do {
        again = false;
        detail::unroll<MaxPolls>([&](unsigned i) {
          if (wanted[i]) seen[i] = codec::load(spread ? all + places[i] : from + i * threads_);
        });
        detail::unroll<MaxPolls>([&](unsigned i) {
          wanted[i] = wanted[i] && !codec::filled(seen[i], step_);
          again = again || wanted[i];
        });
      } while (again);
      detail::unroll<MaxPolls>([&](unsigned i) {
        unsigned const u = first + i * threads_;
        if (u < whole)
          detail::unroll<per_unit>([&](unsigned k) { consume(u * per_unit + k, codec::decode(seen[i].w[k])); });
      });
      // A test of its own, once, so that units without padding need no more than one each.
      if (whole * per_unit != place_.values)
        detail::unroll<MaxPolls>([&](unsigned i) {
          if (first + i * threads_ != whole) return;
          detail::unroll<per_unit - 1>([&](unsigned k) {
            unsigned const index = whole * per_unit + k;
            if (index < place_.values) consume(index, codec::decode(seen[i].w[k]));
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
    return static_cast<unit*>(place_.memory) + std::size_t{step & (codec::buffers - 1)} * (slots_ * layout::replicas);
  }

  FERMATA_DEVICE static unit empty() noexcept {
    unit u;
    detail::unroll<per_unit>([&](unsigned k) { u.w[k] = codec::initial; });
    return u;
  }

  // Calls f with the distance of each copy from the first.
  template <class F>
  FERMATA_DEVICE void each_copy(F&& f) const noexcept {
    detail::unroll<layout::replicas>([&](unsigned r) { f(r * slots_); });
  }

  // Where the units lie that a thread polls together: a division each, so once and not in every step.
  FERMATA_DEVICE void find_slots(unsigned (&places)[MaxPolls], unsigned first) const noexcept {
    detail::unroll<MaxPolls>([&](unsigned i) {
      unsigned const u = first + i * threads_;
      places[i] = u / place_.units_per_block * place_.chunk + u % place_.units_per_block;
    });
  }

  FERMATA_DEVICE void stamp() noexcept {
    published_ = backend::cycle_stamp();
    stamped_ = true;
  }

  // One word of a unit of the block's own.
  FERMATA_DEVICE void store_word(unsigned i, unsigned k, T value) noexcept {
    unit* const own = buffer(step_) + own_ + i;
    [[maybe_unused]] unit* const old = buffer(step_ - 2) + own_ + i;
    each_copy([&](unsigned copy) {
      codec::store_word(own + copy, k, codec::encode(value, step_));
      if constexpr (codec::rearms) codec::store_word(old + copy, k, codec::initial);
    });
  }

  // By the threads that publish these units in the other form, so that each word has one owner.
  FERMATA_DEVICE void publish_padding() noexcept {
    if ((first_own_ + place_.units_per_block) * per_unit <= place_.values) return;
    for (unsigned i = rank_; i < place_.units_per_block; i += threads_)
      for (unsigned k = 0; k < per_unit; ++k)
        if ((first_own_ + i) * per_unit + k >= place_.values) store_word(i, k, T{});
  }

  FERMATA_DEVICE std::uint32_t* saved_step() const noexcept { return place_.steps + this_grid().block_rank(); }

  detail::exchange_place place_;
  unsigned rank_, threads_, units_;
  unsigned first_own_;  // the first unit of the block's
  unsigned own_;        // where it lies in a copy of a buffer
  unsigned slots_;      // units of memory in a copy
  unsigned copy_ = 0;   // where the copy that the block reads lies in a buffer
  unsigned first_slots_[MaxPolls];
  std::uint32_t step_;
  std::uint64_t published_ = 0;
  bool stamped_ = false, padded_ = false;
  // The first fence comes in the launch's first step.
  std::uint32_t steps_to_fence_ = 1;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
