#include "support.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace test {
namespace {

constexpr unsigned random_runs = 100, pct_runs = 200, pct_depth = 3;
constexpr unsigned clean_random_runs = 100, clean_pct_runs = 20;
// Of all bugs, those that random schedules must find; and how many bugs there must be.
constexpr double least_by_random = 0.95;
constexpr unsigned least_bugs = 64;

using lines = std::set<unsigned>;

// The marks of one bug.
struct marked {
  lines must, may;  // `may` holds those of `must`, too
};

struct record {
  std::string name;
  unsigned wave = 0;
  std::string found, schedule = "-";
  unsigned runs = 0;
};
std::vector<record> records;

std::string test_case_name() { return doctest::getContextOptions()->currentTest->m_name; }
std::string test_case_file() { return doctest::getContextOptions()->currentTest->m_file.c_str(); }

// The name of the bug: what stands behind the slash.
std::string bug_name() {
  std::string const name = test_case_name();
  return name.substr(name.find('/') + 1);
}

marked marks_of(std::string const& name, std::string const& file) {
  std::ifstream source(file);
  REQUIRE_MESSAGE(source, "the source with the marks cannot be read: ", file);
  marked result;
  std::string text;
  constexpr std::string_view sign = "// here:";
  for (unsigned line = 1; std::getline(source, text); ++line) {
    std::size_t const at = text.find(sign);
    if (at == std::string::npos) continue;
    std::istringstream words(text.substr(at + sign.size()));
    for (std::string word; words >> word;) {
      if (word.ends_with(',')) word.pop_back();
      bool const optional = word.ends_with('?');
      if (optional) word.pop_back();
      if (word != name) continue;
      result.may.insert(line);
      if (!optional) result.must.insert(line);
    }
  }
  REQUIRE_MESSAGE(!result.may.empty(), "no line of ", file, " is marked with // here: ", name);
  return result;
}

// Debug information may name the file from another folder.
bool same_file(std::filesystem::path const& a, std::filesystem::path const& b) {
  return a.filename() == b.filename() && a.parent_path().filename() == b.parent_path().filename();
}

// The lines of the finding's places; 0 stands for any place in another file. A thread that has returned is nowhere.
lines lines_of(fm::finding const& f, std::string const& file) {
  lines result;
  for (fm::finding_place const& p : f.places)
    if (!p.file.empty()) result.insert(same_file(p.file, file) ? p.line : 0);
  return result;
}

bool contains(std::vector<kind> const& kinds, kind k) {
  return std::find(kinds.begin(), kinds.end(), k) != kinds.end();
}

bool within(lines const& some, lines const& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

std::string text_of(lines const& some) {
  std::string text;
  for (unsigned const line : some) text += (text.empty() ? "" : ", ") + std::to_string(line);
  return "{" + text + "}";
}

// Advice counts only for the bug that is about it, and what is suppressed never.
bool counts(fm::finding const& f, kind expected) {
  return f.suppressed.empty() && (f.kind != kind::wider_than_needed || expected == kind::wider_than_needed);
}

// Whether the run has found what it should. (clean() is true for advice, too.)
bool found_something(fm::check_result const& r, kind expected) {
  return std::any_of(r.findings.begin(), r.findings.end(), [&](fm::finding const& f) { return counts(f, expected); });
}

// Empty if the findings are those that are expected.
std::string complaint_about(fm::check_result const& r, kind expected, leeway const& allowed, marked const& marks,
                            std::string const& file) {
  std::set<std::pair<kind, lines>> seen;
  for (fm::finding const& f : r.findings)
    if (counts(f, expected)) seen.insert({f.kind, lines_of(f, file)});
  unsigned fitting = 0;
  lines named;
  std::string complaint;
  for (auto const& [found, at] : seen) {
    if (found == expected || contains(allowed.instead, found)) {
      ++fitting;
      named.insert(at.begin(), at.end());
    } else if (!contains(allowed.beside, found)) {
      complaint += std::string("  ") + fm::to_string(found) + " is none of this bug's kinds\n";
    }
    if (!within(at, marks.may))
      complaint += std::string("  ") + fm::to_string(found) + " names the lines " + text_of(at) +
                   " (0: another file), but only " + text_of(marks.may) + " are marked\n";
  }
  if (fitting == 0) complaint += std::string("  no ") + fm::to_string(expected) + "\n";
  if (fitting > 1 && !allowed.several) complaint += "  " + std::to_string(fitting) + " findings for one mistake\n";
  // Which width is right is not known, and so not which line is wrong.
  if (named.empty() && fitting != 0 && expected != kind::width_assumption) complaint += "  no line is named\n";
  if (!within(marks.must, named))
    complaint += "  the lines " + text_of(named) + " are named, but " + text_of(marks.must) + " are marked\n";
  return complaint;
}

// Whether the findings are the right ones; the test case fails if they are not.
bool judge(fm::check_result const& r, kind expected, leeway const& allowed) {
  std::string const file = test_case_file();
  std::string const complaint = complaint_about(r, expected, allowed, marks_of(bug_name(), file), file);
  CHECK_MESSAGE(complaint.empty(), complaint, "what the checker says:\n", r.text());
  return complaint.empty();
}

// For the table. A bug counts as found if what was found is right.
void keep_record(fm::check_result const& r, kind expected, unsigned wave, char const* schedule, bool right) {
  record entry{bug_name(), wave, "nothing", right ? schedule : "-", r.runs};
  for (fm::finding const& f : r.findings) {
    if (!counts(f, expected)) continue;
    entry.found = fm::to_string(f.kind);
    break;
  }
  records.push_back(std::move(entry));
}

}  // namespace

namespace {

// In memory of its own: runs() starts from the contents that the last call has left.
fm::check_result result_of(launcher launch, unsigned wave, fm::check_schedule schedule, unsigned runs, bool advice) {
  memory m;
  fm::checked_launch checked = launch(m);
  checked.wave(wave).seed(1).advice(advice).schedule(schedule, pct_depth);
  return checked.runs(runs);
}

}  // namespace

void finds(kind expected, launcher launch, leeway allowed) {
  bool const advice = expected == kind::wider_than_needed;
  for (unsigned const wave : allowed.waves) {
    CAPTURE(wave);
    fm::check_result result = result_of(launch, wave, fm::check_schedule::random, random_runs, advice);
    char const* schedule = "random";
    if (!found_something(result, expected)) {
      result = result_of(launch, wave, fm::check_schedule::pct, pct_runs, advice);
      schedule = "pct";
    }
    keep_record(result, expected, wave, schedule, judge(result, expected, allowed));
  }
}

void finds_between_widths(fm::check_result (*compare)(memory&)) {
  memory m;
  fm::check_result const result = compare(m);
  keep_record(result, kind::width_assumption, 0, "random", judge(result, kind::width_assumption, {}));
}

namespace {

void require_clean(fm::check_result const& r, unsigned runs, bool without_advice) {
  CHECK_MESSAGE(r.clean(), r.text());
  CHECK_MESSAGE(r.error.empty(), r.error);
  CHECK(r.runs == runs);
  if (without_advice) CHECK_MESSAGE(!r.has(kind::wider_than_needed), r.text());
}

}  // namespace

void stays_clean(launcher launch, bool without_advice) {
  for (unsigned const wave : {32u, 64u}) {
    CAPTURE(wave);
    require_clean(result_of(launch, wave, fm::check_schedule::random, clean_random_runs, without_advice),
                  clean_random_runs, without_advice);
    require_clean(result_of(launch, wave, fm::check_schedule::pct, clean_pct_runs, without_advice), clean_pct_runs,
                  without_advice);
  }
}

void stays_clean_between_widths(fm::check_result (*compare)(memory&)) {
  memory m;
  fm::check_result const result = compare(m);
  CHECK_MESSAGE(result.clean(), result.text());
  CHECK_MESSAGE(result.error.empty(), result.error);
}

bool print_findings(bool all_ran) {
  if (records.empty()) return !all_ran;
  std::sort(records.begin(), records.end(),
            [](record const& a, record const& b) { return std::pair(a.name, a.wave) < std::pair(b.name, b.wave); });
  std::printf("\n%-36s %5s  %-24s %-8s %5s\n", "bug", "wave", "found", "by", "runs");
  unsigned by_random = 0;
  std::set<std::string> names;
  for (record const& r : records) {
    std::string const wave = r.wave == 0 ? "both" : std::to_string(r.wave);
    std::printf("%-36s %5s  %-24s %-8s %5u\n", r.name.c_str(), wave.c_str(), r.found.c_str(), r.schedule.c_str(),
                r.runs);
    by_random += r.schedule == "random";
    names.insert(r.name);
  }
  std::printf("%u of %zu found within %u random schedules (%zu bugs)\n", by_random, records.size(), random_runs,
              names.size());
  if (names.size() < least_bugs) {
    // Of a few bugs that a filter has chosen the rare one may be half: no rate is told by them.
    if (all_ran) std::printf("FAIL: there must be %u bugs\n", least_bugs);
    return !all_ran;
  }
  if (by_random < least_by_random * static_cast<double>(records.size())) {
    std::printf("FAIL: random schedules must find %.0f %%\n", least_by_random * 100);
    return false;
  }
  return true;
}

}  // namespace test
