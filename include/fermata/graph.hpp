// A sequence of launches recorded once and replayed with little cost.
#pragma once

#include <utility>

#include <fermata/backend/runtime.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// Movable; owns the native executable graph (cudaGraphExec_t, hipGraphExec_t; a list of launches on the host).
class graph {
 public:
  // Records the launches that f queues in s, without running them. f must not synchronise.
  template <class F>
  static graph capture(stream const& s, F&& f) {
    backend::capture_begin(s.device().index(), s.native());
    try {
      std::forward<F>(f)();
    } catch (...) {
      backend::capture_abort(s.device().index(), s.native());
      throw;
    }
    return graph(backend::capture_end(s.device().index(), s.native()));
  }

  graph(graph&& other) noexcept : native_(std::exchange(other.native_, backend::native_graph{})) {}
  graph& operator=(graph&& other) noexcept {
    std::swap(native_, other.native_);
    return *this;
  }
  ~graph() {
    if (native_ != backend::native_graph{}) backend::graph_destroy(native_);
  }

  // Queues the recorded launches in s.
  void launch(stream const& s) const { backend::graph_launch(s.device().index(), native_, s.native()); }
  backend::native_graph native() const noexcept { return native_; }

 private:
  explicit graph(backend::native_graph native) noexcept : native_(native) {}
  backend::native_graph native_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
