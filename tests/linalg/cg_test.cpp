#include "sinew/linalg/cg.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

namespace sinew {
namespace {

struct Cg : testing::TestWithParam<int> {
  int n = GetParam();
  MatX G = MatX::Random(n, n);
  MatX A = G * G.transpose() + 0.1 * n * MatX::Identity(n, n);
  VecX b = VecX::Random(n);

  CgResult solve(const CgOptions& options, bool preconditioned) const {
    return cg([&](const VecX& v, VecX& Av) { Av = A * v; },
              [&](VecX& v) {
                if (preconditioned) v = A.diagonal().cwiseInverse().cwiseProduct(v);
              },
              b, options);
  }
};

TEST_P(Cg, ReachesItsTolerance) {
  for (const bool preconditioned : {false, true})
    for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
      const CgResult result = solve({tolerance, 10 * n}, preconditioned);
      EXPECT_EQ(result.end, CgEnd::converged);
      EXPECT_LE(result.relative_residual, tolerance);
      const auto norm = [&](const VecX& r) {
        return preconditioned ? std::sqrt(r.dot(A.diagonal().cwiseInverse().cwiseProduct(r))) : r.norm();
      };
      EXPECT_NEAR(norm(b - A * result.x) / norm(b), result.relative_residual, 1e-10);
    }
}

TEST_P(Cg, StopsAtItsIterations) {
  const CgResult result = solve({1e-15, 1}, false);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(result.end, n == 1 ? CgEnd::converged : CgEnd::iterations);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Cg, testing::Values(1, 2, 7, 60));

TEST(Cg, NoLoadHasNoSolution) {
  const CgResult result = cg([](const VecX& v, VecX& Av) { Av = v; }, [](VecX&) {}, VecX::Zero(5));
  EXPECT_EQ(result.end, CgEnd::converged);
  EXPECT_EQ(result.x, VecX::Zero(5));
}

// The exact preconditioner needs one iteration.
TEST(Cg, AnExactPreconditionerIsTheSolution) {
  const MatX G = MatX::Random(9, 9), A = G * G.transpose() + MatX::Identity(9, 9);
  const Eigen::LLT<MatX> factor(A);
  const VecX b = VecX::Random(9);
  const CgResult result = cg([&](const VecX& v, VecX& Av) { Av = A * v; }, [&](VecX& v) { v = factor.solve(v).eval(); },
                             b, {.tolerance = 1e-10});
  EXPECT_EQ(result.iterations, 1);
  EXPECT_LT((A * result.x - b).norm(), 1e-9 * b.norm());
}

TEST(Cg, SaysHowItEnds) {
  const VecX diagonal = (VecX(3) << 2, 1, -1).finished(), b = VecX::Ones(3);
  const auto product = [&](const VecX& v, VecX& Av) { Av = diagonal.cwiseProduct(v); };
  EXPECT_EQ(cg(
                product, [](VecX&) {}, b)
                .end,
            CgEnd::negative_curvature);
  const auto unknown = [](const VecX& v, VecX& Av) { Av = VecX::Constant(v.size(), std::nan("")); };
  EXPECT_EQ(cg(
                unknown, [](VecX&) {}, b)
                .end,
            CgEnd::breakdown);
  EXPECT_EQ(cg(
                product, [](VecX& v) { v = -v; }, b)
                .end,
            CgEnd::breakdown);
  for (const CgResult& result : {cg(
                                     product, [](VecX&) {}, b),
                                 cg(
                                     unknown, [](VecX&) {}, b)})
    EXPECT_TRUE(result.x.allFinite());
}

}  // namespace
}  // namespace sinew
