// Springs of a subspace as points: merged ones are what they were.
#include <random>

#include <gtest/gtest.h>

#include "sinew/potential/point_energy.h"
#include "sinew/potential/point_springs.h"
#include "sinew/potential/springs.h"
#include "sinew/reduced/axis_points.h"
#include "sinew/reduced/handle_hessian.h"

namespace sinew {
namespace {

constexpr Index rows_of_y = 5;

// Random springs to points that stay or follow one motion, three of them with a length.
struct Springs {
  System system;
  AxisRows rows;
  std::vector<PointSpring> springs;
  std::vector<AxisPoint> points;

  explicit Springs(int count) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> in(-1, 1);
    Motion motion;
    motion.translation = Keyframes{{0, 1}, MatX{{0, 0.3}, {0, -0.2}, {0, 0.1}}};
    motion.rotation = Motion::Rotation{Vec3::UnitZ(), Vec3(0.1, 0.2, 0.3), Keyframes{{0, 1}, MatX{{0, 50}}}};
    motion.scaling = Motion::Scaling{Vec3(0.2, 0, 0), Keyframes{{0, 1}, MatX{{1, 1.5}}}};
    system.motions = {motion};
    rows.rows = rows.free = rows_of_y;
    for (int s = 0; s < count; ++s) {
      PointSpring& spring = springs.emplace_back();
      spring.anchor << in(random), in(random), in(random), 1;
      spring.motion = s % 2 - 1;
      spring.stiffness = 1 + in(random);
      spring.length = s < 3 ? 0.2 : 0;
      AxisPoint& point = points.emplace_back();
      point.w = {VecX::NullaryExpr(rows_of_y, [&] { return in(random); })};
      point.rest = Vec3::NullaryExpr([&] { return in(random); });
    }
  }

  struct Derivatives {
    double value;
    MatX g, H;
  };
  Derivatives at(const MatX& y, double time) const {
    const auto make_model = [&] {
      PointEnergy::Model model;
      model.points = std::make_unique<AxisPoints>(rows, points);
      model.system.motions = system.motions;
      model.system.springs = springs_of_points(system, springs);
      return model;
    };
    const auto make_energy = [](const System& of_points) { return std::make_unique<SpringEnergy>(of_points); };
    PointEnergy energy(make_model, make_energy, {}, MatX::Zero(rows_of_y, 3), 0);
    CoordinateStep step;
    step.time_end = time;
    step.scale = 2;
    energy.begin_step(step, MatX::Zero(rows_of_y, 3));
    Derivatives result{energy.value(y), MatX::Zero(rows_of_y, 3), {}};
    energy.add_gradient(y, result.g);
    HandleHessian H(rows);
    H.begin(y);
    energy.add_hessian(y, Projection::psd, H);
    result.H = H.matrix().selfadjointView<Eigen::Lower>();
    return result;
  }
};

TEST(PointSprings, MergedOnesAreTheSameForm) {
  const Springs apart(80);
  Springs merged(80);
  merge_springs(merged.springs, merged.points);
  EXPECT_LE(merged.springs.size(), 3u + 2 * (rows_of_y + 3 + 4));
  EXPECT_EQ(merged.springs.size(), merged.points.size());
  std::mt19937 random(4);
  std::uniform_real_distribution<double> in(-1, 1);
  for (const double time : {0.0, 0.4, 1.0}) {
    const MatX y = MatX::NullaryExpr(rows_of_y, 3, [&] { return in(random); });
    const auto expected = apart.at(y, time), found = merged.at(y, time);
    EXPECT_NEAR(found.value, expected.value, 1e-12 * expected.value);
    EXPECT_LT((found.g - expected.g).norm(), 1e-12 * expected.g.norm());
    EXPECT_LT((found.H - expected.H).norm(), 1e-12 * expected.H.norm());
  }
}

TEST(PointSprings, FewStayAsTheyAre) {
  Springs few(10);
  merge_springs(few.springs, few.points);
  EXPECT_EQ(few.springs.size(), 10u);
}

// g and H against differences of the value and of g, with lengths: H without its negative part is H where springs are
// stretched.
TEST(PointSprings, DerivativesAreThoseOfTheEnergy) {
  Springs all(12);
  for (AxisPoint& point : all.points) point.rest[0] += 20;  // stretched
  const MatX y = MatX::Constant(rows_of_y, 3, 0.3);
  const auto here = all.at(y, 0.5);
  const double e = 1e-6;
  for (Index i = 0; i < y.size(); ++i) {
    MatX above = y, below = y;
    above(i) += e;
    below(i) -= e;
    const auto a = all.at(above, 0.5), b = all.at(below, 0.5);
    EXPECT_NEAR(here.g(i), (a.value - b.value) / (2 * e), 1e-7 * here.g.norm());
    EXPECT_LT((here.H.col(i) - (a.g - b.g).reshaped() / (2 * e)).norm(), 1e-7 * here.H.norm());
  }
}

}  // namespace
}  // namespace sinew
