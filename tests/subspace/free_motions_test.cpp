// Weights of the motions that fixed lines and points leave free.
#include "sinew/subspace/free_motions.h"

#include "bases.h"
#include "support/domains.h"
#include <Eigen/LU>
#include <Eigen/QR>
#include <gtest/gtest.h>

namespace sinew::free_motions_test {

bool left(const Vec3& x) {
  return x[0] < -0.499;
}

struct Case {
  const char* name;
  bool (*fixed)(const Vec3&);
  Index handles;
};

// Of a bar of 1 x 0.2 x 0.2 in 10 x 2 x 2 cells.
constexpr Case cases[] = {
    {"nothing", [](const Vec3&) { return false; }, 0},
    {"point", [](const Vec3& x) { return left(x) && x.tail<2>().norm() < 1e-9; }, 3},
    {"line", [](const Vec3& x) { return left(x) && std::abs(x[1]) < 1e-9; }, 2},
    {"face", left, 0},
    {"two points", [](const Vec3& x) { return std::abs(x[0]) > 0.499 && x.tail<2>().norm() < 1e-9; }, 6},
    {"line and face", [](const Vec3& x) { return x[0] > 0.499 || (left(x) && std::abs(x[1]) < 1e-9); }, 2},
};

// Weights vanish at what is fixed; and where all of it is on lines and points, the affine functions that vanish there
// are combinations of weights.
TEST(FreeMotionHandles, SpanTheAffineFunctionsThatVanish) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Domain domain = test::domain_of(
        make_box(Vec3(1, 0.2, 0.2), {10, 2, 2}), [](const Vec3&) { return 1e5; }, c.fixed);
    const HandleBasis basis = free_motion_handles(domain);
    ASSERT_EQ(basis.handle_count(), c.handles);
    ASSERT_EQ(basis.vertex_count(), domain.vertex_count());
    if (c.handles == 0) continue;
    const MatX phi = test::dense_weights(basis);
    EXPECT_NEAR(phi.cwiseAbs().maxCoeff(), 1, 1e-15);
    Index fixed_count = 0;
    for (Index v = 0; v < domain.vertex_count(); ++v) fixed_count += domain.fixed[v];
    MatX at_fixed(fixed_count, 4);
    for (Index v = 0, k = 0; v < domain.vertex_count(); ++v) {
      if (!domain.fixed[v]) continue;
      EXPECT_TRUE(phi.row(v).isZero(0));
      at_fixed.row(k++) << 1, domain.vertices.col(v).transpose();
    }
    Eigen::FullPivLU<MatX> lu(at_fixed);
    lu.setThreshold(1e-9);
    if (lu.dimensionOfKernel() == 0) continue;
    MatX all(domain.vertex_count(), 4);
    all << VecX::Ones(all.rows()), domain.vertices.transpose();
    const MatX affine = all * lu.kernel(), q = phi.colPivHouseholderQr().solve(affine);
    EXPECT_LT((phi * q - affine).cwiseAbs().maxCoeff(), 1e-13 * affine.cwiseAbs().maxCoeff());
  }
}

}  // namespace sinew::free_motions_test
