// Reads a whole file in memory as text tokens or as binary values; checks every access and locates every error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "sinew/core/error.h"

namespace sinew {

// Returns the next run of non-blank characters and removes it from `rest`; empty if none remains.
std::string_view next_token(std::string_view& rest);

// Converts whole tokens. Returns false if the token is not such a number. Reals may overflow to infinity, and may have
// Fortran's exponents (1.5D-3).
bool parse_real(std::string_view token, double& value);
bool parse_integer(std::string_view token, std::int64_t& value);

class ByteReader {
 public:
  // bytes: must outlive the reader. source: name of the file in errors.
  ByteReader(std::string source, std::string_view bytes) : source_(std::move(source)), bytes_(bytes) {}

  const std::string& source() const { return source_; }
  std::string_view bytes() const { return bytes_; }
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }
  void seek(std::size_t position) { mark_ = position_ = std::min(position, bytes_.size()); }

  // While true, errors give a byte offset instead of a line.
  void set_binary(bool binary) { binary_ = binary; }
  void set_swapped(bool swapped) { swapped_ = swapped; }
  bool binary() const { return binary_; }

  // Sets the character that starts a comment until the end of its line; '\0': none. Tokens skip comments.
  void set_comment(char mark) { comment_ = mark; }

  // Whether only blanks and comments remain.
  bool at_end();
  // Returns the next run of non-blank characters, on this line or a later one; empty at the end of the file.
  std::string_view token();
  // Returns the rest of the current line without its end, and moves to the next line.
  std::string_view line();
  // Returns the next token as a number. what: name of the number in errors.
  double real(std::string_view what);
  std::int64_t integer(std::string_view what);

  // Returns the next sizeof(T) bytes as a value in the file's byte order.
  template <class T>
  T raw(std::string_view what) {
    static_assert(std::is_arithmetic_v<T>);
    mark_ = position_;
    if (remaining() < sizeof(T)) fail("the file ends inside {}; it is truncated, copy or export it again", what);
    unsigned char buffer[sizeof(T)];
    std::memcpy(buffer, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
    if (swapped_) reverse(buffer, sizeof(T));
    T value;
    std::memcpy(&value, buffer, sizeof(T));
    return value;
  }

  // Checks, before any allocation, that `count` items of at least `bytes_each` bytes fit in the remaining bytes.
  std::size_t checked_count(std::int64_t count, std::size_t bytes_each, std::string_view what);

  // Throws InputError "source:line: ..." or "source: byte N: ...", located at the last value read.
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_text(fmt::format(format, std::forward<Args>(args)...));
  }
  // Returns "source:line" or "source: byte N", for warnings.
  std::string location() const;

 private:
  [[noreturn]] void fail_text(const std::string& text) const;
  static void reverse(unsigned char* bytes, std::size_t count);

  std::string source_;
  std::string_view bytes_;
  std::size_t position_ = 0;
  std::size_t mark_ = 0;  // where the last value began
  bool binary_ = false;
  bool swapped_ = false;
  char comment_ = '\0';
};

// Throws InputError unless `path` names a regular file.
void require_file(const std::string& path);

// Returns `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

// Returns `text` with A to Z in lower case.
std::string lower_case(std::string_view text);

// Returns `text` with a to z in upper case.
std::string upper_case(std::string_view text);

// Returns "an integer" or, for an integer beyond 64 bits, the allowed bounds.
std::string_view integer_words(std::string_view token);

// Returns a token shortened for an error message, with unprintable bytes replaced.
std::string printable(std::string_view token);

}  // namespace sinew
