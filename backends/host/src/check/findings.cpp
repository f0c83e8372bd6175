#include "findings.hpp"

#include <cstdio>
#include <cstdlib>
#include <fermata/checker.hpp>
#include <fermata/error.hpp>
#include <fstream>
#include <mutex>
#include <set>
#include <string_view>
#include <unordered_set>

#include "../lane.hpp"
#include "../settings.hpp"
#include "symboliser.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

constexpr int exit_status = 66;
// A kernel with more of them has one mistake, and many lines.
constexpr std::size_t most_findings = 1000;

struct raw_finding {
  finding_kind kind;
  std::string message;
  std::vector<raw_place> places;
  std::string object, advice, suppressed;
};

struct collection {
  std::mutex mutex;
  bool collecting = false;
  std::vector<raw_finding> found;
  std::unordered_set<std::uint64_t> known;  // by kind and addresses
  std::set<std::string> told;               // by kind and lines, of those that the user has been told of
  check_result so_far;                      // of all launches outside check()

  // Never destroyed: findings may be told while the program ends.
  static collection& instance() {
    static collection& the_one = *new collection;
    return the_one;
  }
};

std::uint64_t hash_of(finding_kind kind, std::vector<raw_place> const& places, std::string const& message) {
  std::uint64_t hash = static_cast<std::uint64_t>(kind) + 1;
  auto const add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29; };
  for (raw_place const& p : places)
    for (void const* const f : p.frames) add(reinterpret_cast<std::uintptr_t>(f));
  // Without a place only the words tell one from another.
  if (places.empty()) add(std::hash<std::string>()(message));
  return hash;
}

// Which lines a finding is about, whichever of two accesses came first.
std::string lines_of(finding const& f) {
  std::set<std::string> lines;
  for (finding_place const& p : f.places) lines.insert(p.file + ":" + std::to_string(p.line) + ":" + p.function);
  std::string key = to_string(f.kind);
  for (std::string const& l : lines) key += "\n" + l;
  if (f.places.empty()) key += "\n" + f.message;
  return key;
}

std::vector<finding> symbolised(std::vector<raw_finding> const& raw) {
  std::vector<std::vector<void const*>> stacks;
  for (raw_finding const& r : raw)
    for (raw_place const& p : r.places) stacks.push_back(p.frames);
  std::vector<source_line> const lines = symboliser::instance().user_lines(stacks);
  std::vector<finding> result;
  std::set<std::string> known;
  std::size_t next = 0;
  for (raw_finding const& r : raw) {
    finding f{r.kind, r.message, {}, r.object, r.advice, r.suppressed};
    for (raw_place const& p : r.places) {
      source_line const& line = lines[next++];
      f.places.push_back({line.file, line.line, line.function, p.block, p.wave, p.lane, p.access});
    }
    if (known.insert(lines_of(f)).second) result.push_back(std::move(f));
  }
  return result;
}

char const* output_path() {
  char const* const path = std::getenv("FERMATA_CHECK_OUTPUT");
  return path == nullptr || *path == '\0' ? nullptr : path;
}

bool write_output(char const* path, bool create_only) {
  std::ofstream file(path, create_only ? std::ios::app : std::ios::trunc);
  if (create_only) return file.is_open();
  check_result const& all = collection::instance().so_far;
  file << (std::string_view(path).ends_with(".sarif") ? all.sarif() : all.json()) << "\n";
  file.close();
  return !file.fail();
}

// At the very end of the program.
void end_program(int status, void*) {
  collection& all = collection::instance();
  char const* const path = output_path();
  if (path != nullptr && all.so_far.runs != 0 && !write_output(path, false)) {
    std::fprintf(stderr, "fermata: FERMATA_CHECK_OUTPUT: cannot write %s\n", path);
    if (status == 0) std::_Exit(exit_status);
  }
  // A program that has failed by itself keeps its status.
  if (status != 0 || all.so_far.clean()) return;
  std::fflush(nullptr);
  std::_Exit(exit_status);
}

// Registered before anything else, so that it runs after everything else.
[[gnu::constructor(101)]] void at_the_end() { ::on_exit(end_program, nullptr); }

}  // namespace

void report(finding_kind kind, std::string message, std::vector<raw_place> places, std::string object,
            std::string advice, lane const* by) {
  if (by == nullptr) by = current;
  std::string suppressed;
  if (by != nullptr)
    for (ignored_findings const* i = by->ignored; i != nullptr; i = i->outer)
      if (i->kind == kind) suppressed = i->reason;
  collection& all = collection::instance();
  std::lock_guard const lock(all.mutex);
  if (all.found.size() >= most_findings || !all.known.insert(hash_of(kind, places, message)).second) return;
  all.found.push_back({kind, std::move(message), std::move(places), std::move(object), std::move(advice),
                       std::move(suppressed)});
}

void begin_collecting() {
  collection& all = collection::instance();
  std::lock_guard const lock(all.mutex);
  all.collecting = true;
  all.found.clear();
  all.known.clear();
}

std::vector<finding> end_collecting() {
  collection& all = collection::instance();
  std::lock_guard const lock(all.mutex);
  all.collecting = false;
  all.known.clear();
  std::vector<finding> result = symbolised(all.found);
  all.found.clear();
  return result;
}

void tell_findings(settings const& how) {
  collection& all = collection::instance();
  std::lock_guard const lock(all.mutex);
  if (all.collecting) return;
  ++all.so_far.runs;
  all.so_far.seed = how.seed;
  all.so_far.wave = how.wave_size;
  all.so_far.replay = replay_of(how);
  if (all.found.empty()) return;
  std::vector<finding> fresh;
  for (finding& f : symbolised(all.found))
    if (all.told.insert(lines_of(f)).second) fresh.push_back(std::move(f));
  all.found.clear();
  std::string const text = to_text(fresh, all.so_far.replay);
  std::fputs(text.c_str(), stderr);
  for (finding& f : fresh) all.so_far.findings.push_back(std::move(f));
}

void require_output() {
  char const* const path = output_path();
  if (path == nullptr) return;
  std::string_view const name = path;
  std::string const said = "FERMATA_CHECK_OUTPUT=" + std::string(name);
  if (!name.ends_with(".json") && !name.ends_with(".sarif"))
    throw error(errc::invalid_argument, said + " is not legal; it must be a file that ends in .json or .sarif");
  static auto& writable = *new std::set<std::string>;
  std::lock_guard const lock(collection::instance().mutex);
  if (writable.contains(path)) return;
  if (!write_output(path, true))
    throw error(errc::invalid_argument, said + ": the file cannot be written; choose a folder that exists");
  writable.insert(path);
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
