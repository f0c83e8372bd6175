// Atomic loads and stores: every kind of type, order and scope; and what release and acquire carry from block to block.
#include "atomic_cells.hpp"
#include "store_buffering.hpp"

namespace {

enum class color : std::uint16_t { red, green = 0x1234, blue = 0xFFFF };
struct alignas(4) pair_of_shorts {
  std::int16_t first, second;
};
struct alignas(8) pair_of_words {
  std::uint32_t first, second;
};

constexpr unsigned cells = 6 * 3;

// In every scope: a store in each order, and behind it a load in each order.
// W is the word that holds a T, so that the host's half is compiled once for each size.
template <class T, class W>
FERMATA_KERNEL store_and_load(W* words, W const* values, W* loaded, unsigned count) {
  unsigned const i = static_cast<unsigned>(fm::this_grid().thread_rank());
  if (i >= count) return;
  unsigned at = i;
  T* const memory = reinterpret_cast<T*>(words);
  T const value = test::same_bits<T>(values[i]);
  test::for_each_scope([&](auto scope) {
    auto const pass_through = [&](auto store_order, auto load_order) {
      auto const ref = test::ref_to(memory[at], scope);
      ref.store(value, store_order);
      loaded[at] = test::same_bits<W>(ref.load(load_order));
      at += count;
    };
    pass_through(fm::memory_order_relaxed, fm::memory_order_acquire);
    pass_through(fm::memory_order_release, fm::memory_order_relaxed);
    pass_through(fm::memory_order_seq_cst, fm::memory_order_seq_cst);
  });
}

template <class W>
void check_words(std::vector<W> const& values, void (*kernel)(W*, W const*, W*, unsigned)) {
  unsigned const count = static_cast<unsigned>(values.size());
  auto memory = test::filled<W>(count * cells, 0xCD), loaded = test::filled<W>(count * cells, 0xCD);
  auto input = test::uploaded(values);
  test::run({(count + 31) / 32, 32}, kernel, memory.data(), input.data(), loaded.data(), count);
  CHECK(test::difference(memory, test::repeated(values, cells)) == "");
  CHECK(test::difference(loaded, test::repeated(values, cells)) == "");
}

template <class T>
void check_load_store(std::vector<T> const& values) {
  using word = test::word_of<T>;
  check_words<word>(test::words_of(values), store_and_load<T, word>);
}

template <class T>
std::vector<T> random_values() {
  std::vector<T> values;
  for (unsigned i = 0; i < 40; ++i) values.push_back(test::value_of<T>(i));
  return values;
}

// What the definition promises at compile time.
static_assert(fm::device_atomic_ref<double>::is_always_lock_free);
static_assert(fm::device_atomic_ref<double>::required_alignment == 8);
static_assert(fm::device_atomic_ref<double>::scope == fm::thread_scope::device);
static_assert(std::is_same_v<fm::block_atomic_ref<int>, fm::atomic_ref<int, fm::thread_scope_block>>);
static_assert(std::is_same_v<fm::system_atomic_ref<int>::value_type, int>);

// Block 0 sends `rounds` messages to block 1 by a release store, and waits for each to be taken.
template <fm::thread_scope Scope, class Release, class Acquire>
FERMATA_KERNEL message_passing(unsigned* data, unsigned* flags, unsigned* wrong, unsigned rounds) {
  constexpr unsigned words = 16, stride = 32;
  if (fm::this_block().thread_rank() != 0) return;
  fm::atomic_ref<unsigned, Scope> const sent(flags[0]), taken(flags[stride]);
  unsigned mismatches = 0;
  for (unsigned round = 1; round <= rounds; ++round) {
    if (fm::this_grid().block_rank() == 0) {
      for (unsigned w = 0; w < words; ++w) data[w * stride] = test::mix(round * words + w);
      sent.store(round, Release{});
      while (taken.load(Acquire{}) != round) {
      }
    } else {
      while (sent.load(Acquire{}) != round) {
      }
      for (unsigned w = 0; w < words; ++w) mismatches += data[w * stride] != test::mix(round * words + w);
      taken.store(round, Release{});
    }
  }
  if (fm::this_grid().block_rank() == 1) *wrong = mismatches;
}

// The same with wait() and read-modify-writes: the two blocks take turns on one word.
FERMATA_KERNEL take_turns(unsigned* data, unsigned* turn, unsigned* wrong, unsigned rounds) {
  if (fm::this_block().thread_rank() != 0) return;
  unsigned const me = fm::this_grid().block_rank();
  fm::device_atomic_ref<unsigned> const whose(*turn);
  for (unsigned round = 0; round < rounds; ++round) {
    whose.wait(1 - me, fm::memory_order_acquire);  // until it is no longer the other's turn
    if (*data != 2 * round + me) *wrong += 1;
    *data += 1;
    whose.exchange(1 - me, fm::memory_order_acq_rel);
    whose.notify_one();
    whose.notify_all();
  }
}

FERMATA_KERNEL store_then_load(unsigned* x, unsigned* y, unsigned* meeting, unsigned* seen, unsigned* idle,
                               unsigned rounds) {
  test::store_buffering(x, y, meeting, seen, idle, rounds, [](auto mine, auto other) {
    mine.store(1, fm::memory_order_seq_cst);
    return other.load(fm::memory_order_seq_cst);
  });
}

template <fm::thread_scope Scope, class Release, class Acquire>
void check_message_passing(Release, Acquire) {
  auto data = test::filled<unsigned>(16 * 32), flags = test::filled<unsigned>(64),
       wrong = test::filled<unsigned>(1, 0xFF);
  test::run_cooperative({2, 32}, message_passing<Scope, Release, Acquire>, data.data(), flags.data(), wrong.data(),
                        400u);
  CHECK(test::difference(wrong, std::vector<unsigned>{0}) == "");
}

}  // namespace

TEST_SUITE("atomic_load_store") {
  TEST_CASE_TEMPLATE("integers", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                     std::int64_t, std::uint64_t) {
    check_load_store(test::edge_integers<T>());
  }
  TEST_CASE_TEMPLATE("any bits of floats and structs", T, float, double, pair_of_shorts, pair_of_words) {
    check_load_store(random_values<T>());
  }
  TEST_CASE("enumerations, characters and pointers") {
    check_load_store<color>({color::red, color::green, color::blue});
    check_load_store<char>({'a', '\0', '\x7f', static_cast<char>(0x80)});
    check_load_store<unsigned const*>(random_values<unsigned const*>());
  }
  TEST_CASE("signalling NaNs, signed zeros and subnormals keep their bits") {
    using test::same_bits;
    check_load_store<float>(
        {0.0f, -0.0f, same_bits<float>(1u), same_bits<float>(0x7FA00001u), same_bits<float>(0xFF800001u)});
  }

  TEST_CASE("release and acquire carry plain data between blocks") {
    check_message_passing<fm::thread_scope::device>(fm::memory_order_release, fm::memory_order_acquire);
    check_message_passing<fm::thread_scope::system>(fm::memory_order_release, fm::memory_order_acquire);
    check_message_passing<fm::thread_scope::device>(fm::memory_order_seq_cst, fm::memory_order_seq_cst);
  }
  TEST_CASE("wait ends when the value changes, and acquires") {
    constexpr unsigned rounds = 400;
    auto data = test::filled<unsigned>(1), turn = test::filled<unsigned>(1), wrong = test::filled<unsigned>(1);
    test::run_cooperative({2, 32}, take_turns, data.data(), turn.data(), wrong.data(), rounds);
    CHECK(test::difference(wrong, std::vector<unsigned>{0}) == "");
    CHECK(test::difference(data, std::vector<unsigned>{2 * rounds}) == "");
  }
  TEST_CASE("seq_cst stores and loads have one total order") {
    test::check_store_buffering(store_then_load);
  }
}
