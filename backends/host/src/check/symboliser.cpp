#include "symboliser.hpp"

#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "../lane.hpp"
#include "../text.hpp"
#include "engine.hpp"

extern "C" char** environ;

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host::check {
namespace {

// Arguments of one start of addr2line.
constexpr std::size_t most_addresses = 1000;

struct module_place {
  std::string file;
  std::uintptr_t offset;  // as in the file
};

std::optional<module_place> module_of(void const* return_address) {
  struct query {
    std::uintptr_t address;
    std::optional<module_place> found;
  };
  // Of the call itself: what it returns to may be the next line.
  query q{reinterpret_cast<std::uintptr_t>(return_address) - 1, std::nullopt};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        query& asked = *static_cast<query*>(data);
        for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
          auto const& segment = info->dlpi_phdr[i];
          std::uintptr_t const start = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || asked.address < start || asked.address - start >= segment.p_memsz) continue;
          bool const is_program = info->dlpi_name == nullptr || *info->dlpi_name == '\0';
          asked.found = {is_program ? "/proc/self/exe" : info->dlpi_name, asked.address - info->dlpi_addr};
          return 1;
        }
        return 0;
      },
      &q);
  return q.found;
}

// What the program prints on its standard output; empty if it cannot be run.
std::string output_of(std::vector<std::string> const& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string const& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int const status = ::posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  if (status == 0) {
    char part[4096];
    for (;;) {
      ssize_t const count = ::read(ends[0], static_cast<char*>(part), sizeof part);
      if (count > 0) text.append(static_cast<char const*>(part), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(ends[0]);
  return text;
}

std::string_view take_line(std::string_view& text) {
  std::size_t const end = std::min(text.find('\n'), text.size());
  std::string_view const line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// "file:12" or "file:12 (discriminator 3)" or "??:0".
source_line parse(std::string_view function, std::string_view where) {
  source_line result;
  if (function != "??") result.function = function;
  std::size_t const colon = where.rfind(':', std::min(where.find(" ("), where.size()));
  if (colon == std::string_view::npos || where.starts_with("??")) return result;
  result.file = std::filesystem::path(where.substr(0, colon)).lexically_normal().string();
  std::from_chars(where.data() + colon + 1, where.data() + where.size(), result.line);
  return result;
}

}  // namespace

bool is_library_file(std::string_view file) noexcept {
  if (file.starts_with("/usr/include/") || file.find("/include/c++/") != std::string_view::npos) return true;
  if (file.find("/backends/host/src/") != std::string_view::npos) return true;
  // include/fermata/… and include/fermata-host/fermata/…, in a checkout and installed.
  for (std::size_t at = file.find("/fermata/"); at != std::string_view::npos; at = file.find("/fermata/", at + 1)) {
    std::string_view const before = file.substr(0, at);
    std::string_view const folder = before.substr(before.rfind('/') + 1);
    if (file.ends_with(".hpp") && (folder == "include" || folder.starts_with("fermata-"))) return true;
  }
  return false;
}

symboliser& symboliser::instance() {
  // Never destroyed: findings may be told while the program ends.
  static symboliser& the_one = *new symboliser;
  return the_one;
}

std::vector<source_line> symboliser::user_lines(std::vector<std::vector<void const*>> const& stacks) {
  // On the stack of a lane: it keeps its turn until it has given the lock back.
  in_runtime const keeps_its_turn(current);
  std::lock_guard const lock(mutex_);
  std::vector<void const*> addresses;
  for (auto const& stack : stacks)
    for (void const* const a : stack)
      if (a != nullptr && !lines_.contains(a)) addresses.push_back(a);
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  resolve(addresses);

  std::vector<source_line> result;
  for (auto const& stack : stacks) {
    source_line best;
    bool found = false;
    for (void const* const a : stack) {
      if (a == nullptr) continue;
      for (source_line const& line : lines_[a]) {
        if (best.file.empty() && (best.function.empty() || !line.file.empty())) best = line;
        if (line.file.empty() || is_library_file(line.file)) continue;
        best = line;
        found = true;
        break;
      }
      if (found) break;
    }
    result.push_back(std::move(best));
  }
  return result;
}

bool in_different_lines(std::vector<void const*> const& a, std::vector<void const*> const& b) {
  static auto& known = *new std::map<std::pair<std::vector<void const*>, std::vector<void const*>>, bool>;
  if (a == b) return false;
  auto const [at, is_new] = known.try_emplace(std::minmax(a, b), false);
  if (is_new) {
    std::vector<source_line> const lines = symboliser::instance().user_lines({a, b});
    // Line 0 is code that the compiler has added.
    bool const known_both = lines[0].line != 0 && lines[1].line != 0;
    at->second = known_both && (lines[0].line != lines[1].line || lines[0].file != lines[1].file);
  }
  return at->second;
}

void symboliser::resolve(std::vector<void const*> const& addresses) {
  std::map<std::string, std::map<std::uintptr_t, void const*>> modules;
  for (void const* const a : addresses) {
    lines_[a];
    if (auto const place = module_of(a)) modules[place->file].emplace(place->offset, a);
  }
  for (auto const& [file, places] : modules) {
    for (auto next = places.begin(); next != places.end();) {
      std::string const program = file == "/proc/self/exe" ? std::filesystem::read_symlink(file).string() : file;
      std::vector<std::string> command{"addr2line", "-Cfia", "-e", program};
      std::vector<void const*> asked;
      for (; next != places.end() && asked.size() < most_addresses; ++next) {
        command.push_back(hexadecimal(next->first));
        asked.push_back(next->second);
      }
      // An address on a line of its own, and then two lines for each function.
      std::string const answer = output_of(command);
      std::string_view text = answer;
      std::size_t number = 0;
      while (!text.empty()) {
        std::string_view const line = take_line(text);
        if (line.starts_with("0x")) {
          ++number;
          continue;
        }
        std::string_view const where = take_line(text);
        if (number >= 1 && number <= asked.size()) lines_[asked[number - 1]].push_back(parse(line, where));
      }
    }
  }
}

}  // namespace backend::host::check
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
