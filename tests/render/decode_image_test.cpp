// Images of textures: pixels of each kind of file, damaged files.
#include "sinew/render/decode_image.h"

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>
#include <jpeglib.h>
#include <webp/encode.h>

#include "sinew/core/error.h"
#include "sinew/render/png.h"

namespace sinew {
namespace {

constexpr int image_width = 37, image_height = 21;

// Smooth, for JPEG.
ColorImage smooth_image() {
  ColorImage image{image_width, image_height, {}};
  for (int y = 0; y < image_height; ++y)
    for (int x = 0; x < image_width; ++x)
      for (const int value : {5 * x, 10 * y, 128}) image.values.push_back(static_cast<std::uint8_t>(value));
  return image;
}

std::string jpeg_bytes(const ColorImage& image) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = static_cast<JDIMENSION>(image.width);
  info.image_height = static_cast<JDIMENSION>(image.height);
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    auto* row = const_cast<JSAMPLE*>(image.values.data() + 3 * image.width * static_cast<int>(info.next_scanline));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  std::string result(reinterpret_cast<char*>(bytes), size);
  jpeg_destroy_compress(&info);
  std::free(bytes);
  return result;
}

std::string webp_bytes(const ColorImage& image) {
  unsigned char* bytes = nullptr;
  const std::size_t size =
      WebPEncodeLosslessRGB(image.values.data(), image.width, image.height, 3 * image.width, &bytes);
  std::string result(reinterpret_cast<char*>(bytes), size);
  WebPFree(bytes);
  return result;
}

TEST(DecodeImage, PixelsAreThoseOfTheFile) {
  const ColorImage image = smooth_image();
  const std::string png = png_bytes(image.values, image_width, image_height);
  for (const std::string& bytes : {png, webp_bytes(image)}) {
    const ColorImage found = decode_image(bytes, "a");
    EXPECT_EQ(found.width, image_width);
    EXPECT_EQ(found.height, image_height);
    EXPECT_EQ(found.values, image.values);
  }
  const ColorImage found = decode_image(jpeg_bytes(image), "a");
  ASSERT_EQ(found.values.size(), image.values.size());
  for (std::size_t k = 0; k < found.values.size(); ++k) EXPECT_NEAR(found.values[k], image.values[k], 12) << k;
}

TEST(DecodeImage, DamagedFilesAreRefused) {
  const ColorImage image = smooth_image();
  const std::string png = png_bytes(image.values, image_width, image_height);
  for (const std::string& bytes : {png, jpeg_bytes(image), webp_bytes(image)})
    EXPECT_THROW(decode_image(bytes.substr(0, bytes.size() / 2), "a"), InputError);
}

}  // namespace
}  // namespace sinew
