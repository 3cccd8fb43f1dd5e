// Reads the collision queries and the complete time steps of $SINEW_TEST_DATA/ccd.
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/paths.h"
#include <zlib.h>

#include "sinew/core/types.h"

namespace sinew::test {

struct CcdQuery {
  std::array<Vec3, 8> points;  // four at t = 0, four at t = 1
  bool collides = false;
};

// num/den with a power of two below: both are then doubles, whatever their number of digits, and the quotient is exact.
inline double exact_quotient(const std::string& num, const std::string& den) {
  const double value = std::strtod(num.c_str(), nullptr) / std::strtod(den.c_str(), nullptr);
  int exponent = 0;
  if (std::frexp(std::strtod(den.c_str(), nullptr), &exponent) != 0.5)
    throw std::runtime_error("the denominator " + den + " is not a power of two");
  return value;
}

inline std::vector<CcdQuery> read_queries(const std::filesystem::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path.string());
  std::vector<CcdQuery> queries;
  std::array<char, 4096> line;
  for (int row = 0; gzgets(file, line.data(), static_cast<int>(line.size())) != nullptr; ++row) {
    std::vector<std::string> cells(1);
    for (const char* c = line.data(); *c != '\0' && *c != '\n' && *c != '\r'; ++c) {
      if (*c == ',')
        cells.emplace_back();
      else
        cells.back() += *c;
    }
    if (cells.size() != 7) throw std::runtime_error("bad row in " + path.string());
    if (row % 8 == 0) queries.emplace_back();
    for (int k = 0; k < 3; ++k) queries.back().points[row % 8][k] = exact_quotient(cells[2 * k], cells[2 * k + 1]);
    queries.back().collides = cells[6] == "1";
  }
  gzclose(file);
  return queries;
}

}  // namespace sinew::test
