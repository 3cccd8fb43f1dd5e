#include "shapes/features.h"
#include "shapes/shapes.h"

namespace sinew::mesher {
namespace {

ShapeSolid make_box_shape(const Vec3& size, const char* region, std::array<const char*, 3> names) {
  const Eigen::AlignedBox3d box = centred_box(size);
  Eigen::Index thinnest = 0;
  ShapeSolid made;
  made.solid.label = [half = Vec3(0.5 * size)](const Vec3& p) {
    return (p.cwiseAbs().array() < half.array()).all() ? 1 : 0;
  };
  made.solid.regions = {region};
  made.solid.bounds = with_margin(box);
  add_box_edges(box, made.solid.features);
  made.solid.thickness = size.minCoeff(&thinnest);
  made.finest_detail = made.solid.thickness;
  made.detail_parameter = names[static_cast<std::size_t>(thinnest)];
  return made;
}

ShapeSolid make_block(const Values& values) {
  return make_box_shape({values.at("width"), values.at("height"), values.at("depth")}, "block",
                        {"width", "height", "depth"});
}

ShapeSolid make_beam(const Values& values) {
  return make_box_shape({values.at("length"), values.at("height"), values.at("depth")}, "beam",
                        {"length", "height", "depth"});
}

}  // namespace

Shape block_shape() {
  return {"block",
          "A box with sharp edges, centred at the origin",
          {{"edge", "m", "edge length", {0.026, 0.0069, 0.0045}, 1e-6, 1e3},
           {"width", "m", "extent along x", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"height", "m", "extent along y", {0.15, 0.15, 0.15}, 1e-6, 1e3},
           {"depth", "m", "extent along z", {0.3, 0.3, 0.3}, 1e-6, 1e3}},
          make_block};
}

Shape beam_shape() {
  return {"beam",
          "A slender box with sharp edges along x, centred at the origin",
          {{"edge", "m", "edge length", {0.022, 0.00595, 0.0045}, 1e-6, 1e3},
           {"length", "m", "extent along x", {1, 1, 1}, 1e-6, 1e3},
           {"height", "m", "extent along y", {0.1, 0.1, 0.1}, 1e-6, 1e3},
           {"depth", "m", "extent along z", {0.1, 0.1, 0.1}, 1e-6, 1e3}},
          make_beam};
}

}  // namespace sinew::mesher
