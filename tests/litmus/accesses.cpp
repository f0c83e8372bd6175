// The kernels behind the shapes: one a scope. A thread's snippet is chosen at run time, its orders are constants.
#include "accesses.hpp"

#include <type_traits>

#include "round.hpp"

namespace litmus {
namespace {

template <reach R>
constexpr auto scope_of() {
  if constexpr (R == reach::block)
    return fm::thread_scope_block;
  else if constexpr (R == reach::device)
    return fm::thread_scope_device;
  else
    return fm::thread_scope_system;
}

template <strength S>
constexpr auto order_of() {
  if constexpr (S == strength::acquire)
    return fm::memory_order_acquire;
  else if constexpr (S == strength::release)
    return fm::memory_order_release;
  else if constexpr (S == strength::seq_cst)
    return fm::memory_order_seq_cst;
  else
    return fm::memory_order_relaxed;
}

template <reach R, access A, strength S>
FERMATA_DEVICE void perform(std::uint32_t& word, std::uint32_t value, std::uint32_t& seen) noexcept {
  using ref = fm::atomic_ref<std::uint32_t, decltype(scope_of<R>()){}>;
  using order = decltype(order_of<S>());
  if constexpr (A == access::store && S == strength::plain)
    word = value;
  else if constexpr (A == access::store)
    ref(word).store(value, order{});
  else if constexpr (A == access::load && S == strength::plain)
    seen = word;
  else if constexpr (A == access::load)
    seen = ref(word).load(order{});
}

template <reach R, between B>
FERMATA_DEVICE void separate() noexcept {
  using scope = decltype(scope_of<R>());
  if constexpr (B == between::release)
    fm::atomic_thread_fence(fm::memory_order_release, scope{});
  else if constexpr (B == between::acquire)
    fm::atomic_thread_fence(fm::memory_order_acquire, scope{});
  else if constexpr (B == between::acq_rel)
    fm::atomic_thread_fence(fm::memory_order_acq_rel, scope{});
  else if constexpr (B == between::seq_cst)
    fm::atomic_thread_fence(fm::memory_order_seq_cst, scope{});
}

struct two_words {
  std::uint32_t *first, *second;
  std::uint32_t first_value, second_value;
};
struct two_values {
  std::uint32_t first, second;
};

// Between the accesses of a thread: nothing, so that they follow each other as closely as the machine lets them, or a
// few looks at a word that has nothing to do with the test. Those are what lets other threads go on in between where
// threads take turns, as on a CPU, and they widen the window everywhere.
struct at_once {
  FERMATA_DEVICE void operator()() const noexcept {}
};
struct after_a_pause {
  std::uint32_t& word;
  std::uint32_t looks;
  FERMATA_DEVICE void operator()() const noexcept {
    for (std::uint32_t n = 0; n < looks; ++n)
      (void)fm::device_atomic_ref<std::uint32_t>(word).load(fm::memory_order_relaxed);
  }
};

// Runs snippets[chosen], which is one of [Low, High): a few comparisons away, and the same for a whole wave.
template <reach R, unsigned Low, unsigned High, class Pause>
FERMATA_DEVICE void run_snippet(std::uint32_t chosen, two_words const& at, two_values& seen, Pause pause) noexcept {
  if constexpr (High - Low == 1) {
    constexpr snippet code = snippets[Low];
    perform<R, code.first, code.first_order>(*at.first, at.first_value, seen.first);
    pause();
    separate<R, code.middle>();
    perform<R, code.second, code.second_order>(*at.second, at.second_value, seen.second);
  } else {
    constexpr unsigned middle = (Low + High) / 2;
    if (chosen < middle)
      run_snippet<R, Low, middle>(chosen, at, seen, pause);
    else
      run_snippet<R, middle, High>(chosen, at, seen, pause);
  }
}

template <reach R, bool Paused>
struct accesses {
  launch_plan const& p;

  FERMATA_DEVICE void prepare(part const&, std::uint32_t) const noexcept {}

  FERMATA_DEVICE std::uint32_t warm(part const& mine, std::uint32_t) const noexcept {
    thread_plan const& todo = p.threads[mine.role];
    return p.words[p.where.word_of(mine.instance, todo.first.location)] +
           p.words[p.where.word_of(mine.instance, todo.second.location)];
  }

  FERMATA_DEVICE std::uint32_t play(part const& mine, std::uint32_t round) const noexcept {
    thread_plan const todo = p.threads[mine.role];
    two_words const at{&p.words[p.where.word_of(mine.instance, todo.first.location)],
                       &p.words[p.where.word_of(mine.instance, todo.second.location)], stored(round, todo.first.value),
                       stored(round, todo.second.value)};
    // What is no load leaves the old value, which contributes no bits.
    two_values seen{stored(round - 1, 0), stored(round - 1, 0)};
    if constexpr (Paused) {
      std::uint32_t const looks = mix(p.who.seed + round * max_threads + mine.role + mine.instance) % 5;
      run_snippet<R, 0, snippet_count>(todo.snippet, at, seen, after_a_pause{p.place->over, looks});
    } else {
      run_snippet<R, 0, snippet_count>(todo.snippet, at, seen, at_once{});
    }
    return decoded(seen.first, round) << (2 * todo.first.entry) | decoded(seen.second, round)
                                                                      << (2 * todo.second.entry);
  }
};

template <reach R, bool Paused>
FERMATA_KERNEL play_accesses(launch_plan p) {
  play_rounds(p, accesses<R, Paused>{p});
}

template <reach R, bool Paused>
playable playable_at() {
  return {[](fm::stream const& s, fm::launch_config const& config, launch_plan const& p) {
            fm::launch_cooperative(s, config, play_accesses<R, Paused>, p);
            s.synchronize();
          },
          [](fm::device const& d, unsigned threads, unsigned cluster) {
            return fm::max_resident_blocks(d, play_accesses<R, Paused>, threads, 0, cluster);
          }};
}

}  // namespace

playable accesses_at(reach scope) {
  if (scope == reach::block) return playable_at<reach::block, false>();
  if (scope == reach::device) return playable_at<reach::device, false>();
  return playable_at<reach::system, false>();
}

playable paused_accesses() { return playable_at<reach::device, true>(); }

}  // namespace litmus
