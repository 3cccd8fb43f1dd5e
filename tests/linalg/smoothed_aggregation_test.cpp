#include "sinew/linalg/smoothed_aggregation.h"

#include "linalg/spring_lattice.h"
#include <gtest/gtest.h>

#include "sinew/linalg/block_rows_of.h"
#include "sinew/linalg/block_rows_products.h"

namespace sinew {
namespace {

using namespace test;

template <int R, int C>
MatX dense_rows(const BlockRows<double, R, C>& A) {
  MatX result = MatX::Zero(R * A.rows, C * A.columns);
  for (Index i = 0; i < A.rows; ++i)
    for (auto s = A.begin[static_cast<std::size_t>(i)]; s < A.begin[static_cast<std::size_t>(i) + 1]; ++s)
      result.block<R, C>(R * i, C * A.column[static_cast<std::size_t>(s)]) =
          Eigen::Map<const Eigen::Matrix<double, R, C, Eigen::RowMajor>>(A.block(s));
  return result;
}

TEST(BlockRows, HoldAllBlocksOfASymmetricMatrix) {
  const SpringLattice lattice = spring_lattice(4, 3, 3, true);
  EXPECT_EQ(dense_rows(block_rows_of(lattice.A, {})), dense(lattice.A));
  const MatX held = dense_rows(block_rows_of(lattice.A, lattice.fixed));
  for (Eigen::Index i = 0; i < held.rows(); ++i)
    for (Eigen::Index j = 0; j < held.cols(); ++j) {
      const bool is_held = lattice.fixed[static_cast<std::size_t>(i)] || lattice.fixed[static_cast<std::size_t>(j)];
      EXPECT_EQ(held(i, j), is_held && i != j ? 0 : dense(lattice.A)(i, j));
    }
}

// Free bodies have rigid motions that all levels hold exactly, and coarse matrices have them as kernel.
TEST(SmoothedAggregation, KeepsTheKernel) {
  const SpringLattice lattice = spring_lattice(10, 6, 6, false);
  BlockRows<double, 3, 3> A = block_rows_of(lattice.A, {});
  MatX B = lattice.rigid;
  const std::vector<double> scaling = scale_to_unit_diagonal<3>(A);
  scale_vectors<3>(scaling, B);
  EXPECT_LT((dense_rows(A) * B).norm(), 1e-10 * B.norm());
  const double largest = largest_eigenvalue<3>(rounded(A));
  const Coarsening<3> coarse = coarsen<3>(A, B, largest, {});
  EXPECT_LT((dense_rows(coarse.P) * coarse.near_kernel - B).norm(), 1e-10 * B.norm());
  const MatX Ac = dense_rows(coarse.A);
  EXPECT_LT((Ac * coarse.near_kernel).norm(), 1e-10 * coarse.near_kernel.norm());
  const MatX P = dense_rows(coarse.P);
  EXPECT_LT((P.transpose() * dense_rows(A) * P - Ac).norm(), 1e-10 * Ac.norm());
  EXPECT_LT((Ac.diagonal().array() - 1).abs().maxCoeff(), 1e-10);
}

TEST(BlockRows, HaveProductsAndTransposes) {
  const SpringLattice lattice = spring_lattice(6, 4, 4, false);
  BlockRows<double, 3, 3> A = block_rows_of(lattice.A, {});
  const Coarsening<3> coarse = coarsen<3>(A, lattice.rigid, 10, {});
  const MatX P = dense_rows(coarse.P);
  EXPECT_EQ(dense_rows(transposed(coarse.P)), P.transpose());
  EXPECT_LT((dense_rows(product(A, coarse.P)) - dense_rows(A) * P).norm(), 1e-12 * P.norm() * dense_rows(A).norm());
}

}  // namespace
}  // namespace sinew
