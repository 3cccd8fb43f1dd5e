#include "sinew/linalg/signed_factor.h"

#include "linalg/linalg_fixtures.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace sinew {
namespace {

// A shifted Laplacian of a chain with random symmetric couplings: the shift decides how many eigenvalues are negative.
SymBlockMatrix shifted_chain(Index rows, double shift) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i + 1 < rows; ++i) pairs.emplace_back(i, i + 1);
  SymBlockMatrix A(make_pattern(rows, pairs));
  for (Index i = 0; i < rows; ++i) {
    Eigen::Map<Mat3>(A.block(A.pattern().find(i, i))) = (2.0 - shift) * Mat3::Identity();
    if (i + 1 == rows) continue;
    const Mat3 coupling = -Mat3::Identity() + 0.1 * Mat3{{0, 1, 2}, {-1, 0, 1}, {1, 0.5, 0}} * std::sin(1.0 + i);
    Eigen::Map<Mat3>(A.block(A.pattern().find(i, i + 1))) = coupling;
  }
  return A;
}

MatX dense_of(const SymBlockMatrix& A) {
  const Eigen::Index n = 3 * A.rows();
  MatX D(n, n);
  for (Eigen::Index c = 0; c < n; ++c) {
    const VecX e = VecX::Unit(n, c);
    A.multiply(e.data(), D.col(c).data());
  }
  return D;
}

TEST(SignedFactor, SolvesAndCountsNegativeEigenvalues) {
  for (const double shift : {-0.5, 0.3, 1.1, 2.9}) {
    const SymBlockMatrix A = shifted_chain(40, shift);
    SignedFactor factor;
    ASSERT_TRUE(factor.compute(A));
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(dense_of(A));
    EXPECT_EQ(factor.negative(), (eigen.eigenvalues().array() < 0).count()) << shift;
    const VecX x = VecX::LinSpaced(120, -1, 2);
    VecX b(120), found(120);
    A.multiply(x.data(), b.data());
    EXPECT_LT(factor.solve(b.data(), found.data()), 1e-12);
    EXPECT_LT((found - x).norm(), 1e-9 * x.norm()) << shift;
  }
}

TEST(SignedFactor, RefusesSingularAndInfiniteMatrices) {
  SymBlockMatrix A = shifted_chain(3, 0);
  A.set_zero();
  SignedFactor factor;
  EXPECT_FALSE(factor.compute(A));
  A.block(0)[0] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(factor.compute(A));
}

}  // namespace
}  // namespace sinew
