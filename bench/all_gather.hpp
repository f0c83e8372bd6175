// What the all-gather rows have in common. In every step each block of a persistent kernel produces its chunk of d
// floats, and every block reads all of them, tests each, and passes a block barrier, as a real consumer would before
// it uses what its other threads have read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fermata/exchange.hpp>
#include <string>
#include <utility>

#include "harness.hpp"

namespace bench {

inline constexpr unsigned all_gather_floats[] = {528, 2112, 4224, 8448};

// The value of an index in a step, as the bits of a float that is neither subnormal, NaN nor infinite. All values of
// all steps differ, and not in the last bit, which not every protocol carries.
inline constexpr unsigned most_all_gather_floats = 1u << 14;
inline constexpr unsigned most_all_gather_steps = 50000;
FERMATA_DEVICE inline std::uint32_t all_gather_bits(unsigned step, unsigned index) noexcept {
  return 0x10000000u + (step * most_all_gather_floats + index) * 2;
}

template <unsigned Most, unsigned Count, unsigned... More, class F>
void with_in_flight_from(unsigned needed, F& f) {
  if constexpr (sizeof...(More) == 0 || Count >= Most) {
    f.template operator()<Count>();
  } else {
    if (needed <= Count)
      f.template operator()<Count>();
    else
      with_in_flight_from<Most, More...>(needed, f);
  }
}

// Calls f with the number of units that one thread has in flight as a compile-time constant: the smallest of a few
// that covers `needed`, or the largest of them. None is compiled beyond the first that covers `Most`.
template <unsigned Most, class F>
void with_in_flight(unsigned needed, F&& f) {
  with_in_flight_from<Most, 1, 2, 3, 5, 9>(needed, f);
}

// The shape of the chunks, and one launch of it with as many blocks as there are multiprocessors.
class all_gather_experiment : public in_kernel {
 public:
  all_gather_experiment(bench::rig& r, bool fault, fm::detail::exchange_shape shape, unsigned values_per_unit,
                        unsigned threads)
      : in_kernel(r, fault), shape_(shape), threads_(threads) {
    if (shape.units * values_per_unit > most_all_gather_floats || plan().end() > most_all_gather_steps)
      throw fm::error(fm::errc::invalid_argument, "all_gather: more values or steps than the check can tell apart");
  }

 protected:
  unsigned blocks() const noexcept { return rig().multiprocessors(); }
  unsigned threads() const noexcept { return threads_; }
  fm::detail::exchange_shape const& shape() const noexcept { return shape_; }
  // Units that the busiest thread reads in a step.
  unsigned units_a_thread() const noexcept { return (shape_.units + threads_ - 1) / threads_; }

 private:
  fm::detail::exchange_shape shape_;
  unsigned threads_;
};

// The thread counts that have rows: few threads for few floats, and for many 704, of which each has the same share.
constexpr bool has_all_gather_row(unsigned floats, unsigned threads) noexcept {
  return floats <= all_gather_floats[1] ? threads != 704 : threads != 256;
}
// The most floats that a row of so many threads has, hence how many polls of a thread are to be compiled.
constexpr unsigned most_floats_of_rows(unsigned threads) noexcept {
  return has_all_gather_row(all_gather_floats[3], threads) ? all_gather_floats[3] : all_gather_floats[1];
}

// Adds the rows of one protocol for so many floats. `Make<Threads>::make(rig&, fault, floats)` gives the experiment.
template <template <unsigned> class Make>
void add_all_gather_rows_of(rig& r, std::string const& protocol, unsigned floats) {
  auto const add = [&]<unsigned Threads>() {
    if (!has_all_gather_row(floats, Threads)) return;
    add_row(r, "all_gather/" + protocol + "/floats:" + std::to_string(floats) + "/threads:" + std::to_string(Threads),
            [floats](rig& r, bool fault) { return Make<Threads>::make(r, fault, floats); });
  };
  add.template operator()<256>();
  add.template operator()<512>();
  add.template operator()<704>();
  add.template operator()<1024>();
}

template <template <unsigned> class Make>
void add_all_gather_rows(rig& r, std::string const& protocol) {
  for (unsigned const floats : all_gather_floats) add_all_gather_rows_of<Make>(r, protocol, floats);
}

}  // namespace bench
