#include "sinew/linalg/multigrid.h"

#include "linalg/spring_lattice.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/linalg/block_cg.h"
#include "sinew/linalg/block_rows_of.h"

namespace sinew {
namespace {

using namespace test;

Multigrid multigrid_of(const SpringLattice& lattice, const MatX& kernel = MatX(6, 0)) {
  MultigridOptions options;
  options.direct_rows = 100;
  return Multigrid(block_rows_of(lattice.A, lattice.fixed), lattice.rigid, kernel, options);
}

// B of all unit vectors.
MatX dense_preconditioner(Multigrid& B) {
  const Index n = 3 * B.rows();
  MatX result(n, n);
  StripVector<double> r(static_cast<std::size_t>(n) * strip_width);
  StripVector<float> z(r.size());
  for (Index first = 0; first < n; first += strip_width) {
    std::ranges::fill(r, 0.0);
    for (Index c = 0; c < strip_width && first + c < n; ++c)
      r[static_cast<std::size_t>((first + c) * strip_width + c)] = 1;
    B.apply(r.data(), z.data());
    for (Index c = 0; c < strip_width && first + c < n; ++c)
      for (Index i = 0; i < n; ++i) result(i, first + c) = z[static_cast<std::size_t>(i * strip_width + c)];
  }
  return result;
}

TEST(Multigrid, IsSymmetricAndNearTheInverse) {
  const SpringLattice lattice = spring_lattice(9, 5, 5, true);
  Multigrid B = multigrid_of(lattice);
  ASSERT_TRUE(B.is_definite());
  EXPECT_GT(B.level_rows().size(), 1u);
  const MatX dense_B = dense_preconditioner(B);
  EXPECT_LT((dense_B - dense_B.transpose()).norm(), 1e-5 * dense_B.norm());
  SymBlockMatrix held = lattice.A;
  held.constrain(lattice.fixed, 1);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatX> eigen(0.5 * (dense_B + dense_B.transpose()),
                                                             dense(held).inverse(), Eigen::EigenvaluesOnly);
  EXPECT_GT(eigen.eigenvalues()[0], 0.1);
}

int iterations(Index n) {
  const SpringLattice lattice = spring_lattice(n, n, n, true);
  const BlockRows<double, 3, 3> A = block_rows_of(lattice.A, lattice.fixed);
  Multigrid B = multigrid_of(lattice);
  EXPECT_TRUE(B.is_definite());
  if (!B.is_definite()) return 0;
  const VecX mass = VecX::Ones(3 * A.rows);
  const MatX kernel(3 * A.rows, 0);
  BlockConjugateGradients solver(A, B, mass, kernel);
  StripVector<double> r(static_cast<std::size_t>(mass.size()) * strip_width, 0.0), x(r.size(), 0.0);
  for (std::size_t k = 0; k < static_cast<std::size_t>(mass.size()); ++k) r[k * strip_width] = lattice.fixed[k] ? 0 : 1;
  double first = 0;
  int result = 0;
  EXPECT_TRUE(solver.solve(r.data(), x.data(), 200, [&](const BlockCgState& state) {
    if (state.iteration == 0) first = state.errors(0, 0);
    result = state.iteration;
    return state.errors(0, 0) < 1e-12 * first;
  }));
  return result;
}

TEST(Multigrid, ConvergesIndependentlyOfTheSize) {
  const int coarse = iterations(8), fine = iterations(24);
  EXPECT_GT(coarse, 0);
  EXPECT_LT(coarse, 25);
  EXPECT_LE(fine, 1.5 * coarse + 2);
}

TEST(Multigrid, HasTheSameBitsWithAnyNumberOfThreads) {
  const SpringLattice lattice = spring_lattice(20, 12, 12, true);
  StripVector<float> results[2];
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    Multigrid B = multigrid_of(lattice);
    ASSERT_TRUE(B.is_definite());
    StripVector<double> r(static_cast<std::size_t>(3 * B.rows()) * strip_width);
    for (std::size_t k = 0; k < r.size(); ++k) r[k] = static_cast<double>(k * 7919 % 1000) - 500;
    results[threads - 1].resize(r.size());
    B.apply(r.data(), results[threads - 1].data());
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace sinew
