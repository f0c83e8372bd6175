#include "recording.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fermata/backend/kernel.hpp>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {
namespace {

// Enough to try a kernel out with, and little enough to be sent to somebody.
constexpr std::size_t most_bytes = 64 * 1024;
constexpr unsigned most_launches_of_a_kernel = 3;

struct registry {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> buffers, globals;
  std::map<void const*, unsigned> launches;
  unsigned files = 0;

  // Never destroyed: buffers with static storage end after everything here would.
  static registry& instance() {
    static registry* const the_one = new registry;
    return *the_one;
  }
};

std::string hex(void const* data, std::size_t bytes) {
  auto const* const p = static_cast<unsigned char const*>(data);
  std::string text(2 * bytes, '0');
  for (std::size_t i = 0; i < bytes; ++i) {
    text[2 * i] = "0123456789abcdef"[p[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[p[i] & 15];
  }
  return text;
}

std::string to_json(dim3 const& n) {
  return "[" + std::to_string(n.x) + ", " + std::to_string(n.y) + ", " + std::to_string(n.z) + "]";
}

struct span {
  std::uintptr_t address;
  std::size_t bytes;
  std::string before;
};

// The buffer that an address lies in, or the end of it, as a loop's limit does.
std::map<std::uintptr_t, std::size_t>::const_iterator buffer_of(registry const& all, std::uintptr_t address) {
  auto found = all.buffers.upper_bound(address);
  if (found == all.buffers.begin()) return all.buffers.end();
  --found;
  return address - found->first <= found->second ? found : all.buffers.end();
}

std::vector<live_buffer> list_of(std::map<std::uintptr_t, std::size_t> const& some) {
  std::vector<live_buffer> result;
  for (auto const& [address, bytes] : some) result.push_back({reinterpret_cast<void*>(address), bytes});
  return result;
}

}  // namespace

void note_allocation(void* memory, std::size_t bytes) {
  auto& all = registry::instance();
  std::lock_guard const lock(all.mutex);
  all.buffers[reinterpret_cast<std::uintptr_t>(memory)] = bytes;
}

void note_deallocation(void* memory) noexcept {
  auto& all = registry::instance();
  std::lock_guard const lock(all.mutex);
  all.buffers.erase(reinterpret_cast<std::uintptr_t>(memory));
}

std::vector<live_buffer> live_buffers() {
  auto& all = registry::instance();
  std::lock_guard const lock(all.mutex);
  return list_of(all.buffers);
}

known_global::known_global(void* memory, std::size_t bytes) : memory_(memory) {
  auto& all = registry::instance();
  std::lock_guard const lock(all.mutex);
  all.globals[reinterpret_cast<std::uintptr_t>(memory)] = bytes;
}

known_global::~known_global() {
  auto& all = registry::instance();
  std::lock_guard const lock(all.mutex);
  all.globals.erase(reinterpret_cast<std::uintptr_t>(memory_));
}

std::vector<live_buffer> live_globals() {
  auto& all = registry::instance();
  std::lock_guard const lock(all.mutex);
  return list_of(all.globals);
}

struct launch_recording::contents {
  std::string path, head;
  std::vector<span> buffers;
};

launch_recording::launch_recording(std::unique_ptr<contents> what) : what_(std::move(what)) {}
launch_recording::~launch_recording() = default;

std::shared_ptr<launch_recording> launch_recording::begin(launch_request const& request, settings const& how) {
  char const* const folder = std::getenv("FERMATA_HOST_RECORD");
  if (folder == nullptr || *folder == '\0') return nullptr;
  // What is recorded is for AMD, which has no clusters.
  if (request.config.cluster > 1) return nullptr;
  auto& all = registry::instance();
  std::lock_guard const lock(all.mutex);
  if (all.launches[request.call.kernel] >= most_launches_of_a_kernel) return nullptr;

  auto what = std::make_unique<contents>();
  std::map<std::uintptr_t, std::size_t> index;  // of a buffer in what->buffers
  std::size_t bytes = 0;
  std::string arguments;
  for (argument const& a : request.call.list) {
    std::string pointers;
    // A pointer may be the argument, or a member of it; either way it is aligned.
    for (std::size_t at = 0; a.alignment >= 8 && at + 8 <= a.bytes; at += 8) {
      std::uintptr_t value;
      std::memcpy(&value, static_cast<char const*>(a.value) + at, sizeof value);
      auto const buffer = buffer_of(all, value);
      if (buffer == all.buffers.end()) continue;
      if (auto const [where, is_new] = index.emplace(buffer->first, index.size()); is_new) {
        bytes += buffer->second;
        if (bytes > most_bytes) return nullptr;
        what->buffers.push_back(
            {buffer->first, buffer->second, hex(reinterpret_cast<void const*>(buffer->first), buffer->second)});
      }
      pointers += std::string(pointers.empty() ? "" : ", ") + "{\"at\": " + std::to_string(at) +
                  ", \"buffer\": " + std::to_string(index[buffer->first]) +
                  ", \"offset\": " + std::to_string(value - buffer->first) + "}";
    }
    arguments += std::string(arguments.empty() ? "" : ",") + "\n    {\"bytes\": " + std::to_string(a.bytes) +
                 ", \"alignment\": " + std::to_string(a.alignment) + ", \"value\": \"" + hex(a.value, a.bytes) +
                 "\", \"pointers\": [" + pointers + "]}";
  }

  Dl_info where{};
  if (dladdr(request.call.kernel, &where) == 0) return nullptr;
  ++all.launches[request.call.kernel];
  std::string number = std::to_string(all.files++);
  number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
  what->path = std::string(folder) + "/launch-" + number + ".json";
  // The kernel is named by its place in the program: many kernels are in no symbol table that a program can ask.
  what->head =
      "{\n  \"program\": \"" + std::string(where.dli_fname) + "\", \"kernel_offset\": " +
      std::to_string(static_cast<char const*>(request.call.kernel) - static_cast<char const*>(where.dli_fbase)) +
      ",\n  \"wave_size\": " + std::to_string(how.wave_size) + ", \"grid\": " + to_json(request.config.grid) +
      ", \"block\": " + to_json(request.config.block) +
      ", \"dynamic_shared_bytes\": " + std::to_string(request.config.dynamic_shared_bytes) +
      ", \"cooperative\": " + (request.cooperative ? "true" : "false") + ",\n  \"arguments\": [" + arguments + "]";
  return std::shared_ptr<launch_recording>(new launch_recording(std::move(what)));
}

std::optional<error> launch_recording::end() {
  std::string buffers;
  for (span const& b : what_->buffers)
    buffers += std::string(buffers.empty() ? "" : ",") + "\n    {\"bytes\": " + std::to_string(b.bytes) +
               ", \"before\": \"" + b.before + "\",\n     \"after\": \"" +
               hex(reinterpret_cast<void const*>(b.address), b.bytes) + "\"}";
  std::ofstream file(what_->path);
  file << what_->head << ",\n  \"buffers\": [" << buffers << "]\n}\n";
  file.close();
  if (file) return std::nullopt;
  return error(errc::invalid_argument, "FERMATA_HOST_RECORD: cannot write " + what_->path);
}

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
