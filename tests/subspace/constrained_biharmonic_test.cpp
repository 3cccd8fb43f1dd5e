#include "sinew/subspace/constrained_biharmonic.h"

#include "bases.h"
#include "support/domains.h"
#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "sinew/mesh/primitives.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

using test::domain_of;

struct Problem {
  SparseMatrix L;
  VecX mass;
  std::vector<char> prescribed;
  VecX values;
};

// A box, stiffer by `ratio` in a ball; 1 at one vertex, 0 at another and on the side x = -1.
Problem problem(double ratio) {
  const Domain domain =
      domain_of(make_box({2, 1, 1}, {8, 4, 4}), [&](const Vec3& x) { return x.norm() < 0.4 ? ratio : 1.0; });
  Problem p;
  p.L = stiffness_laplacian(domain.vertices, domain.tets, domain.volume, domain.young);
  p.mass = lumped_volume(domain.vertex_count(), domain.tets, domain.volume);
  p.prescribed.assign(domain.vertex_count(), 0);
  p.values = VecX::Zero(domain.vertex_count());
  for (Index v = 0; v < domain.vertex_count(); ++v) {
    const Vec3 x = domain.vertices.col(v);
    if (x.isApprox(Vec3(0.25, 0, 0))) p.prescribed[v] = 1, p.values[v] = 1;
    if (x.isApprox(Vec3(0.75, 0, 0)) || x[0] < -0.99) p.prescribed[v] = 1;
  }
  return p;
}

// K_FF u_F = -K_FC u_C in higher precision, dense.
VecX reference(const Problem& p) {
  using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Matrix L = MatX(p.L).cast<long double>();
  const Matrix K = L * p.mass.cast<long double>().cwiseInverse().asDiagonal() * L;
  std::vector<Index> free;
  for (Index v = 0; v < p.mass.size(); ++v) {
    if (!p.prescribed[v]) free.push_back(v);
  }
  const Vector b = -(K * p.values.cast<long double>());
  const Vector u = K(free, free).llt().solve(Vector(b(free)));
  VecX result = p.values;
  for (std::size_t i = 0; i < free.size(); ++i) result[free[i]] = static_cast<double>(u[static_cast<Index>(i)]);
  return result;
}

// CG stops at 1e-10; u may lose the square root of the condition of its matrix, which is under the number of vertices.
constexpr double tolerance = 1e-8;

TEST(ConstrainedBiharmonic, SolvesTheBilaplacian) {
  const Problem p = problem(1);
  const BiharmonicSolution solution = solve_biharmonic(p.L, p.mass, p.prescribed, p.values);
  EXPECT_EQ(solution.quality, BiharmonicQuality::exact);
  EXPECT_LT((solution.u - reference(p)).cwiseAbs().maxCoeff(), tolerance);
}

TEST(ConstrainedBiharmonic, BearsStiffnessRatios) {
  for (double ratio : {1e-6, 1e3, 1e6}) {
    const Problem p = problem(ratio);
    const BiharmonicSolution solution = solve_biharmonic(p.L, p.mass, p.prescribed, p.values);
    EXPECT_EQ(solution.quality, BiharmonicQuality::exact);
    EXPECT_LT((solution.u - reference(p)).cwiseAbs().maxCoeff(), 1e-7) << ratio;
    EXPECT_LT(solution.iterations, 100) << ratio;
  }
}

// Rounding leaves nothing of the soft part in K at this ratio; the solution still is that of the limit, a stiff ball of
// one value.
TEST(ConstrainedBiharmonic, ReachesTheLimitOfStiffParts) {
  const VecX u = solve_biharmonic(problem(1e10).L, problem(1e10).mass, problem(1).prescribed, problem(1).values).u;
  const VecX limit = solve_biharmonic(problem(1e7).L, problem(1e7).mass, problem(1).prescribed, problem(1).values).u;
  EXPECT_LT((u - limit).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(ConstrainedBiharmonic, OneValueGivesTheConstant) {
  Problem p = problem(1e4);
  p.prescribed.assign(p.prescribed.size(), 0);
  p.prescribed[5] = 1;
  p.values.setZero();
  p.values[5] = 3;
  const BiharmonicSolution solution = solve_biharmonic(p.L, p.mass, p.prescribed, p.values);
  EXPECT_LT((solution.u.array() - 3).abs().maxCoeff(), tolerance);
}

TEST(ConstrainedBiharmonic, AllPrescribed) {
  Problem p = problem(1);
  p.prescribed.assign(p.prescribed.size(), 1);
  EXPECT_EQ(solve_biharmonic(p.L, p.mass, p.prescribed, p.values).u, p.values);
}

TEST(ConstrainedBiharmonic, SaysWhatCannotBeSolved) {
  Problem p = problem(1);
  p.L *= -1;
  const BiharmonicSolution solution = solve_biharmonic(p.L, p.mass, p.prescribed, p.values);
  EXPECT_EQ(solution.quality, BiharmonicQuality::failed);
  EXPECT_EQ(solution.u, p.values);
}

}  // namespace
}  // namespace sinew
