// Kinds of memory, and messages between a running kernel and the CPU.
#include <chrono>
#include <optional>

#include "support.hpp"

namespace {

using std::chrono::seconds;

// What both sides write, each on lines of its own.
struct alignas(128) mailbox {
  alignas(128) unsigned to_kernel;
  unsigned question[8];
  alignas(128) unsigned to_host;
  unsigned answer[8];
};

// Answers each round's question; the flags are numbers of rounds.
FERMATA_KERNEL answer_questions(mailbox* box, unsigned rounds) {
  fm::atomic_ref<unsigned, fm::thread_scope_system> incoming(box->to_kernel), outgoing(box->to_host);
  for (unsigned round = 1; round <= rounds; ++round) {
    incoming.wait(round - 1, fm::memory_order_acquire);
    for (unsigned i = 0; i < 8; ++i) box->answer[i] = 3 * box->question[i] + round;
    outgoing.store(round, fm::memory_order_release);
  }
}

FERMATA_KERNEL add_index(unsigned* values, unsigned count) {
  unsigned const i = fm::this_grid().thread_rank();
  if (i < count) values[i] += i;
}

// A buffer of the kind, or nothing with the reason where the device has none.
template <class T>
std::optional<fm::buffer<T>> buffer_of(std::size_t count, fm::memory_kind kind) {
  try {
    return fm::buffer<T>(test::gpu(), count, kind);
  } catch (fm::error const& e) {
    if (e.code() != fm::errc::unsupported || kind != fm::memory_kind::managed) throw;
    MESSAGE("not tested: " << e.what());
    return std::nullopt;
  }
}

}  // namespace

TEST_SUITE("memory") {
  TEST_CASE("kernels and copies work on every kind") {
    for (auto kind :
         {fm::memory_kind::device, fm::memory_kind::fine, fm::memory_kind::mapped, fm::memory_kind::managed}) {
      CAPTURE(static_cast<int>(kind));
      auto b = buffer_of<unsigned>(1000, kind);
      if (!b) continue;
      CHECK(b->kind() == kind);
      std::vector<unsigned> expected(1000);
      for (unsigned i = 0; i < 1000; ++i) expected[i] = 7 * i;
      b->upload(test::queue(), expected);
      test::run({4, 256}, add_index, b->data(), 1000u);
      for (unsigned i = 0; i < 1000; ++i) expected[i] = 8 * i;
      CHECK(test::difference(*b, expected) == "");
      b->fill_bytes(test::queue(), 0x55);
      CHECK(test::difference(*b, std::vector<unsigned>(1000, 0x55555555u)) == "");
    }
  }

  TEST_CASE("the CPU reads and writes what it may, and is refused the rest") {
    for (auto kind : {fm::memory_kind::mapped, fm::memory_kind::managed}) {
      auto b = buffer_of<unsigned>(256, kind);
      if (!b) continue;
      CHECK(fm::is_host_accessible(kind));
      for (unsigned i = 0; i < 256; ++i) b->host_data()[i] = 1000;
      test::run({1, 256}, add_index, b->data(), 256u);
      for (unsigned i = 0; i < 256; ++i) REQUIRE(b->host_data()[i] == 1000 + i);
    }
    for (auto kind : {fm::memory_kind::device, fm::memory_kind::fine}) {
      fm::buffer<unsigned> const b(test::gpu(), 16, kind);
      CHECK(!fm::is_host_accessible(kind));
      test::caught const e = test::error_of([&] { (void)b.host_data(); });
      CHECK(e.code == fm::errc::invalid_argument);
      CHECK(e.mentions("memory_kind::mapped"));
    }
  }

  TEST_CASE("a running kernel and the CPU exchange messages through system-scope atomics") {
    constexpr unsigned rounds = 200;
    for (auto kind : {fm::memory_kind::mapped, fm::memory_kind::managed}) {
      CAPTURE(static_cast<int>(kind));
      auto b = buffer_of<mailbox>(1, kind);
      if (!b) continue;
      mailbox* const box = b->host_data();
      *box = {};
      fm::host_atomic_ref<unsigned> const outgoing(box->to_kernel), incoming(box->to_host);
      fm::launch(test::queue(), {1, 1}, answer_questions, b->data(), rounds);
      bool answered = true, right = true;
      for (unsigned round = 1; round <= rounds && answered; ++round) {
        for (unsigned i = 0; i < 8; ++i) box->question[i] = round * 100 + i;
        outgoing.store(round, fm::memory_order_release);
        answered = incoming.wait_for(round - 1, fm::memory_order_acquire, seconds(20));
        for (unsigned i = 0; i < 8; ++i) right &= box->answer[i] == 3 * (round * 100 + i) + round;
      }
      CHECK(answered);
      CHECK(right);
      // Whatever has happened, the kernel must end: each round's flag in turn, because it waits for every change.
      for (unsigned round = 1; !answered && round <= rounds; ++round) outgoing.store(round, fm::memory_order_release);
      test::queue().synchronize();
    }
  }

  TEST_CASE("the CPU's side has the operations of an atomic reference") {
    auto b = fm::buffer<unsigned>(test::gpu(), 1, fm::memory_kind::mapped);
    unsigned& word = *b.host_data();
    fm::host_atomic_ref<unsigned> const ref(word);
    ref.store(5, fm::memory_order_seq_cst);
    CHECK(ref.fetch_add(3, fm::memory_order_relaxed) == 5);
    CHECK(ref.fetch_sub(1, fm::memory_order_acq_rel) == 8);
    CHECK(ref.fetch_or(0x18, fm::memory_order_relaxed) == 7);
    CHECK(ref.fetch_and(0x1C, fm::memory_order_relaxed) == 0x1F);
    CHECK(ref.fetch_xor(0x10, fm::memory_order_relaxed) == 0x1C);
    CHECK(ref.exchange(77, fm::memory_order_acq_rel) == 0x0C);
    unsigned expected = 1;
    CHECK(!ref.compare_exchange_strong(expected, 2, fm::memory_order_acq_rel, fm::memory_order_acquire));
    CHECK(expected == 77);
    CHECK(ref.compare_exchange_strong(expected, 2, fm::memory_order_acq_rel));
    CHECK(ref.load(fm::memory_order_acquire) == 2);
    CHECK(ref.wait_for(1, fm::memory_order_acquire, seconds(1)));
    CHECK(!ref.wait_for(2, fm::memory_order_acquire, std::chrono::milliseconds(5)));
  }

  TEST_CASE("borrowed memory and events are not freed") {
    auto const owner = test::uploaded(std::vector<unsigned>(64, 9));
    for (int again = 0; again < 2; ++again) {
      fm::buffer<unsigned> borrowed(test::gpu(), owner.data(), 64);
      CHECK(borrowed.data() == owner.data());
      fm::buffer<unsigned> const moved(std::move(borrowed));
      CHECK(test::difference(moved, std::vector<unsigned>(64, 9)) == "");
    }
    CHECK(test::difference(owner, std::vector<unsigned>(64, 9)) == "");

    fm::event const start(test::gpu());
    fm::event stop(test::gpu());
    for (int again = 0; again < 2; ++again) {
      fm::event borrowed(test::gpu(), start.native());
      borrowed.record(test::queue());
    }
    stop.record(test::queue());
    stop.synchronize();
    CHECK(stop.microseconds_since(start) >= 0);
  }
}
