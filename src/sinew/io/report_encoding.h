// Encodes numbers for the page's data: quantised, as differences, compressed, in base64 (layout: report_format.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// Smallest and largest of some numbers, ignoring those that are not finite; 0 and 0 if there are none.
struct ValueRange {
  double low = 0, high = 0;
};
ValueRange range_of(std::span<const double> values);

// Extends `range` to include `other`.
void widen(ValueRange& range, const ValueRange& other);

class ReportEncoder {
 public:
  // Appends a number to the data before the sequences.
  void number(double value);
  void range(const ValueRange& range);

  // Appends values, quantised to 0 ... levels between the ends of the range. Values outside become the nearer end, NaN
  // an end.
  void sequence(std::span<const double> values, const ValueRange& range, std::uint16_t levels);

  // Returns the bounding box of points, whose coordinates are added later as three sequences.
  static std::array<ValueRange, 3> box(const Points& points);
  void box(const std::array<ValueRange, 3>& box);
  void points(const Points& points, const std::array<ValueRange, 3>& box);

  // Appends integers in 4 byte planes, as differences unless `plain`; they come after the sequences.
  void integers(std::span<const Index> values, bool plain = false);

  // Appends small integers with a sign in 2 byte planes, among the sequences.
  void residuals(std::span<const std::int16_t> values);

  // Returns everything so far as base64 of a zlib stream.
  std::string finish() const;

 private:
  std::string head_, tail_;
  std::vector<std::uint16_t> differences_;
};

// Returns the bytes as base64 of a zlib stream.
std::string deflate_base64(std::string_view bytes);

}  // namespace sinew
