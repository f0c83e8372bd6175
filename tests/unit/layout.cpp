// The host and the device agree on the size of what one allocates and the other uses: they may be two compilers.
#include <cstddef>

#include "support.hpp"

namespace {

struct count_phases {
  unsigned* count;
  FERMATA_DEVICE void operator()() const noexcept { ++*count; }
};
struct stateless {
  FERMATA_DEVICE void operator()() const noexcept {}
};

// Compilers that read a file once for each side tell already here.
static_assert(sizeof(fm::barrier<fm::thread_scope_cluster>) == 8 && sizeof(fm::barrier<fm::thread_scope_device>) == 8);
static_assert(sizeof(fm::barrier<fm::thread_scope_device, stateless>) == 8);
static_assert(sizeof(fm::barrier<fm::thread_scope_device, count_phases>) == 16);

template <class... T>
struct list {
  static constexpr unsigned count = 2 * sizeof...(T);
  // Sizes, then alignments.
  FERMATA_FN static void write(unsigned* to) noexcept {
    ((*to++ = static_cast<unsigned>(sizeof(T))), ...);
    ((*to++ = static_cast<unsigned>(alignof(T))), ...);
  }
};

using shared_types =
    list<fm::barrier<fm::thread_scope_block>, fm::barrier<fm::thread_scope_cluster>,
         fm::barrier<fm::thread_scope_device>, fm::barrier<fm::thread_scope_device, stateless>,
         fm::barrier<fm::thread_scope_block, stateless>, fm::barrier<fm::thread_scope_block, count_phases>,
         fm::latch<fm::thread_scope_block>, fm::latch<fm::thread_scope_device>,
         fm::binary_semaphore<fm::thread_scope_device>, fm::counting_semaphore<fm::thread_scope_block, 1000>,
         fm::sentinel<float>, fm::sentinel<double>, fm::flagged<float>, fm::grid_barrier<fm::monotonic>,
         fm::grid_barrier<fm::central_generation>, fm::grid_barrier<fm::cooperative>, fm::grid_barrier<>,
         fm::grid_barrier<fm::all_to_all, fm::with_deadline>, fm::grid_barrier_line, fm::detail::deadline_report,
         fm::dim3, fm::atomic<unsigned, fm::thread_scope_device>, fm::atomic<unsigned char, fm::thread_scope_block>,
         fm::atomic<double, fm::thread_scope_system>>;

FERMATA_KERNEL tell_sizes(unsigned* out) {
  shared_types::write(out);
  if (out == nullptr) {  // never; but a compiler wants every function of a file to be called
    count_phases{out}();
    stateless{}();
  }
}

}  // namespace

TEST_SUITE("launch") {
  TEST_CASE("types that the host allocates have the same size and alignment on the device") {
    std::vector<unsigned> expected(shared_types::count);
    shared_types::write(expected.data());
    auto const sizes = test::filled<unsigned>(shared_types::count);
    test::run({1, 1}, tell_sizes, sizes.data());
    CHECK(test::difference(sizes, expected) == "");
  }
}
