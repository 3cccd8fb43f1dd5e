// Frames that follow a body: in such a frame only the body's deformation moves its points.
#pragma once

#include <span>

#include "sinew/core/types.h"

namespace sinew {

// Maps body coordinates y to positions x = center + rotation y. Bounds on distances are valid for any rotation, and
// tight for one that fits the body well.
struct BodyFrame {
  Vec3 center = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();

  Vec3 to_body(const Vec3& x) const { return rotation.transpose() * (x - center); }
};

// Returns a frame in which the vertices `ids` at positions x (3 x n) [m] lie near their coordinates `body` (3 x n) [m].
BodyFrame fit_frame(std::span<const Index> ids, const Points& body, const Points& x);

// Splits the displacement d (3 x n) [m] of the vertices `ids`: d = mean + (rotation - I)(x - center) + rest. If
// vertices move on straight lines, a rotation by an angle shrinks the distance of two vertices at most by the factor
// `shrink` = cos(angle / 2). A distance g therefore stays above shrink g - |rest_1| - |rest_2|, with `rest` of the two
// vertices.
struct RigidStep {
  Vec3 center = Vec3::Zero(), mean = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  double shrink = 1;

  Vec3 rest(const Vec3& x, const Vec3& d) const { return d - mean - (rotation * (x - center) - (x - center)); }
};
RigidStep fit_step(std::span<const Index> ids, const Points& x, const Points& d);

// The mean of a displacement d over some vertices, and the largest |d - mean|.
struct MeanMotion {
  Vec3 mean = Vec3::Zero();
  double spread = 0;  // [m]
};
MeanMotion mean_motion(std::span<const Index> ids, const Points& from, const Points& to);
MeanMotion mean_motion(std::span<const Index> ids, const Points& d);

}  // namespace sinew
