#include "sinew/linalg/block_cg.h"

#include "linalg/spring_lattice.h"
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/linalg/block_rows_of.h"
#include "sinew/linalg/dense_decompositions.h"

namespace sinew {
namespace {

using namespace test;

// A x = b of `columns` given columns; the others are zero.
MatX solved(const SpringLattice& lattice, const MatX& b, const MatX& kernel) {
  const BlockRows<double, 3, 3> A = block_rows_of(lattice.A, lattice.fixed);
  const MatX combinations =
      kernel.cols() > 0
          ? MatX((lattice.rigid.transpose() * lattice.rigid).inverse() * lattice.rigid.transpose() * kernel)
          : MatX(6, 0);
  Multigrid B(A, lattice.rigid, combinations);
  const VecX mass = VecX::Ones(3 * A.rows);
  BlockConjugateGradients solver(A, B, mass, kernel);
  StripVector<double> r(static_cast<std::size_t>(mass.size()) * strip_width, 0.0), x(r.size(), 0.0);
  for (Eigen::Index i = 0; i < b.rows(); ++i)
    for (Eigen::Index c = 0; c < b.cols(); ++c) r[static_cast<std::size_t>(i * strip_width + c)] = b(i, c);
  double first = 0;
  EXPECT_TRUE(solver.solve(r.data(), x.data(), 200, [&](const BlockCgState& state) {
    if (state.iteration == 0) first = state.errors.trace();
    return state.errors.trace() < 1e-24 * first;
  }));
  MatX result(b.rows(), strip_width);
  for (Eigen::Index i = 0; i < b.rows(); ++i)
    for (int c = 0; c < strip_width; ++c) result(i, c) = x[static_cast<std::size_t>(i * strip_width + c)];
  EXPECT_TRUE(result.rightCols(strip_width - b.cols()).isZero(0));
  return result.leftCols(b.cols());
}

TEST(BlockConjugateGradients, SolveForDependentColumns) {
  const SpringLattice lattice = spring_lattice(8, 5, 5, true);
  MatX b(lattice.rigid.rows(), 4);
  for (int c = 0; c < 3; ++c) b.col(c) = random_vector(b.rows(), static_cast<unsigned>(c));
  for (Eigen::Index i = 0; i < b.rows(); ++i)
    if (lattice.fixed[static_cast<std::size_t>(i)]) b.row(i).setZero();
  b.col(3) = b.col(0) - 2 * b.col(1);
  SymBlockMatrix held = lattice.A;
  held.constrain(lattice.fixed, 1);
  const MatX expected = dense(held).ldlt().solve(b);
  EXPECT_LT((solved(lattice, b, MatX(b.rows(), 0)) - expected).norm(), 1e-9 * expected.norm());
}

TEST(BlockConjugateGradients, SolveForBalancedLoadsOfASingularMatrix) {
  const SpringLattice lattice = spring_lattice(8, 5, 5, false);
  const MatX R = orthonormal_columns(lattice.rigid);
  MatX b(R.rows(), 2);
  for (int c = 0; c < 2; ++c) b.col(c) = random_vector(b.rows(), static_cast<unsigned>(c));
  b -= R * (R.transpose() * b).eval();
  const MatX x = solved(lattice, b, R);
  EXPECT_LT((dense(lattice.A) * x - b).norm(), 1e-8 * b.norm());
  EXPECT_LT((R.transpose() * x).norm(), 1e-5 * x.norm());
}

}  // namespace
}  // namespace sinew
