// check(): the same launch many times over.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fermata/checker.hpp>
#include <fermata/error.hpp>
#include <memory>
#include <mutex>

#include "../recording.hpp"
#include "../settings.hpp"
#include "../shared_memory.hpp"
#include "../stream.hpp"
#include "engine.hpp"
#include "findings.hpp"
#include "strategy.hpp"
#include "symboliser.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

// The contents of every buffer and of every variable of the device at one moment.
class contents {
 public:
  contents() {
    for (live_buffer const& b : live_buffers()) save(b, false);
    for (live_buffer const& b : live_globals()) save(b, true);
  }

  // What nobody had written then (it still holds the poison) counts as unwritten again.
  void restore() const {
    std::vector<live_buffer> live = live_buffers();
    std::vector<live_buffer> const globals = live_globals();
    live.insert(live.end(), globals.begin(), globals.end());
    for (saved const& s : saved_) {
      // It may have been freed since.
      if (std::none_of(live.begin(), live.end(),
                       [&s](live_buffer const& b) { return b.memory == s.buffer.memory && b.bytes == s.buffer.bytes; }))
        continue;
      std::memcpy(s.buffer.memory, s.bytes.data(), s.bytes.size());
      if (s.is_global) continue;
      allocated(s.buffer.memory, s.bytes.size());
      auto const is_poison = [](std::byte b) { return b == std::byte{poison}; };
      for (auto at = s.bytes.begin(); at != s.bytes.end();) {
        auto const from = std::find_if_not(at, s.bytes.end(), is_poison);
        at = std::find_if(from, s.bytes.end(), is_poison);
        if (from != at)
          written_by_host(static_cast<std::byte*>(s.buffer.memory) + (from - s.bytes.begin()),
                          static_cast<std::size_t>(at - from));
      }
    }
  }

  // The first byte that is not the same now; null if all are.
  void const* first_difference() const {
    for (saved const& s : saved_) {
      auto const* const now = static_cast<std::byte const*>(s.buffer.memory);
      auto const at = std::mismatch(s.bytes.begin(), s.bytes.end(), now);
      if (at.first != s.bytes.end()) return at.second;
    }
    return nullptr;
  }
  std::byte const* saved_at(void const* address) const {
    for (saved const& s : saved_) {
      auto const offset = static_cast<std::byte const*>(address) - static_cast<std::byte const*>(s.buffer.memory);
      if (offset >= 0 && static_cast<std::size_t>(offset) < s.bytes.size()) return &s.bytes[offset];
    }
    return nullptr;
  }

 private:
  struct saved {
    live_buffer buffer;
    std::vector<std::byte> bytes;
    bool is_global;
  };
  void save(live_buffer const& b, bool is_global) {
    auto const* const first = static_cast<std::byte const*>(b.memory);
    saved_.push_back({b, {first, first + b.bytes}, is_global});
  }
  std::vector<saved> saved_;
};

[[noreturn]] void refuse(std::string const& what) { throw error(errc::invalid_argument, "check: " + what); }

turns turns_of(check_schedule s) {
  switch (s) {
    case check_schedule::fair:
      return turns::fair;
    case check_schedule::random:
      return turns::random;
    case check_schedule::pct:
      return turns::pct;
    case check_schedule::exhaustive:
      return turns::exhaustive;
  }
  return turns::random;
}

bool is_set(char const* variable) {
  char const* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// The environment, and what the plan says otherwise.
settings settings_of(detail::check_plan const& plan) {
  settings how = read_settings();
  how.alone = true;
  if (plan.schedule_told) {
    how.schedule = turns_of(plan.schedule);
    how.depth = plan.depth;
    how.span = plan.span;
  } else if (!is_set("FERMATA_HOST_SCHEDULE")) {
    how.schedule = turns::random;
  }
  if (plan.seed_told) how.seed = plan.seed;
  if (plan.wave != 0) how.wave_size = plan.wave;
  if (plan.weak_told) how.weak_values = plan.weak_values;
  how.advice |= plan.advice;
  if (plan.xcds != 0) how.xcds = plan.xcds;
  if (plan.steps != 0) how.steps = plan.steps;
  if (plan.resident_blocks != 0) how.resident_blocks = plan.resident_blocks;
  if (how.wave_size != 32 && how.wave_size != 64)
    refuse("waves of " + std::to_string(how.wave_size) + " lanes; it must be 32 or 64");
  if (how.depth == 0 || how.depth > 100) refuse("a depth of " + std::to_string(how.depth) + "; it must be 1 to 100");
  if (how.xcds > 64) refuse(std::to_string(how.xcds) + " XCDs; it must be 1 to 64");
  if (plan.required_wave != 0 && plan.required_wave != how.wave_size)
    throw error(errc::unsupported, "check: the kernel needs waves of " + std::to_string(plan.required_wave) +
                                       " lanes (FERMATA_REQUIRE_WAVE), and the run has those of " +
                                       std::to_string(how.wave_size) + "; ask for wave(" +
                                       std::to_string(plan.required_wave) + ")");
  return how;
}

// One run, whose findings are added to the result.
void run_once(detail::check_plan const& plan, settings const& how, check_result& result) {
  auto const queue = std::make_shared<stream>();
  begin_collecting();
  try {
    queue->push({plan.call, plan.config, plan.cooperative}, how);
    try {
      queue->synchronize("check");
    } catch (error const& e) {
      result.error = e.what();
    }
  } catch (...) {
    end_collecting();
    throw;
  }
  for (finding& f : end_collecting()) {
    auto const same = [&](finding const& known) {
      return known.kind == f.kind && known.message == f.message && known.places.size() == f.places.size() &&
             std::equal(known.places.begin(), known.places.end(), f.places.begin(),
                        [](finding_place const& a, finding_place const& b) {
                          return a.file == b.file && a.line == b.line && a.function == b.function;
                        });
    };
    if (std::none_of(result.findings.begin(), result.findings.end(), same)) result.findings.push_back(std::move(f));
  }
  ++result.runs;
  result.seed = how.seed;
  result.wave = how.wave_size;
  result.replay = replay_of(decided_by());
}

std::mutex& one_at_a_time() {
  static auto& m = *new std::mutex;
  return m;
}

std::string bytes_at(std::byte const* from) { return std::to_string(std::to_integer<unsigned>(*from)); }

}  // namespace

std::string replay_of(settings const& how) {
  std::string text = "FERMATA_HOST_SEED=" + std::to_string(how.seed) +
                     " FERMATA_HOST_WAVE=" + std::to_string(how.wave_size) + " FERMATA_HOST_SCHEDULE=";
  switch (how.schedule) {
    case turns::fair:
      text += "fair";
      break;
    case turns::random:
      text += "random";
      break;
    case turns::pct:
      text += "pct:" + std::to_string(how.depth) + ":" + std::to_string(how.span);
      break;
    case turns::exhaustive:
      return "the same exhaustive check, whose run number " + std::to_string(how.seed) + " this is";
  }
  if (how.resident_blocks != 16) text += " FERMATA_HOST_RESIDENT_BLOCKS=" + std::to_string(how.resident_blocks);
  if (how.xcds != 1) text += " FERMATA_HOST_XCDS=" + std::to_string(how.xcds);
  if (!how.weak_values) text += " FERMATA_HOST_WEAK_VALUES=0";
  return text;
}

}  // namespace backend::host::check

namespace detail {

namespace host = backend::host;

check_result run_checks(check_plan const& plan, unsigned runs, std::shared_ptr<void const>& kept) {
  if (runs == 0) host::check::refuse("no runs; it must be one at least");
  std::lock_guard const lock(host::check::one_at_a_time());
  host::settings how = host::check::settings_of(plan);
  bool const exhaustive = how.schedule == host::turns::exhaustive;
  // Its runs are numbered.
  if (exhaustive) how.seed = 1;
  host::check::first_order();
  if (!kept) kept = std::make_shared<host::check::contents const>();
  auto const& before = *static_cast<host::check::contents const*>(kept.get());
  check_result result;
  for (unsigned i = 0; i < runs; ++i, ++how.seed) {
    before.restore();
    host::check::run_once(plan, how, result);
    if (!result.clean()) break;
    if (exhaustive && !host::check::next_order()) {
      result.complete = true;
      break;
    }
  }
  return result;
}

check_result compare_widths(check_plan plan) {
  if (plan.required_wave != 0)
    host::check::refuse("check_widths of a kernel that needs waves of " + std::to_string(plan.required_wave) +
                        " lanes (FERMATA_REQUIRE_WAVE)");
  std::lock_guard const lock(host::check::one_at_a_time());
  // Alike in everything but the width.
  if (!host::check::is_set("FERMATA_HOST_SCHEDULE")) {
    plan.schedule_told = true;
    plan.schedule = check_schedule::fair;
  }
  plan.weak_told = true;
  plan.weak_values = false;
  host::check::contents const before;
  check_result result;
  before.restore();
  plan.wave = 32;
  host::check::run_once(plan, host::check::settings_of(plan), result);
  if (!result.clean()) return result;
  host::check::contents const narrow;
  before.restore();
  plan.wave = 64;
  host::check::run_once(plan, host::check::settings_of(plan), result);
  if (!result.clean()) return result;
  if (void const* const where = narrow.first_difference()) {
    auto const* const kernel = static_cast<std::byte const*>(plan.call.kernel) + 1;
    auto const line = host::check::symboliser::instance().user_lines({{kernel}}).front();
    finding f;
    f.kind = finding_kind::width_assumption;
    f.message =
        "the kernel leaves another result with waves of 64 lanes than with waves of 32: the first byte that "
        "differs is " +
        host::check::bytes_at(narrow.saved_at(where)) + " with 32 and " +
        host::check::bytes_at(static_cast<std::byte const*>(where)) + " with 64";
    f.places.push_back({line.file, line.line, line.function, 0, 0, 0, "the kernel"});
    f.object = host::check::name_of(where, 1);
    f.advice =
        "ask for wave::size() in place of a number, and let the result not depend on how a block is cut into "
        "waves; or say FERMATA_REQUIRE_WAVE";
    result.findings.push_back(std::move(f));
  }
  return result;
}

}  // namespace detail
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
