// A camera as OpenGL wants it. Positions are relative to an origin near the scene, so that single precision suffices.
#pragma once

#include "sinew/render/camera.h"

namespace sinew {

struct View {
  Camera camera;
  int width = 0, height = 0;
  Vec3 origin;
  Eigen::Matrix4d to_camera;  // from positions relative to the origin
  Eigen::Matrix4d to_clip;    // from camera coordinates
  double near = 0, far = 1;   // depths between which things are drawn [m]

  View(const Camera& camera, int width, int height, const Vec3& origin, double near, double far);

  bool orthographic() const { return camera.orthographic.has_value(); }
  double scale() const { return camera.scale(height); }
  Eigen::Vector2d middle() const { return {0.5 * width, 0.5 * height}; }
  // The buffer's depth is this[0] + this[1] z, or this[0] + this[1] / z with perspective.
  Eigen::Vector2d depth_map() const;
  Vec3 direction() const { return (camera.target - camera.position).normalized(); }
};

// A light without end along `direction` (towards it) over a box around points: to texture coordinates and depth, all
// from 0 to 1.
struct LightView {
  Eigen::Matrix4d to_light;
  double width = 1;  // of the square that is lit [m]

  LightView(const Points& points, const Vec3& origin, const Vec3& direction);
};

}  // namespace sinew
