#include "export.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace litmus {
namespace {

constexpr char const* location_names[] = {"x", "y", "z"};

char const* ptx_scope(reach s) { return s == reach::block ? "cta" : s == reach::device ? "gpu" : "sys"; }

void add_fence(std::vector<std::string>& lines, between middle, reach scope) {
  switch (middle) {
    case between::nothing:
      return;
    case between::block_barrier:
      lines.push_back("bar.cta.sync 0");
      return;
    case between::seq_cst:
      lines.push_back(std::string("fence.sc.") + ptx_scope(scope));
      return;
    default:
      lines.push_back(std::string("fence.acq_rel.") + ptx_scope(scope));
  }
}

// What fermata's operation is on CUDA; tests/codegen holds the compiler to it.
void add_access(std::vector<std::string>& lines, access what, strength order, operand const& where, reach scope) {
  if (what == access::none) return;
  if (order == strength::seq_cst) add_fence(lines, between::seq_cst, scope);
  bool const load = what == access::load;
  std::string text = load ? "ld." : "st.";
  if (order == strength::plain)
    text += "weak";
  else if (load && (order == strength::acquire || order == strength::seq_cst))
    text += std::string("acquire.") + ptx_scope(scope);
  else if (!load && order == strength::release)
    text += std::string("release.") + ptx_scope(scope);
  else
    text += std::string("relaxed.") + ptx_scope(scope);
  std::string const location = location_names[where.location];
  lines.push_back(load ? text + " r" + std::to_string(where.entry) + ", " + location
                       : text + " " + location + ", " + std::to_string(where.value));
}

// The asked outcome as an assertion.
std::string condition(row const& r) {
  std::string text;
  auto const add = [&text](std::string const& left, unsigned value) {
    text += (text.empty() ? "" : " /\\ ") + left + " == " + std::to_string(value);
  };
  for (std::size_t t = 0; t < r.what.threads.size(); ++t)
    for (auto const& [what, where] : {std::pair(r.what.threads[t].code.first, r.what.threads[t].first),
                                      std::pair(r.what.threads[t].code.second, r.what.threads[t].second)})
      if (what == access::load)
        add("P" + std::to_string(t) + ":r" + std::to_string(where.entry), entry_of(r.asked, where.entry));
  for (unsigned l = 0; r.what.has_finals && l < r.what.locations; ++l)
    add(location_names[l], entry_of(r.asked, r.what.loads + l));
  return text;
}

std::string table_line(std::vector<std::string> const& cells, std::vector<std::size_t> const& widths) {
  std::string line;
  for (std::size_t t = 0; t < cells.size(); ++t) {
    line += (t == 0 ? " " : " | ") + cells[t] + std::string(widths[t] - cells[t].size(), ' ');
  }
  return line + " ;\n";
}

}  // namespace

std::string litmus_text(row const& r) {
  auto const& threads = r.what.threads;
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 0;
  for (std::size_t t = 0; t < threads.size(); ++t) {
    std::vector<std::string> lines{"P" + std::to_string(t) + "@cta " + std::to_string(threads[t].block) + ",gpu 0"};
    add_access(lines, threads[t].code.first, threads[t].code.first_order, threads[t].first, r.scope);
    add_fence(lines, threads[t].code.middle, r.scope);
    add_access(lines, threads[t].code.second, threads[t].code.second_order, threads[t].second, r.scope);
    height = std::max(height, lines.size());
    columns.push_back(std::move(lines));
  }
  std::vector<std::size_t> widths;
  for (auto& lines : columns) {
    lines.resize(height);
    widths.push_back(std::ranges::max(lines, {}, &std::string::size).size());
  }
  std::string text = "PTX " + r.test + "." + r.variant + "." + name_of(r.scope) + "." + name_of(r.where) + "\n{\n";
  for (unsigned l = 0; l < r.what.locations; ++l) text += std::string(location_names[l]) + "=0;\n";
  text += "}\n";
  for (std::size_t i = 0; i < height; ++i) {
    std::vector<std::string> cells;
    for (auto const& lines : columns) cells.push_back(lines[i]);
    text += table_line(cells, widths);
  }
  return text + (r.forbids() ? "~exists (" : "exists (") + condition(r) + ")\n";
}

void export_rows(std::vector<row> const& rows, std::string const& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) throw std::runtime_error("--export: cannot make the folder " + directory + ": " + failed.message());
  for (row const& r : rows) {
    std::string name = r.name();
    std::ranges::replace(name, '/', '.');
    auto const path = std::filesystem::path(directory) / (name + ".litmus");
    std::ofstream file(path);
    file << litmus_text(r);
    file.close();
    if (!file) throw std::runtime_error("--export: could not write " + path.string());
  }
}

}  // namespace litmus
