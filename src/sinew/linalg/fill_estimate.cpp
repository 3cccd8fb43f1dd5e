#include "sinew/linalg/fill_estimate.h"

#include <algorithm>

#include "sinew/linalg/aggregation.h"
#include "sinew/linalg/ordering.h"
#include "sinew/linalg/symbolic_factor.h"

namespace sinew {
namespace {

constexpr int reach = 2;  // of the aggregates

}  // namespace

double estimated_factor_flops(const BlockPattern& pattern) {
  // The pattern with both triangles.
  const auto rows = static_cast<std::size_t>(pattern.rows);
  std::vector<std::int64_t> begin(rows + 1, 0);
  for (std::size_t i = 0; i < rows; ++i)
    for (auto s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s) {
      ++begin[i + 1];
      ++begin[static_cast<std::size_t>(pattern.columns[s]) + 1];
    }
  for (std::size_t i = 0; i < rows; ++i) begin[i + 1] += begin[i];
  std::vector<Index> column(static_cast<std::size_t>(begin.back()));
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < rows; ++i)
    for (auto s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s) {
      const Index j = pattern.columns[s];
      column[static_cast<std::size_t>(next[i]++)] = j;
      column[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = static_cast<Index>(i);
    }
  const std::vector<float> size(column.size(), 1.0f);
  const Aggregates aggregates = aggregate(begin, column, size, 0, reach);
  std::vector<std::pair<Index, Index>> pairs;
  for (std::size_t i = 0; i < rows; ++i)
    for (auto s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s) {
      const Index a = aggregates.of[i], b = aggregates.of[static_cast<std::size_t>(pattern.columns[s])];
      if (a != b) pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const auto coarse = make_pattern(aggregates.count, pairs);
  const Ordering ordering = fill_reducing_order(*coarse, OrderingMethod::nested_dissection);
  const double ratio = static_cast<double>(rows) / std::max<Index>(1, aggregates.count);
  return predict_flops(*coarse, ordering.order) * ratio * ratio;
}

}  // namespace sinew
