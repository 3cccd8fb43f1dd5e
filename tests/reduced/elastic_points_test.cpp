// The local blocks of mixed and standard finite elements at points, against differences and closed forms.
#include "sinew/reduced/elastic_points.h"

#include <random>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/cubature/make_cubature.h"
#include "sinew/material/stretch_kernel.h"

namespace sinew {
namespace {

constexpr int matrix = 9, symmetric = 6;

double& at(std::vector<double>& values, int size, Index slot, int k) {
  return values[static_cast<std::size_t>(size * (slot / lane_count) + k) * lane_count + slot % lane_count];
}

Mat3 full(std::vector<double>& values, Index slot) {
  Mat3 s;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s(i, j) = at(values, symmetric, slot, symmetric_entry(i, j));
  return s;
}

void set_full(std::vector<double>& values, Index slot, const Mat3& s) {
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) at(values, symmetric, slot, symmetric_entry(i, j)) = s(i, j);
}

void set_matrix(std::vector<double>& values, Index slot, const Mat3& F) {
  for (int k = 0; k < 9; ++k) at(values, matrix, slot, k) = F(k / 3, k % 3);
}

Mat3 get_matrix(std::vector<double>& values, Index slot) {
  Mat3 F;
  for (int k = 0; k < 9; ++k) F(k / 3, k % 3) = at(values, matrix, slot, k);
  return F;
}

// F = R S by the rotation-variant decomposition.
Mat3 stretch_of(const Mat3& F) {
  Eigen::JacobiSVD<Mat3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 V = svd.matrixV();
  Vec3 s = svd.singularValues();
  if (F.determinant() < 0) s[2] = -s[2];
  return V * s.asDiagonal() * V.transpose();
}

class TestPoints {
 public:
  explicit TestPoints(const char* model, bool fiber = false)
      : system(box_of(material(model, fiber))),
        points(*system, full_cubature(system->tet_count()), std::vector<double>(system->tet_count(), 1.0)) {
    const std::size_t slots = points.slot_count();
    for (auto* values : {&F, &P, &dF}) values->assign(9 * slots, 0);
    for (auto* values : {&s, &ds, &l}) values->assign(6 * slots, 0);
    H.assign(45 * slots, 0);
  }

  static std::shared_ptr<const System> box_of(MaterialAssignment material) {
    sinew::Setup setup;
    setup.bodies.push_back(test::body("box", make_box(Vec3(1, 1, 1), {2, 2, 2}), std::move(material)));
    return build_system(std::move(setup));
  }

  static MaterialAssignment material(const char* model, bool fiber) {
    MaterialAssignment assignment = test::material(model, 1, 0.3);
    if (fiber) {
      assignment.fiber_stiffness = {2};
      assignment.fiber_direction = Vec3(1, 2, -1).normalized();
    }
    return assignment;
  }

  std::shared_ptr<const System> system;
  ElasticPoints points;
  std::vector<double> F, P, dF, s, ds, l, H;
};

Mat3 random_matrix(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return Mat3::NullaryExpr([&] { return uniform(random); });
}

Mat3 random_rotation(std::mt19937& random) {
  return Eigen::Quaterniond(Eigen::Vector4d::NullaryExpr([&] { return std::normal_distribution<double>()(random); }))
      .normalized()
      .toRotationMatrix();
}

const char* const models[] = {"neo_hookean", "stable_neo_hookean", "fixed_corotated", "corotated", "arap", "stvk"};

// dS/dF from the displacement of a step with s = S: ds = dS/dF : dF, at random stretches, at repeated ones and where
// one of them is near zero or negative.
TEST(ElasticPoints, PolarDerivativeAgainstDifferences) {
  std::mt19937 random(1);
  TestPoints p("fixed_corotated");
  const Vec3 stretches[] = {{1.4, 1, 0.6},    {1, 1, 1},         {1.2, 1.2, 0.7}, {1.3, 0.8, 0.8},
                            {1.1, 0.9, 1e-3}, {1.1, 0.9, -1e-3}, {1.2, 1, -0.5},  {3, 0.2, 0.1}};
  const double eps = 1e-6;
  for (const Vec3& sigma : stretches) {
    const Mat3 F = random_rotation(random) * sigma.asDiagonal() * random_rotation(random);
    const Mat3 dF = random_matrix(random, 1);
    for (Index c = 0; c < p.points.slot_count(); ++c) {
      set_matrix(p.F, c, F);
      set_matrix(p.dF, c, dF);
    }
    p.points.stretches(p.F.data(), p.s.data());
    EXPECT_LT((full(p.s, 0) - stretch_of(F)).norm(), 1e-13);
    p.points.begin_step(p.F.data(), p.s.data(), 1, p.P.data(), p.H.data());
    double constraint = 0;
    p.points.finish_step(p.dF.data(), 1, p.ds.data(), p.l.data(), constraint);
    const Mat3 difference = (stretch_of(F + eps * dF) - stretch_of(F - eps * dF)) / (2 * eps);
    // Curvature grows as stretches get small.
    EXPECT_LT((full(p.ds, 0) - difference).norm(), 1e-8 * std::max(1.0, difference.norm())) << sigma.transpose();
  }
}

// With s = S(F) the mixed stress is that of standard elements, P = dW/dF, and the Hessian of both differ only by what
// the condensed system leaves out, l : d2S/dF2: they agree where l = 0, at rest in any rotation.
TEST(ElasticPoints, MixedIsStandardWhereStretchesAgree) {
  std::mt19937 random(2);
  for (const char* model : models) {
    for (const bool fiber : {false, true}) {
      TestPoints p(model, fiber);
      TestPoints q(model, fiber);
      for (Index c = 0; c < p.points.slot_count(); ++c) {
        const Mat3 F = random_rotation(random) * (Mat3::Identity() + random_matrix(random, 0.25));
        set_matrix(p.F, c, F);
        set_matrix(q.F, c, F);
      }
      p.points.stretches(p.F.data(), p.s.data());
      p.points.begin_step(p.F.data(), p.s.data(), 1, p.P.data(), p.H.data());
      q.points.linearize(q.F.data(), 1, q.P.data(), q.H.data());
      for (std::size_t i = 0; i < p.P.size(); ++i) EXPECT_NEAR(p.P[i], q.P[i], 1e-12) << model;
      EXPECT_NEAR(p.points.stretch_energy(p.s.data()), q.points.value(q.F.data(), 1), 1e-12 * p.points.point_count());
      for (Index c = 0; c < p.points.slot_count(); ++c) {
        const Mat3 F = random_rotation(random);
        set_matrix(p.F, c, F);
        set_matrix(q.F, c, F);
      }
      p.points.stretches(p.F.data(), p.s.data());
      p.points.begin_step(p.F.data(), p.s.data(), 1, p.P.data(), p.H.data());
      q.points.linearize(q.F.data(), 1, q.P.data(), q.H.data());
      for (std::size_t i = 0; i < p.H.size(); ++i) EXPECT_NEAR(p.H[i], q.H[i], 1e-12) << model;
    }
  }
}

// Standard: stress and Hessian are the derivatives of the value; in tension, where nothing is projected.
TEST(ElasticPoints, StandardDerivativesAgainstDifferences) {
  std::mt19937 random(3);
  for (const char* model : models) {
    TestPoints p(model, true);
    const Mat3 F = random_rotation(random) * (1.2 * Mat3::Identity() + random_matrix(random, 0.05));
    const Mat3 dF = random_matrix(random, 1);
    const double eps = 1e-5;
    const auto at_shift = [&](double t) {
      for (Index c = 0; c < p.points.slot_count(); ++c) set_matrix(p.F, c, F + t * dF);
    };
    at_shift(eps);
    const double above = p.points.value(p.F.data(), 3);
    p.points.linearize(p.F.data(), 3, p.P.data(), p.H.data());
    const Mat3 stress_above = get_matrix(p.P, 0);
    at_shift(-eps);
    const double below = p.points.value(p.F.data(), 3);
    p.points.linearize(p.F.data(), 3, p.P.data(), p.H.data());
    const Mat3 stress_below = get_matrix(p.P, 0);
    at_shift(0);
    const double value = p.points.linearize(p.F.data(), 3, p.P.data(), p.H.data());
    EXPECT_NEAR(value, p.points.value(p.F.data(), 3), 1e-12 * value);
    const double slope = get_matrix(p.P, 0).cwiseProduct(dF).sum() * p.points.point_count();
    EXPECT_NEAR(slope, (above - below) / (2 * eps), 1e-7 * std::max(1.0, std::abs(slope))) << model;
    Mat3 product = Mat3::Zero();
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) {
        const int row = std::max(i, j), column = std::min(i, j);
        product(i / 3, i % 3) += at(p.H, 45, 0, row * (row + 1) / 2 + column) * dF(j / 3, j % 3);
      }
    EXPECT_LT((product - (stress_above - stress_below) / (2 * eps)).norm(), 1e-7 * product.norm()) << model;
  }
}

// The slope that a step reports is that of the merit function with the multipliers held, for stretches far from S(F).
TEST(ElasticPoints, SlopeOfTheMeritFunction) {
  std::mt19937 random(4);
  for (const char* model : models) {
    for (const bool fiber : {false, true}) {
      TestPoints p(model, fiber);
      std::vector<Mat3> F, dF, s;
      for (Index c = 0; c < p.points.slot_count(); ++c) {
        F.push_back(random_rotation(random) * (Mat3::Identity() + random_matrix(random, 0.3)));
        dF.push_back(random_matrix(random, 0.1));
        const Mat3 a = random_matrix(random, 0.2);
        s.push_back(Mat3::Identity() + 0.5 * (a + a.transpose()));
        set_matrix(p.F, c, F[c]);
        set_matrix(p.dF, c, dF[c]);
        set_full(p.s, c, s[c]);
      }
      const double energy = p.points.begin_step(p.F.data(), p.s.data(), 2, p.P.data(), p.H.data());
      double constraint = 0;
      double slope = p.points.finish_step(p.dF.data(), 2, p.ds.data(), p.l.data(), constraint);
      const double start = p.points.mixed_value(p.F.data(), p.s.data(), p.l.data(), 2);
      EXPECT_NEAR(start, energy + constraint, 1e-12 * (std::abs(start) + energy));
      for (Index c = 0; c < p.points.slot_count(); ++c)
        if (p.points.volume(c) > 0) slope += get_matrix(p.P, c).cwiseProduct(dF[c]).sum();
      const double eps = 1e-5;
      const auto merit = [&](double t) {
        std::vector<double> moved = p.s;
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += t * p.ds[i];
        for (Index c = 0; c < p.points.slot_count(); ++c) set_matrix(p.F, c, F[c] + t * dF[c]);
        return p.points.mixed_value(p.F.data(), moved.data(), p.l.data(), 2);
      };
      const double difference = (merit(eps) - merit(-eps)) / (2 * eps);
      EXPECT_NEAR(slope, difference, 1e-6 * std::max(1.0, std::abs(difference))) << model << " " << fiber;
    }
  }
}

}  // namespace
}  // namespace sinew
