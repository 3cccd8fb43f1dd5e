// Reads and writes NumPy .npy files: one array of numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// An array, row-major. A vector has one column.
struct NumberArray {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
};

// Reads an array of one or two dimensions of little-endian integers or floating-point numbers, of C or Fortran order
// (format versions 1 to 3). Throws InputError naming the file, what is wrong and what to do.
NumberArray read_npy(const std::string& path);
// Parses a file's bytes in the same way. source: replaces the path in errors.
NumberArray parse_npy(const std::string& bytes, const std::string& source);

// Returns the bytes of a .npy file of little-endian doubles in Fortran order, which is Eigen's. A vector has one
// dimension.
std::string npy_bytes(Eigen::Ref<const MatX> values, bool vector = false);

// Returns the header of a .npy file. type: for example '<f8'. shape: for example "(3, 2)".
std::string npy_header(std::string_view type, bool fortran, std::string_view shape);

}  // namespace sinew
