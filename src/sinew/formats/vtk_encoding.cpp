#include "sinew/formats/vtk_encoding.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <zlib.h>

#include "sinew/core/base64.h"
#include "sinew/core/error.h"

namespace sinew {
namespace {

// Bytes one after the other from raw or base64 text. Base64 is decoded in groups of four characters, each of which may
// be padded: writers differ in whether header and data are one base64 run or two.
class Source {
 public:
  Source(std::string_view text, VtkEncoding encoding) : text_(text), encoding_(encoding) {}

  // An upper bound of the bytes that are left.
  std::size_t bound() const { return text_.size() - at_ + 3; }

  void read(char* out, std::size_t count) {
    if (encoding_ == VtkEncoding::raw) {
      if (count > text_.size() - at_) truncated();
      std::memcpy(out, text_.data() + at_, count);
      at_ += count;
      return;
    }
    while (count > 0) {
      if (held_at_ == held_) decode_group();
      const std::size_t part = std::min(count, held_ - held_at_);
      std::memcpy(out, group_ + held_at_, part);
      held_at_ += part;
      out += part;
      count -= part;
    }
  }

 private:
  [[noreturn]] static void truncated() {
    fail_input(code::file_format, "the data end too early; the file is truncated");
  }

  void decode_group() {
    unsigned value = 0;
    int pads = 0;
    for (int k = 0; k < 4; ++k) {
      while (at_ < text_.size() &&
             (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
        ++at_;
      if (at_ == text_.size()) truncated();
      const char c = text_[at_++];
      const int digit = base64_digit(c);
      if (c == '=' && k >= 2) {
        ++pads;
        value <<= 6;
      } else if (digit < 0 || pads) {
        fail_input(code::file_format, "found the character code {} in base64 data",
                   static_cast<int>(static_cast<unsigned char>(c)));
      } else {
        value = value << 6 | static_cast<unsigned>(digit);
      }
    }
    group_[0] = static_cast<char>(value >> 16);
    group_[1] = static_cast<char>(value >> 8);
    group_[2] = static_cast<char>(value);
    held_ = static_cast<std::size_t>(3 - pads);
    held_at_ = 0;
  }

  std::string_view text_;
  VtkEncoding encoding_;
  std::size_t at_ = 0;
  char group_[3] = {};
  std::size_t held_ = 0, held_at_ = 0;
};

std::uint64_t read_word(Source& source, const VtkBlobOptions& options) {
  char bytes[8] = {};
  const std::size_t size = options.header_64 ? 8 : 4;
  source.read(bytes, size);
  if (options.swapped) std::reverse(bytes, bytes + size);
  if (!options.header_64) {
    std::uint32_t word;
    std::memcpy(&word, bytes, 4);
    return word;
  }
  std::uint64_t word;
  std::memcpy(&word, bytes, 8);
  return word;
}

void append_word(std::string& out, std::uint64_t word, bool header_64) {
  const auto half = static_cast<std::uint32_t>(word);
  if (header_64) {
    out.append(reinterpret_cast<const char*>(&word), 8);
  } else {
    out.append(reinterpret_cast<const char*>(&half), 4);
  }
}

[[noreturn]] void fail_too_large() {
  fail_input(code::file_format,
             "the arrays unpack to more than 256 MB + 64 x the size of the file; the file is damaged");
}

std::string decode_compressed(Source& source, const VtkBlobOptions& options) {
  constexpr std::uint64_t best_ratio = 1100;  // zlib's limit is 1032
  const std::uint64_t blocks = read_word(source, options);
  if (blocks == 0) return {};
  const std::uint64_t size = read_word(source, options), last = read_word(source, options);
  if (blocks > source.bound() / 4)
    fail_input(code::file_format, "found a header of {} compressed blocks, more than the data can hold", blocks);
  std::vector<std::uint64_t> sizes(blocks);
  for (std::uint64_t& word : sizes) word = read_word(source, options);
  std::string out, packed;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t expected = b + 1 == blocks && last ? last : size;
    if (sizes[b] > source.bound())
      fail_input(code::file_format, "found a compressed block of {} bytes, more than the data hold", sizes[b]);
    if (expected > best_ratio * (sizes[b] + 1))
      fail_input(code::file_format, "found a compressed block that claims to hold {} bytes", expected);
    if (expected > options.largest - out.size()) fail_too_large();
    packed.resize(sizes[b]);
    source.read(packed.data(), packed.size());
    const std::size_t begin = out.size();
    out.resize(begin + expected);
    uLongf got = expected;
    const int code = uncompress(reinterpret_cast<Bytef*>(out.data() + begin), &got,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
    if (code != Z_OK || got != expected)
      fail_input(code::file_format, "compressed block {} of {} is damaged (zlib code {})", b + 1, blocks, code);
  }
  return out;
}

}  // namespace

std::string vtk_encode(std::string_view bytes, const VtkBlobOptions& options) {
  std::string header, data;
  if (!options.compressed) {
    append_word(header, bytes.size(), options.header_64);
    header.append(bytes);
    return options.encoding == VtkEncoding::base64 ? base64_encode(header) : header;
  }
  const std::size_t blocks = (bytes.size() + options.block_size - 1) / options.block_size;
  append_word(header, blocks, options.header_64);
  append_word(header, options.block_size, options.header_64);
  append_word(header, bytes.size() % options.block_size, options.header_64);
  std::vector<Bytef> packed(compressBound(options.block_size));
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::string_view block = bytes.substr(b * options.block_size, options.block_size);
    uLongf size = packed.size();
    if (compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(block.data()), block.size(), options.level) !=
        Z_OK) {
      throw SimulationError(code::output_write, "zlib could not compress a block of data");
    }
    append_word(header, size, options.header_64);
    data.append(reinterpret_cast<const char*>(packed.data()), size);
  }
  if (options.encoding == VtkEncoding::raw) return header + data;
  return base64_encode(header) + base64_encode(data);
}

std::string vtk_decode(std::string_view text, const VtkBlobOptions& options) {
  Source source(text, options.encoding);
  if (options.compressed) return decode_compressed(source, options);
  const std::uint64_t size = read_word(source, options);
  if (size > source.bound()) fail_input(code::file_format, "found a header of {} bytes, more than the data hold", size);
  if (size > options.largest) fail_too_large();
  std::string out(size, '\0');
  source.read(out.data(), out.size());
  return out;
}

}  // namespace sinew
