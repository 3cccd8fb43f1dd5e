// Reduced elastic Hessians by regions: exact where they are formed anew, and true to the last step elsewhere.
#include "sinew/adaptive/region_hessians.h"

#include "linalg/linalg_fixtures.h"
#include "solver/bent_bar.h"
#include "solver/mode_columns.h"
#include <Eigen/Eigenvalues>

#include "sinew/partition/domain.h"
#include "sinew/partition/partition.h"
#include "sinew/subspace/skinning_eigenmodes.h"

namespace sinew {
namespace {

using namespace test;

// The bar with regions and a basis of eigenmodes.
struct Regions {
  Bent bent;
  ModeBasis basis;
  std::unique_ptr<RegionHessians> regions;
  std::unique_ptr<ModeTransfer> transfer;

  explicit Regions(Index count, double range = 1e3, Index handles = 3, Index dense_modes = 0)
      : bent([](SolverSetup&) {}, range) {
    if (dense_modes > 0) hold_some_axes(bent);
    const Domain domain = make_domain(*bent.system, bent.context.prescribed);
    basis = {skinning_eigenmodes(domain, handles), waves(bent, dense_modes)};
    PartitionOptions options;
    options.method = "metis";
    options.handles = count;
    const Partition partition = make_partition(domain, options);
    regions = std::make_unique<RegionHessians>(bent.system, partition.tet_cluster, partition.cluster_count());
    regions->set_basis(basis, bent.context.prescribed);
    transfer = std::make_unique<ModeTransfer>(basis, bent.system->rest.leftCols(bent.system->dynamic_count));
  }

  Index n() const { return bent.system->dynamic_count; }

  RegionHessians::Report evaluate(const Points& x, const VecX& s = {}, double trust = 1e300,
                                  Projection projection = Projection::psd) {
    return regions->evaluate(x, bent.context.scale, {s.data(), static_cast<std::size_t>(s.size())}, {}, trust,
                             projection);
  }

  // U^T f without fixed coordinates.
  VecX project(Points f) const {
    for (Index i = 0; i < 3 * n(); ++i)
      if (bent.context.prescribed[i]) f.data()[i] = 0;
    VecX r(12 * basis.block_count());
    transfer->restrict_to(f.data(), r.data());
    return r;
  }

  // The sum of all B_l, dense.
  MatX sum() const {
    std::vector<std::pair<Index, Index>> pairs;
    for (const auto& [i, j] : regions->pairs())
      for (Index p = 0; p < 4; ++p)
        for (Index q = i == j ? p : 0; q < 4; ++q) pairs.emplace_back(4 * i + p, 4 * j + q);
    SymBlockMatrix A(make_pattern(4 * basis.block_count(), pairs));
    regions->add_to(A);
    return dense(A);
  }

  // U^T K U with the projected elastic Hessian of some tets.
  MatX exact(const Points& x, const std::vector<Index>& tets) {
    Points g = Points::Zero(3, n());
    SymBlockMatrix K(bent.potential->mesh_pattern());
    const std::vector<double> ones(tets.size(), 1.0);
    bent.potential->elastic().add_derivatives(x, tets, ones, bent.context.scale, Projection::psd, g, K);
    K.constrain(bent.context.prescribed, 0);
    const MatX U = mode_columns(bent, basis, std::vector<char>(n(), 0));
    return U.transpose() * dense(K) * U;
  }

  Points gradient(const Points& x, const std::vector<Index>& tets) const {
    Points g = Points::Zero(3, n());
    const std::vector<double> ones(tets.size(), 1.0);
    const System& s = *bent.system;
    const LinearTetEnergy elastic(s.rest, s.tets, s.groups, s.dynamic_count);
    elastic.add_gradient(x, tets, ones, bent.context.scale, g);
    return g;
  }

  std::vector<Index> soft_tets() const {
    std::vector<Index> tets;
    for (Index t = 0; t < bent.system->tet_count(); ++t)
      if (regions->is_soft(t)) tets.push_back(t);
    return tets;
  }

  // x + U s without fixed coordinates.
  Points stepped(const VecX& s) const {
    Points u = Points::Zero(3, bent.system->vertex_count());
    transfer->add_lifted(s.data(), bent.context.prescribed.data(), u.data());
    return bent.x + u;
  }
};

VecX small_step(Index size) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-2e-3, 2e-3);
  VecX s(size);
  for (double& value : s) value = uniform(random);
  return s;
}

TEST(RegionHessians, AddUpToTheReducedHessian) {
  for (const auto& [count, dense_modes] : {std::pair(1, 0), {6, 0}, {40, 0}, {1, 5}, {6, 17}, {40, 24}}) {
    Regions r(count, 1e3, 3, dense_modes);
    const auto report = r.evaluate(r.bent.x);
    EXPECT_EQ(report.renewed, r.regions->region_count());
    const MatX expected = r.exact(r.bent.x, r.soft_tets());
    EXPECT_LT((r.sum() - expected).norm(), 1e-12 * expected.norm()) << count << " regions";
    Points g = Points::Zero(3, r.n());
    r.regions->add_gradient(g);
    const Points all = r.gradient(r.bent.x, r.soft_tets());
    EXPECT_LT((g - all).norm(), 1e-13 * all.norm());
  }
}

// With some vertices that move by themselves: their tets are left out, and only regions with such tets are renewed.
TEST(RegionHessians, LeaveOutTetsOfOtherVertices) {
  Regions r(12);
  r.evaluate(r.bent.x);
  std::vector<char> other(r.n(), 0);
  for (Index i = 0; i < r.n(); ++i) other[i] = r.bent.system->rest(0, i) > 0.25;
  r.regions->set_rigid(other);
  const auto report = r.evaluate(r.bent.x);
  EXPECT_GT(report.renewed, 0);
  EXPECT_LT(report.renewed, r.regions->region_count());
  std::size_t exact = 0;
  for (Index t = 0; t < r.bent.system->tet_count(); ++t) {
    bool soft = true;
    for (int k = 0; k < 4; ++k) soft &= !other[r.bent.system->tets(k, t)];
    EXPECT_EQ(r.regions->is_soft(t), soft);
    exact += !soft;
  }
  EXPECT_EQ(r.regions->exact_tets().size(), exact);
  const MatX expected = r.exact(r.bent.x, r.soft_tets());
  EXPECT_LT((r.sum() - expected).norm(), 1e-12 * expected.norm());
  Points g = Points::Zero(3, r.n());
  r.regions->add_gradient(g);
  const Points soft = r.gradient(r.bent.x, r.soft_tets());
  EXPECT_LT((g - soft).norm(), 1e-13 * soft.norm());
}

// The secant condition, which the sum inherits from each region, and the definiteness of BFGS.
TEST(RegionHessians, FollowTheLastStep) {
  for (const Index dense_modes : {0, 17}) {
    Regions r(12, 1e3, 3, dense_modes);
    r.evaluate(r.bent.x);
    const VecX s = small_step(12 * r.basis.block_count());
    const Points x = r.stepped(s);
    const auto report = r.evaluate(x, s);
    EXPECT_EQ(report.updated, r.regions->region_count());
    EXPECT_EQ(report.renewed, 0);
    const VecX y = r.project(r.gradient(x, r.soft_tets())) - r.project(r.gradient(r.bent.x, r.soft_tets()));
    const MatX B = r.sum();
    EXPECT_LT((B * s - y).norm(), 1e-10 * y.norm());
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(B);
    EXPECT_GT(eigen.eigenvalues()[0], -1e-12 * eigen.eigenvalues().reverse()[0]);
  }
}

// A turn under pressure has negative curvature. The secant condition holds for it where Hessians may be indefinite;
// where they may not, regions pass it over, and those that took it before are formed anew with projection.
TEST(RegionHessians, FollowTurnsUnderPressure) {
  Regions r(12);
  r.bent.x *= 0.6;
  const Vec3 turn(0, 1e-4, 2e-4);
  VecX s(12 * r.basis.block_count());
  for (Index h = 0; h < r.basis.handles.handle_count(); ++h) {
    s.segment<3>(12 * h) = turn.cross(r.basis.handles.center[h]);
    for (int k = 0; k < 3; ++k)
      s.segment<3>(12 * h + 3 * (k + 1)) = r.basis.handles.radius[h] * turn.cross(Vec3::Unit(k));
  }
  const Points x = r.stepped(s);
  const VecX y = r.project(r.gradient(x, r.soft_tets())) - r.project(r.gradient(r.bent.x, r.soft_tets()));
  ASSERT_LT(s.dot(y), 0);

  r.evaluate(r.bent.x);
  EXPECT_LT(r.evaluate(x, s).updated, r.regions->region_count());
  EXPECT_GT(s.dot(r.sum() * s), 0);

  r.regions->forget();
  r.evaluate(r.bent.x, {}, 1e300, Projection::none);
  EXPECT_EQ(r.evaluate(x, s, 1e300, Projection::none).updated, r.regions->region_count());
  EXPECT_LT((r.sum() * s - y).norm(), 1e-8 * y.norm());
  EXPECT_GT(r.evaluate(x).renewed, 0);
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(r.sum());
  EXPECT_GT(eigen.eigenvalues()[0], -1e-12 * eigen.eigenvalues().reverse()[0]);
}

// Secants that tell of another matrix, and steps that did not go by the basis, make Hessians anew.
TEST(RegionHessians, AreFormedAnewWhereTheyMisled) {
  Regions r(12);
  r.evaluate(r.bent.x);
  const VecX s = small_step(12 * r.basis.block_count());
  const Points x = r.stepped(s);
  EXPECT_EQ(r.evaluate(x, s, 0).renewed, r.regions->region_count());
  const MatX expected = r.exact(x, r.soft_tets());
  EXPECT_LT((r.sum() - expected).norm(), 1e-12 * expected.norm());
  std::vector<char> strayed(r.n(), 0);
  strayed[0] = 1;
  const auto report = r.regions->evaluate(x, r.bent.context.scale, {s.data(), static_cast<std::size_t>(s.size())},
                                          strayed, 1e300, Projection::psd);
  EXPECT_GT(report.renewed, 0);
  EXPECT_LT(report.renewed, r.regions->region_count());
}

}  // namespace
}  // namespace sinew
