#include "sinew/formats/byte_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "sinew/core/input_file.h"

namespace sinew {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

}  // namespace

std::string_view next_token(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && is_blank(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !is_blank(rest[end])) ++end;
  const std::string_view token = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return token;
}

bool parse_real(std::string_view token, double& value) {
  if (!token.empty() && token.front() == '+') token.remove_prefix(1);
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end) {
    value = std::strtod(std::string(token).c_str(), nullptr);  // infinity, zero or a subnormal
    return true;
  }
  if (error == std::errc() && stop != end && (*stop == 'd' || *stop == 'D')) {  // Fortran's exponents
    std::string text(token);
    text[static_cast<std::size_t>(stop - token.data())] = 'e';
    return text.find_first_of("dD") == std::string::npos && parse_real(text, value);
  }
  return error == std::errc() && stop == end;
}

bool parse_integer(std::string_view token, std::int64_t& value) {
  if (!token.empty() && token.front() == '+') token.remove_prefix(1);
  const char* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, value);
  return error == std::errc() && stop == end;
}

void require_file(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status))
    fail_input(code::file_read, "cannot open '{}': no such file; check the path", path);
  const std::string reason = why_unfit(path);
  if (!reason.empty()) fail_input(code::file_read, "cannot read '{}': {}", path, reason);
}

bool ByteReader::at_end() {
  for (;;) {
    while (position_ < bytes_.size() && is_blank(bytes_[position_])) ++position_;
    if (comment_ == '\0' || position_ == bytes_.size() || bytes_[position_] != comment_) break;
    position_ = std::min(bytes_.find('\n', position_), bytes_.size());
  }
  mark_ = position_;
  return position_ == bytes_.size();
}

std::string_view ByteReader::token() {
  at_end();
  const std::size_t begin = position_;
  const auto inside = [&](char c) { return !is_blank(c) && (comment_ == '\0' || c != comment_); };
  while (position_ < bytes_.size() && inside(bytes_[position_])) ++position_;
  return bytes_.substr(begin, position_ - begin);
}

std::string_view ByteReader::line() {
  mark_ = position_;
  const std::size_t begin = position_;
  const std::size_t end = std::min(bytes_.find('\n', begin), bytes_.size());
  position_ = std::min(end + 1, bytes_.size());
  std::string_view text = bytes_.substr(begin, end - begin);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

double ByteReader::real(std::string_view what) {
  const std::string_view text = token();
  double value;
  if (text.empty()) fail("the file ends before {}; it is truncated, copy or export it again", what);
  if (!parse_real(text, value)) fail("found '{}', expected {} (a number)", printable(text), what);
  return value;
}

std::int64_t ByteReader::integer(std::string_view what) {
  const std::string_view text = token();
  std::int64_t value;
  if (text.empty()) fail("the file ends before {}; it is truncated, copy or export it again", what);
  if (!parse_integer(text, value)) fail("found '{}', expected {} ({})", printable(text), what, integer_words(text));
  return value;
}

std::size_t ByteReader::checked_count(std::int64_t count, std::size_t bytes_each, std::string_view what) {
  if (count < 0) fail("found a count of {} {}, expected 0 or more", count, what);
  if (static_cast<std::uint64_t>(count) > remaining() / bytes_each) {
    fail("found a count of {} {}, but only {} bytes are left in the file; it is truncated or damaged", count, what,
         remaining());
  }
  return static_cast<std::size_t>(count);
}

std::string ByteReader::location() const {
  if (binary_) return fmt::format("{}: byte {}", source_, mark_);
  const auto lines = std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(mark_), '\n');
  return fmt::format("{}:{}", source_, lines + 1);
}

void ByteReader::fail_text(const std::string& text) const {
  throw InputError(code::file_format, location() + ": " + text);
}

void ByteReader::reverse(unsigned char* bytes, std::size_t count) {
  std::reverse(bytes, bytes + count);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

std::string_view integer_words(std::string_view token) {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) token.remove_prefix(1);
  const bool digits = !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
  return digits ? "an integer from -2^63 to 2^63 - 1" : "an integer";
}

std::string printable(std::string_view token) {
  constexpr std::size_t longest = 40;
  std::string text(token.substr(0, longest));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  if (token.size() > longest) text += "...";
  return text;
}

}  // namespace sinew
