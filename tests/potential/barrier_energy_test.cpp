#include "sinew/potential/barrier_energy.h"

#include <numeric>

#include "potential/stencil_scene.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

struct Barrier {
  Barrier(Index vertices, int contacts, unsigned seed)
      : scene(test::stencil_scene(vertices, contacts, seed)), energy(scene.dynamic_count) {
    energy.set_barrier({1e3, 2});
    energy.set_contacts(scene.contacts, scene.planes);
    H = test::matrix_for(energy, scene.dynamic_count);
    g = Points::Zero(3, scene.dynamic_count);
  }
  test::StencilScene scene;
  BarrierEnergy energy;
  SymBlockMatrix H;
  Points g;
};

// Plain serial sums over dense matrices, weights by contact.
struct DenseSum {
  double value = 0;
  VecX g;
  MatX H;
};
DenseSum dense_sum(const Barrier& b, bool psd, const std::vector<double>& weights) {
  const Index n = static_cast<Index>(b.scene.x.cols());
  DenseSum sum{0, VecX::Zero(3 * n), MatX::Zero(3 * n, 3 * n)};
  for (std::size_t k = 0; k < b.scene.contacts.size(); ++k) {
    const ContactStencil& s = b.scene.contacts[k];
    Vec12 g;
    Mat12 H;
    sum.value += weights[k] * stencil_derivatives(s, b.scene.x, b.scene.planes, b.energy.barrier(), psd, g, H);
    for (int i = 0; i < s.vertex_count(); ++i) {
      sum.g.segment<3>(3 * s.v[i]) += weights[k] * g.segment<3>(3 * i);
      for (int j = 0; j < s.vertex_count(); ++j)
        sum.H.block<3, 3>(3 * s.v[i], 3 * s.v[j]) += weights[k] * H.block<3, 3>(3 * i, 3 * j);
    }
  }
  const Index dofs = 3 * b.scene.dynamic_count;
  sum.g.conservativeResize(dofs);
  sum.H.conservativeResize(dofs, dofs);
  return sum;
}

TEST(BarrierEnergy, SumsItsStencilsWithoutKinematicRows) {
  Barrier b(60, 150, 1);
  for (Projection projection : {Projection::none, Projection::psd}) {
    const DenseSum expected = dense_sum(b, projection == Projection::psd, std::vector<double>(150, 1));
    b.H.set_zero();
    b.g.setZero();
    b.energy.add_derivatives(b.scene.x, 0.5, projection, b.g, b.H);
    EXPECT_NEAR(b.energy.value(b.scene.x), expected.value, 1e-12 * expected.value);
    EXPECT_LE((b.g.reshaped() - 0.5 * expected.g).norm(), 1e-13 * expected.g.norm());
    EXPECT_LE((test::dense(b.H) - 0.5 * expected.H).norm(), 1e-13 * expected.H.norm());
    Points g = Points::Zero(3, b.scene.dynamic_count);
    b.energy.add_gradient(b.scene.x, 0.5, g);
    EXPECT_EQ(g, b.g);
    Points f = Points::Zero(3, b.scene.dynamic_count);
    b.energy.add_gradient(b.scene.x, -1, f);
    EXPECT_EQ(f, -2 * g);
  }
}

// One contact at a time, in series with springs K of its vertices: the parallel sum of H and K where H has one
// direction, less than that otherwise, and H itself for rigid springs.
TEST(BarrierEnergy, SoftenedContactsAreInSeriesWithSprings) {
  Barrier all(30, 60, 5);
  int simple = 0;
  for (const ContactStencil& contact : all.scene.contacts) {
    const std::vector<ContactStencil> one{contact};
    BarrierEnergy energy(all.scene.dynamic_count);
    energy.set_barrier({1e3, 2});
    energy.set_contacts(one, all.scene.planes);
    SymBlockMatrix H = test::matrix_for(energy, all.scene.dynamic_count);
    Points g = Points::Zero(3, all.scene.dynamic_count), unused = g;
    energy.add_derivatives(all.scene.x, 0.5, Projection::psd, g, H);
    const MatX exact = test::dense(H);
    const double largest = exact.norm();
    if (largest == 0) continue;
    std::vector<double> k(all.scene.dynamic_count);
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = (0.02 + 0.05 * (i % 3)) * largest;
    H.set_zero();
    energy.add_softened(all.scene.x, 0.5, Projection::psd, k, unused, H);
    const MatX soft = test::dense(H);
    EXPECT_TRUE(unused.isZero(0));
    MatX K = MatX::Zero(exact.rows(), exact.cols());
    for (Eigen::Index i = 0; i < K.rows(); ++i) K(i, i) = k[i / 3];
    const MatX parallel = exact - exact * (exact + K).ldlt().solve(exact);
    const auto values = [](const MatX& A) { return VecX(Eigen::SelfAdjointEigenSolver<MatX>(A).eigenvalues()); };
    const double rounding = 1e-12 * largest;
    EXPECT_GE(values(soft).minCoeff(), -rounding);
    EXPECT_GE(values(parallel - soft).minCoeff(), -rounding);
    const VecX spectrum = values(exact);
    if (spectrum[spectrum.size() - 2] < 1e-9 * largest) {
      ++simple;
      EXPECT_LT((soft - parallel).norm(), 1e-8 * largest);
    }
    H.set_zero();
    energy.add_softened(all.scene.x, 0.5, Projection::psd, std::vector<double>(k.size(), 1e20 * largest), unused, H);
    EXPECT_LT((test::dense(H) - exact).norm(), rounding);
  }
  EXPECT_GT(simple, 5);
}

TEST(BarrierEnergy, DerivativesAgainstDifferences) {
  Barrier b(12, 14, 4);
  b.energy.add_derivatives(b.scene.x, 1, Projection::none, b.g, b.H);
  const MatX H = test::dense(b.H);
  EXPECT_GT(std::min(b.g.norm(), H.norm()), 0) << "derivatives that vanish test nothing";
  const double h = 1e-4 * std::sqrt(b.energy.min_distance(b.scene.x));
  for (int k = 0; k < 3 * b.scene.dynamic_count; ++k) {
    const double slope = test::difference([&](const Points& x) { return b.energy.value(x); }, b.scene.x, k, h);
    EXPECT_NEAR(slope, b.g.data()[k], 1e-8 * b.g.norm());
    const VecX column = test::difference(
        [&](const Points& x) {
          Points g = Points::Zero(3, b.scene.dynamic_count);
          b.energy.add_gradient(x, 1, g);
          return VecX(g.reshaped());
        },
        b.scene.x, k, h);
    EXPECT_LE((column - H.col(k)).norm(), 1e-7 * H.norm());
  }
}

TEST(BarrierEnergy, WeightedListsEqualWeightedStencils) {
  Barrier b(60, 150, 2);
  std::vector<double> weights(150, 0);
  const std::vector<Index> ids{3, 149, 17, 64, 80, 21};
  const std::vector<double> list_weights{2, 0.5, 3, 1, 0.25, 7};
  for (std::size_t k = 0; k < ids.size(); ++k) weights[ids[k]] = list_weights[k];
  const DenseSum expected = dense_sum(b, true, weights);
  b.energy.add_derivatives(b.scene.x, ids, list_weights, 2, Projection::psd, b.g, b.H);
  EXPECT_NEAR(b.energy.value(b.scene.x, ids, list_weights), expected.value, 1e-12 * expected.value);
  EXPECT_LE((b.g.reshaped() - 2 * expected.g).norm(), 1e-13 * expected.g.norm());
  EXPECT_LE((test::dense(b.H) - 2 * expected.H).norm(), 1e-13 * expected.H.norm());
  Points g = Points::Zero(3, b.scene.dynamic_count);
  b.energy.add_gradient(b.scene.x, ids, list_weights, 2, g);
  EXPECT_EQ(g, b.g);
  // The whole list gives what the sum over all gives.
  std::vector<Index> all(150);
  std::iota(all.begin(), all.end(), 0);
  double total = 0;
  for (Index k : all) total += b.energy.stencil_value(b.scene.x, k);
  EXPECT_EQ(b.energy.value(b.scene.x, all, std::vector<double>(150, 1)), b.energy.value(b.scene.x));
  EXPECT_NEAR(total, b.energy.value(b.scene.x), 1e-12 * total);
}

TEST(BarrierEnergy, SameBitsForAnyNumberOfThreads) {
  Barrier one(500, 9000, 3), two(500, 9000, 3);  // several batches
  double values[2];
  {
    ThreadLimit limit(1);
    values[0] = one.energy.value(one.scene.x);
    one.energy.add_derivatives(one.scene.x, 0.1, Projection::psd, one.g, one.H);
  }
  {
    ThreadLimit limit(2);
    values[1] = two.energy.value(two.scene.x);
    two.energy.add_derivatives(two.scene.x, 0.1, Projection::psd, two.g, two.H);
  }
  EXPECT_EQ(values[0], values[1]);
  EXPECT_EQ(one.g, two.g);
  EXPECT_TRUE(std::equal(one.H.values().begin(), one.H.values().end(), two.H.values().begin()));
}

TEST(BarrierEnergy, ActionEqualsReaction) {
  Barrier b(50, 200, 6);
  std::erase_if(b.scene.contacts, [](const ContactStencil& s) { return s.kind == StencilKind::point_plane; });
  const Index all = static_cast<Index>(b.scene.x.cols());
  BarrierEnergy energy(all);
  energy.set_barrier(b.energy.barrier());
  energy.set_contacts(b.scene.contacts, {});
  Points f = Points::Zero(3, all);
  energy.add_gradient(b.scene.x, -1, f);
  EXPECT_LE(f.rowwise().sum().norm(), 1e-12 * f.norm());
  EXPECT_LE((b.scene.x.array().rowwise() * f.row(2).array() - f.array().rowwise() * b.scene.x.row(2).array())
                .rowwise()
                .sum()
                .matrix()
                .norm(),
            1e-12 * f.norm() * std::sqrt(all));  // no torque
}

TEST(BarrierEnergy, NothingWithoutContacts) {
  BarrierEnergy energy(4);
  energy.set_barrier({1, 1});
  energy.set_contacts({}, {});
  const Points x = Points::Random(3, 4);
  Points g = Points::Zero(3, 4);
  SymBlockMatrix H = test::matrix_for(energy, 4);
  energy.add_derivatives(x, 1, Projection::psd, g, H);
  EXPECT_EQ(energy.value(x), 0);
  EXPECT_EQ(g.norm(), 0);
  EXPECT_EQ(energy.min_distance(x), std::numeric_limits<double>::infinity());
}

TEST(BarrierEnergy, PlanesCanMoveUnderTheSameContacts) {
  Barrier b(30, 60, 8);
  std::vector<PlaneState> moved = b.scene.planes;
  moved[0].point[1] -= 0.1;
  const double before = b.energy.value(b.scene.x);
  b.energy.set_planes(moved);
  EXPECT_LT(b.energy.value(b.scene.x), before);
}

}  // namespace
}  // namespace sinew
