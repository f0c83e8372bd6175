// The CPU's side of failed checks on a GPU: who must know where reports go, and what they say. Compiles in plain C++.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include <fermata/backend/vendor.hpp>
#include <fermata/detail/check_report.hpp>
#include <fermata/detail/config.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend {

// One for the program. Each device has one report; each translation unit with device code has a pointer to it on each
// device, which is set before the first launch there.
class check_mailboxes {
 public:
  static check_mailboxes& instance() {
    static check_mailboxes the_one;
    return the_one;
  }

  void add(void const* symbol) {
    std::lock_guard const lock(mutex_);
    symbols_.push_back(symbol);
  }

  // Pre: `device` is the current device. Returns the status of the first vendor call that failed.
  vendor::status prepare([[maybe_unused]] int device) {
#if defined(FERMATA_ENABLE_ASSERTIONS)
    return set_pointers(device);
#else
    return {};
#endif
  }

  // The report of the device, or nothing.
  std::string take(int device) {
    std::lock_guard const lock(mutex_);
    auto const found = reports_.find(device);
    if (found == reports_.end() || found->second->complete == 0) return {};
    return detail::describe(*found->second);
  }

 private:
  vendor::status set_pointers(int device) {
    std::lock_guard const lock(mutex_);
    if (prepared_[device] == symbols_.size()) return {};
    detail::check_report*& report = reports_[device];
    if (report == nullptr) {
      void* memory = nullptr;
      if (auto const s = vendor::allocate(&memory, sizeof(detail::check_report), memory_kind::mapped);
          !vendor::is_success(s))
        return s;
      report = new (memory) detail::check_report{};
    }
    for (std::size_t& next = prepared_[device]; next < symbols_.size(); ++next)
      if (auto const s = vendor::set_symbol(symbols_[next], &report, sizeof report); !vendor::is_success(s)) return s;
    return {};
  }

  std::mutex mutex_;
  std::vector<void const*> symbols_;
  std::map<int, std::size_t> prepared_;  // how many of the symbols
  // Never freed: after a trap nothing can be.
  std::map<int, detail::check_report*> reports_;
};

struct check_mailbox_registration {
  explicit check_mailbox_registration(void const* symbol) { check_mailboxes::instance().add(symbol); }
};

}  // namespace backend
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
