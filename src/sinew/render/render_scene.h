// The contents of a picture: surfaces at their present positions, and planes.
#pragma once

#include <memory>
#include <vector>

#include "sinew/render/camera.h"
#include "sinew/render/color_map.h"
#include "sinew/render/render_mesh.h"

namespace sinew {

// Eight colours that people with any kind of colour vision tell apart, for bodies in their order; and that of
// obstacles.
Rgb body_color(std::size_t body);
inline const Rgb obstacle_color(0.62f, 0.64f, 0.67f);

// Converts from sRGB to values that are linear in the light.
Rgb linear_color(const Rgb& color);

struct RenderObject {
  std::shared_ptr<const RenderMesh> mesh;
  Points positions;  // 3 x n, of the mesh's vertices [m]
  Index id = 0;      // in segmentations
  Rgb color = obstacle_color;
  bool main = true;  // what pictures are of: bodies
  // By vertex: shown in the colours of a field, 0 to 1. NaN has the object's colour. Empty: no field.
  VecX values{};
  ColorMap map = ColorMap::viridis;
};

// Seen from the side that its normal points to.
struct RenderPlane {
  Vec3 point;    // [m]
  Vec3 normal;   // unit
  Vec3 tangent;  // unit, of the grid
  Index id = 0;
};

struct RenderScene {
  std::vector<RenderObject> objects;
  std::vector<RenderPlane> planes;
  Vec3 up = {0, 1, 0};
};

// Points that pictures frame: those of main objects, those of others that are at most three times as large, and what
// lies below the main ones on planes near them.
Points framed_points(const RenderScene& scene);

// The box around framed points.
struct RenderBox {
  Vec3 low, high;
  Vec3 center() const { return 0.5 * (low + high); }
  double diagonal() const { return (high - low).norm(); }
};
RenderBox box_of(const Points& points);

}  // namespace sinew
