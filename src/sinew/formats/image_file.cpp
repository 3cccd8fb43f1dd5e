#include "sinew/formats/image_file.h"

#include <filesystem>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"

namespace sinew {
namespace {

constexpr std::string_view png_begin("\x89PNG\r\n\x1a\n", 8), jpeg_begin("\xff\xd8\xff", 3);
constexpr const char* truncated = "the file ends too early; it is truncated, copy or export it again";

// Numbers of a file at places that may lie beyond its end.
class ImageBytes {
 public:
  ImageBytes(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  int byte(std::size_t at) const {
    if (at >= bytes_.size()) fail(truncated);
    return static_cast<unsigned char>(bytes_[at]);
  }
  // Of two bytes, of which the first or the last is the higher one.
  int high_first(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
  int low_first(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
  bool has(std::size_t at, std::string_view text) const {
    return at <= bytes_.size() && bytes_.substr(at).starts_with(text);
  }
  bool contains(std::string_view text) const { return bytes_.rfind(text) != std::string_view::npos; }
  std::size_t size() const { return bytes_.size(); }
  [[noreturn]] void fail(std::string_view what) const { fail_input(code::file_format, "{}: {}", source_, what); }

 private:
  std::string_view bytes_;
  const std::string& source_;
};

struct PixelCount {
  std::int64_t width = 0, height = 0;
};

// The first part of a file is IHDR, the last IEND (PNG specification, 11.2).
PixelCount png_size(const ImageBytes& in) {
  if (!in.has(12, "IHDR")) in.fail("found no IHDR, which PNG files begin with; export it again");
  const auto number = [&](std::size_t at) {
    return static_cast<std::int64_t>(in.high_first(at)) << 16 | in.high_first(at + 2);
  };
  const PixelCount size{number(16), number(20)};
  if (!in.contains("IEND")) in.fail(truncated);
  return size;
}

// Segments begin with 0xff, a marker and their length. SOF0 to SOF2 are baseline, extended and progressive frames (ITU
// T.81, B.1).
PixelCount jpeg_size(const ImageBytes& in) {
  std::size_t at = 2;
  for (;;) {
    if (in.byte(at) != 0xff) in.fail("found bytes between the segments of the JPEG file; export it again");
    while (in.byte(at) == 0xff) ++at;
    const int marker = in.byte(at++);
    if (marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;  // without a length
    if (marker == 0xd9 || marker == 0xda) in.fail("found no size before the picture; export it again");
    const bool frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (frame && (marker > 0xc2 || in.byte(at + 2) != 8))
      in.fail("this kind of JPEG is rarely read; save it as baseline or progressive JPEG of 8 bits");
    if (frame && in.byte(at + 7) != 3 && in.byte(at + 7) != 1)
      in.fail("the colours of the JPEG file are not RGB or grey; save it as RGB");
    if (frame) {
      if (!in.contains("\xff\xd9")) in.fail(truncated);
      return {in.high_first(at + 5), in.high_first(at + 3)};
    }
    at += static_cast<std::size_t>(in.high_first(at));
  }
}

// Lossy, lossless or extended (RFC 9649, 2.5 to 2.7).
PixelCount webp_size(const ImageBytes& in) {
  const std::int64_t length = in.low_first(4) | static_cast<std::int64_t>(in.low_first(6)) << 16;
  if (static_cast<std::int64_t>(in.size()) < length + 8) in.fail(truncated);
  if (in.has(12, "VP8 ")) {
    if (!in.has(23, "\x9d\x01\x2a")) in.fail("found no picture in the WebP file; export it again");
    return {in.low_first(26) & 0x3fff, in.low_first(28) & 0x3fff};
  }
  if (in.has(12, "VP8L")) {
    const std::int64_t bits = in.low_first(21) | static_cast<std::int64_t>(in.low_first(23)) << 16;
    return {(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
  }
  if (!in.has(12, "VP8X")) in.fail("found no picture in the WebP file; export it again");
  if (in.byte(20) & 2) in.fail("the WebP file is an animation; save one of its pictures");
  return {(in.low_first(24) | in.byte(26) << 16) + 1, (in.low_first(27) | in.byte(29) << 16) + 1};
}

}  // namespace

const char* ImageFile::media_type() const {
  return kind == ImageKind::png ? "image/png" : kind == ImageKind::jpeg ? "image/jpeg" : "image/webp";
}

const char* ImageFile::extension() const {
  return kind == ImageKind::png ? ".png" : kind == ImageKind::jpeg ? ".jpg" : ".webp";
}

ImageFile parse_image_file(std::string bytes, const std::string& source) {
  const ImageBytes in(bytes, source);
  ImageFile image;
  PixelCount size;
  if (in.has(0, png_begin)) {
    size = png_size(in);
  } else if (in.has(0, jpeg_begin)) {
    image.kind = ImageKind::jpeg;
    size = jpeg_size(in);
  } else if (in.has(0, "RIFF") && in.has(8, "WEBP")) {
    image.kind = ImageKind::webp;
    size = webp_size(in);
  } else {
    fail_input(code::file_type, "{}: expected a PNG, JPEG or WebP image, found {}; convert it", source,
               bytes.empty() ? "an empty file" : "other bytes");
  }
  for (const std::int64_t side : {size.width, size.height})
    if (side < 1 || side > largest_image_side)
      fail_input(code::file_format, "{}: found {} x {} pixels, expected 1 to {} along each side; save a smaller image",
                 source, size.width, size.height, largest_image_side);
  image.width = static_cast<int>(size.width);
  image.height = static_cast<int>(size.height);
  image.bytes = std::move(bytes);
  return image;
}

ImageFile read_image_file(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > largest_image_file)
    fail_input(code::file_format, "{}: found {:.1f} MB, expected at most {:.0f} MB; save a smaller image, or as JPEG",
               path, 1e-6 * static_cast<double>(size), 1e-6 * static_cast<double>(largest_image_file));
  return parse_image_file(read_whole_file(path, "the image"), path);
}

}  // namespace sinew
