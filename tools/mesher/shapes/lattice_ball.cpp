#include <cmath>
#include <memory>
#include <numbers>

#include "sdf_struts.h"
#include "shapes/features.h"
#include "shapes/goldberg.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of the circle in a hexagon, all cells of the sphere being alike. Those of pentagons and bent hexagons are up to a
// fifth smaller.
double window_radius(double sphere, double frequency) {
  const double cell = 4 * std::numbers::pi * sphere * sphere / (10 * frequency * frequency + 2);
  return std::sqrt(cell / (2 * std::numbers::sqrt3));
}

// The struts are round in a space whose radial direction is squeezed, hence taller than wide in the real one.
ShapeSolid make(const Values& values) {
  const double radius = values.at("radius"), thin = values.at("strut_radius"), aspect = values.at("depth_ratio");
  const double depth = 2 * aspect * thin;
  if (depth > 0.5 * radius) {
    fail_input(
        code::shape_parameter,
        "lattice_ball: the depth of the struts, 2 depth_ratio strut_radius = {:g} m, must be at most half of radius "
        "{:g} m",
        depth, radius);
  }
  const double frequency = values.at("frequency");
  const double window = window_radius(radius - aspect * thin, frequency);
  if (thin > 0.8 * window) {
    fail_input(code::shape_parameter,
               "lattice_ball: struts of strut_radius {:g} m close the windows between them at frequency {:g}; use a "
               "strut_radius of at most {:.3g} m or a smaller frequency",
               thin, frequency, 0.8 * window);
  }
  const double middle = radius - aspect * thin;  // the struts touch the sphere of the given radius from inside
  auto struts = std::make_shared<StrutField>();
  const SphereTiling tiling = goldberg_tiling(static_cast<int>(frequency));
  for (const auto& [a, b] : tiling.edges) {
    std::vector<Vec3> points =
        arc(tiling.corners[static_cast<std::size_t>(a)], tiling.corners[static_cast<std::size_t>(b)], 6);
    for (Vec3& p : points) p *= middle;
    struts->add(points, std::vector<double>(points.size(), thin));
  }
  struts->build();
  const double reach = 2 * aspect * thin;
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    const double r = p.norm();
    if (std::abs(r - middle) > reach) return 0;
    return struts->inside((middle + (r - middle) / aspect) / r * p) ? 1 : 0;
  };
  made.solid.regions = {"lattice"};
  made.solid.bounds = with_margin(centred_box(Vec3::Constant(2 * (radius + reach))));
  made.solid.thickness = 2 * thin;
  made.finest_detail = 2.4 * thin;
  made.detail_parameter = "strut_radius";
  return made;
}

}  // namespace

Shape lattice_ball_shape() {
  return {"lattice_ball",
          "A hollow ball of struts along the edges of a tiling by hexagons and twelve pentagons",
          {{"edge", "m", "edge length", {0.024, 0.0027, 0.0019}, 1e-6, 1e3},
           {"radius", "m", "outer radius", {0.12, 0.12, 0.12}, 1e-6, 1e3},
           {"frequency", "", "n gives 10 n^2 + 2 cells", {2, 4, 5}, 1, 40, true},
           {"strut_radius", "m", "half the width of a strut", {0.01, 0.0025, 0.0022}, 1e-6, 1e3},
           {"depth_ratio", "", "depth of a strut towards the centre over its width", {1, 1.8, 1.8}, 0.5, 5}},
          make};
}

}  // namespace sinew::mesher
