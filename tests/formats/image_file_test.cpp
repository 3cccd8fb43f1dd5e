// Kind and size of images, and what is refused.
#include "sinew/formats/image_file.h"

#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

using namespace std::string_literals;

std::string big_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int k = bytes - 1; k >= 0; --k) text += static_cast<char>(value >> (8 * k) & 255u);
  return text;
}

std::string png_of(std::uint32_t width, std::uint32_t height) {
  return "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"s + big_endian(width, 4) + big_endian(height, 4) + "\x08\x02\0\0\0"s +
         "CRCC\0\0\0\0IEND\xae\x42\x60\x82"s;
}

// An APP0 segment, then a frame header of a kind, and the end.
std::string jpeg_of(std::uint32_t width, std::uint32_t height, char frame = '\xc0', char colors = 3) {
  return "\xff\xd8\xff\xe0\0\x04??\xff"s + frame + "\0\x11\x08"s + big_endian(height, 2) + big_endian(width, 2) +
         colors + "123456789\xff\xda...\xff\xd9"s;
}

std::string webp_of(const std::string& chunk) {
  std::string bytes = "RIFF....WEBP" + chunk;
  for (int k = 0; k < 4; ++k) bytes[static_cast<std::size_t>(4 + k)] = static_cast<char>((bytes.size() - 8) >> (8 * k));
  return bytes;
}

std::string refusal(const std::string& bytes) {
  try {
    parse_image_file(bytes, "a.img");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ImageFile, KindAndSize) {
  const auto expect = [](const std::string& bytes, ImageKind kind, int width, int height) {
    const ImageFile image = parse_image_file(bytes, "a");
    EXPECT_EQ(image.kind, kind);
    EXPECT_EQ(image.width, width);
    EXPECT_EQ(image.height, height);
    EXPECT_EQ(image.bytes, bytes);
  };
  expect(png_of(300, 7), ImageKind::png, 300, 7);
  expect(jpeg_of(513, 300), ImageKind::jpeg, 513, 300);
  expect(jpeg_of(513, 300, '\xc2', 1), ImageKind::jpeg, 513, 300);
  expect(webp_of("VP8 ....tag\x9d\x01\x2a\x01\x01\x02\0"s), ImageKind::webp, 257, 2);
  expect(webp_of("VP8L....\x2f\x03\x40\0\0"s), ImageKind::webp, 4, 2);
  expect(webp_of("VP8X....\0...\xff\x01\0\x02\0\0"s), ImageKind::webp, 512, 3);
}

TEST(ImageFile, RefusalsNameTheRemedy) {
  EXPECT_EQ(refusal(""), "a.img: expected a PNG, JPEG or WebP image, found an empty file; convert it");
  EXPECT_EQ(refusal("GIF89a"), "a.img: expected a PNG, JPEG or WebP image, found other bytes; convert it");
  EXPECT_EQ(refusal(png_of(5000, 3)),
            "a.img: found 5000 x 3 pixels, expected 1 to 4096 along each side; save a smaller image");
  EXPECT_NE(refusal(png_of(0, 3)), "");
  EXPECT_NE(refusal(jpeg_of(5, 3, '\xc3')), "");
  EXPECT_EQ(refusal(jpeg_of(5, 3, '\xc0', 4)),
            "a.img: the colours of the JPEG file are not RGB or grey; save it as RGB");
  EXPECT_EQ(refusal(webp_of("VP8X....\x02...\xff\x01\0\x02\0\0"s)),
            "a.img: the WebP file is an animation; save one of its pictures");
}

TEST(ImageFile, EveryBeginningOfAFileIsRefused) {
  for (const std::string& bytes : {png_of(30, 7), jpeg_of(30, 7), webp_of("VP8L....\x2f\x03\x40\0\0"s)})
    for (std::size_t size = 0; size + 4 < bytes.size(); ++size)
      EXPECT_NE(refusal(bytes.substr(0, size)), "") << size << " of " << bytes.size();
}

}  // namespace
}  // namespace sinew
