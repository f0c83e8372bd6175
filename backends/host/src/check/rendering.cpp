// Findings as text, JSON and SARIF.
#include <algorithm>
#include <fermata/checker.hpp>
#include <fermata/version.hpp>
#include <string_view>

#include "findings.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace {

#define FERMATA_HOST_TEXT_(x) #x
#define FERMATA_HOST_TEXT(x) FERMATA_HOST_TEXT_(x)
constexpr char const* version =
    FERMATA_HOST_TEXT(FERMATA_VERSION_MAJOR) "." FERMATA_HOST_TEXT(FERMATA_VERSION_MINOR) "." FERMATA_HOST_TEXT(
        FERMATA_VERSION_PATCH);
#undef FERMATA_HOST_TEXT
#undef FERMATA_HOST_TEXT_

// A JSON string with its quotes.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += "\\u00";
      result += "0123456789abcdef"[c >> 4];
      result += "0123456789abcdef"[c & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// Elements with commas between them.
template <class Range, class F>
std::string joined(Range const& range, F const& f) {
  std::string result;
  for (auto const& element : range) result += (result.empty() ? "" : ",") + f(element);
  return result;
}

std::string who(finding_place const& p) {
  return "block " + std::to_string(p.block) + ", wave " + std::to_string(p.wave) + ", lane " + std::to_string(p.lane);
}

// "plain write of 4 bytes by block 1, wave 0, lane 3".
std::string deed(finding_place const& p) { return p.access.empty() ? who(p) : p.access + " by " + who(p); }

std::string position(finding_place const& p) {
  if (!p.file.empty()) return p.file + ":" + std::to_string(p.line);
  return p.function.empty() ? "(unknown place)" : "(in " + p.function + ")";
}

std::string to_text(finding const& f) {
  std::string text;
  if (f.places.empty()) {
    text = std::string(to_string(f.kind)) + ": " + f.message + "\n";
  } else {
    finding_place const& first = f.places.front();
    text = position(first) + ": " + to_string(f.kind) + ": " + deed(first) + "\n";
    for (auto p = f.places.begin() + 1; p != f.places.end(); ++p) text += position(*p) + ": note: " + deed(*p) + "\n";
    text += "  " + f.message + "\n";
  }
  if (!f.object.empty()) text += "  object: " + f.object + "\n";
  if (!f.advice.empty()) text += "  fix: " + f.advice + "\n";
  if (!f.suppressed.empty()) text += "  suppressed: " + f.suppressed + "\n";
  bool const no_lines = std::all_of(f.places.begin(), f.places.end(), [](auto const& p) { return p.file.empty(); });
  if (no_lines && !f.places.empty())
    text += "  (no lines: compile kernels with -g, and have addr2line of binutils on the PATH)\n";
  return text;
}

std::string to_json(finding const& f) {
  std::string const places = joined(f.places, [](finding_place const& p) {
    return "{\"file\": " + quoted(p.file) + ", \"line\": " + std::to_string(p.line) +
           ", \"function\": " + quoted(p.function) + ", \"block\": " + std::to_string(p.block) +
           ", \"wave\": " + std::to_string(p.wave) + ", \"lane\": " + std::to_string(p.lane) +
           ", \"access\": " + quoted(p.access) + "}";
  });
  return "\n  {\"kind\": " + quoted(to_string(f.kind)) + ", \"message\": " + quoted(f.message) +
         ", \"object\": " + quoted(f.object) + ", \"advice\": " + quoted(f.advice) +
         ", \"suppressed\": " + quoted(f.suppressed) + ", \"places\": [" + places + "]}";
}

// A path as the reference of a URI.
std::string uri(std::string const& path) {
  constexpr std::string_view plain = "/-._~";
  std::string result = path.starts_with('/') ? "file://" : "";
  for (char const c : path) {
    auto const byte = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        plain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += '%';
      result += "0123456789ABCDEF"[byte >> 4];
      result += "0123456789ABCDEF"[byte & 15];
    }
  }
  return result;
}

std::string sarif_location(finding_place const& p) {
  std::string physical;
  if (!p.file.empty())
    physical = "\"physicalLocation\": {\"artifactLocation\": {\"uri\": " + quoted(uri(p.file)) + "}" +
               (p.line == 0 ? "" : ", \"region\": {\"startLine\": " + std::to_string(p.line) + "}") + "}, ";
  std::string const logical =
      p.function.empty() ? "" : "\"logicalLocations\": [{\"fullyQualifiedName\": " + quoted(p.function) + "}], ";
  return "{" + physical + logical + "\"message\": {\"text\": " + quoted(deed(p)) + "}}";
}

std::string sarif_result(finding const& f, std::string const& replay) {
  std::string text = f.message;
  if (!f.object.empty()) text += "\nobject: " + f.object;
  if (!f.advice.empty()) text += "\nfix: " + f.advice;
  std::string result = "\n    {\"ruleId\": " + quoted(to_string(f.kind)) + ", \"level\": " +
                       (f.kind == finding_kind::wider_than_needed ? "\"note\"" : "\"error\"") +
                       ", \"message\": {\"text\": " + quoted(text) + "}";
  if (!f.places.empty()) {
    result += ", \"locations\": [" + sarif_location(f.places.front()) + "]";
    std::vector<finding_place> const others(f.places.begin() + 1, f.places.end());
    if (!others.empty()) result += ", \"relatedLocations\": [" + joined(others, sarif_location) + "]";
  }
  if (!f.suppressed.empty())
    result += ", \"suppressions\": [{\"kind\": \"inSource\", \"justification\": " + quoted(f.suppressed) + "}]";
  return result + ", \"properties\": {\"replay\": " + quoted(replay) + "}}";
}

bool counts(finding const& f) noexcept {
  return f.suppressed.empty() && f.kind != finding_kind::wider_than_needed;
}

}  // namespace

namespace backend::host::check {

std::string to_text(std::vector<finding> const& findings, std::string const& replay) {
  std::string text;
  for (finding const& f : findings) text += fermata::to_text(f);
  if (!findings.empty() && !replay.empty()) text += "  replay: " + replay + "\n";
  return text;
}

}  // namespace backend::host::check

bool check_result::clean() const noexcept {
  return error.empty() && std::none_of(findings.begin(), findings.end(), counts);
}

bool check_result::has(finding_kind kind) const noexcept {
  return std::any_of(findings.begin(), findings.end(),
                     [kind](finding const& f) { return f.kind == kind && f.suppressed.empty(); });
}

std::string check_result::text() const {
  std::string result = backend::host::check::to_text(findings, replay);
  // Where there is a finding, it says the same.
  if (!error.empty() && result.empty()) result = "the launch ended with: " + error + "\n";
  if (result.empty()) result = "no findings in " + std::to_string(runs) + (runs == 1 ? " run\n" : " runs\n");
  return result;
}

std::string check_result::json() const {
  return "{\"tool\": \"fermata\", \"version\": " + quoted(version) + ", \"runs\": " + std::to_string(runs) +
         ", \"complete\": " + (complete ? "true" : "false") + ", \"seed\": " + std::to_string(seed) +
         ", \"wave\": " + std::to_string(wave) + ", \"replay\": " + quoted(replay) + ", \"error\": " + quoted(error) +
         ", \"findings\": [" + joined(findings, [](finding const& f) { return to_json(f); }) + "]}";
}

std::string check_result::sarif() const {
  std::vector<finding_kind> kinds;
  for (finding const& f : findings)
    if (std::find(kinds.begin(), kinds.end(), f.kind) == kinds.end()) kinds.push_back(f.kind);
  std::string const rules = joined(kinds, [](finding_kind k) {
    return "{\"id\": " + quoted(to_string(k)) + ", \"shortDescription\": {\"text\": " + quoted(to_string(k)) + "}}";
  });
  return "{\n\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n\"version\": \"2.1.0\",\n\"runs\": [{\n"
         "  \"tool\": {\"driver\": {\"name\": \"fermata\", \"version\": " +
         quoted(version) + ", \"rules\": [" + rules + "]}},\n  \"results\": [" +
         joined(findings, [this](finding const& f) { return sarif_result(f, replay); }) + "]\n}]\n}";
}

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
