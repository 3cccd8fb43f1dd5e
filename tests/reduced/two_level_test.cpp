#include "sinew/reduced/two_level.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/linalg/pcg.h"

namespace sinew {
namespace {

using namespace test;

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

  int iterations(bool joined) const {
    auto preconditioner = std::make_unique<TwoLevelPreconditioner>();
    if (joined) preconditioner->set_joined(rows);
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
TEST(TwoLevelPreconditioner, EliminatedContactsCostNoIterations) {
  const Touching soft(0), stiff(1e4), stiffer(1e8);
  const int without = soft.iterations(false);
  EXPECT_LE(soft.iterations(true), without + 2);
  EXPECT_LE(stiff.iterations(true), without + 8);
  EXPECT_LE(stiffer.iterations(true), without + 8);
  EXPECT_GT(stiff.iterations(false), 2 * without);
}

}  // namespace
}  // namespace sinew
