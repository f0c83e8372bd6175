// An all-gather that checks itself, for any type and protocol: what is sent, what must arrive, and the launch.
#pragma once

#include <algorithm>
#include <fermata/exchange.hpp>

#include "float_classes.hpp"

namespace test {

// Bits that floats of either size make something of: zeros, subnormals, infinities, quiet and signalling NaNs with
// their first and last payloads, and what a sentinel holds for empty, of both signs.
template <class Bits>
FERMATA_FN constexpr Bits special_bits(unsigned which) noexcept {
  if constexpr (sizeof(Bits) < 4) {
    return static_cast<Bits>(which * 0x11u);
  } else {
    constexpr unsigned mantissa = sizeof(Bits) == 4 ? 23 : 52;
    constexpr Bits one = 1, sign = one << (sizeof(Bits) * 8 - 1),
                   infinity = (sign >> mantissa << mantissa) - (one << mantissa), quiet = one << (mantissa - 1),
                   most = (one << mantissa) - 1;
    constexpr Bits empty = sizeof(Bits) == 4 ? Bits{0x7FA5A5A5u} : static_cast<Bits>(0x7FF5A5A5A5A5A5A5ull);
    constexpr Bits all[] = {0,
                            1,
                            most,
                            most + 1,
                            infinity - 1,
                            infinity,
                            infinity | 1,
                            infinity | 2,
                            infinity | quiet,
                            infinity | quiet | 1,
                            infinity | most,
                            infinity | (quiet - 1),
                            empty,
                            empty ^ 1,
                            empty ^ sign};
    return all[which % 15] ^ (which & 16 ? sign : 0);
  }
}

// What each step sends: any bits, and often special ones.
template <class Bits>
FERMATA_FN Bits sent_bits(std::uint32_t step, unsigned index) noexcept {
  std::uint32_t const a = mix(step * 40503u + index), b = mix(a + 1);
  if (a % 3 == 0) return special_bits<Bits>(b % 32);
  return static_cast<Bits>(std::uint64_t{b} << 32 | a);
}

// What must arrive, said again and not by the library's own words.
template <class T, class Protocol>
struct arrived;
template <class T, unsigned Buffers, unsigned FenceEvery, class Layout>
struct arrived<T, fm::basic_sentinel_protocol<Buffers, FenceEvery, Layout>> {
  FERMATA_FN static bits_t<T> of(bits_t<T> sent) noexcept {
    return sent == fm::sentinel_traits<T>::empty ? fm::sentinel_traits<T>::canonicalise(sent) : sent;
  }
};
template <class T, unsigned WordsPerPoll, class Layout>
struct arrived<T, fm::basic_flagged_protocol<WordsPerPoll, Layout>> {
  FERMATA_FN static bits_t<T> of(bits_t<T> sent) noexcept { return sent; }
};
template <class T, unsigned Buffers, class Layout>
struct arrived<T, fm::basic_sense_bit_protocol<Buffers, Layout>> {
  FERMATA_FN static bits_t<T> of(bits_t<T> sent) noexcept {
    constexpr bits_t<T> sign = bits_t<T>{1} << (sizeof(T) * 8 - 1);
    // A NaN stays one, if nothing is left of its payload: with the smallest that is.
    bits_t<T> const smallest_nan = special_bits<bits_t<T>>(6);
    if (fm::sense_bit_traits<T>::bit == 1 && (sent & ~sign) == smallest_nan) return (sent & sign) | (smallest_nan + 1);
    return sent & ~bits_t<T>{fm::sense_bit_traits<T>::bit};
  }
};

// What a thread saw: a checksum that tells which indices, and how often.
struct tally {
  std::uint64_t checksum;
  unsigned seen, wrong;
};

// How a launch goes about it.
struct course {
  unsigned first_step, steps;
  unsigned delays;  // makes some blocks late in some steps, before they publish and before they read
  bool by_value;    // publish(index, value) by whichever thread, or publish(source)
  unsigned values;
  unsigned replays = 0;  // as a graph, so often; 0: a launch
  bool in_turn = false;  // every other step the other form, where the same threads publish
};

template <class T, class Protocol, unsigned Threads, unsigned MaxPolls>
FERMATA_KERNEL gather_all(fm::exchange<T, Protocol> exchange, course c, tally* out) {
  fm::check_ignore const publishes_first(fm::finding_kind::same_wave_wait,
                                         "a thread that publishes a value for others may have none to wait for itself");
  auto gather = exchange.template open<Threads, MaxPolls>();
  unsigned const block = fm::this_grid().block_rank(), rank = fm::this_block().thread_rank(),
                 threads = fm::this_block().size();
  tally mine{};
  unsigned work = block + 1;
  auto const delay = [&](unsigned seed) {
    unsigned const amount = mix(seed) % 8 == 0 ? c.delays : 0;
    for (unsigned i = 0; i < amount; ++i) work = mix(work + i);
  };
  for (unsigned step = c.first_step; step < c.first_step + c.steps; ++step) {
    auto const source = [&](unsigned index) {
      // Nobody asks for what the block does not own.
      mine.wrong += index < gather.first_own() || index >= gather.last_own();
      return same_bits<T>(sent_bits<bits_t<T>>(step, index));
    };
    delay(step * 977 + block);
    if (c.by_value == (c.in_turn && step % 2 != 0)) {
      gather.publish(source);
    } else if (c.in_turn) {
      constexpr unsigned per_unit = fm::detail::exchange_codec<T, Protocol>::values_per_unit;
      for (unsigned i = gather.first_own(); i < gather.last_own(); ++i)
        if ((i - gather.first_own()) / per_unit % threads == rank) gather.publish(i, source(i));
    } else {
      for (unsigned i = gather.first_own() + (rank + 5) % threads; i < gather.last_own(); i += threads)
        gather.publish(i, source(i));
    }
    delay(step * 3571 + block * 2 + 1);
    gather.await_all([&](unsigned index, T value) {
      mine.wrong += index >= c.values;
      mine.wrong += same_bits<bits_t<T>>(value) != arrived<T, Protocol>::of(sent_bits<bits_t<T>>(step, index));
      mine.checksum += mix(index + 1);
      mine.seen += 1;
    });
    gather.advance();
  }
  if (work == 0) mine.wrong += c.steps;  // never, but the work must not be optimised away
  tally& sum = out[fm::this_grid().thread_rank()];
  sum.checksum += mine.checksum;
  sum.seen += mine.seen;
  sum.wrong += mine.wrong;
}

// One launch on the storage, or the replays of one.
template <unsigned Threads = 0, unsigned MaxPolls = 2, class T, class Protocol>
void check_launch(fm::exchange_storage<T, Protocol> const& storage, unsigned threads, course c) {
  c.values = storage.values();
  CAPTURE(storage.blocks());
  CAPTURE(c.values);
  CAPTURE(threads);
  CAPTURE(c.first_step);
  CAPTURE(c.by_value);
  auto out = filled<tally>(storage.blocks() * threads);
  auto const launch = [&] {
    fm::launch_cooperative(queue(), {storage.blocks(), threads}, gather_all<T, Protocol, Threads, MaxPolls>,
                           storage.handle(), c, out.data());
  };
  if (c.replays == 0) {
    launch();
    queue().synchronize();
  } else {
    fm::graph const recorded = fm::graph::capture(queue(), launch);
    for (unsigned i = 0; i < c.replays; ++i) recorded.launch(queue());
    queue().synchronize();
    c.steps *= c.replays;
  }
  std::uint64_t checksum = 0;
  for (unsigned i = 0; i < c.values; ++i) checksum += mix(i + 1);
  std::vector<tally> const got = downloaded(out);
  for (unsigned b = 0; b < storage.blocks(); ++b) {
    tally sum{};
    for (unsigned t = 0; t < threads; ++t) {
      tally const& one = got[b * threads + t];
      sum.checksum += one.checksum;
      sum.seen += one.seen;
      sum.wrong += one.wrong;
    }
    CHECK(sum.wrong == 0);
    CHECK(sum.seen == c.values * c.steps);
    CHECK(sum.checksum == checksum * c.steps);
  }
}

template <class T, class Protocol>
void check_gather(unsigned blocks, unsigned threads, unsigned values, course c) {
  check_launch(fm::exchange_storage<T, Protocol>(gpu(), blocks, values), threads, c);
}

}  // namespace test
