#include "settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fermata/error.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

#include "check/checking.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

// The value of a variable; empty if it is not set. Set to nothing is the same as not set.
std::string_view read(char const* variable) {
  char const* const value = std::getenv(variable);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

[[noreturn]] void refuse(char const* variable, std::string_view value, std::string const& legal) {
  throw error(errc::invalid_argument,
              std::string(variable) + "=" + std::string(value) + " is not legal; it must be " + legal);
}

std::uint64_t read_number(char const* variable, std::uint64_t fallback, std::uint64_t least, std::uint64_t most) {
  std::string_view const value = read(variable);
  if (value.empty()) return fallback;
  std::uint64_t number = 0;
  auto const [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc{} || end != value.data() + value.size() || number < least || number > most)
    refuse(variable, value, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  return number;
}

unsigned read_wave_size() {
  std::string_view const value = read("FERMATA_HOST_WAVE");
  if (value.empty() || value == "32") return 32;
  if (value == "64") return 64;
  refuse("FERMATA_HOST_WAVE", value, "32 or 64");
}

struct schedule {
  turns how = turns::fair;
  unsigned depth = 3;
  std::uint64_t span = 0;
};

schedule read_schedule() {
  constexpr char const* variable = "FERMATA_HOST_SCHEDULE";
  constexpr unsigned most_depth = 100;
  std::string_view const value = read(variable);
  if (value.empty() || value == "fair") return {};
  if (value == "random") return {.how = turns::random};
  if constexpr (checking) {
    if (value == "pct") return {.how = turns::pct};
    if (value.starts_with("pct:")) {
      schedule result{.how = turns::pct};
      char const* const last = value.data() + value.size();
      std::from_chars_result end = std::from_chars(value.data() + 4, last, result.depth);
      bool legal = end.ec == std::errc{} && result.depth >= 1 && result.depth <= most_depth;
      if (legal && end.ptr != last && *end.ptr == ':') {
        end = std::from_chars(end.ptr + 1, last, result.span);
        legal = end.ec == std::errc{} && result.span != 0;
      }
      if (legal && end.ptr == last) return result;
    }
    refuse(variable, value,
           "fair, random, pct, pct:<depth> or pct:<depth>:<steps> with a depth from 1 to 100 and steps from 1");
  }
  refuse(variable, value, "fair or random");
}

}  // namespace

settings read_settings() {
  constexpr unsigned most_workers = 1024;
  unsigned const cores = std::clamp(std::thread::hardware_concurrency(), 1u, most_workers);
  schedule const turns_taken = read_schedule();
  std::uint64_t const no_limit = std::numeric_limits<std::uint64_t>::max();
  return {
      .wave_size = read_wave_size(),
      .resident_blocks = static_cast<unsigned>(read_number("FERMATA_HOST_RESIDENT_BLOCKS", 16, 1, 65536)),
      .workers = checking ? 1 : static_cast<unsigned>(read_number("FERMATA_HOST_WORKERS", cores, 1, most_workers)),
      .schedule = turns_taken.how,
      .seed = read_number("FERMATA_HOST_SEED", 1, 0, no_limit),
      .watchdog = std::chrono::milliseconds(read_number("FERMATA_HOST_WATCHDOG_MS", 10000, 1, 86400000)),
      .depth = turns_taken.depth,
      .span = turns_taken.span,
      .steps = checking ? read_number("FERMATA_HOST_STEPS", 0, 1, no_limit) : 0,
      .weak_values = checking && read_number("FERMATA_HOST_WEAK_VALUES", 1, 0, 1) != 0,
      .xcds = checking ? static_cast<unsigned>(read_number("FERMATA_HOST_XCDS", 1, 1, 64)) : 1,
      .advice = checking && read_number("FERMATA_HOST_ADVICE", 0, 0, 1) != 0,
  };
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
