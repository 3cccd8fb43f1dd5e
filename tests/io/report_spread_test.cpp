// The usual range of a field: what colours span unless told otherwise.
#include "sinew/io/report_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sinew {
namespace {

// 1, 2, ... count, times a factor.
std::vector<double> ramp(int count, double factor = 1) {
  std::vector<double> values;
  for (int k = 1; k <= count; ++k) values.push_back(factor * k);
  return values;
}

// Of the values, the part above one.
double part_above(const std::vector<double>& values, double bound) {
  const auto above = std::ranges::count_if(values, [&](double v) { return v > bound; });
  return static_cast<double>(above) / static_cast<double>(values.size());
}

TEST(ReportSpread, OneFrame) {
  const Spread spread = spread_of(ramp(1001));
  const ValueRange range = usual_range(std::span(&spread, 1));
  EXPECT_NEAR(range.low, 21, 1e-9);  // 2 % of the way from 1 to 1001
  EXPECT_NEAR(range.high, 981, 1e-9);
}

TEST(ReportSpread, AnImpactDoesNotRule) {
  std::vector<Spread> spreads(100, spread_of(ramp(200)));
  spreads[50] = spread_of(ramp(200, 1000));
  const ValueRange range = usual_range(spreads);
  EXPECT_LT(range.high, 201);
  EXPECT_GT(range.high, 190);
}

// Between the stored levels a spread is taken as even: over many unlike frames the error stays below half a percent.
TEST(ReportSpread, FramesTogether) {
  std::vector<Spread> spreads;
  std::vector<double> all;
  for (int frame = 1; frame <= 40; ++frame) {
    std::vector<double> values = ramp(50 * frame);
    for (double& v : values) v = frame * std::sqrt(v);
    spreads.push_back(spread_of(values));
    all.insert(all.end(), values.begin(), values.end());
  }
  const ValueRange range = usual_range(spreads);
  EXPECT_NEAR(part_above(all, range.high), 0.02, 0.005);
  EXPECT_NEAR(part_above(all, range.low), 0.98, 0.005);
}

TEST(ReportSpread, ZerosAndWhatIsNotFiniteDoNotCount) {
  std::vector<double> values = ramp(101);
  values.resize(5000, 0);
  values.insert(values.end(), 300, 1e-6);  // a hundred-millionth of the largest: rounding
  values.push_back(std::nan(""));
  values.push_back(std::numeric_limits<double>::infinity());
  const std::vector<Spread> spreads{spread_of({}), spread_of(values), spread_of({0, 0})};
  EXPECT_EQ(spreads[1].count, 101);
  const ValueRange range = usual_range(spreads);
  EXPECT_NEAR(range.low, 3, 1e-9);
  EXPECT_NEAR(range.high, 99, 1e-9);
}

TEST(ReportSpread, OfNothingOrOneValue) {
  EXPECT_EQ(usual_range({}).high, 0);
  const std::vector<Spread> none{spread_of({0, 0})}, one{spread_of({7, 7, 7})};
  EXPECT_EQ(usual_range(none).high, 0);
  EXPECT_EQ(usual_range(one).low, 7);
  EXPECT_EQ(usual_range(one).high, 7);
}

}  // namespace
}  // namespace sinew
