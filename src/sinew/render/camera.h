// The place and direction of a picture. Camera coordinates: x to the right, y down, z along the view axis [m]. A
// picture's coordinates are in pixels from its upper left corner, so that the centre of pixel (column, row) is (column
// + 1/2, row
// + 1/2).
#pragma once

#include <optional>

#include "sinew/core/types.h"

namespace sinew {

struct Camera {
  Vec3 position = {0, 0, 1};  // [m]
  Vec3 target = {0, 0, 0};    // in the middle of the picture [m]
  Vec3 up = {0, 1, 0};
  double fov = 40;                     // vertical field of view [degrees]
  std::optional<double> orthographic;  // height of a view without perspective [m]

  // Throws InputError unless numbers are finite, position and target differ, up has another direction than the view,
  // 0 < fov < 180, and orthographic > 0.
  void check() const;

  // World coordinates, homogeneous, become camera coordinates.
  Eigen::Matrix4d matrix() const;
  // Pixels for a length of 1 at depth 1; orthographic: for a length of 1.
  double scale(int height) const;
  // 2 x n pixels. NaN for points behind the camera.
  Eigen::Matrix2Xd project(const Points& points, int width, int height) const;

  // Frames points as tightly as perspective allows, with a margin. direction: from the points to the camera. aspect:
  // width over height of the picture.
  static Camera fit(const Points& points, const Vec3& direction, const Vec3& up, double fov, double aspect);
  // From the front, to the right and a little above: as the pages of runs begin.
  static Vec3 usual_direction(const Vec3& up);
};

}  // namespace sinew
