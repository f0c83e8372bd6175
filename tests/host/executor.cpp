// The executor of the host backend: many lanes, many blocks, several launches at once, the host beside them.
#include <atomic>
#include <chrono>
#include <thread>

#include "host_support.hpp"

namespace {

using flag = fm::device_atomic_ref<unsigned>;
using host_flag = fm::system_atomic_ref<unsigned>;

FERMATA_KERNEL count_lanes(unsigned* count) { flag(*count).fetch_add(1, fm::memory_order_relaxed); }

FERMATA_KERNEL count_between_barriers(unsigned* count, unsigned* wrong) {
  unsigned const block = fm::this_grid().block_rank();
  for (unsigned i = 1; i <= 3; ++i) {
    fm::block_atomic_ref<unsigned>(count[block]).fetch_add(1, fm::memory_order_relaxed);
    fm::this_block().sync();
    if (count[block] != i * fm::this_block().size()) *wrong = 1;
    fm::this_block().sync();
  }
}

FERMATA_KERNEL indices(unsigned* out) {
  auto const block = fm::this_block();
  auto const t = block.thread_index(), d = block.dim(), b = block.index(), g = fm::this_grid().dim();
  unsigned const rank = (t.z * d.y + t.y) * d.x + t.x, number = (b.z * g.y + b.y) * g.x + b.x;
  out[fm::this_grid().thread_rank()] = rank == block.thread_rank() && number == fm::this_grid().block_rank() &&
                                       fm::this_wave().lane() == rank % fm::wave::size();
}

// A token goes round all blocks; each spins for its turn with plain loads.
FERMATA_KERNEL pass_token(unsigned* token, unsigned rounds) {
  if (fm::this_block().thread_rank() != 0) return;
  unsigned const blocks = fm::this_grid().num_blocks();
  for (unsigned i = fm::this_grid().block_rank(); i < rounds * blocks; i += blocks) {
    while (flag(*token).load(fm::memory_order_acquire) != i) {
    }
    flag(*token).store(i + 1, fm::memory_order_release);
  }
}

// All lanes take a spin lock in turn and change unprotected data under it.
FERMATA_KERNEL count_under_lock(unsigned* lock, unsigned* count) {
  unsigned expected = 0;
  while (!flag(*lock).compare_exchange_weak(expected, 1, fm::memory_order_acquire)) expected = 0;
  unsigned const old = *count;
  fm::this_grid();
  *count = old + 1;
  flag(*lock).store(0, fm::memory_order_release);
}

FERMATA_KERNEL wait_then_add(unsigned* go, unsigned* count) {
  flag(*go).wait(0, fm::memory_order_acquire);
  flag(*count).fetch_add(1, fm::memory_order_relaxed);
}

FERMATA_KERNEL set(unsigned* go) { flag(*go).store(1, fm::memory_order_release); }

FERMATA_KERNEL answer_host(unsigned* words, unsigned rounds) {
  for (unsigned i = 1; i <= rounds; ++i) {
    host_flag(words[0]).wait(i - 1, fm::memory_order_acquire);
    words[2] += 1;
    host_flag(words[1]).store(i, fm::memory_order_release);
  }
}

template <class Algorithm>
FERMATA_KERNEL cross_grid_barrier(fm::grid_barrier<Algorithm> barrier, unsigned* cells, unsigned steps,
                                  unsigned* wrong) {
  unsigned const rank = static_cast<unsigned>(fm::this_grid().thread_rank()),
                 size = static_cast<unsigned>(fm::this_grid().size());
  for (unsigned i = 0; i < steps; ++i) {
    cells[rank] = i;
    barrier.sync();
    if (cells[(rank + fm::this_block().size()) % size] != i) *wrong = 1;
    barrier.sync();
  }
}

FERMATA_KERNEL sentinel_chain(fm::sentinel<float>* slots) {
  unsigned const block = fm::this_grid().block_rank();
  if (fm::this_block().thread_rank() == 0) slots[block].publish(block == 0 ? 0.f : slots[block - 1].await() + 1.f);
}

FERMATA_KERNEL deep(unsigned* out) {
  unsigned char volatile frame[40 * 1024];
  frame[0] = 1;
  frame[sizeof frame - 1] = 2;
  fm::this_block().sync();
  out[fm::this_block().thread_rank()] = frame[0] + frame[sizeof frame - 1];
}

// More values than a processor has registers for, of every kind, each lane its own, over barriers, wave operations and
// turns that end in the middle of an atomic operation; and whether the stack begins where the ABI says.
FERMATA_KERNEL hold_values(unsigned* out, unsigned* word) {
  constexpr unsigned many = 24;
  unsigned const rank = fm::this_block().thread_rank();
  unsigned whole[many];
  double broken[many];
  alignas(16) unsigned char volatile aligned[16];
  for (unsigned i = 0; i < many; ++i) broken[i] = whole[i] = rank * many + i;
  for (unsigned round = 0; round < 40; ++round) {
    if (round % 4 == 0) fm::this_block().sync();
    if (round % 4 == 1) fm::this_wave().sync();
    flag(*word).fetch_add(1, fm::memory_order_relaxed);
    if (rank % 3 == 0 && flag(*word).load(fm::memory_order_relaxed) == 0) whole[0] = 0;
    for (unsigned i = 0; i < many; ++i) broken[i] += whole[i] += round;
  }
  unsigned right = 0;
  for (unsigned i = 0; i < many; ++i) {
    unsigned const first = rank * many + i;
    right += whole[i] == first + 780 && broken[i] == first + 40. * first + 10660.;
  }
  aligned[0] = 1;
  out[rank] = right * aligned[0] + (reinterpret_cast<std::uintptr_t>(&aligned) % 16 == 0);
}

// The first lane does nothing but change a word until the second one has changed it, too.
FERMATA_KERNEL change_until_told(unsigned* word) {
  if (fm::this_block().thread_rank() == 1) flag(*word).fetch_or(1, fm::memory_order_relaxed);
  if (fm::this_block().thread_rank() == 0)
    while (flag(*word).fetch_add(2, fm::memory_order_relaxed) % 2 == 0) {
    }
}

// Each operation once, of which each lane gets the old value, or the host does.
template <class Ref>
FERMATA_FN unsigned all_changes(unsigned& word) {
  Ref const w(word);
  constexpr auto relaxed = fm::memory_order_relaxed;
  unsigned sum = w.exchange(5, relaxed);
  for (unsigned const old :
       {w.fetch_add(7, relaxed), w.fetch_sub(2, relaxed), w.fetch_and(14, relaxed), w.fetch_or(32, relaxed),
        w.fetch_xor(3, relaxed), w.fetch_min(40, relaxed), w.fetch_max(50, relaxed), w.fetch_add(0, relaxed),
        w.fetch_inc_wrap(50, relaxed), w.fetch_dec_wrap(9, relaxed), w.fetch_dec_wrap(9, relaxed)})
    sum = sum * 3 + old;
  for (unsigned const wanted : {word, word + 1}) {
    unsigned expected = wanted;
    sum = sum * 3 + w.compare_exchange_strong(expected, word + 4, relaxed);
    sum = sum * 3 + expected;
  }
  return sum * 3 + word;
}

template <class Ref>
FERMATA_KERNEL change_in_all_ways(unsigned* words, unsigned* sums) {
  unsigned const rank = fm::this_block().thread_rank();
  for (unsigned i = 0; i < 20; ++i) sums[rank] = all_changes<Ref>(words[rank]);
}

// Adds one so often, every other time by a compare-exchange.
template <class Ref>
FERMATA_FN void add_in_both_ways(unsigned& sum, unsigned times) {
  for (unsigned i = 0; i < times; i += 2) {
    Ref(sum).fetch_add(1, fm::memory_order_relaxed);
    unsigned seen = Ref(sum).load(fm::memory_order_relaxed);
    while (!Ref(sum).compare_exchange_weak(seen, seen + 1, fm::memory_order_relaxed)) {
    }
  }
}

// Says that it is here, waits for the host, adds, and says that it has done so.
template <class Ref>
FERMATA_KERNEL add_when_told(unsigned* here, unsigned* go, unsigned* sum, unsigned times) {
  host_flag(*here).fetch_add(1, fm::memory_order_relaxed);
  host_flag(*go).wait(0, fm::memory_order_acquire);
  add_in_both_ways<Ref>(*sum, times);
  host_flag(*here).fetch_sub(1, fm::memory_order_relaxed);
}

}  // namespace

TEST_CASE("host: large grids and thousands of lanes that wait") {
  auto count = test::filled<unsigned>(1);
  test::run({10000, 64}, count_lanes, count.data());
  CHECK(test::downloaded(count)[0] == 640000);

  auto counts = test::filled<unsigned>(40), wrong = test::filled<unsigned>(1);
  test::run({40, 1024}, count_between_barriers, counts.data(), wrong.data());
  CHECK(test::downloaded(wrong)[0] == 0);
  CHECK(test::difference(counts, std::vector<unsigned>(40, 3 * 1024)) == "");
}

TEST_CASE("host: indices in three dimensions") {
  auto out = test::filled<unsigned>(2 * 3 * 4 * 5 * 6 * 7);
  test::run({fm::dim3(2, 3, 4), fm::dim3(5, 6, 7)}, indices, out.data());
  CHECK(test::difference(out, std::vector<unsigned>(out.size(), 1)) == "");
}

TEST_CASE("host: blocks that spin for each other, on one worker or on several, under both schedules") {
  for (char const* workers : {"1", "2", "4"})
    for (char const* schedule : {"fair", "random"}) {
      CAPTURE(workers);
      CAPTURE(schedule);
      test::with_variable const w("FERMATA_HOST_WORKERS", workers), s("FERMATA_HOST_SCHEDULE", schedule);
      auto words = test::filled<unsigned>(2);
      test::run_cooperative({16, 64}, pass_token, words.data(), 50u);
      CHECK(test::downloaded(words)[0] == 16 * 50);

      words = test::filled<unsigned>(2);
      test::run({20, 100}, count_under_lock, words.data(), words.data() + 1);
      CHECK(test::downloaded(words)[1] == 2000);
    }
}

TEST_CASE_TEMPLATE("host: grid barriers", Algorithm, fm::monotonic, fm::central_generation, fm::cooperative) {
  for (char const* workers : {"1", "2", "5"}) {
    test::with_variable const w("FERMATA_HOST_WORKERS", workers);
    fm::grid_barrier_storage<Algorithm> storage(test::gpu());
    for (unsigned blocks : {16u, 1u, 7u}) {
      CAPTURE(blocks);
      auto cells = test::filled<unsigned>(blocks * 256), wrong = test::filled<unsigned>(1);
      test::run_cooperative({blocks, 256}, cross_grid_barrier<Algorithm>, storage.barrier(), cells.data(), 20u,
                            wrong.data());
      CHECK(test::downloaded(wrong)[0] == 0);
    }
  }
}

TEST_CASE("host: a chain of sentinels over the blocks") {
  auto slots = test::uploaded(std::vector<fm::sentinel<float>>(16));
  test::run_cooperative({16, 32}, sentinel_chain, slots.data());
  std::vector<fm::sentinel<float>> const got = test::downloaded(slots);
  for (unsigned i = 0; i < 16; ++i) CHECK(test::same_bits<float>(got[i]) == static_cast<float>(i));
}

TEST_CASE("host: kernels in different streams run side by side") {
  fm::stream first(test::gpu()), second(test::gpu());
  auto words = test::filled<unsigned>(2);
  test::queue().synchronize();
  fm::launch(first, {16, 64}, wait_then_add, words.data(), words.data() + 1);
  fm::launch(first, {1, 1}, count_lanes, words.data() + 1);
  fm::launch(second, {1, 1}, set, words.data());
  second.synchronize();
  first.synchronize();
  CHECK(test::downloaded(words)[1] == 1025);
}

TEST_CASE("host: a kernel and the host talk while it runs") {
  auto words = test::filled<unsigned>(3);
  test::queue().synchronize();
  fm::launch(test::queue(), {1, 1}, answer_host, words.data(), 200u);
  for (unsigned i = 1; i <= 200; ++i) {
    host_flag(words.data()[0]).store(i, fm::memory_order_release);
    host_flag(words.data()[1]).wait(i - 1, fm::memory_order_acquire);
    CHECK(words.data()[2] == i);
    // Longer than what would be a deadlock among lanes.
    if (i == 100) std::this_thread::sleep_for(std::chrono::milliseconds(700));
  }
  test::queue().synchronize();
}

TEST_CASE("host: several threads launch in streams of their own") {
  std::vector<std::thread> threads;
  std::atomic<unsigned> wrong{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&wrong] {
      fm::device const gpu;
      fm::stream queue(gpu);
      fm::buffer<unsigned> count(gpu, 1);
      count.fill_bytes(queue, 0);
      for (int n = 0; n < 50; ++n) fm::launch(queue, {4, 40}, count_lanes, count.data());
      if (count.download(queue)[0] != 50 * 160) ++wrong;
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("host: events and graphs keep the order of the stream") {
  auto count = test::filled<unsigned>(1);
  fm::event before(test::gpu()), after(test::gpu());
  CHECK(test::error_of([&] { after.microseconds_since(before); }).code == fm::errc::invalid_argument);
  before.record(test::queue());
  auto const recorded = fm::graph::capture(test::queue(), [&] {
    for (int i = 0; i < 3; ++i) fm::launch(test::queue(), {2, 32}, count_lanes, count.data());
    CHECK(test::error_of([] { test::queue().synchronize(); }).code == fm::errc::invalid_argument);
  });
  CHECK(test::downloaded(count)[0] == 0);
  for (int i = 0; i < 5; ++i) recorded.launch(test::queue());
  after.record(test::queue());
  after.synchronize();
  CHECK(test::downloaded(count)[0] == 15 * 64);
  CHECK(after.microseconds_since(before) > 0);

  CHECK_THROWS_AS(fm::graph::capture(test::queue(), [] { throw 1; }), int);
  test::run({1, 1}, count_lanes, count.data());
  CHECK(test::downloaded(count)[0] == 15 * 64 + 1);
}

TEST_CASE("host: a stream that is destroyed finishes its work first") {
  auto words = test::filled<unsigned>(1);
  test::queue().synchronize();
  {
    fm::stream queue(test::gpu());
    for (int i = 0; i < 20; ++i) fm::launch(queue, {10, 64}, count_lanes, words.data());
  }
  CHECK(test::downloaded(words)[0] == 20 * 640);
}

TEST_CASE("host: frames of 40 KiB fit on a lane's stack") {
  auto out = test::filled<unsigned>(1024);
  test::run({1, 1024}, deep, out.data());
  CHECK(test::difference(out, std::vector<unsigned>(1024, 3)) == "");
}

TEST_CASE("host: what a lane holds outlives the turns of others") {
  for (char const* const schedule : {"fair", "random"}) {
    test::with_variable const chosen("FERMATA_HOST_SCHEDULE", schedule);
    auto out = test::filled<unsigned>(256), word = test::filled<unsigned>(1);
    test::run({1, 256}, hold_values, out.data(), word.data());
    CHECK(test::difference(out, std::vector<unsigned>(256, 25)) == "");
  }
}

TEST_CASE("host: a lane that only changes memory lets others run") {
  test::with_variable const workers("FERMATA_HOST_WORKERS", "1");
  auto word = test::filled<unsigned>(1);
  test::run({1, 2}, change_until_told, word.data());
  CHECK(test::downloaded(word)[0] % 2 == 1);
}

// With a lock and, where all threads of the scope are lanes of one worker, without.
TEST_CASE("host: lanes and host threads change a word alike") {
  unsigned word = 0, sum = 0;
  for (unsigned i = 0; i < 20; ++i) sum = all_changes<host_flag>(word);
  CHECK(word == 12);
  for (char const* const workers : {"1", "2"}) {
    test::with_variable const chosen("FERMATA_HOST_WORKERS", workers);
    for (auto* const kernel : {&change_in_all_ways<flag>, &change_in_all_ways<fm::block_atomic_ref<unsigned>>}) {
      auto words = test::filled<unsigned>(64), sums = test::filled<unsigned>(64);
      test::run({1, 64}, kernel, words.data(), sums.data());
      CHECK(test::difference(sums, std::vector<unsigned>(64, sum)) == "");
      CHECK(test::difference(words, std::vector<unsigned>(64, word)) == "");
    }
  }
}

TEST_CASE("host: one worker and the host change the same word") {
  constexpr unsigned lanes = 8, times = 400'000;
  test::with_variable const workers("FERMATA_HOST_WORKERS", "1");
  auto words = test::filled<unsigned>(3);
  test::queue().synchronize();
  unsigned* const w = words.data();
  fm::launch(test::queue(), {1, lanes}, add_when_told<host_flag>, w, w + 1, w + 2, times);
  while (host_flag(w[0]).load(fm::memory_order_relaxed) != lanes) std::this_thread::yield();
  host_flag(w[1]).store(1, fm::memory_order_release);
  unsigned sum = lanes * times;
  for (; host_flag(w[0]).load(fm::memory_order_relaxed) != 0; sum += 2) add_in_both_ways<host_flag>(w[2], 2);
  CHECK(test::downloaded(words)[2] == sum);
}

// A launch with one worker changes words of device scope without a lock only where no other launch has a second one.
TEST_CASE("host: launches with one worker and with several change the same word") {
  constexpr unsigned blocks = 4, lanes = 8, times = 40'000;
  for (bool const one_first : {true, false}) {
    CAPTURE(one_first);
    fm::stream first(test::gpu()), second(test::gpu());
    auto words = test::filled<unsigned>(3);
    test::queue().synchronize();
    unsigned* const w = words.data();
    for (bool const is_first : {true, false}) {
      test::with_variable const workers("FERMATA_HOST_WORKERS", is_first == one_first ? "1" : "4");
      fm::launch(is_first ? first : second, {blocks, lanes}, add_when_told<flag>, w, w + 1, w + 2, times);
      // A launch that waits in its stream has not begun.
      unsigned const all = (is_first ? 1 : 2) * blocks * lanes;
      for (unsigned seen = 0; seen != all; seen = host_flag(w[0]).load(fm::memory_order_relaxed))
        std::this_thread::yield();
    }
    host_flag(w[1]).store(1, fm::memory_order_release);
    first.synchronize();
    second.synchronize();
    CHECK(test::downloaded(words)[2] == 2 * blocks * lanes * times);
  }
}
