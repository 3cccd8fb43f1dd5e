#include "sinew/linalg/gmres.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace sinew {
namespace {

struct Gmres : testing::TestWithParam<int> {
  int n = GetParam();
  MatX A = MatX::Random(n, n) + 0.5 * n * MatX::Identity(n, n);
  VecX b = VecX::Random(n);
  GmresResult solve(double tolerance, bool preconditioned, int most = 0) const {
    return gmres([&](const VecX& v, VecX& Av) { Av = A * v; },
                 [&](VecX& v) {
                   if (preconditioned) v = A.diagonal().cwiseInverse().cwiseProduct(v);
                 },
                 b, {tolerance, most});
  }
};

TEST_P(Gmres, ReachesItsTolerance) {
  for (const bool preconditioned : {false, true})
    for (const double tolerance : {1e-2, 1e-6, 1e-13}) {
      const GmresResult result = solve(tolerance, preconditioned);
      EXPECT_TRUE(result.converged);
      VecX r = b - A * result.x;
      VecX start = b;
      if (preconditioned) {
        r = A.diagonal().cwiseInverse().cwiseProduct(r);
        start = A.diagonal().cwiseInverse().cwiseProduct(start);
      }
      EXPECT_LE(r.norm(), (1 + 1e-6) * tolerance * start.norm() + 1e-14 * start.norm());
      EXPECT_NEAR(r.norm() / start.norm(), result.relative_residual, 1e-12);
      EXPECT_LE(result.iterations, n);
    }
}

TEST_P(Gmres, StopsAtItsIterations) {
  const GmresResult result = solve(1e-15, false, 1);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(result.converged, n == 1);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Gmres, testing::Values(1, 2, 7, 60));

TEST(Gmres, NoLoadHasNoSolution) {
  const GmresResult result = gmres([](const VecX& v, VecX& Av) { Av = v; }, [](VecX&) {}, VecX::Zero(5));
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.x, VecX::Zero(5));
}

// A load outside the range of a singular matrix.
TEST(Gmres, SingularSystemsDoNotConverge) {
  MatX A = MatX::Zero(3, 3);
  A(0, 0) = 1;
  const GmresResult result = gmres([&](const VecX& v, VecX& Av) { Av = A * v; }, [](VecX&) {}, VecX::Unit(3, 1));
  EXPECT_FALSE(result.converged && result.relative_residual < 1e-3);
}

}  // namespace
}  // namespace sinew
