#include "sinew/contact/friction.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "contact/stencil_cases.h"
#include "support/paths.h"
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sinew {
namespace {

TEST(Friction, PotentialIsSmoothAndItsSlopesMatch) {
  const double eps = 1e-3;
  EXPECT_DOUBLE_EQ(friction_potential(0, eps), eps / 3);
  EXPECT_EQ(friction_potential(2 * eps, eps), 2 * eps);
  EXPECT_NEAR(friction_potential(eps * (1 - 1e-9), eps), eps * (1 - 1e-9), 1e-15);
  EXPECT_EQ(friction_slopes(0, eps).secant, 2 / eps);
  EXPECT_EQ(friction_slopes(0, eps).tangent, 2 / eps);
  for (double y : {0.1 * eps, 0.5 * eps, 0.95 * eps, 1.5 * eps, 10 * eps}) {
    const double h = 1e-3 * eps;
    const auto f = [&](double at) { return friction_potential(at, eps); };
    const auto [secant, tangent] = friction_slopes(y, eps);
    EXPECT_NEAR(secant * y, (f(y + h) - f(y - h)) / (2 * h), 1e-6);
    EXPECT_NEAR(tangent * eps, eps * (f(y + h) - 2 * f(y) + f(y - h)) / (h * h), 1e-6);
  }
}

TEST(Friction, TangentBasisIsOrthonormal) {
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 n = i < 3 ? Vec3(Vec3::Unit(i)) : Vec3(test::random_vector(random).normalized());
    const auto T = tangent_basis(n);
    EXPECT_LE((T.transpose() * T - Eigen::Matrix2d::Identity()).norm(), 1e-15);
    EXPECT_LE((T.transpose() * n).norm(), 1e-15);
  }
}

// Friction of all kinds of contact, lagged, at displacements from zero to far beyond eps.
TEST(Friction, DerivativesAgainstDifferencesInBothRegimes) {
  const double eps = 1e-3;
  std::mt19937 random(2);
  for (const test::StencilCase& c : test::stencil_cases(1e-2, 3)) {
    const ContactStencil contact = test::contact_of(c, 0.5);
    const Points lagged = c.x;
    const FrictionStencil f = lag_friction(contact, lagged, {}, {1e4, 0.05}, 0.3);
    EXPECT_GT(f.normal_force, 0);
    EXPECT_NEAR(f.c.sum(), 0, 1e-15);
    const Points reference = lagged;
    for (double size : {0.0, 1e-9, 0.1 * eps, 0.5 * eps, 5 * eps, 1.0}) {
      Points x = reference;
      for (int i = 0; i < 4; ++i) x.col(i) += test::random_vector(random, size);
      const double y = friction_slip(f, x, reference).norm();
      if (std::abs(y - eps) < 0.1 * eps) continue;
      const double h = y > eps ? 0.01 * y : 0.02 * std::min(eps, std::max(y, 0.01 * eps));
      const auto energy = [&](const StencilPoints& at) { return friction_energy(f, at, reference, eps); };
      const auto gradient = [&](const StencilPoints& at) {
        const Vec3 force = friction_gradient(f, at, reference, eps);
        Vec12 g;
        for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = f.c[i] * force;
        return g;
      };
      const StencilPoints at = x;
      const Vec12 g = gradient(at);
      Mat12 H;
      const Mat3 K = friction_hessian(f, x, reference, eps);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) H.block<3, 3>(3 * i, 3 * j) = f.c[i] * f.c[j] * K;
      const double bound = f.coefficient * f.normal_force;  // force scale
      const Vec12 dg = test::difference_gradient(energy, at, h);
      const Mat12 dH = test::difference_jacobian(gradient, at, h);
      // |u|^3 in the potential is only twice differentiable at rest: its differences are off by h / eps there.
      const double smooth = y > 3 * h ? 1e-7 : 10 * h / eps;
      EXPECT_LE((g - dg).norm(), bound * (smooth * std::min(1.0, h / eps) + 1e-9 + 1e-15 * eps / h))
          << c.name << " " << size;
      EXPECT_LE((H - dH).norm(), H.norm() * (smooth + 1e-7)) << c.name << " " << size;
      EXPECT_LE((K - K.transpose()).norm(), 1e-15 * K.norm());
      EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat3>(K).eigenvalues().minCoeff(), -1e-15 * K.norm());
      if (y > eps) {
        EXPECT_NEAR(friction_gradient(f, x, reference, eps).norm(), bound, 1e-12 * bound);
      }
    }
  }
}

// Between the secant and the exact Hessian, and never indefinite.
TEST(Friction, PrimalDualHessiansFollowTheForce) {
  const double eps = 1e-3;
  std::mt19937 random(6);
  for (const test::StencilCase& c : test::stencil_cases(1e-2, 3)) {
    const FrictionStencil f = lag_friction(test::contact_of(c, 0.5), c.x, {}, {1e4, 0.05}, 0.3);
    const double bound = f.coefficient * f.normal_force;
    const Points reference = c.x, still = Points::Zero(3, c.x.cols());
    for (double size : {0.0, 1e-6, 0.3 * eps, 3 * eps, 1.0}) {
      Points x = reference;
      for (int i = 0; i < 4; ++i) x.col(i) += test::random_vector(random, size);
      const Eigen::Vector2d u = friction_slip(f, x, reference);
      const double secant = friction_slopes(u.norm(), eps).secant;
      const Mat3 plain = bound * secant * f.T * f.T.transpose();
      EXPECT_LE((friction_hessian(f, x, reference, eps, {0, 0}) - plain).norm(), 1e-14 * plain.norm());
      const Eigen::Vector2d force = friction_dual(f, x, still, 1, reference, eps, {0, 0});
      EXPECT_LE((force - secant * u).norm(), 1e-14);
      EXPECT_LE((friction_hessian(f, x, reference, eps, force) - friction_hessian(f, x, reference, eps)).norm(),
                1e-13 * plain.norm());
      for (int k = 0; k < 20; ++k) {
        const Vec3 v = test::random_vector(random);
        const Eigen::Vector2d w =
            k % 2 ? Eigen::Vector2d(v.head<2>().normalized()) : Eigen::Vector2d(0.5 * v.head<2>());
        if (w.norm() > 1 + 1e-15) continue;
        const Mat3 K = friction_hessian(f, x, reference, eps, w);
        EXPECT_LE((K - K.transpose()).norm(), 1e-15 * plain.norm());
        EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat3>(K).eigenvalues().minCoeff(), -1e-14 * plain.norm());
        Points d(3, 4);
        for (int i = 0; i < 4; ++i) d.col(i) = test::random_vector(random, size);
        EXPECT_LE(friction_dual(f, x, d, 0.7, reference, eps, w).norm(), 1 + 1e-15);
      }
    }
  }
}

// What it predicts is the force of the place it predicts for, to first order.
TEST(Friction, PrimalDualForcesArePredictions) {
  const double eps = 1e-3;
  std::mt19937 random(7);
  for (const test::StencilCase& c : test::stencil_cases(1e-2, 3)) {
    const FrictionStencil f = lag_friction(test::contact_of(c, 0.5), c.x, {}, {1e4, 0.05}, 0.3);
    const Points reference = c.x, still = Points::Zero(3, c.x.cols());
    for (double size : {0.3 * eps, 10 * eps}) {
      Points x = reference, d(3, 4);
      for (int i = 0; i < 4; ++i) x.col(i) += test::random_vector(random, size);
      for (int i = 0; i < 4; ++i) d.col(i) = test::random_vector(random, 1e-4 * size);
      if (std::abs(friction_slip(f, x, reference).norm() - eps) < 0.01 * eps) continue;
      const auto force = [&](const Points& at) { return friction_dual(f, at, still, 1, reference, eps, {0, 0}); };
      const Eigen::Vector2d change = force(x + d) - force(x);
      const Eigen::Vector2d found = friction_dual(f, x, d, 1, reference, eps, force(x)) - force(x);
      EXPECT_LE((found - change).norm(), 1e-2 * change.norm() + 1e-14) << c.name << " " << size;
    }
  }
}

// A mass that a spring pulls over a rough plane, E = k/2 |u - a|^2 + mu lambda f0(|u|), by full steps alone: from far
// slips to sticking and back, over twelve orders of magnitude of the spring's stiffness. With exact Hessians nearly all
// of these run away.
TEST(Friction, PrimalDualStepsNeedNoLineSearch) {
  const double eps = 1e-4;
  FrictionStencil f;
  f.v = {0, -1, -1, -1};
  f.c = {1, 0, 0, 0};
  f.T = tangent_basis(Vec3(0, 1, 0));
  f.normal_force = 10;
  f.coefficient = 0.4;
  std::mt19937 random(8);
  const Points reference = Points::Zero(3, 1);
  int exact_fails = 0, cases = 0;
  for (double k = 1e-6; k < 1e7; k *= 10) {
    for (double pull : {0.1, 0.9, 0.999, 1.001, 1.5, 10.0}) {  // over mu lambda
      const Vec3 towards = (f.T * Eigen::Vector2d(test::random_vector(random).head<2>())).normalized();
      const Vec3 a = pull * f.coefficient * f.normal_force / k * towards;
      const Points start = (f.T * Eigen::Vector2d(test::random_vector(random, 1e-2).head<2>()));
      const auto converges = [&](bool primal_dual) {
        Points x = start;
        Eigen::Vector2d w(0, 0);
        for (int i = 0; i < 60; ++i) {
          const Mat3 K =
              primal_dual ? friction_hessian(f, x, reference, eps, w) : friction_hessian(f, x, reference, eps);
          const Vec3 g = k * (x.col(0) - a) + friction_gradient(f, x, reference, eps);
          if (g.norm() <= 1e-9 * f.coefficient * f.normal_force) return true;
          const Points d = -(K + k * Mat3::Identity()).llt().solve(g);
          w = friction_dual(f, x, d, 1, reference, eps, w);
          x += d;
        }
        return false;
      };
      EXPECT_TRUE(converges(true)) << "k " << k << ", pull " << pull;
      exact_fails += !converges(false);
      ++cases;
    }
  }
  EXPECT_GT(exact_fails, cases / 4);
}

TEST(Friction, RigidMotionIsFreeAndScalingExact) {
  for (const test::StencilCase& c : test::stencil_cases(1e-2, 5)) {
    ContactStencil contact = test::contact_of(c, 0.5);
    const Points x = c.x;
    const FrictionStencil f = lag_friction(contact, x, {}, {1e4, 0.05}, 0.3);
    Points moved = x;
    moved.colwise() += Vec3(1, 2, 3);
    EXPECT_LE(friction_slip(f, moved, x).norm(), 1e-14) << c.name;

    const double s = 1.0 / 256;
    contact.weight *= s * s;
    contact.mollifier_eps *= s * s * s * s;
    const Points small = s * x;
    const FrictionStencil g = lag_friction(contact, small, {}, {1e4, s * 0.05}, 0.3);
    EXPECT_EQ(g.normal_force, s * s * f.normal_force) << c.name;
    EXPECT_EQ(g.T, f.T);
    EXPECT_EQ(g.c, f.c);
  }
}

TEST(Friction, PlanesMoveAsRigidBodies) {
  const PlaneState from{Vec3(0, 0, 0), Vec3(0, 1, 0)}, shifted{Vec3(0.1, 0, 0.2), Vec3(0, 1, 0)};
  EXPECT_EQ(plane_displacement(from, shifted, Vec3(5, 0, 7)), Vec3(0.1, 0, 0.2));
  const Mat3 R = Eigen::AngleAxisd(0.3, Vec3::UnitZ()).toRotationMatrix();
  const PlaneState turned{Vec3(1, 2, 3), R * Vec3(0, 1, 0)};
  const Vec3 material(4, 0, -2);
  const Vec3 now = turned.point + R * material;
  EXPECT_LE((plane_displacement(from, turned, now) - (now - material)).norm(), 1e-14);

  ContactStencil contact;
  contact.kind = StencilKind::point_plane;
  contact.v[0] = 0;
  contact.plane = 0;
  contact.weight = 1;
  Points x(3, 1);
  x << 5, 1e-3, 7;
  FrictionStencil f = lag_friction(contact, x, std::vector<PlaneState>{from}, {1e5, 2e-3}, 0.5);
  f.plane_displacement = plane_displacement(from, shifted, x.col(0));
  EXPECT_NEAR(friction_slip(f, x, x).norm(), std::hypot(0.1, 0.2), 1e-15);
  x.col(0) += Vec3(0.1, 5, 0.2);  // carried along, and the normal part does not count
  EXPECT_NEAR(friction_slip(f, x, (Points(3, 1) << 5, 1e-3, 7).finished()).norm(), 0, 1e-14);
}

TEST(Friction, PlanesThatSpinAboutTheirNormalDragAlong) {
  const PlaneState from{Vec3(1, 2, 3), Vec3::UnitY(), Vec3::UnitX()};
  const double angle = 0.3;
  const Mat3 turn = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  const PlaneState to{Vec3(1, 2, 4), Vec3::UnitY(), turn * Vec3::UnitX()};
  const Vec3 before(2, 2, 5), now = to.point + turn * (before - from.point);
  EXPECT_LT((plane_displacement(from, to, now) - (now - before)).norm(), 1e-15);
  EXPECT_EQ(plane_displacement(from, from, now), Vec3::Zero());
  // Tilted as well.
  const Mat3 tilt = Eigen::AngleAxisd(0.4, Vec3(1, 0, 1).normalized()).toRotationMatrix() * turn;
  const PlaneState tilted{to.point, tilt * from.normal, tilt * from.tangent};
  const Vec3 there = to.point + tilt * (before - from.point);
  EXPECT_LT((plane_displacement(from, tilted, there) - (there - before)).norm(), 2e-15);
}

TEST(Friction, CoefficientByMaterials) {
  CollisionMesh mesh;
  mesh.vertex_material = {0, 0, 1, 1, 2};
  mesh.material_count = 3;
  mesh.friction = {0, 0.1, 0.2, 0.1, 0.3, 0.4, 0.2, 0.4, 0.5};
  mesh.planes = {{0, 2}};
  ContactStencil s;
  s.kind = StencilKind::edge_edge;
  s.v = {0, 1, 2, 3};
  EXPECT_EQ(friction_coefficient(mesh, s), 0.1);
  s.kind = StencilKind::point_edge;
  s.v = {4, 0, 1, -1};
  EXPECT_EQ(friction_coefficient(mesh, s), 0.2);
  s.kind = StencilKind::point_plane;
  s.v = {2, -1, -1, -1};
  s.plane = 0;
  EXPECT_EQ(friction_coefficient(mesh, s), 0.4);
}

// The states of two cubes in contact published with the tests of another implementation.
struct Reference {
  explicit Reference(const std::filesystem::path& file) { data = nlohmann::json::parse(std::ifstream(file)); }
  Points points(const char* key) const {
    Points p(3, data[key].size());
    for (Index i = 0; i < p.cols(); ++i)
      for (int a = 0; a < 3; ++a) p(a, i) = data[key][i][a];
    return p;
  }
  nlohmann::json data;
};

ContactStencil reference_contact(const nlohmann::json& row) {
  ContactStencil s;
  s.weight = 1;
  const Index v[4] = {row[0], row[1], row[2], row[3]};
  if (v[0] >= 0) {
    s.kind = StencilKind::edge_edge;
    s.v = {v[0], v[1], v[2], v[3]};
    return s;
  }
  s.v = {-v[0] - 1, v[1], v[2], v[3]};
  s.kind = v[2] < 0 ? StencilKind::point_point : v[3] < 0 ? StencilKind::point_edge : StencilKind::point_triangle;
  if (v[3] < 0) s.weight = -v[3];
  for (int i = s.vertex_count(); i < 4; ++i) s.v[i] = -1;
  return s;
}

TEST(Friction, MatchesPublishedReference) {
  const std::filesystem::path folder = std::filesystem::path(test::data_folder()) / "reference" / "friction_cube_cube";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no test data at " << folder;
  int states = 0, contacts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Reference ref(entry.path());
    const auto& data = ref.data;
    const Points start = ref.points("V_start"), lagged = ref.points("V_lagged"), end = ref.points("V_end");
    const double dhat = std::sqrt(data["dhat_squared"].get<double>());
    // Their energy has no weights and no dhat^3.
    const BarrierParameters barrier{data["barrier_stiffness"].get<double>() * dhat * dhat * dhat, dhat};
    const double eps = std::sqrt(data["epsv_times_h_squared"].get<double>()), mu = data["mu"];
    double energy = 0;
    VecX g = VecX::Zero(48);
    MatX H = MatX::Zero(48, 48);
    for (std::size_t k = 0; k < data["mmcvids"].size(); ++k) {
      const ContactStencil contact = reference_contact(data["mmcvids"][k]);
      const FrictionStencil f = lag_friction(contact, lagged, {}, barrier, mu);
      const double lambda = data["normal_force_magnitudes"][k];
      EXPECT_NEAR(f.normal_force, lambda, 1e-10 * lambda) << entry.path() << " contact " << k;
      Eigen::Matrix<double, 3, 2> T;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 2; ++b) T(a, b) = data["tangent_bases"][3 * k + a][b];
      EXPECT_LE((f.T * f.T.transpose() - T * T.transpose()).norm(), 1e-11) << entry.path() << " contact " << k;
      energy += friction_energy(f, end, start, eps);
      const Vec3 force = friction_gradient(f, end, start, eps);
      const Mat3 K = friction_hessian(f, end, start, eps);
      for (int i = 0; i < contact.vertex_count(); ++i) {
        g.segment<3>(3 * f.v[i]) += f.c[i] * force;
        for (int j = 0; j < contact.vertex_count(); ++j) H.block<3, 3>(3 * f.v[i], 3 * f.v[j]) += f.c[i] * f.c[j] * K;
      }
      ++contacts;
    }
    ++states;
    VecX g_ref(48);
    for (int i = 0; i < 48; ++i) g_ref[i] = data["gradient"][i];
    MatX H_ref = MatX::Zero(48, 48);
    for (const auto& t : data["hessian_triplets"]) H_ref(t[0].get<int>(), t[1].get<int>()) += t[2].get<double>();
    const double energy_ref = data["energy"];
    EXPECT_NEAR(energy, energy_ref, 1e-11 * std::abs(energy_ref)) << entry.path();
    EXPECT_LE((g - g_ref).norm(), 1e-10 * g_ref.norm()) << entry.path();
    EXPECT_LE((H - H_ref).norm(), 1e-10 * H_ref.norm()) << entry.path();
  }
  EXPECT_EQ(states, 45);
  EXPECT_GT(contacts, 45);
}

}  // namespace
}  // namespace sinew
