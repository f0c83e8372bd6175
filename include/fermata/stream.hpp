// Streams and events: the order of work on a device, and its time.
#pragma once

#include <utility>

#include <fermata/backend/runtime.hpp>
#include <fermata/device.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// A queue of work that runs in order, beside other streams. Owns the native stream it created; a stream made
// from a native handle (a PyTorch stream, say) borrows it. Movable. Several host threads may use different streams.
class stream {
 public:
  explicit stream(fermata::device const& d) : device_(d), native_(backend::stream_create(d.index())), owned_(true) {}
  stream(fermata::device const& d, backend::native_stream borrowed) : device_(d), native_(borrowed), owned_(false) {}
  stream(stream&& other) noexcept
      : device_(other.device_), native_(other.native_), owned_(std::exchange(other.owned_, false)) {}
  stream& operator=(stream&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(native_, other.native_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~stream() {
    if (owned_) backend::stream_destroy(device_.index(), native_);
  }

  // Waits until all work queued so far is done. Throws fermata::error if any of it failed: the message names what
  // went wrong and where. After a failed kernel a GPU's context may be lost; the host backend goes on.
  void synchronize() const { backend::stream_synchronize(device_.index(), native_); }

  fermata::device const& device() const noexcept { return device_; }
  backend::native_stream native() const noexcept { return native_; }
  operator backend::native_stream() const noexcept { return native_; }

 private:
  fermata::device device_;
  backend::native_stream native_;
  bool owned_;
};

// A point in a stream, with its time. Owns the native event it created; an event made from a native handle borrows it.
class event {
 public:
  explicit event(device const& d) : device_index_(d.index()), native_(backend::event_create(d.index())), owned_(true) {}
  event(device const& d, backend::native_event borrowed) : device_index_(d.index()), native_(borrowed), owned_(false) {}
  event(event&& other) noexcept
      : device_index_(other.device_index_), native_(other.native_), owned_(std::exchange(other.owned_, false)) {}
  event& operator=(event&&) = delete;
  ~event() {
    if (owned_) backend::event_destroy(native_);
  }

  // Takes the time when the work queued in s so far is done.
  void record(stream const& s) { backend::event_record(device_index_, native_, s.native()); }
  // Waits until the recorded point is reached.
  void synchronize() const { backend::event_synchronize(native_); }
  // The time from `start` to this event in microseconds. Pre: both recorded and reached.
  double microseconds_since(event const& start) const {
    return backend::event_elapsed_microseconds(start.native_, native_);
  }

  backend::native_event native() const noexcept { return native_; }
  operator backend::native_event() const noexcept { return native_; }

 private:
  int device_index_;
  backend::native_event native_;
  bool owned_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
