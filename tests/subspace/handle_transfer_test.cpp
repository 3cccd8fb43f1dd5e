#include "sinew/subspace/handle_transfer.h"

#include <random>

#include "bases.h"
#include "support/domains.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/primitives.h"
#include "sinew/subspace/sms.h"

namespace sinew::handle_transfer_test {
namespace {

using test::dense_basis;
using test::domain_of;
using test::grown_partition;

VecX random_values(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  VecX values(n);
  for (double& value : values) value = uniform(random);
  return values;
}

struct Sample {
  Points rest;
  HandleBasis basis;
};

// A few thousand vertices, some far from the origin.
Sample sample(double far) {
  TetMesh mesh = make_box({2, 1, 1}, {24, 12, 12});
  mesh.vertices.row(0).array() += far;
  const Domain domain = domain_of(
      mesh, [](const Vec3&) { return 1e6; }, [&](const Vec3& x) { return x[0] < far - 0.9; });
  return {mesh.vertices, sms_basis(domain, grown_partition(domain, 15))};
}

TEST(HandleTransfer, IsTheMatrix) {
  const Sample s = sample(0);
  const MatX U = dense_basis(s.basis, s.rest);
  const VecX q = random_values(static_cast<Index>(U.cols()), 1), g = random_values(static_cast<Index>(U.rows()), 2);
  const VecX Uq = U * q, Ug = U.transpose() * g;
  const Eigen::Map<const Points> forces(g.data(), 3, g.size() / 3);
  HandleTransfer transfer(s.basis, s.rest);
  Points u;
  VecX r(q.size());
  for (int repeat = 0; repeat < 2; ++repeat) {
    transfer.lift(q.data(), u);
    EXPECT_LT((u.reshaped() - Uq).cwiseAbs().maxCoeff(), 1e-13);
    transfer.restrict_to(forces.data(), r.data());
    EXPECT_LT((r - Ug).cwiseAbs().maxCoeff(), 1e-15 * static_cast<double>(U.rows()));
  }
  lift(s.basis, s.rest, q.data(), u);
  EXPECT_LT((u.reshaped() - Uq).cwiseAbs().maxCoeff(), 1e-13);
  restrict_to(s.basis, s.rest, forces, r.data());
  EXPECT_LT((r - Ug).cwiseAbs().maxCoeff(), 1e-15 * static_cast<double>(U.rows()));
}

TEST(HandleTransfer, LiftAndRestrictAreTransposes) {
  for (double far : {0.0, 1e5}) {
    const Sample s = sample(far);
    const VecX q = random_values(12 * s.basis.handle_count(), 3);
    const VecX g = random_values(3 * s.basis.vertex_count(), 4);
    HandleTransfer transfer(s.basis, s.rest);
    Points u;
    VecX r(q.size());
    transfer.lift(q.data(), u);
    transfer.restrict_to(g.data(), r.data());
    // Sums of some thousand products of numbers up to about 1.
    EXPECT_NEAR(u.reshaped().dot(g), r.dot(q), 1e-11);
  }
}

TEST(HandleTransfer, KeepsItsDigitsFarFromTheOrigin) {
  const Sample near = sample(0);
  Sample away = near;
  const double far = 131072;  // exact shifts of most of the digits
  away.rest.row(0).array() += far;
  for (Vec3& c : away.basis.center) c[0] += far;
  const VecX q = random_values(12 * near.basis.handle_count(), 5);
  Points u, v;
  HandleTransfer(near.basis, near.rest).lift(q.data(), u);
  HandleTransfer(away.basis, away.rest).lift(q.data(), v);
  // Positions themselves are rounded to far * 1e-16.
  EXPECT_LT((u - v).cwiseAbs().maxCoeff(), 1e3 * far * 1.2e-16);
}

TEST(HandleTransfer, SameBitsForAnyThreads) {
  const Sample s = sample(0);
  const VecX g = random_values(3 * s.basis.vertex_count(), 6);
  VecX first(12 * s.basis.handle_count()), r = first;
  for (int threads : {1, 2, 5}) {
    ThreadLimit limit(threads);
    HandleTransfer(s.basis, s.rest).restrict_to(g.data(), r.data());
    if (threads == 1) first = r;
    EXPECT_EQ(r, first);
  }
}

TEST(HandleTransfer, NoHandles) {
  HandleBasis basis;
  basis.begin = {0, 0, 0};
  Points u;
  HandleTransfer transfer(basis, Points::Zero(3, 2));
  transfer.lift(nullptr, u);
  EXPECT_EQ(u, Points::Zero(3, 2));
  transfer.restrict_to(u.data(), nullptr);
}

}  // namespace
}  // namespace sinew::handle_transfer_test
