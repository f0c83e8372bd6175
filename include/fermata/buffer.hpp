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
#include <fermata/stream.hpp>

namespace fermata::inline FERMATA_DETAIL_BACKEND {

// An array of T in device memory (coarse-grained on AMD), uninitialised, aligned to 256 bytes. Movable, frees
// itself. Copies are queued in a stream, so that they are ordered with the kernels there, and have completed when
// the call returns.
// Errors: errc::out_of_memory with the number of bytes; errc::invalid_argument if sizes differ.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>,
                "fermata::buffer<T>: T is copied as bytes, so it must be trivially copyable.");

 public:
  buffer(device const& d, std::size_t count)
      : device_index_(d.index()),
        count_(count),
        data_(count == 0 ? nullptr : static_cast<T*>(backend::allocate(d.index(), bytes_for(count)))) {}

  // A buffer with the contents of `values`.
  buffer(stream const& s, std::span<T const> values) : buffer(s.device(), values.size()) { upload(s, values); }

  buffer(buffer&& other) noexcept
      : device_index_(other.device_index_),
        count_(std::exchange(other.count_, 0)),
        data_(std::exchange(other.data_, nullptr)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(device_index_, other.device_index_);
    std::swap(count_, other.count_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~buffer() {
    if (data_ != nullptr) backend::deallocate(device_index_, data_);
  }

  // Not to be dereferenced on the host.
  T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return count_; }
  std::size_t size_bytes() const noexcept { return count_ * sizeof(T); }

  void upload(stream const& s, std::span<T const> from) {
    require_same_size(from.size(), "upload");
    if (count_ != 0) backend::copy_to_device(s.native(), data_, from.data(), size_bytes());
  }

  void download(stream const& s, std::span<T> to) const {
    require_same_size(to.size(), "download");
    if (count_ != 0) backend::copy_to_host(s.native(), to.data(), data_, size_bytes());
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
    if (count_ != 0) backend::fill_bytes(s.native(), data_, value, size_bytes());
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
  std::size_t count_;
  T* data_;
};

}  // namespace fermata::inline FERMATA_DETAIL_BACKEND
