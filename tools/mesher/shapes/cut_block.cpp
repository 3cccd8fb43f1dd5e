#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// The edges of a box inside which others are cut: the mouth of the cut at the bottom, its walls, and its end at the top
// of the slab or inside it.
ShapeSolid make(const Values& values) {
  const double width = values.at("width"), height = values.at("height");
  const double gap = values.at("cut_width"), length = values.at("cut_length"), depth = values.at("cut_depth");
  if (gap >= width)
    fail_input(code::shape_parameter, "cut_block: cut_width {:g} m must be less than width {:g} m", gap, width);
  if (length >= width)
    fail_input(code::shape_parameter, "cut_block: cut_length {:g} m must be less than width {:g} m", length, width);
  const bool through = depth >= height;
  const Eigen::AlignedBox3d slab = centred_box({width, height, width});
  const Eigen::AlignedBox3d cut(Vec3(-0.5 * length, slab.min().y(), -0.5 * gap),
                                Vec3(0.5 * length, through ? slab.max().y() : slab.min().y() + depth, 0.5 * gap));
  ShapeSolid made;
  made.solid.label = [half = Vec3(slab.max()), cut_half = Vec3(cut.max())](const Vec3& p) {
    if (!(p.cwiseAbs().array() < half.array()).all()) return 0;
    return std::abs(p.x()) < cut_half.x() && std::abs(p.z()) < cut_half.z() && p.y() < cut_half.y() ? 0 : 1;
  };
  made.solid.regions = {"block"};
  made.solid.bounds = with_margin(slab);
  add_box_edges(slab, made.solid.features);
  add_box_edges(cut, made.solid.features);
  made.solid.thickness = std::min({gap, height, 0.5 * (width - length), through ? height : height - depth});
  made.finest_detail = std::min(height, 0.5 * (width - length));
  made.detail_parameter = "height";
  return made;
}

}  // namespace

Shape cut_block_shape() {
  return {"cut_block",
          "A square slab with a thin cut in its middle, along x, from below",
          {{"edge", "m", "edge length", {0.018, 0.0036, 0.0028}, 1e-6, 1e3},
           {"width", "m", "extent along x and z", {0.2, 0.2, 0.2}, 1e-6, 1e3},
           {"height", "m", "extent along y", {0.05, 0.05, 0.05}, 1e-6, 1e3},
           {"cut_length", "m", "extent of the cut along x", {0.1, 0.1, 0.1}, 1e-6, 1e3},
           {"cut_width", "m", "gap of the cut", {0.008, 0.002, 0.002}, 1e-6, 1e3},
           {"cut_depth", "m", "of the cut, from below; height or more cuts through", {0.05, 0.05, 0.05}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
