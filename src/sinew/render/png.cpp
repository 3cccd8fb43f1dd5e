#include "sinew/render/png.h"

#include <cstdlib>
#include <vector>

#include <zlib.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr int bytes_of_pixel = 3, compression_level = 6;

void add_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255u);
}

// Length, name, contents and checksum of a part of the file.
void add_chunk(std::string& out, const char* name, const std::string& contents) {
  add_number(out, static_cast<std::uint32_t>(contents.size()));
  const std::size_t begin = out.size();
  out += name;
  out += contents;
  const auto* bytes = reinterpret_cast<const Bytef*>(out.data() + begin);
  add_number(out, static_cast<std::uint32_t>(::crc32(0, bytes, static_cast<uInt>(out.size() - begin))));
}

// The one of left, above and left-above that is nearest to left + above - corner.
int paeth(int left, int above, int corner) {
  const int p = left + above - corner, a = std::abs(p - left), b = std::abs(p - above), c = std::abs(p - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

// Each row less what its neighbours predict, which compresses well.
std::string filtered(std::span<const std::uint8_t> rgb, int width, int height) {
  const std::size_t row = static_cast<std::size_t>(width) * bytes_of_pixel;
  constexpr char paeth_filter = 4;
  std::string out;
  out.reserve((row + 1) * static_cast<std::size_t>(height));
  const std::vector<std::uint8_t> none(row, 0);
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* own = rgb.data() + row * static_cast<std::size_t>(y);
    const std::uint8_t* above = y > 0 ? own - row : none.data();
    out += paeth_filter;
    for (std::size_t i = 0; i < row; ++i) {
      const bool first = i < bytes_of_pixel;
      const int left = first ? 0 : own[i - bytes_of_pixel], corner = first ? 0 : above[i - bytes_of_pixel];
      out += static_cast<char>(own[i] - paeth(left, above[i], corner));
    }
  }
  return out;
}

std::string deflated(const std::string& bytes) {
  std::string packed(::compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  if (::compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  bytes.size(), compression_level) != Z_OK)
    throw SimulationError(code::output_write, "zlib could not compress a picture");
  packed.resize(size);
  return packed;
}

}  // namespace

std::string png_bytes(std::span<const std::uint8_t> rgb, int width, int height) {
  std::string header;
  add_number(header, static_cast<std::uint32_t>(width));
  add_number(header, static_cast<std::uint32_t>(height));
  header += std::string("\x08\x02\0\0\0", 5);  // 8 bits a channel, red, green and blue
  std::string file("\x89PNG\r\n\x1a\n", 8);
  add_chunk(file, "IHDR", header);
  add_chunk(file, "IDAT", deflated(filtered(rgb, width, height)));
  add_chunk(file, "IEND", "");
  return file;
}

}  // namespace sinew
