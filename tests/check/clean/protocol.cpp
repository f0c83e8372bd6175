// The twins of bug/protocol.cpp.
#include <stdexcept>

#include "../support.hpp"

namespace {

struct ticket {
  std::uint32_t number;
};

}  // namespace

template <>
struct fermata::sentinel_traits<ticket> {
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept {
    return bits == empty ? empty - 1 : bits;
  }
};

namespace {

using test::leads_its_block;
using test::word;

// All four orders: the twin of the four that lack one.
FERMATA_KERNEL gather_scatter(unsigned* in, unsigned* out, unsigned* data, unsigned* result) {
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  if (rank == 0) data[block] = block;
  if (block == 0) {
    bool const gathers = rank != 0 && rank < blocks;
    while (gathers && word(in[rank]).load(fm::memory_order_acquire) == 0) {
    }
    fm::this_block().sync();
    if (gathers) word(out[rank]).store(1, fm::memory_order_release);
  } else if (rank == 0) {
    word(in[block]).store(1, fm::memory_order_release);
    while (word(out[block]).load(fm::memory_order_acquire) == 0) {
    }
  }
  if (rank == 0) result[block] = data[(block + 1) % blocks];
}

// With both orders, and the old generation looked at in time: the twin of the three that do not. It is reused, so that
// the count is reset, too, before the new generation lets anybody in.
FERMATA_KERNEL generation_barrier(unsigned* arrived, unsigned* generation, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  for (unsigned round = 0; round < 3; ++round) {
    if (round % 2 == 0)
      data[block] = block + round;
    else
      out[block] = data[(block + 1) % blocks];
    unsigned const old = word(*generation).load(fm::memory_order_relaxed);
    if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) == blocks - 1) {
      word(*arrived).store(0, fm::memory_order_relaxed);
      word(*generation).fetch_add(1, fm::memory_order_release);
    } else {
      while (word(*generation).load(fm::memory_order_acquire) == old) {
      }
    }
  }
}

FERMATA_KERNEL target_by_distance(unsigned* arrived, unsigned start, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block;
  word(*arrived).fetch_add(1, fm::memory_order_release);
  while (static_cast<int>(word(*arrived).load(fm::memory_order_acquire) - (start + blocks)) < 0) {
  }
  out[block] = data[(block + 1) % blocks];
}

// The target comes from what the arrival has found, whatever launches were before.
FERMATA_KERNEL target_from_the_arrival(unsigned* arrived, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block;
  unsigned const before = word(*arrived).fetch_add(1, fm::memory_order_release);
  unsigned const target = before - before % blocks + blocks;
  while (word(*arrived).load(fm::memory_order_acquire) < target) {
  }
  out[block] = data[(block + 1) % blocks];
}

FERMATA_KERNEL last_block_clears(unsigned* arrived, unsigned* out) {
  if (fm::last_block(*arrived) && leads_its_block()) *out = 1;
}

FERMATA_KERNEL count_not_reset(unsigned* arrived) {
  if (!leads_its_block()) return;
  unsigned const blocks = fm::this_grid().num_blocks();
  if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) != blocks - 1)
    while (word(*arrived).load(fm::memory_order_acquire) != blocks) {
    }
}

FERMATA_KERNEL flag_cleared_by_the_host(unsigned* flag) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*flag).store(1, fm::memory_order_release);
  } else {
    while (word(*flag).load(fm::memory_order_acquire) == 0) {
    }
  }
}

FERMATA_KERNEL tickets_published(fm::sentinel<ticket>* slots, unsigned first) {
  unsigned const block = fm::this_grid().block_rank();
  if (leads_its_block()) slots[block].publish({first - block});
}

FERMATA_KERNEL ticket_awaited(fm::sentinel<ticket>* slot, unsigned number, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0)
    slot->publish({number});
  else
    *out = slot->await().number;
}

FERMATA_KERNEL slot_emptied(fm::sentinel<float>* slot, fm::counter<>* taken) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    slot->publish(1.0f);
    taken->await(1);
    slot->publish(2.0f);
  } else {
    (void)slot->await();
    slot->reset();
    taken->signal();
    if (slot->await() != 2.0f) throw std::runtime_error("the value of the step before");
  }
}

// The fences order the reset before the message that tells of it, and the next value after that message.
FERMATA_KERNEL emptied_in_order(fm::sentinel<float>* slot, fm::flagged<unsigned>* taken, unsigned steps) {
  if (!leads_its_block()) return;
  for (unsigned s = 1; s <= steps; ++s) {
    if (fm::this_grid().block_rank() == 0) {
      slot->publish(static_cast<float>(s));
      (void)taken->await(s);
      fm::atomic_thread_fence(fm::memory_order_acquire, fm::thread_scope_device);
    } else {
      (void)slot->await();
      slot->reset();
      fm::atomic_thread_fence(fm::memory_order_release, fm::thread_scope_device);
      taken->publish(0, s);
    }
  }
}

FERMATA_KERNEL emptied_when_all_have_read(fm::sentinel<float>* slot, fm::counter<>* readers, float* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank();
  if (block == 0) return slot->publish(1.0f);
  out[block] = slot->await();
  readers->signal();
  if (block != 1) return;
  readers->await(2);
  slot->reset();
}

FERMATA_KERNEL slots_made_empty(fm::sentinel<float>* slot) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0)
    slot->publish(1.0f);
  else if (slot->await() != 1.0f)
    throw std::runtime_error("a value from nowhere");
}

FERMATA_KERNEL payload_behind_a_flag(unsigned* flag, float* data, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42.0f;
    word(*flag).store(1, fm::memory_order_release);
  } else {
    word(*flag).wait(0, fm::memory_order_acquire);
    *out = *data;
  }
}

// Two slots in turn: the writer is at most one step ahead, and overwrites nothing that is still awaited.
FERMATA_KERNEL epochs_in_two_slots(fm::flagged<unsigned>* slots, fm::flagged<unsigned>* answers, unsigned* out) {
  if (!leads_its_block()) return;
  for (unsigned epoch = 1; epoch <= 4; ++epoch) {
    if (fm::this_grid().block_rank() == 0) {
      slots[epoch % 2].publish(10 * epoch, epoch);
      (void)answers[epoch % 2].await(epoch);
    } else {
      unsigned const value = slots[epoch % 2].await(epoch);
      answers[epoch % 2].publish(value, epoch);
      *out = value;
    }
  }
}

}  // namespace

TEST_CASE("clean/xf_slave_release, xf_master_acquire, xf_master_release and xf_slave_acquire") {
  test::stays_clean([](test::memory& m) { return test::with_four(m, gather_scatter); });
}

TEST_CASE("clean/generation_without_acquire, generation_polled_relaxed and generation_sampled_late") {
  test::stays_clean([](test::memory& m) { return test::with_four(m, generation_barrier); });
}

TEST_CASE("clean/target_beyond_the_wrap") {
  test::stays_clean([](test::memory& m) {
    return fm::check(target_by_distance, {2, 4}, m.filled(1, 0xFFFFFFFEu), 0xFFFFFFFEu, m.zeros<unsigned>(2),
                     m.zeros<unsigned>(2))
        .cooperative();
  });
}

TEST_CASE("clean/count_from_another_launch") {
  test::stays_clean([](test::memory& m) {
    return fm::check(target_from_the_arrival, {2, 4}, m.filled(1, 2u), m.zeros<unsigned>(2), m.zeros<unsigned>(2))
        .cooperative();
  });
}

TEST_CASE("clean/counter_cleared_by_a_block") {
  test::stays_clean([](test::memory& m) {
    return fm::check(last_block_clears, {3, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("clean/count_reset_in_place") {
  test::stays_clean([](test::memory& m) {
    return fm::check(count_not_reset, {2, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/flag_cleared_by_the_waiter") {
  test::stays_clean([](test::memory& m) {
    return fm::check(flag_cleared_by_the_host, {2, 4}, m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("clean/empty_ticket_published") {
  test::stays_clean([](test::memory& m) {
    return fm::check(tickets_published, {3, 4}, m.filled(3, fm::sentinel<ticket>()), 1u);
  });
}

TEST_CASE("clean/empty_ticket_awaited") {
  test::stays_clean([](test::memory& m) {
    return fm::check(ticket_awaited, {2, 4}, m.filled(1, fm::sentinel<ticket>()), 0xFFFFFFFFu, m.zeros<unsigned>(1))
        .cooperative();
  });
}

TEST_CASE("clean/slot_not_emptied") {
  test::stays_clean([](test::memory& m) {
    return fm::check(slot_emptied, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<fm::counter<>>(1)).cooperative();
  });
}

TEST_CASE("clean/emptied_without_order") {
  test::stays_clean([](test::memory& m) {
    return fm::check(emptied_in_order, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<fm::flagged<unsigned>>(1), 3)
        .cooperative();
  });
}

TEST_CASE("clean/emptied_before_all_have_read") {
  test::stays_clean([](test::memory& m) {
    return fm::check(emptied_when_all_have_read, {3, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<fm::counter<>>(1),
                     m.zeros<float>(3))
        .cooperative();
  });
}

TEST_CASE("clean/slots_filled_with_zeros") {
  test::stays_clean([](test::memory& m) {
    return fm::check(slots_made_empty, {2, 4}, m.filled(1, fm::sentinel<float>())).cooperative();
  });
}

TEST_CASE("clean/payload_beside_a_slot") {
  test::stays_clean([](test::memory& m) {
    return fm::check(payload_behind_a_flag, {2, 4}, m.zeros<unsigned>(1), m.zeros<float>(1), m.zeros<float>(1))
        .cooperative();
  });
}

TEST_CASE("clean/epoch_overtaken") {
  test::stays_clean([](test::memory& m) {
    return fm::check(epochs_in_two_slots, {2, 4}, m.zeros<fm::flagged<unsigned>>(2), m.zeros<fm::flagged<unsigned>>(2),
                     m.zeros<unsigned>(1))
        .cooperative();
  });
}
