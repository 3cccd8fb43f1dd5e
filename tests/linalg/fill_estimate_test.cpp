#include "sinew/linalg/fill_estimate.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/linalg/ordering.h"
#include "sinew/linalg/symbolic_factor.h"

namespace sinew {
namespace {

using namespace test;

double ratio(Index nx, Index ny, Index nz) {
  const auto pattern = make_pattern(nx * ny * nz, grid_pairs(nx, ny, nz));
  const Ordering order = fill_reducing_order(*pattern, OrderingMethod::nested_dissection);
  return estimated_factor_flops(*pattern) / predict_flops(*pattern, order.order);
}

TEST(FillEstimate, IsOfTheSizeOfTheFlops) {
  for (const double of_shape : {ratio(24, 24, 24), ratio(150, 10, 10), ratio(50, 50, 6)}) {
    EXPECT_GT(of_shape, 0.3);
    EXPECT_LT(of_shape, 4);
  }
}

}  // namespace
}  // namespace sinew
