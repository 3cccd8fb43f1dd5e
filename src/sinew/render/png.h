// Pictures as PNG files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sinew {

// The bytes of a PNG file. rgb: 3 bytes by pixel, row by row from the top. Equal pictures give equal bytes.
std::string png_bytes(std::span<const std::uint8_t> rgb, int width, int height);

}  // namespace sinew
