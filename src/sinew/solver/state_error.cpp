#include "sinew/solver/state_error.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {

// Estimate: factor mean |d_i|; motion: mean |x_i - x_i(start)|, both in metres (theory, section 8).
StateError state_error(const Points& x, const StepContext& context, const Points& d, double factor) {
  const Index n = static_cast<Index>(context.prescribed.size() / 3);
  const auto mean = [&](auto&& length) { return parallel_sum(n, length) / std::max<Index>(1, n); };
  return {factor * mean([&](std::size_t i) { return d.col(i).norm(); }),
          mean([&](std::size_t i) { return (x.col(i) - context.start.col(i)).norm(); })};
}

}  // namespace sinew
