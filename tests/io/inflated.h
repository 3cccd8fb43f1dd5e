// Reads what ReportEncoder::finish() returns.
#pragma once

#include <cstring>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace sinew::test {

// Returns the bytes of a zlib stream in base64.
inline std::string inflated(const std::string& base64) {
  const std::size_t size = base64.size();
  std::string packed(3 * size / 4, '\0');
  std::size_t at = 0;
  unsigned bits = 0, count = 0;
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (const char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(alphabet.find(c));
    if ((count += 6) >= 8) packed[at++] = static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  std::string out(1 << 20, '\0');
  uLongf length = out.size();
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(packed.data()), at),
      Z_OK);
  out.resize(length);
  return out;
}

inline double double_at(const std::string& bytes, std::size_t at) {
  double value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

}  // namespace sinew::test
