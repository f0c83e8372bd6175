#include "report.hpp"

#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

namespace litmus {
namespace {

std::string quoted(std::string const& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string counts(row const& r, row_result const& result, char const* assign, char const* separator, bool quote) {
  std::string text;
  for (unsigned o = 0; o < outcome_count; ++o) {
    if (result.histogram[o] == 0) continue;
    std::string const name = text_of(static_cast<outcome>(o), r.entries);
    text +=
        (text.empty() ? "" : separator) + (quote ? quoted(name) : name) + assign + std::to_string(result.histogram[o]);
  }
  return text;
}

std::string plain(witness const& w, unsigned stride, unsigned entries) {
  return "outcome " + text_of(static_cast<outcome>(w.seen), entries) + " of instance " + std::to_string(w.instance) +
         " in round " + std::to_string(w.round) + " at stride " + std::to_string(stride);
}

}  // namespace

void print_heading() {
  std::printf("%-16s %-20s %-7s %-7s %12s  %-14s %-9s %s\n", "test", "variant", "scope", "threads", "instances",
              "verdict", "asked", "outcomes seen");
}

void print_row(row const& r, row_result const& result) {
  std::printf("%-16s %-20s %-7s %-7s %12llu  %-14s %-9s %s\n", r.test.c_str(), r.variant.c_str(), name_of(r.scope),
              name_of(r.where), static_cast<unsigned long long>(result.instances), name_of(result.judged),
              ((r.forbids() ? "!" : "") + text_of(r.asked, r.entries)).c_str(),
              counts(r, result, ":", "  ", false).c_str());
  if (result.mixed != 0)
    std::printf("  %llu instance(s) whose parts were not all played: the pairing is no bijection on the device\n",
                static_cast<unsigned long long>(result.mixed));
  if (result.judged == verdict::forbidden_seen) {
    std::printf("  forbidden by: %s; %llu time(s)\n", r.authority.c_str(),
                static_cast<unsigned long long>(result.forbidden));
    for (auto const& w : result.witnesses) std::printf("  witness: %s\n", plain(w.what, w.stride, r.entries).c_str());
  }
}

std::string summary(std::vector<row_result> const& results) {
  std::map<verdict, unsigned> counted;
  for (row_result const& r : results) ++counted[r.judged];
  std::string text = std::to_string(results.size()) + " rows";
  for (auto const& [what, n] : counted) text += std::string(" · ") + name_of(what) + " " + std::to_string(n);
  return text;
}

json_file::json_file(std::string const& path) : path_(path), file_(std::fopen(path.c_str(), "w")) {
  if (file_ == nullptr) throw std::runtime_error("--json: cannot write to " + path + ": " + std::strerror(errno));
}

json_file::~json_file() {
  if (file_ != nullptr) std::fclose(file_);
}

void json_file::write(fm::device const& d, options const& o, std::vector<row> const& rows,
                      std::vector<row_result> const& results) {
  std::string text = "{\n  \"context\": {\"device\": " + quoted(d.name()) + ", \"arch\": " + quoted(d.info().arch) +
                     ", \"driver\": " + quoted(d.info().driver) + ", \"wave_size\": " + std::to_string(d.wave_size()) +
                     ", \"multiprocessors\": " + std::to_string(d.info().multiprocessors) +
                     ", \"seed\": " + std::to_string(o.seed) + ", \"stress_blocks\": " + std::to_string(o.stress) +
                     ", \"fault\": " + (o.fault ? "true" : "false") + "},\n  \"rows\": [\n";
  for (std::size_t i = 0; i < results.size(); ++i) {
    row const& r = rows[i];
    row_result const& got = results[i];
    text +=
        "    {\"name\": " + quoted(r.name()) + ", \"test\": " + quoted(r.test) + ", \"variant\": " + quoted(r.variant) +
        ", \"scope\": " + quoted(name_of(r.scope)) + ", \"placement\": " + quoted(name_of(r.where)) +
        ", \"authority\": " + quoted(r.authority) + ", \"asked\": " + quoted(text_of(r.asked, r.entries)) +
        ", \"forbidden\": " + (r.forbids() ? "true" : "false") + ", \"instances\": " + std::to_string(got.instances) +
        ", \"verdict\": " + quoted(name_of(got.judged)) + ", \"seconds\": " + std::to_string(got.seconds) +
        ", \"outcomes\": {" + counts(r, got, ": ", ", ", true) + "}, \"witnesses\": [";
    for (std::size_t w = 0; w < got.witnesses.size(); ++w)
      text += (w == 0 ? "" : ", ") + quoted(plain(got.witnesses[w].what, got.witnesses[w].stride, r.entries));
    text += std::string("]}") + (i + 1 == results.size() ? "\n" : ",\n");
  }
  text += "  ]\n}\n";
  bool const written = std::fwrite(text.data(), 1, text.size(), file_) == text.size();
  bool const closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!written || !closed)
    throw std::runtime_error("--json: could not write all of " + path_ + ": " + std::strerror(errno));
}

}  // namespace litmus
