#include "sinew/core/base64.h"

#include <array>
#include <cstring>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<signed char, 256> make_digits() {
  std::array<signed char, 256> digits{};
  digits.fill(-1);
  for (int i = 0; i < 64; ++i) digits[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i);
  return digits;
}
constexpr std::array<signed char, 256> digits = make_digits();

[[noreturn]] void fail_character(std::string_view text, std::size_t from) {
  std::size_t at = from;
  while (at < text.size() && base64_digit(text[at]) >= 0) ++at;
  fail_input(code::file_format, "found the character code {} at {}, expected base64",
             static_cast<int>(static_cast<unsigned char>(text[at])), at);
}

}  // namespace

int base64_digit(char c) {
  return digits[static_cast<unsigned char>(c)];
}

std::string base64_encode(std::string_view bytes) {
  // Two letters at a time: frames of large scenes are tens of megabytes.
  static const auto pairs = [] {
    std::array<std::array<char, 2>, 4096> table;
    for (std::size_t v = 0; v < table.size(); ++v) table[v] = {alphabet[v >> 6], alphabet[v & 63]};
    return table;
  }();
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
  char* letters = out.data();
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3, letters += 4) {
    const unsigned value = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    std::memcpy(letters, pairs[value >> 12].data(), 2);
    std::memcpy(letters + 2, pairs[value & 4095].data(), 2);
  }
  if (const std::size_t left = bytes.size() - i; left > 0) {
    const unsigned value = byte(i) << 16 | (left > 1 ? byte(i + 1) << 8 : 0u);
    std::memcpy(letters, pairs[value >> 12].data(), 2);
    if (left > 1) letters[2] = alphabet[value >> 6 & 63];
  }
  return out;
}

std::string base64_decode(std::string_view text) {
  if (text.size() % 4 != 0)
    fail_input(code::file_format, "found {} characters, expected base64, which has a multiple of 4", text.size());
  const std::size_t pads = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string out(text.size() / 4 * 3, '\0');
  char* bytes = out.data();
  for (std::size_t i = 0; i < text.size(); i += 4, bytes += 3) {
    const std::size_t letters = i + 4 == text.size() ? 4 - pads : 4;
    unsigned value = 0;
    int wrong = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const int digit = k < letters ? base64_digit(text[i + k]) : 0;
      wrong |= digit;  // negative if one is
      value = value << 6 | (static_cast<unsigned>(digit) & 63U);
    }
    if (wrong < 0) fail_character(text, i);
    bytes[0] = static_cast<char>(value >> 16);
    bytes[1] = static_cast<char>(value >> 8);
    bytes[2] = static_cast<char>(value);
  }
  out.resize(out.size() - pads);
  return out;
}

}  // namespace sinew
