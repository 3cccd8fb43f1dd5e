#include "sinew/linalg/row_elimination.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/pcg.h"

namespace sinew {
namespace {

using namespace test;

struct Split {
  MatX JJ, JR, RR;
  std::vector<Index> J, R;  // scalar indices

  Split(const SymBlockMatrix& A, const std::vector<Index>& rows) {
    for (Index i = 0, k = 0; i < A.rows(); ++i) {
      const bool eliminated = k < static_cast<Index>(rows.size()) && rows[k] == i;
      k += eliminated;
      for (int a = 0; a < 3; ++a) (eliminated ? J : R).push_back(3 * i + a);
    }
    const MatX all = dense(A);
    JJ = all(J, J);
    JR = all(J, R);
    RR = all(R, R);
  }
};

std::vector<Index> every(int stride, Index count) {
  std::vector<Index> rows;
  for (Index row = stride / 2; row < count; row += stride) rows.push_back(row);
  return rows;
}

// Both halves against dense elimination. Factor and coupling are in single precision: solutions are right to about
// that, times the condition of these well-shifted rows.
TEST(RowElimination, HalvesEqualDenseOnes) {
  const SymBlockMatrix A = random_matrix(make_pattern(200, random_pairs(200, 1500, 1)), 2);
  const VecX r = random_vector(600, 3), start = random_vector(600, 4);
  RowElimination elimination;
  for (const int stride : {1, 2, 7, 7, 3}) {
    const std::vector<Index> rows = every(stride, 200);
    const Split split(A, rows);
    ASSERT_TRUE(elimination.compute(A, rows));
    ASSERT_FALSE(elimination.empty());
    VecX t = VecX::Constant(600, 5), z = start;
    elimination.forward(r.data(), t.data());
    elimination.backward(r.data(), z.data());
    const VecX inner = split.JJ.ldlt().solve(VecX(r(split.J)));
    EXPECT_TRUE(t(split.J).isZero(0));
    EXPECT_TRUE(z(split.R) == start(split.R)) << "other rows changed";
    EXPECT_LT((z(split.J) - split.JJ.ldlt().solve(VecX(r(split.J) - split.JR * start(split.R)))).norm(),
              1e-5 * z.norm());
    if (!split.R.empty()) {
      EXPECT_LT((t(split.R) - (r(split.R) - split.JR.transpose() * inner)).norm(), 1e-5 * r.norm());
    }
  }
}

// With the exact inverse of the Schur complement between them the halves are the inverse of A.
TEST(RowElimination, AroundTheSchurComplementIsTheInverse) {
  const SymBlockMatrix A = random_matrix(make_pattern(120, grid_pairs(6, 5, 4)), 8);
  const std::vector<Index> rows = every(3, 120);
  const Split split(A, rows);
  const VecX r = random_vector(360, 9);
  RowElimination elimination;
  ASSERT_TRUE(elimination.compute(A, rows));
  VecX t(360), z = VecX::Zero(360), Az(360);
  elimination.forward(r.data(), t.data());
  const MatX schur = split.RR - split.JR.transpose() * split.JJ.ldlt().solve(split.JR);
  const VecX solved = schur.ldlt().solve(VecX(t(split.R)));
  z(split.R) = solved;
  elimination.backward(r.data(), z.data());
  A.multiply(z.data(), Az.data());
  EXPECT_LT((Az - r).norm(), 1e-5 * r.norm());
}

TEST(RowElimination, NoRowsAndIndefiniteOnesEliminateNothing) {
  SymBlockMatrix A = random_matrix(make_pattern(50, random_pairs(50, 200, 4)), 5);
  RowElimination elimination;
  EXPECT_TRUE(elimination.compute(A, {}));
  EXPECT_TRUE(elimination.empty());
  A.block(A.pattern().row_begin[20])[4] = -1;
  const std::vector<Index> with{3, 20, 40}, without{3, 21, 40};
  EXPECT_FALSE(elimination.compute(A, with));
  EXPECT_TRUE(elimination.empty());
  EXPECT_TRUE(elimination.compute(A, without));
  EXPECT_FALSE(elimination.empty());
}

// After a reset the bits are those of a new one, whatever came before; and so they are when values change and rows
// do not.
TEST(RowElimination, ForgetsWhenReset) {
  const auto pattern = make_pattern(300, grid_pairs(10, 6, 5));
  const SymBlockMatrix A = random_matrix(pattern, 7), other = random_matrix(pattern, 12);
  const VecX r = random_vector(900, 8);
  std::vector<Index> some;
  for (Index row = 0; row < 300; ++row)
    if (row % 5 != 1) some.push_back(row);
  const auto result = [&](RowElimination& elimination) {
    VecX t(900), z = VecX::Zero(900);
    elimination.forward(r.data(), t.data());
    elimination.backward(t.data(), z.data());
    return VecX(t + z);
  };
  RowElimination used, fresh;
  ASSERT_TRUE(used.compute(A, every(1, 300)));
  used.reset();
  ASSERT_TRUE(used.compute(A, some));
  ASSERT_TRUE(fresh.compute(A, some));
  EXPECT_TRUE(result(used) == result(fresh));
  RowElimination third;
  ASSERT_TRUE(used.compute(other, some));
  ASSERT_TRUE(third.compute(other, some));
  EXPECT_TRUE(result(used) == result(third));
  EXPECT_FALSE(result(used) == result(fresh));
}

// Block Jacobi of the rows that are not eliminated.
class EliminatedJacobi : public Preconditioner {
 public:
  explicit EliminatedJacobi(std::vector<Index> rows) : rows_(std::move(rows)) {}
  bool compute(const NewtonSystem& system) override {
    t_.resize(3 * static_cast<std::size_t>(system.H.rows()));
    elimination_.compute(system.H, rows_);
    return jacobi_.compute(system);
  }
  void apply(const double* r, double* z) const override {
    if (elimination_.empty()) return jacobi_.apply(r, z);
    elimination_.forward(r, t_.data());
    jacobi_.apply(t_.data(), z);
    elimination_.backward(r, z);
  }

 private:
  std::vector<Index> rows_;
  BlockJacobi jacobi_;
  mutable RowElimination elimination_;
  mutable std::vector<double> t_;
};

// A grid, and contacts: stiff rank-one terms k n n^T that join four vertices each, two on either side.
struct Touching {
  static constexpr Index count = 30;
  SymBlockMatrix H;
  std::vector<Index> rows;  // with contacts

  explicit Touching(double stiffness) {
    constexpr Index nx = 14, ny = 14, nz = 6, rows_in_all = nx * ny * nz;
    const std::shared_ptr<const BlockPattern> mesh = make_pattern(rows_in_all, grid_pairs(nx, ny, nz));
    Pairs pairs;
    std::vector<std::array<Index, 4>> contacts;
    for (Index c = 0; c < count; ++c) {  // between the halves of the bottom layer
      const Index i = c % 6, j = 2 * (c / 6), a = (i * ny + j) * nz, b = ((i + 7) * ny + j) * nz;
      contacts.push_back({a, a + nz, b, b + nz});
      for (const Index p : contacts.back())
        for (const Index q : contacts.back()) pairs.emplace_back(std::min(p, q), std::max(p, q));
    }
    H.set_pattern(extend_pattern(*mesh, pairs));
    for (Index row = 0; row < rows_in_all; ++row) {
      for (auto s = mesh->row_begin[row] + 1; s < mesh->row_begin[row + 1]; ++s) {
        const Index column = mesh->columns[s];
        for (int k = 0; k < 3; ++k) {
          H.block(H.pattern().find(row, column))[4 * k] -= 1;
          H.block(H.pattern().row_begin[row])[4 * k] += 1;
          H.block(H.pattern().row_begin[column])[4 * k] += 1;
        }
      }
      for (int k = 0; k < 3; ++k) H.block(H.pattern().row_begin[row])[4 * k] += 0.5;
    }
    std::vector<char> touches(rows_in_all, 0);
    for (const auto& contact : contacts) {
      const double weight[4] = {0.7, 0.3, -0.4, -0.6};
      const Vec3 n = Vec3(0.3, 1, -0.2).normalized();
      for (int p = 0; p < 4; ++p) {
        touches[contact[p]] = 1;
        for (int q = 0; q < 4; ++q)
          if (contact[p] <= contact[q])
            Eigen::Map<Mat3>(H.block(H.pattern().find(contact[p], contact[q]))) +=
                stiffness * weight[p] * weight[q] * n * n.transpose();
      }
    }
    for (Index row = 0; row < rows_in_all; ++row)
      if (touches[row]) rows.push_back(row);
  }

  int iterations(bool eliminated) const {
    auto preconditioner = std::make_unique<EliminatedJacobi>(eliminated ? rows : std::vector<Index>());
    PcgSolver solver(std::move(preconditioner), {.tolerance = 1e-8});
    EXPECT_TRUE(solver.compute(H));
    const VecX b = random_vector(3 * H.rows(), 1);
    VecX x = VecX::Zero(b.size()), Hx(b.size());
    const LinearSolveReport report = solver.solve(b.data(), x.data());
    EXPECT_TRUE(report.ok) << report.reason;
    H.multiply(x.data(), Hx.data());
    EXPECT_LT((b - Hx).norm(), 1e-7 * b.norm());
    return report.iterations;
  }
};

// Eliminated, contacts cost next to nothing however stiff; one by one nearly an iteration for every vertex.
TEST(RowElimination, EliminatedContactsCostNoIterations) {
  const Touching soft(0), stiff(1e4), stiffer(1e8);
  const int without = soft.iterations(false);
  EXPECT_LE(soft.iterations(true), without + 2);
  EXPECT_LE(stiff.iterations(true), without + 8);
  EXPECT_LE(stiffer.iterations(true), without + 8);
  EXPECT_GT(stiff.iterations(false), 2 * without);
}

}  // namespace
}  // namespace sinew
