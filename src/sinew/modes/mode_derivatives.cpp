#include "sinew/modes/mode_derivatives.h"

#include <algorithm>

#include "sinew/core/activity.h"

namespace sinew {
namespace {

// Pairs whose loads are held at once.
constexpr std::size_t pairs_at_once = 64;

MatX solved(RestBody& body, const StiffnessChange& change, const MatX& W,
            std::span<const std::pair<Index, Index>> pairs) {
  activity::begin("derivatives of modes of " + body.name(), static_cast<long>(pairs.size()));
  MatX result(body.size(), static_cast<Eigen::Index>(pairs.size()));
  for (std::size_t first = 0; first < pairs.size(); first += pairs_at_once) {
    const auto some = pairs.subspan(first, std::min(pairs_at_once, pairs.size() - first));
    result.middleCols(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(some.size())) =
        body.solve(change.loads(W, some));
    activity::reached(static_cast<long>(first + some.size()));
  }
  return result;
}

}  // namespace

MatX mode_derivatives(RestBody& body, const StiffnessChange& change, const MatX& U) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < U.cols(); ++i)
    for (Index j = i; j < U.cols(); ++j) pairs.emplace_back(i, j);
  return solved(body, change, U, pairs);
}

MatX higher_derivatives(RestBody& body, const StiffnessChange& change, const MatX& U, const MatX& V) {
  MatX W(body.size(), U.cols() + V.cols());
  W << U, V;
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i < U.cols(); ++i)
    for (Index j = 0; j < V.cols(); ++j) pairs.emplace_back(i, static_cast<Index>(U.cols()) + j);
  return solved(body, change, W, pairs);
}

}  // namespace sinew
