// FERMATA_HOST_RECORD: launches written down.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "host_support.hpp"

namespace {

struct pair_of_pointers {
  unsigned* in;
  unsigned* out;
};

FERMATA_KERNEL add(pair_of_pointers where, unsigned more) {
  unsigned const i = fm::this_grid().thread_rank();
  where.out[i] = where.in[i] + more;
}
FERMATA_KERNEL also_add(pair_of_pointers where, unsigned more) {
  unsigned const i = fm::this_grid().thread_rank();
  where.out[i] = where.in[i] + more;
}
FERMATA_KERNEL add_to_many(unsigned* values) { values[fm::this_grid().thread_rank()] += 1; }
FERMATA_KERNEL throws() { throw 1; }

struct folder {
  std::filesystem::path path;
  folder() {
    std::string name = std::filesystem::temp_directory_path() / "fermata-recording-XXXXXX";
    path = ::mkdtemp(name.data());
  }
  ~folder() { std::filesystem::remove_all(path); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (auto const& entry : std::filesystem::directory_iterator(path)) names.push_back(entry.path());
    std::sort(names.begin(), names.end());
    return names;
  }
};

std::string text_of(std::string const& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("host: a launch is written down with its arguments and what it did to their buffers") {
  folder const where;
  test::with_variable const record("FERMATA_HOST_RECORD", where.path);
  auto in = test::uploaded(std::vector<unsigned>{0x11, 0x22, 0x33, 0x44}), out = test::filled<unsigned>(4, 0xEE);
  test::run({2, 2}, add, pair_of_pointers{in.data(), out.data() + 0}, 1u);
  auto const files = where.files();
  REQUIRE(files.size() == 1);
  std::string const text = text_of(files[0]);
  INFO(text);
  for (char const* part :
       {"\"grid\": [2, 1, 1]", "\"block\": [2, 1, 1]", "\"cooperative\": false", "\"dynamic_shared_bytes\": 0",
        // Two pointers in one argument, to two buffers; then a number.
        "\"bytes\": 16, \"alignment\": 8", "{\"at\": 0, \"buffer\": 0, \"offset\": 0}",
        "{\"at\": 8, \"buffer\": 1, \"offset\": 0}", "\"bytes\": 4, \"alignment\": 4, \"value\": \"01000000\"",
        "\"before\": \"11000000220000003300000044000000\"", "\"before\": \"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\"",
        "\"after\": \"12000000230000003400000045000000\""})
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
}

TEST_CASE("host: what is too large, too frequent or failed is not written down") {
  folder const where;
  test::with_variable const record("FERMATA_HOST_RECORD", where.path);
  auto large = test::filled<unsigned>(32768);
  test::run({1, 32}, add_to_many, large.data());
  CHECK(where.files().empty());
  auto values = test::filled<unsigned>(4);
  for (int i = 0; i < 5; ++i) test::run({1, 4}, also_add, pair_of_pointers{values.data(), values.data()}, 1u);
  CHECK(where.files().size() == 3);
  CHECK(test::error_of_kernel({1, 1}, throws).code == fm::errc::kernel_failed);
  CHECK(where.files().size() == 3);
}

TEST_CASE("host: a recording that cannot be written is an error of the launch") {
  test::with_variable const record("FERMATA_HOST_RECORD", "/nowhere/at/all");
  auto values = test::filled<unsigned>(4);
  test::caught const e = test::error_of_kernel({1, 4}, add_to_many, values.data());
  CHECK(e.code == fm::errc::invalid_argument);
  CHECK(e.mentions("/nowhere/at/all"));
}
