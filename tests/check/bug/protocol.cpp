// Protocols between blocks, each with one step that is wrong.
#include <stdexcept>

#include "../support.hpp"

namespace {

// Every number is a ticket, and so is the one that means "empty": it is published as it is.
struct ticket {
  std::uint32_t number;
};

}  // namespace

template <>
struct fermata::sentinel_traits<ticket> {
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  FERMATA_FN static constexpr std::uint32_t canonicalise(std::uint32_t bits) noexcept { return bits; }
};

namespace {

using test::leads_its_block;
using test::word;

// The barrier of Xiao and Feng: block 0 gathers a flag of every other block, and answers each by another. Four orders,
// and each of them is needed; one is missing in each of four kernels.
template <std::memory_order SlaveRelease, std::memory_order MasterAcquire, std::memory_order MasterRelease,
          std::memory_order SlaveAcquire>
FERMATA_KERNEL gather_scatter(unsigned* in, unsigned* out, unsigned* data, unsigned* result) {
  constexpr fm::memory_order_tag<SlaveRelease> slave_release;
  constexpr fm::memory_order_tag<MasterAcquire> master_acquire;
  constexpr fm::memory_order_tag<MasterRelease> master_release;
  constexpr fm::memory_order_tag<SlaveAcquire> slave_acquire;
  unsigned const rank = fm::this_block().thread_rank();
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  unsigned const next = (block + 1) % blocks;
  if (rank == 0) data[block] = block;  // here: xf_slave_release, xf_master_acquire, xf_master_release, xf_slave_acquire
  if (block == 0) {
    bool const gathers = rank != 0 && rank < blocks;
    while (gathers && word(in[rank]).load(master_acquire) == 0) {  // here: xf_slave_release?, xf_master_acquire?
    }
    fm::this_block().sync();
    if (gathers) word(out[rank]).store(1, master_release);  // here: xf_master_release?, xf_slave_acquire?
  } else if (rank == 0) {
    word(in[block]).store(1, slave_release);             // here: xf_slave_release?, xf_master_acquire?
    while (word(out[block]).load(slave_acquire) == 0) {  // here: xf_master_release?, xf_slave_acquire?
    }
  }
  if (rank != 0) return;
  result[block] = data[next];  // here: xf_slave_release, xf_master_acquire, xf_master_release, xf_slave_acquire
}

// A barrier with a generation. The last block to arrive publishes the generation for all, but has not acquired what the
// others did.
FERMATA_KERNEL generation_without_acquire(unsigned* arrived, unsigned* generation, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block;  // here: generation_without_acquire
  unsigned const old = word(*generation).load(fm::memory_order_relaxed);
  if (word(*arrived).fetch_add(1, fm::memory_order_release) == blocks - 1) {  // here: generation_without_acquire?
    word(*generation).fetch_add(1, fm::memory_order_release);
  } else {
    while (word(*generation).load(fm::memory_order_acquire) == old) {
    }
  }
  out[block] = data[(block + 1) % blocks];  // here: generation_without_acquire
}

// The same barrier, with a wait that does not acquire.
FERMATA_KERNEL generation_polled_relaxed(unsigned* arrived, unsigned* generation, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block;  // here: generation_polled_relaxed
  unsigned const old = word(*generation).load(fm::memory_order_relaxed);
  if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) == blocks - 1) {
    word(*generation).fetch_add(1, fm::memory_order_release);  // here: generation_polled_relaxed?
  } else {
    while (word(*generation).load(fm::memory_order_relaxed) == old) {  // here: generation_polled_relaxed?
    }
  }
  out[block] = data[(block + 1) % blocks];  // here: generation_polled_relaxed
}

// And with a generation that is looked at after the arrival, when it may be the new one already.
FERMATA_KERNEL generation_sampled_late(unsigned* arrived, unsigned* generation) {
  if (!leads_its_block()) return;
  if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) == fm::this_grid().num_blocks() - 1) {
    word(*generation).fetch_add(1, fm::memory_order_release);
  } else {
    unsigned const old = word(*generation).load(fm::memory_order_relaxed);
    while (word(*generation).load(fm::memory_order_acquire) == old) {  // here: generation_sampled_late
    }
  }
}

// A counter that only grows, compared as if it never came around.
FERMATA_KERNEL target_beyond_the_wrap(unsigned* arrived, unsigned start, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block;  // here: target_beyond_the_wrap
  word(*arrived).fetch_add(1, fm::memory_order_release);
  while (word(*arrived).load(fm::memory_order_acquire) < start + blocks) {
  }
  out[block] = data[(block + 1) % blocks];  // here: target_beyond_the_wrap
}

// C18. A barrier by a count from zero, in the second launch: the count is what the first one left, and nobody waits.
FERMATA_KERNEL count_from_another_launch(unsigned* arrived, unsigned* data, unsigned* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank(), blocks = fm::this_grid().num_blocks();
  data[block] = block;  // here: count_from_another_launch
  word(*arrived).fetch_add(1, fm::memory_order_release);
  while (word(*arrived).load(fm::memory_order_acquire) < blocks) {
  }
  out[block] = data[(block + 1) % blocks];  // here: count_from_another_launch
}

// One block clears the counter for all, while others may have counted already.
FERMATA_KERNEL counter_cleared_by_a_block(unsigned* arrived, unsigned* out) {
  if (!leads_its_block()) return;
  bool const first = fm::this_grid().block_rank() == 0;
  if (first) word(*arrived).store(0, fm::memory_order_relaxed);                   // here: counter_cleared_by_a_block
  unsigned const before = word(*arrived).fetch_add(1, fm::memory_order_acq_rel);  // here: counter_cleared_by_a_block
  if (before == fm::this_grid().num_blocks() - 1) *out = 1;
}

// PROTOCOLS: the last block to arrive resets the count for the next use, and a slow waiter misses the number that it
// waits for. In such a schedule the wait is lost; in others only the reset is unordered.
FERMATA_KERNEL count_reset_in_place(unsigned* arrived) {
  if (!leads_its_block()) return;
  unsigned const blocks = fm::this_grid().num_blocks();
  if (word(*arrived).fetch_add(1, fm::memory_order_acq_rel) == blocks - 1) {
    word(*arrived).store(0, fm::memory_order_relaxed);  // here: count_reset_in_place?
  } else {
    while (word(*arrived).load(fm::memory_order_acquire) != blocks) {  // here: count_reset_in_place
    }
  }
}

// PROTOCOLS: who waits for a flag clears it first, and may clear what has come already.
FERMATA_KERNEL flag_cleared_by_the_waiter(unsigned* flag) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    word(*flag).store(1, fm::memory_order_release);  // here: flag_cleared_by_the_waiter?
  } else {
    word(*flag).store(0, fm::memory_order_relaxed);            // here: flag_cleared_by_the_waiter?
    while (word(*flag).load(fm::memory_order_acquire) == 0) {  // here: flag_cleared_by_the_waiter?
    }
  }
}

// C11. A ticket that looks like an empty slot.
FERMATA_KERNEL empty_ticket_published(fm::sentinel<ticket>* slots, unsigned first) {
  unsigned const block = fm::this_grid().block_rank();
  if (leads_its_block()) slots[block].publish({first - block});  // here: empty_ticket_published
}

// The same where somebody waits for it, for ever.
FERMATA_KERNEL empty_ticket_awaited(fm::sentinel<ticket>* slot, unsigned number, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0)
    slot->publish({number});  // here: empty_ticket_awaited
  else
    *out = slot->await().number;  // here: empty_ticket_awaited?
}

// C12. A slot is used again without being emptied: the second wait may get the first value.
FERMATA_KERNEL slot_not_emptied(fm::sentinel<float>* slot, fm::counter<>* taken) {  // here: slot_not_emptied?
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    slot->publish(1.0f);
    taken->await(1);
    slot->publish(2.0f);  // here: slot_not_emptied?
  } else {
    (void)slot->await();
    taken->signal();
    float const second = slot->await();                                            // here: slot_not_emptied?
    if (second != 2.0f) throw std::runtime_error("the value of the step before");  // here: slot_not_emptied?
  }
}

// The reader empties the slot, and tells the writer so in a way that orders nothing.
FERMATA_KERNEL emptied_without_order(fm::sentinel<float>* slot, fm::flagged<unsigned>* taken, unsigned steps) {
  if (!leads_its_block()) return;
  for (unsigned s = 1; s <= steps; ++s) {
    if (fm::this_grid().block_rank() == 0) {
      slot->publish(static_cast<float>(s));  // here: emptied_without_order
      (void)taken->await(s);
    } else {
      (void)slot->await();
      slot->reset();  // here: emptied_without_order
      taken->publish(0, s);
    }
  }
}

// Two readers, one of which empties the slot when it has read: the other one may come too late.
FERMATA_KERNEL emptied_before_all_have_read(fm::sentinel<float>* slot, float* out) {
  if (!leads_its_block()) return;
  unsigned const block = fm::this_grid().block_rank();
  if (block == 0) return slot->publish(1.0f);  // here: emptied_before_all_have_read?
  out[block] = slot->await();                  // here: emptied_before_all_have_read?
  if (block == 1) slot->reset();               // here: emptied_before_all_have_read?
}

// PROTOCOLS: the slots are filled with zeros, as if of another type, instead of the mark for "empty": the first wait
// gets a zero that nobody has published.
FERMATA_KERNEL slots_filled_with_zeros(fm::sentinel<float>* slot) {  // here: slots_filled_with_zeros?
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    slot->publish(1.0f);
  } else {
    float const value = slot->await();                                    // here: slots_filled_with_zeros?
    if (value != 1.0f) throw std::runtime_error("a value from nowhere");  // here: slots_filled_with_zeros?
  }
}

// PROTOCOLS: data beside a slot. The slot orders nothing but its own word; both its halves are without an order.
FERMATA_KERNEL payload_beside_a_slot(fm::sentinel<float>* slot, float* data, float* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    *data = 42.0f;        // here: payload_beside_a_slot
    slot->publish(1.0f);  // here: payload_beside_a_slot?
  } else {
    (void)slot->await();  // here: payload_beside_a_slot?
    *out = *data;         // here: payload_beside_a_slot
  }
}

// A slot with an epoch needs no emptying, but its writer must not be a step ahead of a reader.
FERMATA_KERNEL epoch_overtaken(fm::flagged<unsigned>* slot, unsigned* out) {
  if (!leads_its_block()) return;
  if (fm::this_grid().block_rank() == 0) {
    slot->publish(10, 1);
    slot->publish(20, 2);
  } else {
    *out = slot->await(1);  // here: epoch_overtaken
  }
}

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

}  // namespace

TEST_CASE("bug/xf_slave_release") {
  test::finds(kind::missing_release, [](test::memory& m) {
    return test::with_four(
        m, gather_scatter<memory_order_relaxed, memory_order_acquire, memory_order_release, memory_order_acquire>);
  });
}

TEST_CASE("bug/xf_master_acquire") {
  test::finds(kind::missing_acquire, [](test::memory& m) {
    return test::with_four(
        m, gather_scatter<memory_order_release, memory_order_relaxed, memory_order_release, memory_order_acquire>);
  });
}

TEST_CASE("bug/xf_master_release") {
  test::finds(kind::missing_release, [](test::memory& m) {
    return test::with_four(
        m, gather_scatter<memory_order_release, memory_order_acquire, memory_order_relaxed, memory_order_acquire>);
  });
}

TEST_CASE("bug/xf_slave_acquire") {
  test::finds(kind::missing_acquire, [](test::memory& m) {
    return test::with_four(
        m, gather_scatter<memory_order_release, memory_order_acquire, memory_order_release, memory_order_relaxed>);
  });
}

TEST_CASE("bug/generation_without_acquire") {
  test::finds(kind::missing_acquire, [](test::memory& m) { return test::with_four(m, generation_without_acquire); });
}

TEST_CASE("bug/generation_polled_relaxed") {
  test::finds(kind::missing_acquire, [](test::memory& m) { return test::with_four(m, generation_polled_relaxed); });
}

TEST_CASE("bug/generation_sampled_late") {
  test::finds(kind::lost_signal, [](test::memory& m) {
    return fm::check(generation_sampled_late, {2, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1)).cooperative();
  });
}

TEST_CASE("bug/target_beyond_the_wrap") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(target_beyond_the_wrap, {2, 4}, m.filled(1, 0xFFFFFFFEu), 0xFFFFFFFEu, m.zeros<unsigned>(2),
                     m.zeros<unsigned>(2))
        .cooperative();
  });
}

TEST_CASE("bug/count_from_another_launch") {
  test::finds(kind::data_race, [](test::memory& m) {
    return fm::check(count_from_another_launch, {2, 4}, m.filled(1, 2u), m.zeros<unsigned>(2), m.zeros<unsigned>(2))
        .cooperative();
  });
}

TEST_CASE("bug/counter_cleared_by_a_block") {
  test::finds(kind::reset_unordered, [](test::memory& m) {
    return fm::check(counter_cleared_by_a_block, {3, 4}, m.zeros<unsigned>(1), m.zeros<unsigned>(1));
  });
}

TEST_CASE("bug/count_reset_in_place") {
  test::finds(kind::reset_unordered,
              [](test::memory& m) {
                return fm::check(count_reset_in_place, {2, 4}, m.zeros<unsigned>(1)).cooperative();
              },
              {.instead = {kind::lost_signal}, .several = true});
}

TEST_CASE("bug/flag_cleared_by_the_waiter") {
  test::finds(kind::reset_unordered,
              [](test::memory& m) {
                return fm::check(flag_cleared_by_the_waiter, {2, 4}, m.zeros<unsigned>(1)).cooperative();
              },
              {.instead = {kind::lost_signal}, .several = true});
}

TEST_CASE("bug/empty_ticket_published") {
  test::finds(kind::sentinel_collision, [](test::memory& m) {
    return fm::check(empty_ticket_published, {3, 4}, m.filled(3, fm::sentinel<ticket>()), 1u);
  });
}

TEST_CASE("bug/empty_ticket_awaited") {
  test::finds(kind::sentinel_collision,
              [](test::memory& m) {
                return fm::check(empty_ticket_awaited, {2, 4}, m.filled(1, fm::sentinel<ticket>()), 0xFFFFFFFFu,
                                 m.zeros<unsigned>(1))
                    .cooperative();
              },
              {.beside = {kind::lost_signal}});
}

TEST_CASE("bug/slot_not_emptied") {
  test::finds(kind::rearm_unordered,
              [](test::memory& m) {
                return fm::check(slot_not_emptied, {2, 4}, m.filled(1, fm::sentinel<float>()),
                                 m.zeros<fm::counter<>>(1))
                    .cooperative();
              },
              // The old value is what comes of it, where the second wait comes before the second value.
              {.instead = {kind::kernel_failed}, .several = true});
}

TEST_CASE("bug/emptied_without_order") {
  test::finds(kind::rearm_unordered, [](test::memory& m) {
    return fm::check(emptied_without_order, {2, 4}, m.filled(1, fm::sentinel<float>()),
                     m.zeros<fm::flagged<unsigned>>(1), 3)
        .cooperative();
  });
}

TEST_CASE("bug/emptied_before_all_have_read") {
  test::finds(kind::rearm_unordered,
              [](test::memory& m) {
                return fm::check(emptied_before_all_have_read, {3, 4}, m.filled(1, fm::sentinel<float>()),
                                 m.zeros<float>(3))
                    .cooperative();
              },
              // Who comes too late waits for ever.
              {.instead = {kind::lost_signal}, .several = true});
}

TEST_CASE("bug/slots_filled_with_zeros") {
  test::finds(kind::kernel_failed, [](test::memory& m) {
    auto* const slot = reinterpret_cast<fm::sentinel<float>*>(m.zeros<float>(1));
    return fm::check(slots_filled_with_zeros, {2, 4}, slot).cooperative();
  });
}

TEST_CASE("bug/payload_beside_a_slot") {
  test::finds(kind::missing_release,
              [](test::memory& m) {
                return fm::check(payload_beside_a_slot, {2, 4}, m.filled(1, fm::sentinel<float>()), m.zeros<float>(1),
                                 m.zeros<float>(1))
                    .cooperative();
              },
              {.instead = {kind::missing_acquire}});
}

TEST_CASE("bug/epoch_overtaken") {
  test::finds(kind::lost_signal, [](test::memory& m) {
    return fm::check(epoch_overtaken, {2, 4}, m.zeros<fm::flagged<unsigned>>(1), m.zeros<unsigned>(1)).cooperative();
  });
}
