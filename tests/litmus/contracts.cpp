// Contract tests: what the library's own synchronisation promises, in the same rounds as the shapes. One kernel each.
#include <fermata/counter.hpp>
#include <fermata/exchange.hpp>
#include <fermata/fermata.hpp>
#include <fermata/grid_barrier.hpp>

#include "model.hpp"
#include "round.hpp"
#include "rows.hpp"

namespace litmus {
namespace {

// Plain data through a barrier of the whole grid: every thread writes its own word, and reads that of another block.
template <class Algorithm>
struct through_grid_barrier {
  using storage = fm::grid_barrier_storage<Algorithm>;
  using handle = fm::grid_barrier<Algorithm>;
  static storage make(fm::device const& d, launch_plan const&) { return storage(d); }
  static handle handle_of(storage const& s) { return s.barrier(); }

  launch_plan const& p;
  handle barrier;

  FERMATA_DEVICE std::uint32_t& word(std::uint32_t instance) const noexcept {
    return p.words[p.where.word_of(instance, 0)];
  }
  FERMATA_DEVICE std::uint32_t other(part const& mine, std::uint32_t round) const noexcept {
    return (mine.instance + p.who.count / 2 + round) % p.who.count;
  }

  FERMATA_DEVICE void prepare(part const&, std::uint32_t) const noexcept {}
  FERMATA_DEVICE std::uint32_t warm(part const& mine, std::uint32_t round) const noexcept {
    return word(other(mine, round));
  }
  FERMATA_DEVICE std::uint32_t play(part const& mine, std::uint32_t round) const noexcept {
    word(mine.instance) = stored(round, 1);
    barrier.sync();
    return decoded(word(other(mine, round)), round);
  }
};

// What needs no memory beside the words of the test.
struct no_storage {
  struct nothing {};
  using storage = nothing;
  using handle = nothing;
  static storage make(fm::device const&, launch_plan const&) { return {}; }
  static handle handle_of(storage const&) { return {}; }
};

// Between two threads: role 0 writes a datum and signals by the slot beside it, role 1 waits for the slot.
struct signalled : no_storage {
  launch_plan const& p;
  FERMATA_DEVICE explicit signalled(launch_plan const& plan, nothing) noexcept : p(plan) {}

  FERMATA_DEVICE std::uint32_t& datum(part const& mine) const noexcept {
    return p.words[p.where.word_of(mine.instance, 0)];
  }
  template <class Slot>
  FERMATA_DEVICE Slot& slot(part const& mine) const noexcept {
    return *reinterpret_cast<Slot*>(&p.words[p.where.word_of(mine.instance, 1)]);
  }
  FERMATA_DEVICE void prepare(part const&, std::uint32_t) const noexcept {}
  FERMATA_DEVICE std::uint32_t warm(part const& mine, std::uint32_t) const noexcept { return datum(mine); }

  // The bits of the outcome: whether the slot gave what was sent, and, where the row asks for it, the datum beside it.
  FERMATA_DEVICE std::uint32_t seen(bool right, std::uint32_t beside, std::uint32_t round) const noexcept {
    return (right ? 1u : 3u) | (p.loads == 1 ? 0 : decoded(beside, round) << 2);
  }
};

struct through_counter : signalled {
  using signalled::signalled;
  using counter = fm::counter<fm::thread_scope_device>;

  FERMATA_DEVICE std::uint32_t play(part const& mine, std::uint32_t round) const noexcept {
    if (mine.role == 0) {
      datum(mine) = stored(round, 1);
      slot<counter>(mine).signal();
      return 0;
    }
    slot<counter>(mine).await(round);
    return decoded(datum(mine), round);
  }
};

// The value is the datum. The word beside it is relaxed, so that only the publish could order it; it need not.
struct through_sentinel : signalled {
  using signalled::signalled;
  using sentinel = fm::sentinel<float>;

  FERMATA_DEVICE static float sent(std::uint32_t round) noexcept {
    return static_cast<float>(round % 0x100000u * 4 + 1);
  }

  FERMATA_DEVICE void prepare(part const& mine, std::uint32_t) const noexcept {
    if (mine.role == 0) slot<sentinel>(mine).reset();
  }
  FERMATA_DEVICE std::uint32_t play(part const& mine, std::uint32_t round) const noexcept {
    fm::device_atomic_ref<std::uint32_t> const beside(datum(mine));
    if (mine.role == 0) {
      beside.store(stored(round, 1), fm::memory_order_relaxed);
      slot<sentinel>(mine).publish(sent(round));
      return 0;
    }
    float const got = slot<sentinel>(mine).await();
    return seen(got == sent(round), beside.load(fm::memory_order_relaxed), round);
  }
};

struct through_flagged : signalled {
  using signalled::signalled;
  using flagged = fm::flagged<std::uint32_t>;

  FERMATA_DEVICE std::uint32_t play(part const& mine, std::uint32_t round) const noexcept {
    fm::device_atomic_ref<std::uint32_t> const beside(datum(mine));
    if (mine.role == 0) {
      beside.store(stored(round, 1), fm::memory_order_relaxed);
      slot<flagged>(mine).publish(mix(round + mine.instance), round);
      return 0;
    }
    std::uint32_t const got = slot<flagged>(mine).await(round);
    return seen(got == mix(round + mine.instance), beside.load(fm::memory_order_relaxed), round);
  }
};

// An all-gather: every value of every block arrives, of this step and no other.
template <class Protocol>
struct through_exchange {
  using storage = fm::exchange_storage<float, Protocol>;
  using handle = fm::exchange<float, Protocol>;
  static storage make(fm::device const& d, launch_plan const& p) { return storage(d, p.who.blocks, p.who.blocks * 4); }
  static handle handle_of(storage const& s) { return s.handle(); }

  launch_plan const& p;
  decltype(handle({}).open()) view;
  FERMATA_DEVICE through_exchange(launch_plan const& plan, handle const& h) noexcept : p(plan), view(h.open()) {}

  // Even, so that it passes through a protocol that takes the lowest bit of the mantissa.
  FERMATA_DEVICE static float sent(unsigned i, std::uint32_t round) noexcept {
    return static_cast<float>(mix(i + round) % 0x10000u * 2);
  }

  FERMATA_DEVICE void prepare(part const&, std::uint32_t) const noexcept {}
  FERMATA_DEVICE std::uint32_t warm(part const&, std::uint32_t) const noexcept { return 0; }
  FERMATA_DEVICE std::uint32_t play(part const&, std::uint32_t round) noexcept {
    bool right = true;
    view.publish([&](unsigned i) { return sent(i, round); });
    view.await_all([&](unsigned i, float value) { right = right && value == sent(i, round); });
    view.advance();
    return right ? 1 : 3;
  }
};

// MP through a block barrier: all threads of a block write, its thread 0 signals for them; thread 0 of another block
// looks at the flag for its block. (What thread 0 itself writes is one word of many.)
struct through_block_barrier : no_storage {
  launch_plan const& p;
  FERMATA_DEVICE explicit through_block_barrier(launch_plan const& plan, nothing) noexcept : p(plan) {}

  FERMATA_DEVICE std::uint32_t& datum(part const& mine) const noexcept {
    return p.words[p.where.word_of(mine.instance, 0)];
  }
  FERMATA_DEVICE std::uint32_t& flag(part const& mine) const noexcept {
    return p.words[p.where.word_of(mine.instance / p.who.count * p.who.count, 1)];
  }

  FERMATA_DEVICE void prepare(part const&, std::uint32_t) const noexcept {}
  FERMATA_DEVICE std::uint32_t warm(part const& mine, std::uint32_t) const noexcept { return datum(mine) + flag(mine); }
  FERMATA_DEVICE std::uint32_t play(part const& mine, std::uint32_t round) const noexcept {
    FERMATA_SHARED(flag_seen, std::uint32_t);
    bool const leads = fm::this_block().thread_rank() == 0;
    fm::device_atomic_ref<std::uint32_t> const ref(flag(mine));
    if (mine.role == 0) datum(mine) = stored(round, 1);
    if (mine.role == 1 && leads)
      flag_seen = p.ordered != 0 ? ref.load(fm::memory_order_acquire) : ref.load(fm::memory_order_relaxed);
    fm::this_block().sync();
    if (mine.role == 1) return decoded(flag_seen, round) | decoded(datum(mine), round) << 2;
    if (leads && p.ordered != 0) ref.store(stored(round, 1), fm::memory_order_release);
    if (leads && p.ordered == 0) ref.store(stored(round, 1), fm::memory_order_relaxed);
    return 0;
  }
};

template <class Contract>
FERMATA_KERNEL play_contract(launch_plan p, typename Contract::handle handle) {
  play_rounds(p, Contract{p, handle});
}

template <class Contract>
playable playable_of() {
  return {[](fm::stream const& s, fm::launch_config const& config, launch_plan const& p) {
            auto const storage = Contract::make(s.device(), p);
            fm::launch_cooperative(s, config, play_contract<Contract>, p, Contract::handle_of(storage));
            s.synchronize();
          },
          [](fm::device const& d, unsigned threads, unsigned cluster) {
            return fm::max_resident_blocks(d, play_contract<Contract>, threads, 0, cluster);
          }};
}

outcome_set only(std::initializer_list<outcome> outcomes) {
  outcome_set set;
  for (outcome o : outcomes) set.add(o);
  return set;
}

// A barrier or a protocol in which all blocks take part alike.
template <class Contract>
row whole_grid(char const* test, char const* variant, char const* header) {
  return {.test = test,
          .variant = variant,
          .scope = reach::device,
          .where = placement::blocks,
          .what = {},
          .roles = 1,
          .locations = 1,
          .loads = 1,
          .entries = 1,
          .asked = 0,
          .allowed = only({1}),
          .authority = header,
          .kernel = playable_of<Contract>(),
          .no_strangers = true};
}

template <class Algorithm>
void add_grid_barrier(std::vector<row>& rows, char const* name, unsigned cluster = 1) {
  rows.push_back(whole_grid<through_grid_barrier<Algorithm>>("MP+grid_barrier", name, "grid_barrier.hpp"));
  rows.back().cluster = cluster;
}

template <class Contract>
void add_signal(std::vector<row>& rows, char const* test, char const* variant, unsigned loads, outcome asked,
                outcome_set const& allowed, char const* header) {
  for (placement where : {placement::blocks, placement::waves})
    rows.push_back({.test = test,
                    .variant = variant,
                    .scope = reach::device,
                    .where = where,
                    .what = {},
                    .roles = 2,
                    .locations = 2,
                    .loads = loads,
                    .entries = loads,
                    .asked = asked,
                    .allowed = allowed,
                    .authority = header,
                    .kernel = playable_of<Contract>()});
}

row block_barrier(char const* variant, bool ordered) {
  constexpr auto release = strength::release, acquire = strength::acquire, relaxed = strength::relaxed,
                 plain = strength::plain;
  constexpr auto store = access::store, load = access::load, none = access::none;
  constexpr auto barrier = between::block_barrier;
  operand const data{0, 1, 1}, flag{1, 1, 0}, at_flag{1, 0, 0}, at_data{0, 0, 1};
  program p;
  p.locations = p.loads = 2;
  p.threads = {{{store, plain, barrier, none, relaxed}, data, {}, 0},
               {{none, relaxed, barrier, store, ordered ? release : relaxed}, {}, flag, 0},
               {{load, ordered ? acquire : relaxed, barrier, none, relaxed}, at_flag, {}, 1},
               {{none, relaxed, barrier, load, plain}, {}, at_data, 1}};
  return {.test = "MP+block_barrier",
          .variant = variant,
          .scope = reach::device,
          .where = placement::blocks,
          .what = p,
          .roles = 2,
          .locations = 2,
          .loads = 2,
          .entries = 2,
          .asked = 1,
          .allowed = allowed_outcomes(p, reach::device),
          .authority = "model",
          .kernel = playable_of<through_block_barrier>(),
          .ordered = ordered ? 1u : 0u,
          .whole_blocks = true};
}

}  // namespace

std::vector<row> make_contract_rows() {
  std::vector<row> rows{block_barrier("relaxed", false), block_barrier("rel_acq", true)};

  add_grid_barrier<fm::default_grid_algorithm>(rows, "default");
  add_grid_barrier<fm::all_to_all>(rows, "all_to_all");
  add_grid_barrier<fm::central_generation>(rows, "central_generation");
  add_grid_barrier<fm::combining>(rows, "combining");
  add_grid_barrier<fm::cooperative>(rows, "cooperative");
  add_grid_barrier<fm::gather_scatter>(rows, "gather_scatter");
  add_grid_barrier<fm::hierarchical>(rows, "hierarchical");
  add_grid_barrier<fm::hierarchical>(rows, "hierarchical.cluster", 4);
  add_grid_barrier<fm::monotonic>(rows, "monotonic");
  add_grid_barrier<fm::sense>(rows, "sense");
  add_grid_barrier<fm::striped>(rows, "striped");

  // Entries: the value that the wait gave (1: the one sent), the datum beside it.
  add_signal<through_counter>(rows, "counter", "plain_data", 1, 0, only({1}), "counter.hpp");
  outcome_set const any_beside = only({1, 1 | 1 << 2});
  add_signal<through_sentinel>(rows, "sentinel", "value", 1, 0, only({1}), "sentinel.hpp");
  add_signal<through_sentinel>(rows, "sentinel", "data_beside", 2, 1, any_beside, "sentinel.hpp");
  add_signal<through_flagged>(rows, "flagged", "value", 1, 0, only({1}), "flagged.hpp");
  add_signal<through_flagged>(rows, "flagged", "data_beside", 2, 1, any_beside, "flagged.hpp");

  char const* const exchange = "exchange.hpp";
  rows.push_back(whole_grid<through_exchange<fm::sentinel_protocol>>("exchange", "sentinel", exchange));
  rows.push_back(whole_grid<through_exchange<fm::flagged_protocol>>("exchange", "flagged", exchange));
  rows.push_back(whole_grid<through_exchange<fm::sense_bit_protocol>>("exchange", "sense_bit", exchange));
  return rows;
}

}  // namespace litmus
