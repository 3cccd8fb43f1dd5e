// Terms of rank one: products, and solves by all solvers, against dense matrices.
#include "sinew/linalg/rank_correction.h"

#include <random>

#include "linalg/linalg_fixtures.h"
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/pcg.h"
#include "sinew/linalg/signed_factor.h"

namespace sinew::rank_correction_test {
namespace {

constexpr Index rows = 60;

// A chain with a shifted diagonal, and terms of rank one.
SymBlockMatrix chain(double shift, std::initializer_list<double> factors) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index i = 0; i + 1 < rows; ++i) pairs.emplace_back(i, i + 1);
  SymBlockMatrix A(make_pattern(rows, pairs));
  for (Index i = 0; i < rows; ++i) {
    Eigen::Map<Mat3>(A.block(A.pattern().find(i, i))) = (2.1 - shift) * Mat3::Identity();
    if (i + 1 < rows) Eigen::Map<Mat3>(A.block(A.pattern().find(i, i + 1))) = -Mat3::Identity();
  }
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const double factor : factors) {
    RankOne term{factor, {}, {}};
    for (Index i = 0; i < rows; i += 2) term.rows.push_back(i);
    term.u = Points(3, rows / 2);
    for (Index i = 0; i < term.u.size(); ++i) term.u.data()[i] = number(random);
    A.add_rank(std::move(term));
  }
  return A;
}

MatX dense_of(const SymBlockMatrix& A) {
  SymBlockMatrix blocks = A;
  MatX D(3 * rows, 3 * rows);
  const std::vector<RankOne> terms = blocks.take_ranks();
  for (Eigen::Index c = 0; c < D.cols(); ++c) {
    const VecX e = VecX::Unit(3 * rows, c);
    blocks.multiply(e.data(), D.col(c).data());
  }
  for (const RankOne& term : terms) {
    VecX u = VecX::Zero(3 * rows);
    for (std::size_t i = 0; i < term.rows.size(); ++i) u.segment<3>(3 * term.rows[i]) = term.u.col(i);
    D += term.factor * u * u.transpose();
  }
  return D;
}

double relative_error(const VecX& found, const VecX& expected) {
  return (found - expected).norm() / expected.norm();
}

TEST(RankOne, ProductsSumsAndConstraintsAreThoseOfDenseMatrices) {
  SymBlockMatrix A = chain(0, {3, 1e4});
  MatX D = dense_of(A);
  const VecX x = VecX::LinSpaced(3 * rows, -1, 2);
  VecX y(3 * rows), z(3 * rows);
  A.multiply(x.data(), y.data());
  EXPECT_LT(relative_error(y, D * x), 1e-14);
  EXPECT_NEAR(A.multiply_dot(x.data(), z.data()), x.dot(D * x), 1e-13 * x.dot(D * x));
  EXPECT_EQ(y, z);
  A.scale(-0.5);
  A.add(chain(0.3, {2}));
  D = -0.5 * D + dense_of(chain(0.3, {2}));
  A.multiply(x.data(), y.data());
  EXPECT_LT(relative_error(y, D * x), 1e-13);
  std::vector<char> fixed(3 * rows, 0);
  for (const int c : {0, 4, 17, 90}) {
    fixed[c] = 1;
    D.row(c).setZero();
    D.col(c).setZero();
    D(c, c) = 7;
  }
  A.constrain(fixed, 7);
  A.multiply(x.data(), y.data());
  EXPECT_LT(relative_error(y, D * x), 1e-13);
  A.set_zero();
  EXPECT_TRUE(A.ranks().empty());
}

TEST(RankOne, CholeskySolvesWithThem) {
  for (const double size : {1e-3, 1.0, 1e5}) {
    const SymBlockMatrix A = chain(0, {size, 2 * size});
    SparseCholesky solver;
    ASSERT_TRUE(solver.compute(A));
    const VecX b = VecX::LinSpaced(3 * rows, -1, 2);
    const VecX expected = dense_of(A).ldlt().solve(b);
    VecX x(3 * rows);
    EXPECT_TRUE(solver.solve(b.data(), x.data()).ok);
    EXPECT_LT(relative_error(x, expected), 1e-9) << size;
    MatX B(3 * rows, 2), X;
    B << b, 2 * b;
    solver.solve(B, X);
    EXPECT_LT(relative_error(X.col(1), 2 * expected), 1e-9) << size;
  }
}

TEST(RankOne, IterationsOfConjugateGradientsDoNotGrowWithThem) {
  const auto iterations = [](std::initializer_list<double> factors) {
    const SymBlockMatrix A = chain(0, factors);
    PcgSolver solver(std::make_unique<Jacobi>(), {.tolerance = 1e-10});
    EXPECT_TRUE(solver.compute(A));
    const VecX b = VecX::LinSpaced(3 * rows, -1, 2);
    VecX x = VecX::Zero(3 * rows);
    const LinearSolveReport report = solver.solve(b.data(), x.data());
    EXPECT_TRUE(report.ok) << report.reason;
    EXPECT_LT(relative_error(x, dense_of(A).ldlt().solve(b)), 1e-7);
    return report.iterations;
  };
  const int alone = iterations({});
  const int with_terms = iterations({1, 5, 1e3});
  EXPECT_LE(with_terms, alone + 20);
  EXPECT_LE(std::abs(iterations({1, 5, 1e6}) - with_terms), 3);
}

TEST(RankOne, SignedFactorCountsNegativeEigenvalues) {
  for (const double shift : {0.0, 0.3, 1.13, 2.9})
    for (const double size : {-50.0, 0.5, 50.0}) {
      const SymBlockMatrix A = chain(shift, {size, 3});
      const Eigen::SelfAdjointEigenSolver<MatX> eigen(dense_of(A));
      SignedFactor factor;
      ASSERT_TRUE(factor.compute(A));
      EXPECT_EQ(factor.negative(), (eigen.eigenvalues().array() < 0).count()) << shift << " " << size;
      const VecX x = VecX::LinSpaced(3 * rows, -1, 2);
      VecX b(3 * rows), found(3 * rows);
      A.multiply(x.data(), b.data());
      factor.solve(b.data(), found.data());
      EXPECT_LT(relative_error(found, x), 1e-8) << shift << " " << size;
    }
}

}  // namespace
}  // namespace sinew::rank_correction_test
