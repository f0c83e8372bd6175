// Device memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fermata/backend/runtime.hpp>
#include <fermata/device.hpp>
#include <fermata/memory_kind.hpp>
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// An array of T in memory of one kind, device memory (coarse-grained on AMD) by default; uninitialised, aligned to 256
// bytes. Movable, frees itself. Copies are queued in a stream, so that they are ordered with the kernels there, and
// have completed when the call returns.
// Errors: errc::out_of_memory with the number of bytes; errc::unsupported for a kind of memory that the device lacks;
//         errc::invalid_argument if sizes differ.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>,
                "fermata::buffer<T>: T is copied as bytes, so it must be trivially copyable.");

 public:
  buffer(device const& d, std::size_t count, memory_kind kind = memory_kind::device)
      : device_index_(d.index()),
        kind_(kind),
        count_(count),
        data_(count == 0 ? nullptr : static_cast<T*>(backend::allocate(d.index(), bytes_for(count), kind))) {}

  // A buffer with the contents of `values`.
  buffer(stream const& s, std::span<T const> values) : buffer(s.device(), values.size()) { upload(s, values); }

  // Borrows memory of another library (a tensor's, say), which keeps it alive and frees it.
  // Pre: `borrowed` has room for `count` elements of T, is aligned to T, and 1- and 2-byte atomics on it stay inside.
  buffer(device const& d, T* borrowed, std::size_t count, memory_kind kind = memory_kind::device)
      : device_index_(d.index()), kind_(kind), owned_(false), count_(count), data_(borrowed) {}

  buffer(buffer&& other) noexcept
      : device_index_(other.device_index_),
        kind_(other.kind_),
        owned_(other.owned_),
        count_(std::exchange(other.count_, 0)),
        data_(std::exchange(other.data_, nullptr)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(device_index_, other.device_index_);
    std::swap(kind_, other.kind_);
    std::swap(owned_, other.owned_);
    std::swap(count_, other.count_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~buffer() {
    if (data_ != nullptr && owned_) backend::deallocate(device_index_, data_, kind_);
  }

  // For kernels; not to be dereferenced on the host.
  T* data() const noexcept { return data_; }

  // For the CPU. While kernels that use the elements may run, the CPU accesses them through host_atomic_ref alone.
  // Pre: the kind is mapped or managed; errc::invalid_argument otherwise.
  T* host_data() const {
    if (!is_host_accessible(kind_))
      throw error(errc::invalid_argument,
                  "buffer::host_data: the CPU does not reach memory of this kind. Make the buffer with "
                  "memory_kind::mapped or memory_kind::managed, or copy with upload and download.");
    return data_;
  }

  memory_kind kind() const noexcept { return kind_; }
  std::size_t size() const noexcept { return count_; }
  std::size_t size_bytes() const noexcept { return count_ * sizeof(T); }

  void upload(stream const& s, std::span<T const> from) {
    require_same_size(from.size(), "upload");
    if (count_ != 0) backend::copy_to_device(device_index_, s.native(), data_, from.data(), size_bytes());
  }

  void download(stream const& s, std::span<T> to) const {
    require_same_size(to.size(), "download");
    if (count_ != 0) backend::copy_to_host(device_index_, s.native(), to.data(), data_, size_bytes());
  }

  std::vector<T> download(stream const& s) const {
    if constexpr (std::is_same_v<T, bool>) {
      auto const values = std::make_unique<bool[]>(count_);
      download(s, std::span<bool>(values.get(), count_));
      return std::vector<bool>(values.get(), values.get() + count_);
    } else {
      std::vector<T> result(count_);
      download(s, std::span<T>(result));
      return result;
    }
  }

  // Sets every byte. Queued: returns at once.
  void fill_bytes(stream const& s, unsigned char value) {
    if (count_ != 0) backend::fill_bytes(device_index_, s.native(), data_, value, size_bytes());
  }
  // Sets every element to `value`.
  void fill(stream const& s, T const& value) {
    // Not a vector: of bool that would be packed bits.
    auto const values = std::make_unique<T[]>(count_);
    std::fill_n(values.get(), count_, value);
    upload(s, std::span<T const>(values.get(), count_));
  }

 private:
  // In whole words: GPUs do read-modify-writes of 1 and 2 bytes on the 4-byte word around them, which must not reach
  // beyond the end.
  static std::size_t bytes_for(std::size_t count) {
    if (count > (~std::size_t{0} - 3) / sizeof(T))
      throw error(errc::out_of_memory, "buffer: " + std::to_string(count) + " elements of " +
                                           std::to_string(sizeof(T)) + " bytes are more than there are addresses");
    return (count * sizeof(T) + 3) / 4 * 4;
  }

  void require_same_size(std::size_t host_count, char const* what) const {
    if (host_count != count_)
      throw error(errc::invalid_argument, std::string("buffer::") + what + ": the host has " +
                                              std::to_string(host_count) + " elements, the buffer " +
                                              std::to_string(count_));
  }

  int device_index_;
  memory_kind kind_;
  bool owned_ = true;
  std::size_t count_;
  T* data_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
