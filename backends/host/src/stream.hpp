// Streams, events and graphs. A stream has no thread of its own: whoever ends an operation starts the next one, and
// the host thread that queues the first into an idle stream starts that.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <fermata/backend/runtime.hpp>
#include <fermata/error.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "launch.hpp"
#include "settings.hpp"

namespace fermata::inline FERMATA_DETAIL_BACKEND {
namespace backend::host {

// A point in a stream, with the time when it was reached last.
class point {
 public:
  void queued();
  void reached();
  void wait();
  // Empty if it was never recorded, or is still to be reached.
  std::optional<std::chrono::steady_clock::time_point> time();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned queued_ = 0;
  std::optional<std::chrono::steady_clock::time_point> time_;
};

// The native handles. An operation that is still queued keeps the point of its event alive.
struct event {
  std::shared_ptr<point> where = std::make_shared<point>();
};

struct fill_request {
  void* memory;
  unsigned char value;
  std::size_t bytes;
};

struct record_request {
  std::shared_ptr<point> where;
};

using operation = std::variant<launch_request, fill_request, record_request>;

struct graph {
  std::vector<operation> operations;
};

struct stream : std::enable_shared_from_this<stream> {
 public:
  // Queues the operation, or adds it to the graph that is being captured. Reads the settings for a launch that is to
  // run, and throws if they are not legal or if it is cooperative and does not fit.
  void push(operation what);
  // As push, with these settings and not those of the environment.
  void push(launch_request what, settings const& how);
  void push_all(std::vector<operation> const& what);

  void wait_until_idle();
  // Waits and throws what has failed since the last call.
  void synchronize(char const* caller);
  // The error that nobody has seen, if there is one; it counts as seen.
  std::optional<error> take_error();

  void capture_begin();
  std::unique_ptr<graph> capture_end();

 private:
  struct queued_launch {
    launch_request request;
    settings how;
  };
  using queued = std::variant<queued_launch, fill_request, record_request>;

  static queued prepare(operation what);
  static queued prepare(launch_request request, settings const& how);
  void enqueue(std::vector<queued> what);
  void advance(std::unique_lock<std::mutex>& lock);
  void launch_ended(std::optional<error> failure);

  std::mutex mutex_;
  std::condition_variable idle_;
  std::deque<queued> queue_;
  bool running_ = false;
  std::optional<error> error_;
  std::unique_ptr<graph> capture_;
};

}  // namespace backend::host
}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
