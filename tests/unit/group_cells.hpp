// Every collective of a group of lanes, for any group and any type, against what a sequential machine would say.
//
// A maker is a trivially copyable type that a kernel gets as an argument. In device code it says whether the calling
// lane takes part in round p and makes its group; on the host it says which threads the groups of that round have.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "wave_shapes.hpp"

namespace test {

struct words16 {
  std::uint32_t w[4];
};
struct words20 {
  std::uint32_t w[5];
};

template <unsigned Bytes>
struct bytes_of {
  unsigned char b[Bytes];
};

template <class T>
FERMATA_FN bool is_empty(T const& value) noexcept {
  return equal_bits(value, same_bits<T>(bytes_of<sizeof(T)>{}));
}

// Associative and not commutative, for bytes of any meaning: the last value that is not empty.
struct latest {
  template <class T>
  FERMATA_FN T operator()(T const& a, T const& b) const noexcept {
    return is_empty(b) ? a : b;
  }
};

// Associative and commutative.
struct xor_bytes {
  template <class T>
  FERMATA_FN T operator()(T const& a, T const& b) const noexcept {
    bytes_of<sizeof(T)> x = same_bits<bytes_of<sizeof(T)>>(a), y = same_bits<bytes_of<sizeof(T)>>(b);
    for (unsigned i = 0; i < sizeof(T); ++i) x.b[i] = static_cast<unsigned char>(x.b[i] ^ y.b[i]);
    return same_bits<T>(x);
  }
};

// What the threads bring to round p. A third of the values is empty; keys are few, and the same for all in some rounds.
template <class T>
FERMATA_FN T value_in(unsigned thread, unsigned p) noexcept {
  std::uint32_t const seed = mix(thread * 131u + p);
  return seed % 3 == 0 ? same_bits<T>(bytes_of<sizeof(T)>{}) : value_of<T>(seed);
}
template <class T>
FERMATA_FN T key_in(unsigned thread, unsigned p) noexcept {
  unsigned const kinds = p % 4 + 1;
  // Differs in the last byte alone, so that no word is left out.
  bytes_of<sizeof(T)> bytes = same_bits<bytes_of<sizeof(T)>>(value_of<T>(p));
  bytes.b[sizeof(T) - 1] = static_cast<unsigned char>(mix(thread * 7u + p) % kinds);
  return same_bits<T>(bytes);
}
FERMATA_FN inline bool vote_in(unsigned thread, unsigned p) noexcept {
  if (p % 5 == 0) return true;
  if (p % 5 == 1) return false;
  if (p % 5 == 2) return thread % 64 != p % 64;
  return mix(thread * 977u + p) % 2 != 0;
}

// The results of one thread in one round.
template <class T>
struct cells {
  T shfl, up, down, exclusive_or, broadcast, inclusive, exclusive, reduced;
};
struct facts {
  std::uint64_t ballot, match;
  std::uint8_t any, all, match_all, elected;
  std::uint32_t size, rank, padding;
};

template <class T, class Maker>
FERMATA_DEVICE void call_all(Maker const& maker, cells<T>* out, facts* told, unsigned rounds) {
  unsigned const thread = fm::this_block().thread_rank(), threads = fm::this_block().size();
  for (unsigned p = 0; p < rounds; ++p) {
    if (!maker.takes_part(p)) continue;
    auto const group = maker.make(p);
    unsigned const rank = group.thread_rank(), size = group.size();
    T const value = value_in<T>(thread, p), key = key_in<T>(thread, p);
    bool const vote = vote_in(thread, p);
    cells<T>& c = out[p * threads + thread];
    c.shfl = group.shfl(value, (rank * 3 + p) % size);
    c.up = group.shfl_up(value, p % size);
    if constexpr (Maker::knows_its_end) {
      c.down = group.shfl_down(value, p % size);
      c.exclusive_or = group.shfl_xor(value, p % size);
    } else {
      // A wave that is not full may bring anything from lanes that it lacks.
      fm::check_ignore const anything(fm::finding_kind::inactive_lane_read, "what comes from no lane is not compared");
      c.down = group.shfl_down(value, p % size);
      c.exclusive_or = group.all((rank ^ (p % size)) < size) ? group.shfl_xor(value, p % size) : value;
    }
    c.broadcast = group.broadcast(value, p % size);
    c.inclusive = group.inclusive_scan(value, latest{});
    c.exclusive = group.exclusive_scan(value, latest{}, value_of<T>(p));
    c.reduced = group.reduce(value, xor_bytes{});
    facts& f = told[p * threads + thread];
    f.ballot = f.match = 0;
    if constexpr (Maker::has_sets) {
      f.ballot = group.ballot(vote).to_uint64();
      f.match = group.match_any(key).to_uint64();
    }
    f.any = group.any(vote);
    f.all = group.all(vote);
    f.match_all = group.match_all(key);
    f.elected = group.elect();
    f.size = size;
    f.rank = rank;
    f.padding = 0;
    group.sync();
  }
}

template <class T, class Maker>
FERMATA_KERNEL all_collectives(Maker maker, cells<T>* out, facts* told, unsigned rounds) {
  call_all<T>(maker, out, told, rounds);
}

// The threads of the group of `thread` in round p, in the order of their ranks; empty if the thread takes no part.
using members_of = std::function<std::vector<unsigned>(unsigned thread, unsigned p)>;

template <class T, class Maker>
void check_collectives(fm::dim3 const& shape, Maker maker, unsigned rounds, members_of const& members,
                       void (*kernel)(Maker, cells<T>*, facts*, unsigned) = all_collectives<T, Maker>) {
  unsigned const threads = shape.count();
  CAPTURE(threads);
  CAPTURE(sizeof(T));
  auto out = filled<cells<T>>(rounds * threads, 0xCD);
  auto told = filled<facts>(rounds * threads, 0xCD);
  run({1, shape}, kernel, maker, out.data(), told.data(), rounds);
  auto const got = downloaded(out);
  auto const got_facts = downloaded(told);

  std::vector<cells<T>> want = got;
  std::vector<facts> want_facts = got_facts;
  for (unsigned p = 0; p < rounds; ++p)
    for (unsigned thread = 0; thread < threads; ++thread) {
      std::vector<unsigned> const group = members(thread, p);
      cells<T>& c = want[p * threads + thread];
      facts& f = want_facts[p * threads + thread];
      if (group.empty()) {
        std::memset(&c, 0xCD, sizeof(c));
        std::memset(&f, 0xCD, sizeof(f));
        continue;
      }
      unsigned const size = static_cast<unsigned>(group.size());
      unsigned const rank = static_cast<unsigned>(std::find(group.begin(), group.end(), thread) - group.begin());
      auto const value = [&](unsigned r) { return value_in<T>(group[r], p); };
      unsigned const delta = p % size;
      c.shfl = value((rank * 3 + p) % size);
      c.up = value(rank >= delta ? rank - delta : rank);
      if (rank + delta < size || Maker::knows_its_end) c.down = value(rank + delta < size ? rank + delta : rank);
      bool partners = (rank ^ delta) < size;
      for (unsigned r = 0; r < size && !Maker::knows_its_end; ++r) partners &= (r ^ delta) < size;
      c.exclusive_or = value(partners ? rank ^ delta : rank);
      c.broadcast = value(delta);
      T sum = value_of<T>(p), all = value(0);
      for (unsigned r = 0; r < rank; ++r) sum = latest{}(sum, value(r));
      for (unsigned r = 1; r < size; ++r) all = xor_bytes{}(all, value(r));
      c.exclusive = sum;
      T upto = value(0);
      for (unsigned r = 1; r <= rank; ++r) upto = latest{}(upto, value(r));
      c.inclusive = upto;
      c.reduced = all;
      f = facts{};
      f.all = f.match_all = 1;
      for (unsigned r = 0; r < size; ++r) {
        bool const votes = vote_in(group[r], p), matches = equal_bits(key_in<T>(group[r], p), key_in<T>(thread, p));
        if (votes && Maker::has_sets) f.ballot |= std::uint64_t{1} << r;
        if (matches && Maker::has_sets) f.match |= std::uint64_t{1} << r;
        f.any |= votes;
        f.all &= votes;
        f.match_all &= matches;
      }
      f.elected = rank == 0;
      f.size = size;
      f.rank = rank;
    }
  CHECK(difference(got, want) == "");
  CHECK(difference(got_facts, want_facts) == "");
}

}  // namespace test
