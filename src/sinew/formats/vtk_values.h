// Reads the numbers of VTK's legacy files: text, or binary with the most significant byte first.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/formats/byte_reader.h"

namespace sinew {

struct VtkNumberType {
  enum class Kind { bit, signed_integer, unsigned_integer, real, text };
  const char* name;
  std::size_t bytes;
  Kind kind;
};
inline constexpr VtkNumberType vtk_int{"int", 4, VtkNumberType::Kind::signed_integer};
inline constexpr VtkNumberType vtk_byte{"unsigned_char", 1, VtkNumberType::Kind::unsigned_integer};
inline constexpr VtkNumberType vtk_float{"float", 4, VtkNumberType::Kind::real};

class VtkValues {
 public:
  explicit VtkValues(ByteReader& reader);
  void set_binary(bool binary) { binary_ = binary; }
  bool binary() const { return binary_; }

  // Returns the type that the next token names.
  const VtkNumberType& type();

  // Returns `count` values; in binary files they begin on the next line. Allocates no more than the file can contain.
  // Integers that do not fit become -1.
  std::vector<double> reals(const VtkNumberType& type, std::int64_t count, std::string_view what);
  std::vector<std::int64_t> integers(const VtkNumberType& type, std::int64_t count, std::string_view what);

  // Skips `count` strings, from the next line on.
  void skip_strings(std::int64_t count);

 private:
  std::size_t begin(const VtkNumberType& type, std::int64_t count, std::string_view what);
  template <class Out>
  std::vector<Out> values(const VtkNumberType& type, std::int64_t count, std::string_view what);
  template <class Out>
  Out raw_value(const VtkNumberType& type, std::string_view what);

  ByteReader& in_;
  bool binary_ = false;
};

}  // namespace sinew
