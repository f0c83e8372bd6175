// An all-gather between the blocks of a persistent kernel: in every step each block publishes its chunk of the values,
// and every block reads all of them. Nobody waits for everybody; each thread waits for the words it reads.
//
//   FERMATA_KERNEL iterate(fm::exchange<float> all, float* x, int steps) {
//     auto gather = all.open();
//     for (int s = 0; s < steps; ++s) {
//       gather.publish([&](unsigned i) { return next_value(x, i); });
//       gather.await_all([&](unsigned i, float value) { x_in_shared_memory[i] = value; });
//       gather.advance();
//     }
//   }
//
//   fm::exchange_storage<float> storage(gpu, blocks, values);
//   fm::launch_cooperative(s, {blocks, threads}, iterate, storage.handle(), x.data(), steps);
#pragma once

#include <fermata/detail/device_code.hpp>  // first: a wrong compiler gets its message

#include <cstdint>
#include <string>

#include <fermata/buffer.hpp>
#include <fermata/detail/exchange/protocol.hpp>
#include <fermata/detail/exchange/shape.hpp>
#include <fermata/detail/exchange/view.hpp>
#include <fermata/device.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

namespace detail {

// Without a value to spare only the step beside it tells a value from an old one. Where there is one, the sentinel
// moves half the bytes, but needs a fence now and then: that wins when there is much to move. The long ring needs fewer
// fences and more memory, here up to 8 MiB; beyond that, a fence is a small part of a step, and the ring a large one of
// the L2 cache. µs a step on an H200, 132 blocks, each at its best thread count and at the first poll of its backend
// (docs/results/2026-11-30-h200-barriers/exchange_first_poll.txt, n0):
//   floats           528   2112  4224  8448
//   flagged          0.625 0.738 0.888
//   sentinel         0.823 0.942 0.912 1.065
//   long sentinel                0.867 1.063
template <class T, unsigned Values>
constexpr auto choose_exchange_protocol() noexcept {
  if constexpr (!has_sentinel<T>) {
    static_assert(sizeof(T) <= 4,
                  "fermata::exchange<T>: T has more than 4 bytes and no value to spare. Specialise "
                  "fermata::sentinel_traits<T> (8 bytes), or send several values of 4 bytes.");
    return flagged_protocol{};
  } else if constexpr (sizeof(T) <= 4 && Values != 0 && Values <= 3072) {
    return flagged_protocol{};
  } else if constexpr (Values != 0 && Values <= 64 * 1024 / sizeof(T)) {
    return long_sentinel_protocol{};
  } else {
    return sentinel_protocol{};
  }
}

}  // namespace detail

// The fastest protocol, where it was measured, that delivers every value of T with all its bits. `Values`: how many
// there are, if that is known; exchange and exchange_storage must both be given the protocol then.
template <class T, unsigned Values = 0>
using default_exchange_protocol = decltype(detail::choose_exchange_protocol<T, Values>());

// The handle that a kernel takes: stateless, copyable, valid for any number of launches while its storage lives.
//
// Protocol  sentinel_protocol and long_sentinel_protocol (float, double, half_pair, types with sentinel_traits),
//           flagged_protocol (any trivially copyable type of up to 4 bytes), sense_bit_protocol (costs a bit of every
//           value), or one of their basic_ forms with other buffers or another layout.
// Pre       launched by launch_cooperative with exactly the blocks of the storage, one launch at a time. Every value of
//           every step is published, and every thread of the grid calls await_all and advance once a step, the last
//           one included.
// Order     a value orders nothing but itself: data that lies elsewhere needs a release and an acquire.
// Any bits  of a value are data: nothing hangs. The sentinel's own pattern arrives as the neighbouring NaN, and the
//           sense bit as 0; every other value arrives as it was sent, under -ffast-math and flush-to-zero, too.
// Emits     polls: CUDA ld.relaxed.gpu.v4.b32 (flagged, and types of 8 bytes: .b64); HIP two global_load_dwordx2 in
//           flight together, with the cache bits of device scope. No fence but the sentinel's, one in 15 steps, or
//           in 63 with the long ring.
// Cost      a one-way trip, the time to read all values, and a block barrier: 0.6 to 1.1 µs a step for 528 to 8448
//           floats in 132 blocks of an H200, by the protocol of default_exchange_protocol<float, Values>
//           (docs/results/2026-11-30-h200-barriers/exchange_first_poll.txt); a write, a barrier and a read take 1.5 to
//           1.7.
template <class T, class Protocol = default_exchange_protocol<T>>
class exchange {
 public:
  using value_type = T;
  using protocol = Protocol;

  FERMATA_FN explicit constexpr exchange(detail::exchange_place const& place) noexcept : place_(place) {}

  // What a thread works with; see exchange_view for its members. Every thread of the grid opens one a launch.
  //   Threads   the threads of a block, or 0 for any number; as a constant it saves registers and instructions.
  //   MaxPolls  how many polls of a thread are in flight together. It should cover a thread's share, which is
  //             values / (4 * threads), rounded up; with flagged_protocol values / threads. Each takes four registers.
  template <unsigned Threads = 0, unsigned MaxPolls = 4>
  FERMATA_DEVICE exchange_view<T, Protocol, Threads, MaxPolls> open() const noexcept {
    return exchange_view<T, Protocol, Threads, MaxPolls>(place_);
  }

 private:
  detail::exchange_place place_;
};

// The memory of an exchange between `blocks` blocks of `values` values in all: owned by the host, filled once. A
// launch goes on where the last one has stopped, so that nothing is to be done between launches, nor in a graph.
// Errors: errc::invalid_argument without blocks, or for more than 2^31 values with what fills up the last chunks.
template <class T, class Protocol = default_exchange_protocol<T>>
class exchange_storage {
  using codec = detail::exchange_codec<T, Protocol>;

 public:
  exchange_storage(device const& d, unsigned blocks, unsigned values)
      : blocks_(blocks),
        values_(values),
        shape_(checked_shape(blocks, values)),
        memory_(d, shape_.words),
        steps_(d, blocks) {
    stream s(d);
    reset(s);
    s.synchronize();
  }

  // The handle to pass to a kernel.
  exchange<T, Protocol> handle() const noexcept {
    return exchange<T, Protocol>(
        {memory_.data(), steps_.data(), blocks_, values_, shape_.units_per_block, shape_.chunk});
  }

  unsigned blocks() const noexcept { return blocks_; }
  unsigned values() const noexcept { return values_; }
  // How many values a block owns; the last ones may own fewer, or none.
  unsigned values_per_block() const noexcept { return shape_.units_per_block * codec::values_per_unit; }
  std::size_t size_bytes() const noexcept { return memory_.size_bytes(); }

  // Makes the storage usable again after a launch that did not complete its steps. Queued in s.
  void reset(stream const& s) {
    memory_.fill(s, codec::initial);
    steps_.fill_bytes(s, 0);
  }

 private:
  static detail::exchange_shape checked_shape(unsigned blocks, unsigned values) {
    constexpr std::uint64_t most = std::uint64_t{1} << 31;
    if (blocks == 0) throw error(errc::invalid_argument, "exchange_storage: an exchange has at least one block");
    // What rounding up to whole units, and to the same number of them for each block, may add; then whole lines,
    // copies.
    detail::exchange_shape shape{};
    std::uint64_t padded = std::uint64_t{values} + std::uint64_t{blocks} * codec::values_per_unit;
    if (padded <= most) {
      shape = detail::shape_of_exchange<T, Protocol>(blocks, values);
      padded = shape.words / codec::buffers;
    }
    if (padded > most)
      throw error(errc::invalid_argument, "exchange_storage: " + std::to_string(values) + " values for " +
                                              std::to_string(blocks) + " blocks; there are at most 2^31, with padding");
    return shape;
  }

  unsigned blocks_, values_;
  detail::exchange_shape shape_;
  buffer<typename codec::word> memory_;
  buffer<std::uint32_t> steps_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
