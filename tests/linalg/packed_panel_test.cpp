#include "sinew/linalg/packed_panel.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/types.h"

namespace sinew {
namespace {

using kernel::PackedPanel;

MatX random_definite(Index n) {
  srand(static_cast<unsigned>(n));
  const MatX R = MatX::Random(n, n);
  return R * R.transpose() + n * MatX::Identity(n, n);
}

// A panel whose strips hold garbage at first.
struct Front {
  Front(const MatX& A, Index w)
      : L(A.leftCols(w)),
        storage(PackedPanel::size(static_cast<int>(A.rows()), w), std::numeric_limits<double>::quiet_NaN()),
        floor(w, 0.0),
        panel(L.data(), static_cast<int>(A.rows()), w, storage.data()) {}

  MatX L;
  std::vector<double> storage, floor;
  PackedPanel panel;
};

// Widths and heights about those of registers, strips and blocks of columns, against Eigen.
TEST(PackedPanel, FactorsAsADenseFactorisationDoes) {
  for (const Index w : {1, 2, 3, 7, 8, 9, 12, 23, 24, 25, 33, 60, 143, 144, 145, 168, 289, 300}) {
    for (const Index m : {0, 1, 3, 9, 24, 25, 30, 47, 48, 100, 289}) {
      const MatX A = random_definite(w + m);
      Front front(A, w);
      ASSERT_TRUE(front.panel.factor(front.floor.data()));
      const MatX L11 = A.topLeftCorner(w, w).llt().matrixL();
      const MatX L21 = L11.triangularView<Eigen::Lower>().solve(A.bottomLeftCorner(m, w).transpose()).transpose();
      const MatX top = front.L.topRows(w).triangularView<Eigen::Lower>();
      EXPECT_LE((top - L11).norm(), 1e-14 * L11.norm()) << w << " " << m;
      EXPECT_LE((front.L.bottomRows(m) - L21).norm(), 1e-14 * (L21.norm() + 1e-300)) << w << " " << m;

      // Tiles of 6 strips.
      constexpr int tile = 6 * kernel::strip_rows;
      const Index ld = (m + kernel::vector_rows - 1) / kernel::vector_rows * kernel::vector_rows;
      MatX C = MatX::Constant(ld, m, std::numeric_limits<double>::quiet_NaN());
      for (Index J = 0; J < m; J += tile)
        for (Index I = J; I < m; I += tile)
          front.panel.schur_complement(&C(I, J), ld, I, std::min(tile, m - I), J, std::min(tile, m - J));
      const MatX S = (L21 * L21.transpose()).triangularView<Eigen::Lower>();
      const MatX found = C.topRows(m).triangularView<Eigen::Lower>();
      EXPECT_LE((found + S).norm(), 1e-14 * (S.norm() + 1e-300)) << w << " " << m;
    }
  }
}

// Whichever strips a call takes.
TEST(PackedPanel, HasTheSameBitsStripByStrip) {
  const MatX A = random_definite(500);
  constexpr Index w = 310;
  Front whole(A, w), parts(A, w);
  ASSERT_TRUE(whole.panel.factor(whole.floor.data()));
  PackedPanel& panel = parts.panel;
  for (int K = 0; K < panel.blocks(); ++K) {
    for (int s = panel.strips(); s-- > panel.first_strip(K);) panel.update(K, s, s + 1);
    ASSERT_TRUE(panel.factor_diagonal(K, parts.floor.data()));
    for (int s = panel.strips(); s-- > panel.first_strip_below(K);) panel.solve(K, s, s + 1);
  }
  const auto lower = [](const MatX& L) { return MatX(L.triangularView<Eigen::Lower>()); };
  EXPECT_TRUE(lower(whole.L) == lower(parts.L));
}

TEST(PackedPanel, RefusesPivotsThatAreNotAboveTheirFloor) {
  const MatX A = random_definite(200);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Index j : {0, 7, 30, 150, 199}) {
    MatX indefinite = A;
    for (const double pivot : {-1.0, std::numeric_limits<double>::quiet_NaN(), infinity}) {
      indefinite(j, j) = pivot;
      Front front(indefinite, 200);
      EXPECT_FALSE(front.panel.factor(front.floor.data())) << j << " " << pivot;
    }
    Front front(A, 200);
    front.floor[j] = A(j, j);  // a pivot is at most its diagonal entry
    EXPECT_FALSE(front.panel.factor(front.floor.data())) << j;
  }
}

}  // namespace
}  // namespace sinew
