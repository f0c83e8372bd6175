// What the tests of the host backend share: the environment variables that choose its shape.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "support.hpp"

namespace test {

// Sets an environment variable for a scope. The host backend reads its variables at every launch and query.
class with_variable {
 public:
  with_variable(char const* name, std::string const& value) : name_(name) {
    if (char const* const old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  with_variable(with_variable const&) = delete;
  with_variable& operator=(with_variable const&) = delete;
  ~with_variable() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }

 private:
  char const* name_;
  std::optional<std::string> old_;
};

// The error of a kernel that fails; the stream must be usable afterwards, and must tell the error only once.
template <class... P, class... A>
caught error_of_kernel(fm::launch_config const& config, void (*kernel)(P...), A&&... args) {
  caught const result = error_of([&] { run(config, kernel, std::forward<A>(args)...); });
  queue().synchronize();
  return result;
}

}  // namespace test
