// The error types of the engine. Every message says what was found, where, what was expected and what to do.
#pragma once

#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "sinew/core/error_code.h"

namespace sinew {

// Base of all errors that sinew throws on purpose. what() is the message without the code.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  ErrorCode code() const { return code_; }
  // The message with the code, as users read it.
  std::string text() const { return with_code(what(), code_.id); }

 private:
  ErrorCode code_;
};

// Invalid usage or input. Nothing has been written. Exit code 2.
class InputError : public Error {
 public:
  using Error::Error;
};

// The simulation failed. Results written before stay on disk. Exit code 1.
class SimulationError : public Error {
 public:
  using Error::Error;
};

template <class... Args>
[[noreturn]] void fail_input(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(code, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace sinew
