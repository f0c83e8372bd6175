// Shuffles of values of every size, from every lane, in waves of every shape.
#include "wave_shapes.hpp"

namespace {

// Sources that differ from lane to lane: rotated, and reversed.
FERMATA_FN unsigned source_of(unsigned pattern, unsigned lane, unsigned live) {
  return pattern < live ? (lane + pattern) % live : live - 1 - lane;
}

template <class T>
FERMATA_KERNEL shuffle_from(T* out, unsigned patterns) {
  auto const wave = fm::this_wave();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  T const mine = test::value_of<T>(rank);
  for (unsigned p = 0; p < patterns; ++p)
    out[p * threads + rank] = wave.shfl(mine, source_of(p, wave.lane(), wave.live()));
}

template <class T>
FERMATA_KERNEL broadcast_from_each(T* out) {
  auto const wave = fm::this_wave();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  T const mine = test::value_of<T>(rank);
  for (unsigned source = 0; source < wave.live(); ++source) out[source * threads + rank] = wave.broadcast(mine, source);
  out[wave.size() * threads + rank] = wave.broadcast(mine);
}

template <class T>
FERMATA_KERNEL shift(T* up, T* down) {
  auto const wave = fm::this_wave();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  T const mine = test::value_of<T>(rank);
  for (unsigned delta = 0; delta < wave.size(); ++delta) {
    up[delta * threads + rank] = wave.shfl_up(mine, delta);
    fm::check_ignore const anything(fm::finding_kind::inactive_lane_read, "what comes from no lane is not compared");
    down[delta * threads + rank] = wave.shfl_down(mine, delta);
  }
}

// Only with masks that lead from live lanes to live lanes.
template <class T>
FERMATA_KERNEL exchange_by_xor(T* out) {
  auto const wave = fm::this_wave();
  unsigned const rank = fm::this_block().thread_rank(), threads = fm::this_block().size();
  T const mine = test::value_of<T>(rank);
  for (unsigned mask = 0; mask < wave.size(); ++mask) {
    bool const all_live = wave.all((wave.lane() ^ mask) < wave.live());
    out[mask * threads + rank] = all_live ? wave.shfl_xor(mine, mask) : mine;
  }
}

template <class T>
void check_shuffles(fm::dim3 const& shape) {
  unsigned const threads = shape.count(), width = test::wave_size();
  CAPTURE(shape.x);
  CAPTURE(shape.y);
  CAPTURE(shape.z);
  CAPTURE(sizeof(T));
  auto const value_at = [](unsigned thread) { return test::value_of<T>(thread); };
  // Each table has a row of all threads for every source, delta or mask; `lane_of(row, place)` is where a value comes
  // from.
  auto const table = [&](unsigned rows, auto lane_of) {
    std::vector<T> want;
    want.reserve(rows * threads);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned t = 0; t < threads; ++t) {
        test::place const at = test::place_of(t, threads);
        want.push_back(value_at(at.wave * width + lane_of(row, at)));
      }
    return want;
  };

  {
    auto out = test::filled<T>((width + 1) * threads);
    test::run({1, shape}, shuffle_from<T>, out.data(), width + 1);
    CHECK(test::difference(out, table(width + 1, [](unsigned row, test::place at) {
                             return source_of(row, at.lane, at.live);
                           })) == "");
  }
  {
    auto out = test::filled<T>((width + 1) * threads, 0xCD);
    test::run({1, shape}, broadcast_from_each<T>, out.data());
    std::vector<T> got = test::downloaded(out);
    std::vector<T> want =
        table(width + 1, [width](unsigned row, test::place at) { return row == width ? 0 : row % at.live; });
    // Where a wave has no lane `row` there was no broadcast.
    for (unsigned row = 0; row < width; ++row)
      for (unsigned t = 0; t < threads; ++t)
        if (row >= test::place_of(t, threads).live) want[row * threads + t] = got[row * threads + t];
    CHECK(test::difference(got, want) == "");
  }
  {
    auto up = test::filled<T>(width * threads, 0xCD), down = test::filled<T>(width * threads, 0xCD);
    test::run({1, shape}, shift<T>, up.data(), down.data());
    CHECK(test::difference(up, table(width, [](unsigned delta, test::place at) {
                             return at.lane >= delta ? at.lane - delta : at.lane;
                           })) == "");
    std::vector<T> got = test::downloaded(down);
    std::vector<T> want = table(
        width, [width](unsigned delta, test::place at) { return at.lane + delta < width ? at.lane + delta : at.lane; });
    // A lane of the wave that does not exist sends nothing in particular.
    for (unsigned delta = 0; delta < width; ++delta)
      for (unsigned t = 0; t < threads; ++t) {
        test::place const at = test::place_of(t, threads);
        if (at.lane + delta >= at.live && at.lane + delta < width) want[delta * threads + t] = got[delta * threads + t];
      }
    CHECK(test::difference(got, want) == "");
  }
  {
    auto out = test::filled<T>(width * threads, 0xCD);
    test::run({1, shape}, exchange_by_xor<T>, out.data());
    auto const all_live = [](unsigned mask, unsigned live) {
      for (unsigned lane = 0; lane < live; ++lane)
        if ((lane ^ mask) >= live) return false;
      return true;
    };
    CHECK(test::difference(out, table(width, [&](unsigned mask, test::place at) {
                             return all_live(mask, at.live) ? at.lane ^ mask : at.lane;
                           })) == "");
  }
}

}  // namespace

TEST_SUITE("wave") {
  TEST_CASE("shuffles in every partial wave") {
    for (fm::dim3 const& shape : test::shapes_with_every_partial_wave()) check_shuffles<std::uint32_t>(shape);
  }
  TEST_CASE_TEMPLATE("shuffles of values of every size", T, std::uint8_t, std::int16_t, float, std::int64_t, double,
                     test::bytes3, test::halves6, test::words12, test::mixed24) {
    for (fm::dim3 const& shape : test::some_shapes()) check_shuffles<T>(shape);
  }
}
