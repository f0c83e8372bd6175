// The cell test's types, and how many of its cells exist. A cell is an operation, a type, a scope and an order; for
// compare_exchange two orders. Whether it exists is asked where atomic_ref's static_asserts ask.
#pragma once

#include <cstdint>
#include <fermata/native.hpp>

namespace matrix {

namespace fm = fermata;

enum class letter : std::uint16_t { a, b };
struct alignas(8) pair {
  std::int32_t first, second;
};

inline constexpr fm::atomic_op operations[] = {
    fm::atomic_op::load,           fm::atomic_op::store,     fm::atomic_op::exchange,  fm::atomic_op::compare_exchange,
    fm::atomic_op::fetch_add,      fm::atomic_op::fetch_sub, fm::atomic_op::fetch_and, fm::atomic_op::fetch_or,
    fm::atomic_op::fetch_xor,      fm::atomic_op::fetch_min, fm::atomic_op::fetch_max, fm::atomic_op::fetch_inc_wrap,
    fm::atomic_op::fetch_dec_wrap, fm::atomic_op::wait};
inline constexpr std::memory_order orders[] = {std::memory_order_relaxed, std::memory_order_acquire,
                                               std::memory_order_release, std::memory_order_acq_rel,
                                               std::memory_order_seq_cst};
inline constexpr unsigned scopes = 6;

template <class T, fm::atomic_op Op, std::memory_order O>
inline constexpr bool exists =
    fm::detail::lock_free<T> && fm::detail::takes_type<T>(Op) && fm::detail::takes_order(Op, O);

struct counts {
  unsigned existing, refused;
};

template <class T>
constexpr counts cells_of() {
  using fm::detail::takes_order, fm::detail::takes_type, fm::detail::valid_for_load;
  counts result{0, 0};
  for (fm::atomic_op const op : operations)
    for (std::memory_order const order : orders) {
      bool const one = fm::detail::lock_free<T> && takes_type<T>(op) && takes_order(op, order);
      if (op != fm::atomic_op::compare_exchange) {
        (one ? result.existing : result.refused) += scopes;
      } else {
        for (std::memory_order const failure : orders)
          (one && valid_for_load(failure) ? result.existing : result.refused) += scopes;
      }
    }
  return result;
}

template <class... T>
constexpr counts cells_of_all() {
  counts total{0, 0};
  ((total.existing += cells_of<T>().existing, total.refused += cells_of<T>().refused), ...);
  return total;
}

inline constexpr counts cells =
    cells_of_all<signed char, unsigned char, short, unsigned short, int, unsigned, long long, unsigned long long, float,
                 double, bool, letter, pair, int*>();

}  // namespace matrix
