// NumPy .npy files: one array of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Row-major. A vector has one column.
struct NumberArray {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
};

// Reads an array of one or two dimensions of little-endian integers or floating-point numbers, of C or Fortran order
// (format versions 1 to 3). Throws InputError naming the file, what is wrong and what to do.
NumberArray read_npy(const std::string& path);
// Parses a file's bytes likewise; `source` stands for the path in errors.
NumberArray parse_npy(const std::string& bytes, const std::string& source);

// The bytes of a .npy file of little-endian doubles in Fortran order, which is Eigen's; a vector has one dimension.
std::string npy_bytes(Eigen::Ref<const MatX> values, bool vector = false);

// The header of a .npy file: type like '<f8', shape like "(3, 2)".
std::string npy_header(std::string_view type, bool fortran, std::string_view shape);

}  // namespace sinew
