#include "sinew/formats/vtk_values.h"

#include <bit>
#include <cmath>

namespace sinew {
namespace {

using Number = VtkNumberType::Kind;

// VTK's own names, and the sized ones that meshio writes (vtktypeint32; VTK: vtkType.h).
constexpr VtkNumberType number_types[] = {{"bit", 1, Number::bit},
                                          {"char", 1, Number::signed_integer},
                                          {"signed_char", 1, Number::signed_integer},
                                          {"unsigned_char", 1, Number::unsigned_integer},
                                          {"short", 2, Number::signed_integer},
                                          {"unsigned_short", 2, Number::unsigned_integer},
                                          {"int", 4, Number::signed_integer},
                                          {"unsigned_int", 4, Number::unsigned_integer},
                                          {"vtkidtype", 4, Number::signed_integer},  // of any width in memory
                                          {"long", 8, Number::signed_integer},
                                          {"unsigned_long", 8, Number::unsigned_integer},
                                          {"long_long", 8, Number::signed_integer},
                                          {"unsigned_long_long", 8, Number::unsigned_integer},
                                          {"vtktypeint8", 1, Number::signed_integer},
                                          {"vtktypeuint8", 1, Number::unsigned_integer},
                                          {"vtktypeint16", 2, Number::signed_integer},
                                          {"vtktypeuint16", 2, Number::unsigned_integer},
                                          {"vtktypeint32", 4, Number::signed_integer},
                                          {"vtktypeuint32", 4, Number::unsigned_integer},
                                          {"vtktypeint64", 8, Number::signed_integer},
                                          {"vtktypeuint64", 8, Number::unsigned_integer},
                                          {"vtktypefloat32", 4, Number::real},
                                          {"vtktypefloat64", 8, Number::real},
                                          {"float", 4, Number::real},
                                          {"double", 8, Number::real},
                                          {"string", 1, Number::text},
                                          {"utf8_string", 1, Number::text}};

}  // namespace

VtkValues::VtkValues(ByteReader& reader) : in_(reader) {
  in_.set_swapped(std::endian::native == std::endian::little);
}

const VtkNumberType& VtkValues::type() {
  const std::string_view name = in_.token();
  for (const VtkNumberType& type : number_types) {
    if (lower_case(name) == type.name) return type;
  }
  in_.fail("found the type '{}', expected int, float, double or another of VTK's number types", printable(name));
}

// Checks a count of values before any is read; binary data begin after the line's end.
std::size_t VtkValues::begin(const VtkNumberType& type, std::int64_t count, std::string_view what) {
  if (!binary_) return in_.checked_count(count, 1, what);
  in_.line();
  if (type.kind == Number::bit) return in_.checked_count((count + 7) / 8, 1, what), static_cast<std::size_t>(count);
  return in_.checked_count(count, type.bytes, what);
}

template <class Out>
std::vector<Out> VtkValues::values(const VtkNumberType& type, std::int64_t count, std::string_view what) {
  if (type.kind == Number::text) in_.fail("found the type 'string' of {}, expected numbers", what);
  const std::size_t size = begin(type, count, what);
  std::vector<Out> out(size);
  std::uint8_t bits = 0;
  in_.set_binary(binary_);
  for (std::size_t i = 0; i < size; ++i) {
    if (!binary_) {
      if constexpr (std::is_integral_v<Out>) {
        out[i] = in_.integer(what);
      } else {
        out[i] = in_.real(what);
      }
    } else if (type.kind == Number::bit) {
      if (i % 8 == 0) bits = in_.raw<std::uint8_t>(what);
      out[i] = static_cast<Out>(bits >> (7 - i % 8) & 1);
    } else {
      out[i] = raw_value<Out>(type, what);
    }
  }
  in_.set_binary(false);
  return out;
}

template <class Out>
Out VtkValues::raw_value(const VtkNumberType& type, std::string_view what) {
  if (type.kind == Number::real) {
    const double value = type.bytes == 4 ? in_.raw<float>(what) : in_.raw<double>(what);
    if constexpr (std::is_integral_v<Out>) return std::abs(value) < 9e18 ? static_cast<Out>(value) : Out(-1);
    return static_cast<Out>(value);
  }
  const bool is_signed = type.kind == Number::signed_integer;
  switch (type.bytes) {
    case 1:
      return is_signed ? static_cast<Out>(in_.raw<std::int8_t>(what)) : static_cast<Out>(in_.raw<std::uint8_t>(what));
    case 2:
      return is_signed ? static_cast<Out>(in_.raw<std::int16_t>(what)) : static_cast<Out>(in_.raw<std::uint16_t>(what));
    case 4:
      return is_signed ? static_cast<Out>(in_.raw<std::int32_t>(what)) : static_cast<Out>(in_.raw<std::uint32_t>(what));
    default:
      return is_signed ? static_cast<Out>(in_.raw<std::int64_t>(what)) : static_cast<Out>(in_.raw<std::uint64_t>(what));
  }
}

std::vector<double> VtkValues::reals(const VtkNumberType& type, std::int64_t count, std::string_view what) {
  return values<double>(type, count, what);
}

std::vector<std::int64_t> VtkValues::integers(const VtkNumberType& type, std::int64_t count, std::string_view what) {
  return values<std::int64_t>(type, count, what);
}

// Text: a line each. Binary: the top two bits of the first byte tell how many bytes hold the length.
void VtkValues::skip_strings(std::int64_t count) {
  in_.line();
  for (std::int64_t i = 0; i < count; ++i) {
    if (in_.remaining() == 0) in_.fail("the file ends inside an array of strings; it is truncated");
    if (!binary_) {
      in_.line();
      continue;
    }
    const auto first = in_.raw<std::uint8_t>("the length of a string");
    const int more = first >> 6 == 3 ? 0 : first >> 6 == 2 ? 1 : first >> 6 == 1 ? 3 : 7;
    std::uint64_t length = first & 63;
    for (int k = 0; k < more; ++k) length = length << 8 | in_.raw<std::uint8_t>("the length of a string");
    if (length > in_.remaining()) in_.fail("found a string of {} bytes, more than the file holds", length);
    in_.seek(in_.position() + static_cast<std::size_t>(length));
  }
}

}  // namespace sinew
