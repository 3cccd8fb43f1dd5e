// The spread of a field's values, so that one impact does not set the range of the page's colours.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/io/report_encoding.h"

namespace sinew {

// The levels of the quantiles in a spread. They are dense at the ends, where usual_range() needs them.
inline constexpr std::array<double, 13> spread_levels{0,    0.01, 0.02, 0.05, 0.1,  0.25, 0.5,
                                                      0.75, 0.9,  0.95, 0.98, 0.99, 1};

// Quantiles of the nonzero values. Zeros are left out, because vertices without contact say nothing about the size of
// contact forces elsewhere.
struct Spread {
  double count = 0;  // number of values
  std::array<double, spread_levels.size()> values{};

  // Returns the fraction of the values that are at most `value`.
  double below(double value) const;
};

// Returns the spread of magnitudes (>= 0). Values below a millionth of the largest count as zero. Values that are not
// finite are ignored.
Spread spread_of(std::vector<double> values);

// Returns the range from the 2 % to the 98 % quantile of all values together; 0 and 0 without values.
ValueRange usual_range(std::span<const Spread> spreads);

}  // namespace sinew
