// Keyed poses, and bones that carry a body along.
#include "sinew/model/skin.h"

#include <cmath>

#include <gmock/gmock.h>

namespace sinew {
namespace {

Eigen::Vector4d quaternion(double angle, const Vec3& axis) {
  const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, axis.normalized()));
  return {q.w(), q.x(), q.y(), q.z()};
}

Motion turning(const std::vector<double>& times, double speed, const Vec3& axis, const Vec3& center) {
  Poses poses;
  poses.times = times;
  poses.center = center;
  poses.rotations.resize(4, static_cast<Eigen::Index>(times.size()));
  poses.translations.setZero(3, static_cast<Eigen::Index>(times.size()));
  for (std::size_t k = 0; k < times.size(); ++k) {
    poses.rotations.col(static_cast<Eigen::Index>(k)) = quaternion(speed * times[k], axis);
    poses.translations.col(static_cast<Eigen::Index>(k)) = Vec3(times[k], 0, 0);
  }
  Motion motion;
  motion.poses = poses;
  return motion;
}

TEST(Poses, PassThroughTheirKeysAndAreSmooth) {
  const Vec3 axis(1, 2, 3), center(0.1, 0.2, 0.3), x(1, -1, 0.5);
  const Motion motion = turning({0, 0.1, 0.25, 0.3, 0.5}, 3, axis, center);
  for (const double t : motion.poses->times) {
    const Vec3 expected = Eigen::AngleAxisd(3 * t, axis.normalized()) * (x - center) + center + Vec3(t, 0, 0);
    EXPECT_LT((motion.apply(x, t) - expected).norm(), 1e-12) << t;
  }
  // The velocity has no jumps at the keys: differences on both sides agree up to the step.
  const double h = 1e-6;
  for (const double t : {0.1, 0.25, 0.3}) {
    const Vec3 before = (motion.apply(x, t) - motion.apply(x, t - h)) / h;
    const Vec3 after = (motion.apply(x, t + h) - motion.apply(x, t)) / h;
    EXPECT_LT((after - before).norm(), 1e-3) << t;
  }
  EXPECT_EQ(motion.apply(x, -1), motion.apply(x, 0));
  EXPECT_EQ(motion.apply(x, 9), motion.apply(x, 0.5));
  EXPECT_FALSE(motion.empty());
  EXPECT_TRUE(motion.turns());
  EXPECT_LT((motion.map(0.2) * x.homogeneous() - motion.apply(x, 0.2)).norm(), 1e-12);
}

class TwoBones : public testing::Test {
 protected:
  TwoBones() {
    rest_.resize(3, 5);
    rest_ << 0, 1, 2, 3, 4, 0, 0.1, 0.2, 0.1, 0, 0, 0, 0.3, 0, 0;
    MatX weights(4, 2);
    weights << 1, 0, 0.7, 0.3, 0.5, 0.5, 0.00001, 0.99999;
    skin_.emplace(0, std::vector<Motion>{Motion(), turning({0, 0.5, 1}, 0.8, Vec3::UnitZ(), Vec3(1.5, 0, 0))},
                  std::vector<Index>{0, 1, 2, 3}, weights);
  }

  Points rest_;
  std::optional<Skin> skin_;
};

TEST_F(TwoBones, PlaceAndUndoAreInverse) {
  Points x = rest_;
  skin_->place(0.7, x);
  EXPECT_LT((x.col(0) - rest_.col(0)).norm(), 1e-15);
  EXPECT_GT((x.col(3) - rest_.col(3)).norm(), 0.1);
  EXPECT_EQ(x.col(4), rest_.col(4));  // of another body
  // Weights below 1e-4 are left out.
  EXPECT_LT((x.col(3) - skin_->maps(0.7)[1] * rest_.col(3).homogeneous()).norm(), 1e-15);
  skin_->undo(0.7, x);
  EXPECT_LT((x - rest_).norm(), 1e-14);
}

TEST_F(TwoBones, VelocitiesAreThoseOfPositions) {
  const double t = 0.7, h = 1e-6;
  Points v(3, 5);
  v << 1, 2, 3, 4, 5, 0, 1, 0, 1, 0, 1, 1, 2, 2, 3;
  Points before = rest_ - h * v, now = rest_, posed = v;
  skin_->place(t - h, before);
  skin_->place(t, now);
  skin_->place_velocity(t, h, rest_, posed);
  EXPECT_LT(((now - before) / h - posed).norm(), 1e-4);
  skin_->undo_velocity(t, h, rest_, posed);
  EXPECT_LT((posed - v).norm(), 1e-8);
}

// A mass at the radius r of a bone that turns feels omega^2 r outwards, and gravity turned against the bone.
TEST(SkinLoad, IsTheCentrifugalForceInTheFrameOfTheBone) {
  const double omega = 3, t = 0.4, h = 1e-4;
  std::vector<double> times;
  for (int k = 0; k <= 1000; ++k) times.push_back(k * 1e-3);
  Motion motion = turning(times, omega, Vec3::UnitZ(), Vec3::Zero());
  motion.poses->translations.setZero();
  Points rest(3, 2);
  rest << 0.5, 0.7, 0, 0, 0.1, 0.1;
  const Skin skin(0, {motion}, {0, 1}, MatX::Ones(2, 1));
  const SkinLoad load(skin, rest, {{0, 1.0}, {1, 3.0}});
  const Vec3 g(0, -9.81, 0);
  const Vec3 a = load.acceleration(skin.maps(t - h), skin.maps(t), skin.maps(t + h), h, g);
  const Vec3 expected = omega * omega * Vec3(0.65, 0, 0) + Eigen::AngleAxisd(-omega * t, Vec3::UnitZ()) * g;
  EXPECT_LT((a - expected).norm(), 1e-2) << a.transpose();
}

}  // namespace
}  // namespace sinew
