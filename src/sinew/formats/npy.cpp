#include "sinew/formats/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/input_file.h"
#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
  std::string type;  // e.g. "f8"
  bool fortran = false;
  std::vector<std::size_t> shape;
  std::size_t data_begin = 0;
};

// The header is a Python dict: {'descr': '<f8', 'fortran_order': False, 'shape': (3,), }
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  Header parse() {
    Header header;
    bool known = take("{") && take("'descr'") && take(":") && string(header.type) && take(",") &&
                 take("'fortran_order'") && take(":");
    header.fortran = known && take("True");
    known =
        known && (header.fortran || take("False")) && take(",") && take("'shape'") && take(":") && shape(header.shape);
    if (known) take(",");
    if (!known || !take("}") || !at_end()) {
      fail_input(code::array_file,
                 "{}: found a .npy array of compound type, expected plain numbers; save one column with numpy.save",
                 path_);
    }
    return header;
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n"), rest_.size())); }

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }

  // Whether `word` is next; then it is removed.
  bool take(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  bool string(std::string& text) {
    if (!take("'")) return false;
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) return false;
    text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool shape(std::vector<std::size_t>& sizes) {
    if (!take("(")) return false;
    while (!take(")")) {
      std::size_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc()) return false;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      sizes.push_back(size);
      if (!take(",")) return take(")");
    }
    return true;
  }

  std::string_view rest_;
  const std::string& path_;
};

Header parse_header(const std::string& bytes, const std::string& path) {
  if (bytes.size() < 10 || !bytes.starts_with(magic)) {
    fail_input(code::array_file, "{}: not a NumPy .npy file; save the field with numpy.save", path);
  }
  const bool wide = bytes[6] >= 2;  // 4-byte length from version 2 on
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  std::size_t length = byte(8) + (byte(9) << 8);
  if (wide && bytes.size() >= 12) length += (byte(10) << 16) + (byte(11) << 24);
  const std::size_t begin = wide ? 12 : 10;
  if (begin + length > bytes.size())
    fail_input(code::array_file, "{}: truncated .npy file; save it again with numpy.save", path);
  Header header = HeaderParser(std::string_view(bytes).substr(begin, length), path).parse();
  header.data_begin = begin + length;
  if (header.type.size() < 3 || (header.type[0] != '<' && header.type[0] != '|')) {
    fail_input(code::array_file,
               "{}: found numbers of type '{}', expected little-endian ones; save array.astype('<f8')", path,
               printable(header.type));
  }
  header.type.erase(0, 1);
  return header;
}

template <class T>
void convert(const char* data, std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
}

struct NpyType {
  const char* name;
  std::size_t size;
  void (*convert)(const char*, std::vector<double>&);
};

constexpr NpyType npy_types[] = {
    {"f8", 8, convert<double>},        {"f4", 4, convert<float>},         {"i1", 1, convert<std::int8_t>},
    {"i2", 2, convert<std::int16_t>},  {"i4", 4, convert<std::int32_t>},  {"i8", 8, convert<std::int64_t>},
    {"u1", 1, convert<std::uint8_t>},  {"u2", 2, convert<std::uint16_t>}, {"u4", 4, convert<std::uint32_t>},
    {"u8", 8, convert<std::uint64_t>},
};

const NpyType& npy_type(const std::string& name, const std::string& path) {
  for (const NpyType& type : npy_types) {
    if (name == type.name) return type;
  }
  fail_input(code::array_file, "{}: found numbers of type '{}', expected integers or floats; save array.astype('<f8')",
             path, printable(name));
}

std::vector<double> transposed(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
  std::vector<double> result(values.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) result[r * columns + c] = values[c * rows + r];
  }
  return result;
}

}  // namespace

NumberArray read_npy(const std::string& path) {
  return parse_npy(read_whole_file(path, "the field"), path);
}

NumberArray parse_npy(const std::string& bytes, const std::string& path) {
  const Header header = parse_header(bytes, path);
  if (header.shape.empty() || header.shape.size() > 2) {
    fail_input(code::array_file, "{}: found an array of {} dimensions, expected 1 or 2", path, header.shape.size());
  }
  NumberArray array;
  array.rows = header.shape[0];
  array.columns = header.shape.size() == 2 ? header.shape[1] : 1;
  const NpyType& type = npy_type(header.type, path);
  const std::size_t available = (bytes.size() - header.data_begin) / type.size;
  if (array.columns == 0)
    fail_input(code::array_file, "{}: found an array of {} x 0, which holds no numbers; save one that does", path,
               array.rows);
  if (array.rows > available / array.columns) {
    fail_input(code::array_file, "{}: found {} numbers, expected {} x {}; the file is truncated, save it again", path,
               available, array.rows, array.columns);
  }
  array.values.resize(array.rows * array.columns);
  type.convert(bytes.data() + header.data_begin, array.values);
  if (header.fortran && array.columns > 1) array.values = transposed(array.values, array.rows, array.columns);
  return array;
}

// Version 1: the dict is filled with blanks so that the data begin at a multiple of 64.
std::string npy_header(std::string_view type, bool fortran, std::string_view shape) {
  std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, fortran ? "True" : "False", shape);
  dict.append(63 - (10 + dict.size()) % 64, ' ');
  dict += '\n';
  std::string bytes(magic);
  bytes += {1, 0, static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return bytes + dict;
}

std::string npy_bytes(Eigen::Ref<const MatX> values, bool vector) {
  std::string bytes =
      npy_header("<f8", true,
                 vector ? fmt::format("({},)", values.size()) : fmt::format("({}, {})", values.rows(), values.cols()));
  const std::size_t begin = bytes.size(), column = sizeof(double) * static_cast<std::size_t>(values.rows());
  bytes.resize(begin + column * static_cast<std::size_t>(values.cols()));
  for (Eigen::Index c = 0; c < values.cols() && column > 0; ++c)
    std::memcpy(bytes.data() + begin + static_cast<std::size_t>(c) * column, values.col(c).data(), column);
  return bytes;
}

}  // namespace sinew
