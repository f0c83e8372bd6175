// fermata-litmus: see options.cpp for the command line and docs/litmus.md for how to read the table.
#include <regex.h>

#include <cstdio>
#include <memory>

#include "export.hpp"
#include "options.hpp"
#include "report.hpp"
#include "run.hpp"
#include "self_test.hpp"

namespace {

using namespace litmus;

// POSIX's regular expressions: <regex> would take more time to compile than everything else here.
class pattern {
 public:
  explicit pattern(std::string const& text) {
    if (regcomp(&compiled_, text.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
      throw usage_error("--filter: '" + text + "' is not a regular expression");
  }
  ~pattern() { regfree(&compiled_); }
  pattern(pattern const&) = delete;
  pattern& operator=(pattern const&) = delete;

  bool matches(std::string const& text) const { return regexec(&compiled_, text.c_str(), 0, nullptr, 0) == 0; }

 private:
  regex_t compiled_;
};

std::vector<row> selected(std::vector<row> rows, std::string const& filter) {
  if (filter.empty()) return rows;
  pattern const wanted(filter);
  std::erase_if(rows, [&](row const& r) { return !wanted.matches(r.name()); });
  if (rows.empty()) throw usage_error("--filter: no row matches '" + filter + "'; --list names them all");
  return rows;
}

int run(options const& o, std::vector<row> rows) {
  if (o.pause) {
    std::erase_if(rows, [](row const& r) { return !can_pause(r); });
    if (rows.empty()) throw usage_error("--pause: no row here is a shape at device scope");
    for (row& r : rows) r = paused(std::move(r));
  }
  if (o.fault) {
    std::erase_if(rows, [](row const& r) { return !takes_fault(r); });
    if (rows.empty())
      throw usage_error("--inject-fault: no row here has a forbidden outcome that a wrong order would show");
  }
  if (fm::device::count() == 0) {
    std::puts("SKIP: no device");
    return 77;
  }
  std::unique_ptr<json_file> json;
  if (!o.json.empty()) json = std::make_unique<json_file>(o.json);

  fm::device const gpu(static_cast<int>(o.device));
  if (o.demanded_wave != 0 && gpu.wave_size() != o.demanded_wave) {
    std::printf("FAIL: --require-wave %u was asked for, the device's wave has %u lanes\n", o.demanded_wave,
                gpu.wave_size());
    return 1;
  }
  fm::stream const queue(gpu);
  std::printf("device: %s, waves of %u lanes; seed %u%s\n", gpu.name().c_str(), gpu.wave_size(), o.seed,
              o.fault ? "; WITH AN INJECTED FAULT" : "");
  print_heading();
  std::vector<row_result> results;
  bool failed = false;
  double seconds = 0;
  for (row const& r : rows) {
    results.push_back(run_row(queue, r, o));
    print_row(r, results.back());
    std::fflush(stdout);
    failed = failed || results.back().failed();
    seconds += results.back().seconds;
  }
  std::printf("%s · %.1f s\n", summary(results).c_str(), seconds);
  if (json) json->write(gpu, o, rows, results);
  return failed ? 1 : 0;
}

int act(options const& o) {
  if (o.what == options::action::help) {
    std::fputs(usage(), stdout);
    return 0;
  }
  if (o.what == options::action::self_test) return self_test(make_rows()) == 0 ? 0 : 1;
  std::vector<row> rows = selected(make_rows(), o.filter);
  if (o.what == options::action::list) {
    for (row const& r : rows) std::printf("%s\n", r.name().c_str());
    return 0;
  }
  if (o.what == options::action::export_files) {
    std::erase_if(rows, [](row const& r) { return r.what.threads.empty(); });
    if (rows.empty())
      throw usage_error("--export: no row here has a model; those of the library's contracts have none");
    export_rows(rows, o.directory);
    std::printf("%zu files in %s\n", rows.size(), o.directory.c_str());
    return 0;
  }
  return run(o, std::move(rows));
}

}  // namespace

int main(int argc, char** argv) {
  int status = 1;
  try {
    status = act(parse(argc, argv));
  } catch (usage_error const& e) {
    std::fprintf(stderr, "fermata-litmus: %s. Try --help\n", e.what());
    return 2;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "fermata-litmus: %s\n", e.what());
    return 1;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fputs("fermata-litmus: could not write to the standard output\n", stderr);
    return 1;
  }
  return status;
}
