#include <atomic>
#include <cstdlib>
#include <new>
#include <random>

#include "material/reference.h"
#include "support/derivatives.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/material/material.h"
#include "sinew/material/registry.h"
#include "sinew/potential/linear_tet_energy.h"

namespace {

std::atomic<long> allocations{0};

}  // namespace

// Counts every allocation of this test program; not where the thread sanitizer has operators of its own.
#ifdef __has_feature
#define SINEW_HAS_FEATURE(feature) __has_feature(feature)
#else
#define SINEW_HAS_FEATURE(feature) 0
#endif
#if !SINEW_HAS_FEATURE(thread_sanitizer)
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto align = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(align, (size + align - 1) / align * align)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
#endif

namespace sinew::test {
namespace {

struct Mesh {
  Points rest;
  Tets tets;
};

// A box of cells, six Kuhn tets each, its inner vertices moved about.
Mesh kuhn_box(int nx, int ny, int nz, double size = 0.1) {
  Mesh mesh;
  const auto id = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  mesh.rest.resize(3, (nx + 1) * (ny + 1) * (nz + 1));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> jitter(-0.15, 0.15);
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        mesh.rest.col(id(i, j, k)) = size * Vec3(i + jitter(random), j + jitter(random), k + jitter(random));
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  mesh.tets.resize(4, 6 * nx * ny * nz);
  Index t = 0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (const auto& order : orders) {
          int at[3] = {i, j, k};
          Index v[4] = {id(i, j, k)};
          for (int a = 0; a < 3; ++a) {
            ++at[order[a]];
            v[a + 1] = id(at[0], at[1], at[2]);
          }
          const Vec3 e1 = mesh.rest.col(v[1]) - mesh.rest.col(v[0]), e2 = mesh.rest.col(v[2]) - mesh.rest.col(v[0]),
                     e3 = mesh.rest.col(v[3]) - mesh.rest.col(v[0]);
          if (e1.cross(e2).dot(e3) < 0) std::swap(v[2], v[3]);
          for (int a = 0; a < 4; ++a) mesh.tets(a, t) = v[a];
          ++t;
        }
  return mesh;
}

ElasticGroup group(SharedModel model, const UserParameters& parameters, Index begin, Index end) {
  ElasticGroup g;
  g.model = std::move(model);
  g.tet_begin = begin;
  g.tet_end = end;
  g.parameters = g.model->resolve(parameters);
  return g;
}

ElasticGroup group(const std::string& model, const UserParameters& parameters, Index begin, Index end) {
  return group(shared_material_model(model), parameters, begin, end);
}

UserParameters rubber(double scale = 1) {
  return {{"young", {1e6 * scale}}, {"poisson", {0.4}}};
}

// Three groups of different models, one with per-tet parameters and one with fibers.
std::vector<ElasticGroup> three_groups(Index m, double scale = 1) {
  const Index a = m / 3 + 1, b = 2 * m / 3 + 2;
  std::vector<double> young(b - a), poisson(b - a);
  for (Index i = 0; i < b - a; ++i) young[i] = scale * 1e6 * (1 + i % 7), poisson[i] = 0.1 + 0.03 * (i % 5);
  std::vector<ElasticGroup> groups{group("neo_hookean", rubber(scale), 0, a),
                                   group("stable_neo_hookean", {{"young", young}, {"poisson", poisson}}, a, b),
                                   group("fixed_corotated", rubber(scale), b, m)};
  groups[1].fiber_stiffness = {5e5 * scale};
  groups[1].fiber_direction = Vec3(1, 2, -1).normalized();
  groups[2].fiber_stiffness.assign(m - b, 2e5 * scale);
  groups[2].fiber_direction.resize(3, m - b);
  for (Index i = 0; i < m - b; ++i) groups[2].fiber_direction.col(i) = Vec3(1, i % 3, -0.5).normalized();
  return groups;
}

// A smooth large deformation with some noise.
Points deform(const Points& rest, double amount = 1) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> noise(-1, 1);
  Points x = rest;
  const double size = rest.cwiseAbs().maxCoeff();
  for (Index i = 0; i < x.cols(); ++i) {
    const Vec3 p = rest.col(i) / size;
    x.col(i) = rest.col(i) + amount * size *
                                 (Vec3(0.3 * p[0] + 0.2 * p[1] * p[1], 0.15 * p[2] - 0.1 * p[1], 0.2 * p[0] * p[1]) +
                                  0.004 * Vec3(noise(random), noise(random), noise(random)));
  }
  return x;
}

std::shared_ptr<const BlockPattern> pattern_of(const LinearTetEnergy& energy, Index rows) {
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  return make_pattern(rows, pairs);
}

MatX dense(const SymBlockMatrix& H) {
  MatX full = MatX::Zero(3 * H.rows(), 3 * H.rows());
  for (Index r = 0; r < H.rows(); ++r)
    for (std::int64_t s = H.pattern().row_begin[r]; s < H.pattern().row_begin[r + 1]; ++s) {
      const Eigen::Map<const Mat3> block(H.block(s));
      full.block<3, 3>(3 * r, 3 * H.pattern().columns[s]) = block;
      if (H.pattern().columns[s] != r) full.block<3, 3>(3 * H.pattern().columns[s], 3 * r) = block.transpose();
    }
  return full;
}

struct Derivatives {
  double value;
  Points g;
  std::vector<double> H;
};

Derivatives derivatives(const LinearTetEnergy& energy, const Points& x, Index rows, Projection projection,
                        double scale = 1) {
  SymBlockMatrix H(pattern_of(energy, rows));
  Derivatives d{energy.value(x), Points::Zero(3, rows), {}};
  energy.add_derivatives(x, scale, projection, d.g, H);
  d.H.assign(H.values().begin(), H.values().end());
  return d;
}

TEST(Elastic, DerivativesMatchDifferences) {
  const Mesh mesh = kuhn_box(2, 2, 3);
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), mesh.rest.cols());
  expect_derivatives(energy, deform(mesh.rest), 1e-6, nullptr, 1e-7);
}

TEST(Elastic, EveryModelMatchesItsMaterial) {
  const Mesh mesh = kuhn_box(1, 1, 1);
  const Points x = deform(mesh.rest);
  for (const MaterialModel* model : material_models()) {
    const UserParameters parameters = sample_parameters(model->name());
    const SharedModel instance = sample_model(model->name());
    const Material material(instance, parameters, {}, sample_families(model->name()));
    ElasticGroup all = group(instance, parameters, 0, 6);
    for (const Vec3& family : material.families()) all.families.emplace_back(family);
    const LinearTetEnergy energy(mesh.rest, mesh.tets, {all}, mesh.rest.cols());
    for (const Projection projection : {Projection::none, Projection::psd}) {
      // sum V (dF/dx)^T H (dF/dx), with dense 9 x 12 maps.
      const Index n = mesh.rest.cols();
      MatX expected_H = MatX::Zero(3 * n, 3 * n);
      VecX expected_g = VecX::Zero(3 * n);
      double expected = 0;
      for (Index t = 0; t < 6; ++t) {
        Mat3 Dm, Ds;
        for (int a = 0; a < 3; ++a) {
          Dm.col(a) = mesh.rest.col(mesh.tets(a + 1, t)) - mesh.rest.col(mesh.tets(0, t));
          Ds.col(a) = x.col(mesh.tets(a + 1, t)) - x.col(mesh.tets(0, t));
        }
        const Mat3 B = Dm.inverse(), F = Ds * B;
        const double V = std::abs(Dm.determinant()) / 6;
        MatX J = MatX::Zero(9, 3 * n);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            for (int a = 0; a < 3; ++a) {
              J(3 * i + j, 3 * mesh.tets(a + 1, t) + i) += B(a, j);
              J(3 * i + j, 3 * mesh.tets(0, t) + i) -= B(a, j);
            }
        expected += V * material.energy(F);
        const Mat3 Pt = material.stress(F).transpose();
        expected_g += V * J.transpose() * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(Pt.data());
        expected_H += V * J.transpose() * material.hessian(F, projection == Projection::psd) * J;
      }
      SymBlockMatrix H(pattern_of(energy, n));
      Points g = Points::Zero(3, n);
      energy.add_derivatives(x, 1, projection, g, H);
      EXPECT_NEAR(energy.value(x), expected, 1e-13 * expected) << model->name();
      EXPECT_LT((g.reshaped() - expected_g).norm(), 1e-13 * expected_g.norm()) << model->name();
      EXPECT_LT((dense(H) - expected_H).norm(), 1e-13 * expected_H.norm()) << model->name();
    }
  }
}

TEST(Elastic, ProjectedHessianIsSemidefinite) {
  const Mesh mesh = kuhn_box(2, 2, 2);
  const Index n = mesh.rest.cols();
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), n);
  Points x = deform(mesh.rest);
  x.row(0) *= 0.4;  // compression makes the exact Hessian indefinite
  SymBlockMatrix exact(pattern_of(energy, n)), projected(pattern_of(energy, n));
  Points g = Points::Zero(3, n);
  energy.add_derivatives(x, 1, Projection::none, g, exact);
  energy.add_derivatives(x, 1, Projection::psd, g, projected);
  const VecX low = Eigen::SelfAdjointEigenSolver<MatX>(dense(exact)).eigenvalues();
  const VecX high = Eigen::SelfAdjointEigenSolver<MatX>(dense(projected)).eigenvalues();
  EXPECT_LT(low[0], -1e-6 * low[3 * n - 1]);
  EXPECT_GT(high[0], -1e-14 * high[3 * n - 1]);
}

TEST(Elastic, SameBitsForAnyNumberOfThreads) {
  const Mesh mesh = kuhn_box(9, 7, 8);
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), mesh.rest.cols());
  const Points x = deform(mesh.rest);
  std::vector<Derivatives> results;
  for (const int threads : {1, 2, 2}) {
    const ThreadLimit limit(threads);
    results.push_back(derivatives(energy, x, mesh.rest.cols(), Projection::psd));
    Points g = Points::Zero(3, mesh.rest.cols());
    energy.add_gradient(x, 1, g);
    results.back().H.insert(results.back().H.end(), g.data(), g.data() + g.size());
  }
  for (const Derivatives& other : results) {
    EXPECT_EQ(other.value, results[0].value);
    EXPECT_EQ(other.g, results[0].g);
    EXPECT_EQ(other.H, results[0].H);
  }
}

TEST(Elastic, PowersOfTwoScaleExactly) {
  const Mesh mesh = kuhn_box(3, 4, 3);
  const Index m = mesh.tets.cols(), n = mesh.rest.cols();
  const Points x = deform(mesh.rest);
  constexpr double length = 0x1p-10, stiffness = 0x1p14;
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(m), n);
  const LinearTetEnergy scaled(length * mesh.rest, mesh.tets, three_groups(m, stiffness), n);
  const Derivatives a = derivatives(energy, x, n, Projection::psd);
  const Derivatives b = derivatives(scaled, length * x, n, Projection::psd);
  EXPECT_EQ(b.value, a.value * stiffness * length * length * length);
  EXPECT_EQ(b.g, Points(a.g * stiffness * length * length));
  for (std::size_t k = 0; k < a.H.size(); ++k) ASSERT_EQ(b.H[k], a.H[k] * stiffness * length);
}

TEST(Elastic, UniformDeformation) {
  const Mesh mesh = kuhn_box(3, 3, 2);
  const Index n = mesh.rest.cols();
  const LinearTetEnergy energy(mesh.rest, mesh.tets, {group("neo_hookean", rubber(), 0, mesh.tets.cols())}, n);
  Mat3 F;
  F << 1.2, 0.1, -0.05, 0.02, 0.9, 0.1, 0.0, -0.1, 1.05;
  const Points x = (F * mesh.rest).colwise() + Vec3(3, -2, 1);
  double volume = 0;
  for (double v : energy.rest_volumes()) volume += v;
  const Material material("neo_hookean", rubber());
  EXPECT_NEAR(energy.value(x), volume * material.energy(F), 1e-11 * volume * material.energy(F));
  EXPECT_NEAR(energy.min_jacobian(x), F.determinant(), 1e-12);
  const Mat3 cauchy = material.stress(F) * F.transpose() / F.determinant();
  const Mat3 deviator = cauchy - cauchy.trace() / 3 * Mat3::Identity();
  std::vector<double> stress(6 * mesh.tets.cols()), von_mises(mesh.tets.cols()), gradients(9 * mesh.tets.cols());
  energy.stress(x, stress, von_mises);
  energy.deformation_gradients(x, gradients);
  constexpr int entries[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  for (Index t = 0; t < mesh.tets.cols(); ++t) {
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(stress[6 * t + k], cauchy(entries[k][0], entries[k][1]), 1e-6);
    EXPECT_NEAR(von_mises[t], std::sqrt(1.5) * deviator.norm(), 1e-6);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(gradients[9 * t + k], F(k / 3, k % 3), 1e-12);
  }
}

TEST(Elastic, RestAndRigidMotionCostNothing) {
  const Mesh mesh = kuhn_box(3, 3, 3);
  const Index n = mesh.rest.cols();
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), n);
  const Mat3 R = Eigen::AngleAxisd(1.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Points x = R * mesh.rest;
  Points g = Points::Zero(3, n);
  energy.add_gradient(x, 1, g);
  EXPECT_LT(std::abs(energy.value(x)), 1e-20);
  EXPECT_LT(g.norm(), 1e-10 * 1e6 * 0.01);
}

TEST(Elastic, WeightedListsOfTets) {
  const Mesh mesh = kuhn_box(6, 5, 7);
  const Index m = mesh.tets.cols(), n = mesh.rest.cols();
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(m), n);
  const Points x = deform(mesh.rest);
  const auto pattern = pattern_of(energy, n);
  // All tets with weight 1, in any order within a chunk's list: the same bits in sorted order.
  std::vector<Index> all(m);
  for (Index t = 0; t < m; ++t) all[t] = t;
  const std::vector<double> ones(m, 1.0);
  SymBlockMatrix H(pattern), listed(pattern);
  Points g = Points::Zero(3, n), listed_g = g;
  energy.add_derivatives(x, 0.5, Projection::psd, g, H);
  energy.add_derivatives(x, all, ones, 0.5, Projection::psd, listed_g, listed);
  EXPECT_EQ(listed_g, g);
  EXPECT_TRUE(std::equal(H.values().begin(), H.values().end(), listed.values().begin()));
  EXPECT_NEAR(energy.value(x, all, ones), energy.value(x), 1e-14 * energy.value(x));

  // A scattered list with weights and a repeated tet, against sums of single tets.
  std::vector<Index> some{m - 1, 3, 200, 3, 77, 401, 0};
  std::vector<double> weights{2.0, 0.5, 3.0, 1.5, -1.0, 0.25, 1.0};
  double expected = 0;
  for (std::size_t k = 0; k < some.size(); ++k)
    expected += weights[k] * energy.value(x, std::span(&some[k], 1), std::span(&ones[0], 1));
  EXPECT_NEAR(energy.value(x, some, weights), expected, 1e-13 * std::abs(expected));
  Points sum = Points::Zero(3, n), single = sum, list = sum;
  for (std::size_t k = 0; k < some.size(); ++k) {
    energy.add_gradient(x, std::span(&some[k], 1), std::span(&weights[k], 1), 1, sum);
  }
  energy.add_gradient(x, some, weights, 1, list);
  EXPECT_LT((sum - list).norm(), 1e-14 * sum.norm());
  listed.set_zero();
  listed_g.setZero();
  energy.add_derivatives(x, some, weights, 1, Projection::none, listed_g, listed);
  EXPECT_LT((sum - listed_g).norm(), 1e-13 * sum.norm());
}

TEST(Elastic, NoAllocationAfterTheFirstCall) {
  const Mesh mesh = kuhn_box(6, 6, 6);
  const Index n = mesh.rest.cols();
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), n);
  const Points x = deform(mesh.rest);
  SymBlockMatrix H(pattern_of(energy, n));
  Points g = Points::Zero(3, n);
  const std::vector<Index> list{5, 100, 700, 3};
  const std::vector<double> weights(4, 2.0);
  const auto work = [&] {
    energy.add_derivatives(x, 1, Projection::psd, g, H);
    energy.add_gradient(x, 1, g);
    energy.add_gradient(x, list, weights, 1, g);
    return energy.value(x) + energy.value(x, list, weights) + energy.min_jacobian(x);
  };
  work();
  const long before = allocations;
  work();
  EXPECT_EQ(allocations - before, 0);
}

TEST(Elastic, InfiniteOutsideTheDomain) {
  const Mesh mesh = kuhn_box(2, 2, 2);
  const Index m = mesh.tets.cols();
  const LinearTetEnergy strict(mesh.rest, mesh.tets, {group("neo_hookean", rubber(), 0, m)}, mesh.rest.cols());
  const LinearTetEnergy lenient(mesh.rest, mesh.tets, {group("stable_neo_hookean", rubber(), 0, m)}, mesh.rest.cols());
  Points x = mesh.rest;
  x.col(13) += Vec3(0.3, 0.3, 0.3);  // the inner vertex, out of its neighbours
  EXPECT_EQ(strict.value(x), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(lenient.value(x)));
  EXPECT_LT(strict.min_jacobian(x), 0);
  EXPECT_TRUE(strict.requires_positive_volume());
  EXPECT_FALSE(lenient.requires_positive_volume());
}

TEST(Elastic, RequirementPerTet) {
  const Mesh mesh = kuhn_box(2, 2, 2);
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), mesh.rest.cols());
  EXPECT_TRUE(energy.requires_positive_volume(0));
  EXPECT_FALSE(energy.requires_positive_volume(energy.groups()[1].tet_begin));
  EXPECT_FALSE(energy.requires_positive_volume(mesh.tets.cols() - 1));
}

// Vertices past dynamic_count have no equations: the leading block of the full problem remains.
TEST(Elastic, VerticesWithoutEquations) {
  const Mesh mesh = kuhn_box(2, 2, 2);
  const Index n = mesh.rest.cols(), rows = n - 5;
  const LinearTetEnergy whole(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), n);
  const LinearTetEnergy part(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), rows);
  const Points x = deform(mesh.rest);
  SymBlockMatrix H(pattern_of(whole, n)), Hp(pattern_of(part, rows));
  Points g = Points::Zero(3, n), gp = Points::Zero(3, rows);
  whole.add_derivatives(x, 1, Projection::none, g, H);
  part.add_derivatives(x, 1, Projection::none, gp, Hp);
  EXPECT_EQ(gp, g.leftCols(rows));
  EXPECT_EQ(dense(Hp), dense(H).topLeftCorner(3 * rows, 3 * rows));
}

// Slots are looked up again when the matrix has another pattern.
TEST(Elastic, ChangedPattern) {
  const Mesh mesh = kuhn_box(2, 2, 2);
  const Index n = mesh.rest.cols();
  const LinearTetEnergy energy(mesh.rest, mesh.tets, three_groups(mesh.tets.cols()), n);
  const Points x = deform(mesh.rest);
  SymBlockMatrix H(pattern_of(energy, n));
  Points g = Points::Zero(3, n);
  energy.add_derivatives(x, 1, Projection::psd, g, H);
  const MatX before = dense(H);
  const std::vector<std::pair<Index, Index>> more{{0, n - 1}, {1, n - 1}, {0, n - 2}};
  H.set_pattern(extend_pattern(H.pattern(), more));
  energy.add_derivatives(x, 1, Projection::psd, g, H);
  EXPECT_EQ(dense(H), before);
  SymBlockMatrix poor(make_pattern(n, more));
  EXPECT_THROW(energy.add_derivatives(x, 1, Projection::psd, g, poor), Error);
}

TEST(Elastic, FlatTetIsAnError) {
  Mesh mesh = kuhn_box(1, 1, 1);
  mesh.rest.row(2).setZero();
  try {
    const LinearTetEnergy energy(mesh.rest, mesh.tets, {group("arap", rubber(), 0, 6)}, mesh.rest.cols());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "tet 0 (in the order of the simulation) has no volume; mesh the body again");
  }
}

}  // namespace
}  // namespace sinew::test
