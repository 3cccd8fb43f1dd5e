#include "sinew/render/decode_image.h"

#include <csetjmp>
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr int most_pixels = 16384;  // along a side, so that sizes fit

[[noreturn]] void fail_damaged(const std::string& source, const std::string& why) {
  fail_input(code::file_format, "{}: cannot decode the image: {}; it is damaged, save or export it again", source, why);
}

const unsigned char* unsigned_bytes(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// Without the fourth of four values of each pixel.
ColorImage opaque(const std::vector<std::uint8_t>& rgba, int width, int height) {
  ColorImage image{width, height, {}};
  image.values.reserve(rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < rgba.size(); i += 4)
    image.values.insert(image.values.end(), rgba.begin() + static_cast<std::ptrdiff_t>(i),
                        rgba.begin() + static_cast<std::ptrdiff_t>(i + 3));
  return image;
}

ColorImage decode_png(std::string_view bytes, const std::string& source) {
  png_image info{};
  info.version = PNG_IMAGE_VERSION;
  const auto fail = [&] {
    const std::string why = info.message;
    png_image_free(&info);
    fail_damaged(source, why);
  };
  if (!png_image_begin_read_from_memory(&info, bytes.data(), bytes.size())) fail();
  if (info.width > most_pixels || info.height > most_pixels) fail();
  info.format = PNG_FORMAT_RGBA;
  info.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  std::vector<std::uint8_t> rgba(PNG_IMAGE_SIZE(info));
  if (!png_image_finish_read(&info, nullptr, rgba.data(), 0, nullptr)) fail();
  return opaque(rgba, static_cast<int>(info.width), static_cast<int>(info.height));
}

// The library reports errors by a call that must not return.
struct JpegErrors {
  jpeg_error_mgr base;  // first, for the library knows only this part
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

// Only plain data lives across the jump. Returns whether all went well; rows: of the picture, one after the other.
bool read_jpeg(jpeg_decompress_struct& info, JpegErrors& errors, std::string_view bytes, ColorImage& image) {
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = [](j_common_ptr common) {
    auto* own = reinterpret_cast<JpegErrors*>(common->err);
    common->err->format_message(common, own->message);
    std::longjmp(own->back, 1);
  };
  errors.base.emit_message = [](j_common_ptr common, int level) {
    if (level < 0) common->err->error_exit(common);  // damaged data
  };
  if (setjmp(errors.back) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, unsigned_bytes(bytes), bytes.size());
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  image.width = static_cast<int>(info.output_width);
  image.height = static_cast<int>(info.output_height);
  image.values.resize(static_cast<std::size_t>(image.width) * image.height * 3);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = image.values.data() + static_cast<std::size_t>(info.output_scanline) * image.width * 3;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return true;
}

ColorImage decode_jpeg(std::string_view bytes, const std::string& source) {
  ColorImage image;
  jpeg_decompress_struct info{};
  JpegErrors errors{};
  const bool done = read_jpeg(info, errors, bytes, image);
  jpeg_destroy_decompress(&info);
  if (!done) fail_damaged(source, errors.message);
  return image;
}

ColorImage decode_webp(std::string_view bytes, const std::string& source) {
  ColorImage image;
  if (!WebPGetInfo(unsigned_bytes(bytes), bytes.size(), &image.width, &image.height))
    fail_damaged(source, "no picture was found");
  const int row = 3 * image.width;
  image.values.resize(static_cast<std::size_t>(row) * image.height);
  if (!WebPDecodeRGBInto(unsigned_bytes(bytes), bytes.size(), image.values.data(), image.values.size(), row))
    fail_damaged(source, "its data are not valid");
  return image;
}

}  // namespace

ColorImage decode_image(std::string_view bytes, const std::string& source) {
  if (bytes.starts_with("\x89PNG")) return decode_png(bytes, source);
  if (bytes.starts_with("RIFF")) return decode_webp(bytes, source);
  return decode_jpeg(bytes, source);
}

}  // namespace sinew
