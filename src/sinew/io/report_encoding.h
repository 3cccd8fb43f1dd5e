// Numbers as the page's data hold them: quantised, as differences, compressed, in base64 (layout: report_format.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Smallest and largest of the finite ones of some numbers; 0 and 0 if there are none.
struct ValueRange {
  double low = 0, high = 0;
};
ValueRange range_of(std::span<const double> values);

// The union with another range.
void widen(ValueRange& range, const ValueRange& other);

class ReportEncoder {
 public:
  // Appends to the data before the sequences.
  void number(double value);
  void range(const ValueRange& range);

  // Quantises values to 0 ... levels between the ends of the range; values outside, and NaN, become an end.
  void sequence(std::span<const double> values, const ValueRange& range, std::uint16_t levels);

  // The box of points, whose coordinates become three sequences later.
  static std::array<ValueRange, 3> box(const Points& points);
  void box(const std::array<ValueRange, 3>& box);
  void points(const Points& points, const std::array<ValueRange, 3>& box);

  // Integers as differences in 4 byte planes; they follow the sequences.
  void integers(std::span<const Index> values);

  // Everything so far as base64 of a zlib stream.
  std::string finish() const;

 private:
  std::string head_, tail_;
  std::vector<std::uint16_t> differences_;
};

// Base64 of a zlib stream of some bytes.
std::string deflate_base64(std::string_view bytes);

}  // namespace sinew
