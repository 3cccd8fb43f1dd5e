// Images of textures: kind and size of PNG, JPEG and WebP files, from their first bytes. Nothing is decoded here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

// Pages and exported files carry images along, so these are limits of what they can hold with ease.
inline constexpr int largest_image_side = 4096;             // in pixels
inline constexpr std::size_t largest_image_file = 8000000;  // in bytes

enum class ImageKind { png, jpeg, webp };

struct ImageFile {
  ImageKind kind = ImageKind::png;
  int width = 0, height = 0;  // in pixels
  std::string bytes;          // of the whole file

  const char* media_type() const;  // "image/png"
  const char* extension() const;   // ".png"
};

// Checks the beginning of a file, and that the file is not cut off. Throws InputError that begins with `source` and
// names the remedy. Images beyond the limits are refused, and animated ones.
ImageFile parse_image_file(std::string bytes, const std::string& source);

// Reads and checks a file. Throws InputError if it cannot be read, too.
ImageFile read_image_file(const std::string& path);

}  // namespace sinew
