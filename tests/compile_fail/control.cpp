// The control: everything that the other files get wrong, done right. It must compile, so that a failure there is a
// refusal and not a broken compiler call.
#include <fermata/fermata.hpp>

namespace fm = fermata;

struct alignas(8) padding_free {
  int first, second;
};
struct my_index {
  unsigned value;
};
template <>
struct fermata::sentinel_traits<my_index> {
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept {
    return bits == empty ? 0 : bits;
  }
};

template <fm::group Group>
FERMATA_DEVICE unsigned rank_in(Group const& group) {
  return group.thread_rank();
}

FERMATA_KERNEL kernel(unsigned* word, padding_free* pair, float* real, fm::sentinel<my_index>* index,
                      fm::flagged<float>* slot) {
  FERMATA_SHARED(tile, int[4]);
  tile[0] = 1;
  fm::device_atomic_ref<unsigned> const ref(*word);
  unsigned seen = ref.load(fm::memory_order_acquire);
  ref.store(seen, fm::memory_order_release);
  ref.fetch_and(seen, fm::memory_order_acq_rel);
  ref.fetch_inc_wrap(seen, fm::memory_order_relaxed);
  ref.compare_exchange_strong(seen, 1u, fm::memory_order_acq_rel, fm::memory_order_acquire);
  ref.wait(seen, fm::memory_order_acquire);
  fm::device_atomic_ref<padding_free>(*pair).exchange({1, 2}, fm::memory_order_relaxed);
  fm::device_atomic_ref<float>(*real).fetch_add(1.0f, fm::memory_order_relaxed);
  fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
  index->publish(my_index{1});
  slot->publish(*real, 1);
  FERMATA_SHARED(scratch, fm::tile_scratch<128, 256>);
  auto const wide = fm::tiled_partition<128>(fm::this_block(), scratch);
  *word = fm::tiled_partition<8>(fm::this_wave()).ballot(wide.any(seen != 0)).count();
  *word = fm::this_wave().subset(fm::this_wave().match_any(seen)).reduce(seen, fm::plus{}) + rank_in(wide);
  *word = fm::this_wave().shfl(seen, 0) + fm::dynamic_shared<unsigned>()[0] + static_cast<unsigned>(tile[0]);
}

FERMATA_REQUIRE_WAVE(32, kernel);

void launches(fm::stream const& s) {
  fm::launch(s, {1, 32}, kernel, nullptr, nullptr, nullptr, nullptr, nullptr);
  fm::launch_cooperative(s, {1, 32}, kernel, nullptr, nullptr, nullptr, nullptr, nullptr);
}
