// Frames that follow a body, in which only its deformation moves its points.
#pragma once

#include <span>

#include "sinew/core/types.h"

namespace sinew {

// x = center + rotation y. Any rotation will do for bounds on distances; a good one makes them tight.
struct BodyFrame {
  Vec3 center = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();

  Vec3 to_body(const Vec3& x) const { return rotation.transpose() * (x - center); }
};

// The frame in which the vertices `ids` at positions x (3 x n) [m] are nearest to their coordinates `body` (3 x n).
BodyFrame fit_frame(std::span<const Index> ids, const Points& body, const Points& x);

// The displacement d (3 x n) [m] of the vertices `ids` as d = mean + (rotation - I)(x - center) + rest. On straight
// lines a rotation by an angle shortens distances to at least `shrink` = cos(angle / 2) of them. A distance g therefore
// stays above shrink g - |rest of one end| - |rest of the other|.
struct RigidStep {
  Vec3 center = Vec3::Zero(), mean = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  double shrink = 1;

  Vec3 rest(const Vec3& x, const Vec3& d) const { return d - mean - (rotation * (x - center) - (x - center)); }
};
RigidStep fit_step(std::span<const Index> ids, const Points& x, const Points& d);

// The mean of d over the vertices and the largest |d - mean|.
struct MeanMotion {
  Vec3 mean = Vec3::Zero();
  double spread = 0;  // [m]
};
MeanMotion mean_motion(std::span<const Index> ids, const Points& from, const Points& to);
MeanMotion mean_motion(std::span<const Index> ids, const Points& d);

}  // namespace sinew
