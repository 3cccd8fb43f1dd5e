#include "sinew/render/png.h"

#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace sinew::test {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

int predicted(int left, int above, int corner) {
  const int p = left + above - corner, a = std::abs(p - left), b = std::abs(p - above), c = std::abs(p - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

TEST(Png, HoldsTheBytes) {
  const int width = 7, height = 5;
  std::vector<std::uint8_t> rgb;
  for (int k = 0; k < width * height * 3; ++k) rgb.push_back(static_cast<std::uint8_t>(k * k * 31 + k));
  const std::string file = png_bytes(rgb, width, height);
  ASSERT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string packed;
  for (std::size_t at = 8; at < file.size();) {
    const std::uint32_t size = number_at(file, at);
    const std::string name = file.substr(at + 4, 4);
    const auto* begin = reinterpret_cast<const Bytef*>(file.data() + at + 4);
    EXPECT_EQ(number_at(file, at + 8 + size), ::crc32(0, begin, size + 4));
    if (name == "IHDR") {
      EXPECT_EQ(number_at(file, at + 8), 7u);
      EXPECT_EQ(number_at(file, at + 12), 5u);
    }
    if (name == "IDAT") packed = file.substr(at + 8, size);
    at += size + 12;
  }
  std::vector<std::uint8_t> rows(static_cast<std::size_t>(height) * (width * 3 + 1));
  uLongf size = rows.size();
  ASSERT_EQ(::uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()), Z_OK);
  ASSERT_EQ(size, rows.size());
  std::vector<std::uint8_t> found;
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* row = rows.data() + y * (width * 3 + 1);
    ASSERT_EQ(row[0], 4);
    for (int i = 0; i < width * 3; ++i) {
      const int left = i < 3 ? 0 : found[found.size() - 3], above = y == 0 ? 0 : found[found.size() - width * 3],
                corner = i < 3 || y == 0 ? 0 : found[found.size() - width * 3 - 3];
      found.push_back(static_cast<std::uint8_t>(row[1 + i] + predicted(left, above, corner)));
    }
  }
  EXPECT_EQ(found, rgb);
}

}  // namespace
}  // namespace sinew::test
