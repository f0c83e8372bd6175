// Crossings of grid barriers by the million: random grids, block sizes and delays, launch upon launch on one storage,
// and a payload that every crossing carries.
//
// usage: fermata-stress [--crossings N] [--seconds S] [--seed S] [--algorithm NAME]... [--list]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fermata/fermata.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fm = fermata;

FERMATA_FN std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// What a thread writes in a crossing.
FERMATA_FN std::uint32_t payload(std::uint32_t crossing, std::uint32_t thread) {
  return mix(crossing * 0x9e3779b9u + thread);
}

struct witness {
  std::uint32_t wrong;                           // how many values were not what had been written
  std::uint32_t crossing, reader, writer, seen;  // of the first of them
};

// One crossing a round: two halves of the memory take turns, and a half is written again only when another crossing has
// passed, which no block passes before it has read. Blocks dawdle at random, for up to `delay` ticks of the clock.
template <class Algorithm>
FERMATA_KERNEL cross(fm::grid_barrier<Algorithm> barrier, std::uint32_t* memory, std::uint32_t first,
                     std::uint32_t rounds, std::uint32_t delay, bool split, witness* found) {
  auto const grid = fm::this_grid();
  std::uint32_t const rank = static_cast<std::uint32_t>(grid.thread_rank());
  std::uint32_t const threads = static_cast<std::uint32_t>(grid.size());
  std::uint32_t const block = fm::this_block().size();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::uint32_t const crossing = first + round;
    std::uint32_t* const half = memory + (round & 1) * threads;
    std::uint32_t const dice = mix(crossing ^ grid.block_rank() * 0x85ebca6bu);
    if (delay != 0 && dice % 8 == 0) {
      std::uint64_t const start = fm::cycle_clock();
      while (fm::cycle_clock() - start < dice / 8 % delay) {
      }
    }
    half[rank] = payload(crossing, rank);
    if constexpr (!std::is_same_v<Algorithm, fm::cooperative>) {
      if (split)
        barrier.wait(barrier.arrive());
      else
        barrier.sync();
    } else {
      barrier.sync();
    }
    for (std::uint32_t step : {1u, block, dice}) {
      std::uint32_t const writer = (rank + step % threads) % threads;
      std::uint32_t const seen = half[writer];
      if (seen == payload(crossing, writer)) continue;
      if (fm::device_atomic_ref<std::uint32_t>(found->wrong).fetch_add(1, fm::memory_order_relaxed) == 0) {
        found->crossing = crossing;
        found->reader = rank;
        found->writer = writer;
        found->seen = seen;
      }
    }
  }
}

struct plan {
  std::uint64_t crossings = 2'000;
  double seconds = 0;  // without a limit
  std::uint32_t seed = 1;
  std::vector<std::string> algorithms;
  bool list = false;
};

[[noreturn]] void refuse(std::string const& message) {
  std::fprintf(stderr, "fermata-stress: %s. Try: fermata-stress --help\n", message.c_str());
  std::exit(2);
}

template <class Algorithm>
bool run(fm::device const& d, char const* name, plan const& p) {
  constexpr unsigned most_threads = 256;
  fm::stream s(d);
  unsigned const most = static_cast<unsigned>(fm::max_resident_blocks(d, cross<Algorithm>, most_threads));
  fm::grid_barrier_storage<Algorithm> storage(d);
  fm::buffer<std::uint32_t> memory(d, std::size_t{2} * most * most_threads);
  fm::buffer<witness> found(s, std::vector<witness>(1));
  std::mt19937 random(p.seed);
  auto const begin = std::chrono::steady_clock::now();
  auto const elapsed = [begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::uint64_t done = 0, launches = 0;
  witness seen{};
  while (done < p.crossings && (p.seconds == 0 || elapsed() < p.seconds)) {
    // Small grids as often as large ones, and the largest every now and then.
    unsigned const blocks = random() % 8 == 0 ? most : std::max(1u, most >> random() % 8) - random() % 2;
    static constexpr unsigned sizes[] = {32, 64, 96, 128, 256};
    unsigned const threads = sizes[random() % std::size(sizes)];
    std::uint64_t const most_rounds = std::clamp<std::uint64_t>(p.crossings / 10, 1, 20'000);
    std::uint32_t const rounds =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(p.crossings - done, 1 + random() % most_rounds));
    static constexpr std::uint32_t delays[] = {0, 0, 200, 2'000};
    fm::launch_cooperative(s, {std::max(1u, blocks), threads}, cross<Algorithm>, storage.barrier(), memory.data(),
                           static_cast<std::uint32_t>(done), rounds, delays[random() % std::size(delays)],
                           random() % 2 == 0, found.data());
    s.synchronize();
    seen = found.download(s).front();
    done += rounds;
    ++launches;
    if (seen.wrong != 0) break;
  }
  std::printf("%s %-20s %llu crossings in %llu launches of 1 to %u blocks, %.1f s", seen.wrong == 0 ? "PASS" : "FAIL",
              name, static_cast<unsigned long long>(done), static_cast<unsigned long long>(launches), most, elapsed());
  if (seen.wrong != 0)
    std::printf(": %u wrong values; in crossing %u thread %u read %08x of thread %u, not %08x", seen.wrong,
                seen.crossing, seen.reader, seen.seen, seen.writer, payload(seen.crossing, seen.writer));
  std::printf("\n");
  std::fflush(stdout);
  return seen.wrong == 0;
}

struct algorithm {
  char const* name;
  bool (*run)(fm::device const&, char const*, plan const&);
};

constexpr algorithm algorithms[] = {
    {"default", run<fm::default_grid_algorithm>},
    {"monotonic", run<fm::monotonic>},
    {"striped", run<fm::striped>},
    {"sense", run<fm::sense>},
    {"central_generation", run<fm::central_generation>},
    {"gather_scatter", run<fm::gather_scatter>},
    {"all_to_all", run<fm::all_to_all>},
    {"hierarchical", run<fm::hierarchical>},
    {"combining", run<fm::combining>},
    {"cooperative", run<fm::cooperative>},
};

char const usage[] =
    "usage: fermata-stress [--crossings N] [--seconds S] [--seed S] [--algorithm NAME]... [--list]\n\n"
    "Crosses grid barriers N times (2000) with each algorithm: random grids, block sizes and delays, launch upon\n"
    "launch on one storage. Every crossing carries a value of every thread, of which every thread reads three.\n\n"
    "  --seconds S        stop after S seconds with each algorithm, if N crossings take longer\n"
    "  --seed S           of the grids and delays (1)\n"
    "  --algorithm NAME   only this one; may be given several times\n"
    "  --list             print the names of the algorithms\n\n"
    "Exit status: 0 every value was right, 1 one was not, 2 wrong usage, 77 no device.\n";

template <class T>
T number(std::string_view flag, char const* text) {
  char* end = nullptr;
  double const value = text == nullptr ? 0 : std::strtod(text, &end);
  if (text == nullptr || *text == '\0' || *end != '\0' || !(value >= 0) || value > 1e18)
    refuse(std::string(flag) + " needs a number, not '" + (text == nullptr ? "" : text) + "'");
  return static_cast<T>(value);
}

plan parse(int argc, char** argv) {
  plan p;
  for (int i = 1; i < argc; ++i) {
    std::string_view const flag = argv[i];
    char const* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (flag == "--help" || flag == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else if (flag == "--list") {
      p.list = true;
    } else if (flag == "--crossings") {
      p.crossings = number<std::uint64_t>(flag, value), ++i;
    } else if (flag == "--seconds") {
      p.seconds = number<double>(flag, value), ++i;
    } else if (flag == "--seed") {
      p.seed = number<std::uint32_t>(flag, value), ++i;
    } else if (flag == "--algorithm") {
      if (value == nullptr) refuse("--algorithm needs a name");
      p.algorithms.emplace_back(value), ++i;
    } else {
      refuse("unknown argument '" + std::string(flag) + "'");
    }
  }
  for (std::string const& name : p.algorithms)
    if (std::none_of(std::begin(algorithms), std::end(algorithms), [&](algorithm const& a) { return a.name == name; }))
      refuse("there is no algorithm '" + name + "' (--list prints their names)");
  return p;
}

}  // namespace

int main(int argc, char** argv) try {
  plan const p = parse(argc, argv);
  if (p.list) {
    for (algorithm const& a : algorithms) std::printf("%s\n", a.name);
    return 0;
  }
  if (fm::device::count() == 0) {
    std::printf("no device: skipped\n");
    return 77;
  }
  fm::device const d(0);
  std::printf("%s, %u multiprocessors\n", d.info().name.c_str(), d.info().multiprocessors);
  bool good = true;
  for (algorithm const& a : algorithms)
    if (p.algorithms.empty() || std::find(p.algorithms.begin(), p.algorithms.end(), a.name) != p.algorithms.end())
      good &= a.run(d, a.name, p);
  return good ? 0 : 1;
} catch (fm::error const& e) {
  std::fprintf(stderr, "fermata-stress: %s\n", e.what());
  return 1;
}
