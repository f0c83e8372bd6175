// The all-gather of persistent kernels: every block gets every value of every step, once, however unequal the blocks.
#include "exchange.hpp"

namespace {

using fm::basic_flagged_protocol;
using fm::basic_sense_bit_protocol;
using fm::basic_sentinel_protocol;
using fm::exchange_layout;
using test::check_gather;
using test::check_launch;

template <class T, class Protocol>
struct of {
  using type = T;
  using protocol = Protocol;
};

// The protocols as they are, and each with other buffers and a layout with gaps and copies.
using sentinels = of<float, fm::sentinel_protocol>;
using few_buffers = of<float, basic_sentinel_protocol<4, 1, exchange_layout<128>>>;
using flags = of<float, fm::flagged_protocol>;
using spread_flags = of<float, basic_flagged_protocol<2, exchange_layout<64, 3>>>;
using sense_bits = of<float, fm::sense_bit_protocol>;
using spread_sense_bits = of<float, basic_sense_bit_protocol<4, exchange_layout<128, 2>>>;

}  // namespace

TYPE_TO_STRING(sentinels);
TYPE_TO_STRING(few_buffers);
TYPE_TO_STRING(flags);
TYPE_TO_STRING(spread_flags);
TYPE_TO_STRING(sense_bits);
TYPE_TO_STRING(spread_sense_bits);

#define EVERY_PROTOCOL sentinels, few_buffers, flags, spread_flags, sense_bits, spread_sense_bits

TEST_SUITE("exchange") {
  TEST_CASE_TEMPLATE("every value reaches every block once", P, EVERY_PROTOCOL) {
    for (unsigned blocks : {1u, 2u, 4u})
      for (unsigned values : {0u, 1u, 4u, 7u, 257u, 528u})
        check_gather<typename P::type, typename P::protocol>(blocks, 64, values,
                                                             {0, 40, 0, (blocks + values) % 2 != 0, 0});
  }
  TEST_CASE_TEMPLATE("blocks that are late", P, EVERY_PROTOCOL) {
    for (bool by_value : {false, true}) {
      check_gather<typename P::type, typename P::protocol>(2, 64, 128, {0, 150, 300, by_value, 0});
      check_gather<typename P::type, typename P::protocol>(4, 64, 61, {0, 150, 300, by_value, 0});
    }
  }
  TEST_CASE_TEMPLATE("thread counts that are no multiple of anything", P, EVERY_PROTOCOL) {
    check_gather<typename P::type, typename P::protocol>(3, 50, 1001, {0, 30, 20, false, 0});
    check_gather<typename P::type, typename P::protocol>(2, 1, 37, {0, 30, 0, true, 0});
  }
  TEST_CASE_TEMPLATE("as many blocks as can be", P, EVERY_PROTOCOL) {
    using T = typename P::type;
    unsigned const most = static_cast<unsigned>(
        fm::max_resident_blocks(test::gpu(), test::gather_all<T, typename P::protocol, 0, 2>, 64));
    unsigned const blocks = std::min(most, 264u);
    // More blocks than values; a few of them without any; and all alike.
    for (unsigned values : {blocks - blocks / 4, 4 * blocks - 5, 8 * blocks})
      check_gather<T, typename P::protocol>(blocks, 64, values, {0, 20, 50, values % 2 != 0, 0});
  }

  // A launch goes on where the last one has stopped, in the middle of a round of the buffers, with another number of
  // threads and the other form of publish.
  TEST_CASE_TEMPLATE("launch after launch on one storage", P, EVERY_PROTOCOL) {
    for (unsigned values : {30u, 64u}) {
      fm::exchange_storage<typename P::type, typename P::protocol> const storage(test::gpu(), 3, values);
      unsigned step = 0, launch = 0;
      for (unsigned steps : {1u, 0u, 2u, 3u, 1u, 1u, 33u, 5u, 16u, 1u}) {
        check_launch(storage, 32 + launch % 3 * 16, {step, steps, 0, launch % 2 != 0, 0});
        step += steps;
        ++launch;
      }
    }
  }

  TEST_CASE_TEMPLATE("a launch in a graph, replayed", P, sentinels, flags, sense_bits) {
    fm::exchange_storage<typename P::type, typename P::protocol> const storage(test::gpu(), 3, 40);
    check_launch(storage, 32, {0, 5, 0, false, 0, 9});
    check_launch(storage, 64, {7, 3, 0, true, 0, 4});
  }

  TEST_CASE_TEMPLATE("the two forms of publish in turn", P, sentinels, flags, spread_flags, sense_bits) {
    // Blocks without a value, and units that are not full.
    check_gather<typename P::type, typename P::protocol>(4, 32, 9, {0, 80, 20, false, 0, 0, true});
    check_gather<typename P::type, typename P::protocol>(3, 16, 205, {0, 80, 20, true, 0, 0, true});
  }

  TEST_CASE("around the long ring, with threads and polls as constants") {
    fm::exchange_storage<float, fm::long_sentinel_protocol> const storage(test::gpu(), 2, 1031);
    check_launch<64, 5>(storage, 64, {0, 300, 0, false, 0});
  }
}

namespace {

// Leaves in the middle of a step.
FERMATA_KERNEL break_off(fm::exchange<float, fm::sense_bit_protocol> exchange) {
  auto gather = exchange.open();
  for (unsigned step = 0; step < 3; ++step) {
    gather.publish([](unsigned) { return 1.0f; });
    gather.await_all([](unsigned, float) {});
    if (step < 2) gather.advance();
  }
}

}  // namespace

TEST_SUITE("exchange") {
  TEST_CASE("reset after a launch that did not complete its steps") {
    fm::exchange_storage<float, fm::sense_bit_protocol> storage(test::gpu(), 2, 16);
    test::run_cooperative({2, 32}, break_off, storage.handle());
    storage.reset(test::queue());
    check_launch(storage, 32, {0, 20, 0, false, 0});
  }

  TEST_CASE("what the host says of a storage") {
    fm::exchange_storage<float> const four(test::gpu(), 3, 50);
    CHECK(four.blocks() == 3);
    CHECK(four.values() == 50);
    CHECK(four.values_per_block() == 20);
    CHECK(four.size_bytes() == 32 * 60 * sizeof(float));
    fm::exchange_storage<float, spread_flags::protocol> const eight(test::gpu(), 3, 50);
    CHECK(eight.values_per_block() == 18);
    CHECK(eight.size_bytes() == 2 * 3 * 3 * 24 * 8);
    CHECK(fm::exchange_storage<float>(test::gpu(), 7, 0).values_per_block() == 4);
    test::caught const none = test::error_of([] { fm::exchange_storage<float>(test::gpu(), 0, 5); });
    CHECK(none.code == fm::errc::invalid_argument);
    CHECK(none.mentions("at least one block"));
    test::caught const many = test::error_of([] { fm::exchange_storage<float>(test::gpu(), 1, 0x80000000u); });
    CHECK(many.code == fm::errc::invalid_argument);
    CHECK(many.mentions("at most 2^31"));
  }

  TEST_CASE("the library's choice") {
    struct three {
      std::uint8_t bytes[3];
    };
    static_assert(std::is_same_v<fm::exchange<float>::protocol, fm::sentinel_protocol>);
    static_assert(std::is_same_v<fm::exchange<double>::protocol, fm::sentinel_protocol>);
    static_assert(std::is_same_v<fm::exchange<int>::protocol, fm::flagged_protocol>);
    static_assert(std::is_same_v<fm::exchange<three>::protocol, fm::flagged_protocol>);
    static_assert(std::is_same_v<fm::default_exchange_protocol<float, 528>, fm::flagged_protocol>);
    static_assert(std::is_same_v<fm::default_exchange_protocol<float, 3072>, fm::flagged_protocol>);
    static_assert(std::is_same_v<fm::default_exchange_protocol<float, 3073>, fm::long_sentinel_protocol>);
    // Its ring has up to 8 MiB.
    static_assert(std::is_same_v<fm::default_exchange_protocol<float, 16384>, fm::long_sentinel_protocol>);
    static_assert(std::is_same_v<fm::default_exchange_protocol<float, 16385>, fm::sentinel_protocol>);
    static_assert(std::is_same_v<fm::default_exchange_protocol<double, 528>, fm::long_sentinel_protocol>);
    static_assert(std::is_same_v<fm::default_exchange_protocol<double, 8193>, fm::sentinel_protocol>);
    static_assert(std::is_same_v<fm::default_exchange_protocol<int, 16384>, fm::flagged_protocol>);
  }
}
