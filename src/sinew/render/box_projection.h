// Texture coordinates for surfaces that have none: an image is projected along the axes of the scene, onto the sides of
// a box around the surface at rest. It stands upright, and seen from outside it is not mirrored. Its middle meets the
// middle of each side. The page (web/src/texture.js) and pictures (studio_texture.h) do the same in shaders.
#pragma once

#include <array>

#include "sinew/core/types.h"

namespace sinew {

class BoxProjection {
 public:
  // rest: the surface at rest. to_y: turns upwards to +y. width: of an image; 0: the largest side of the box [m].
  BoxProjection(const Points& rest, const Mat3& to_y, double width);

  double width() const { return width_; }
  // From the middle of the box, with y upwards [m].
  Vec3 place(const Vec3& x) const { return to_y_ * (x - center_); }
  Vec3 direction(const Vec3& n) const { return to_y_ * n; }
  // Coordinates in the image of a place on the side that a normal points to; (0, 0) is the image's lower left corner.
  std::array<float, 2> coordinates(const Vec3& place, const Vec3& normal) const;

 private:
  Mat3 to_y_;
  Vec3 center_;
  double width_;
};

}  // namespace sinew
