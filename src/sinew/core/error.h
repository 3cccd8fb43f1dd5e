// The typed errors of the engine. Every message names what was found, where, what was expected and what to do.
#pragma once

#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace sinew {

// Base of all errors that sinew raises on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Bad usage or bad input: nothing has been written. Exit code 2.
class InputError : public Error {
 public:
  using Error::Error;
};

// The simulation failed; what was computed before stays on disk. Exit code 1.
class SimulationError : public Error {
 public:
  using Error::Error;
};

template <class... Args>
[[noreturn]] void fail_input(fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sinew
