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

// The rim of the window around the unit vector `centre`, on the sphere of the given radius: where rays from the centre
// enter the struts. None where the struts cover the centre.
Polyline window_rim(const StrutField& struts, const Vec3& centre, double radius, double chord) {
  if (struts.inside(radius * centre)) return {};
  const Vec3 u = centre.unitOrthogonal(), v = centre.cross(u);
  const auto point = [&](double angle, double away) {
    const Vec3 side = std::cos(angle) * u + std::sin(angle) * v;
    return Vec3(radius * (std::cos(away) * centre + std::sin(away) * side));
  };
  const auto rim = [&](double angle) {
    const double step = 0.1 * chord / radius, far = 0.5 * std::numbers::pi;  // struts thinner than a step are missed
    double free = 0;
    while (free < far && !struts.inside(point(angle, free + step))) free += step;
    double covered = free + step;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (free + covered);
      (struts.inside(point(angle, middle)) ? covered : free) = middle;
    }
    return point(angle, free);
  };
  const double size = (rim(0) - radius * centre).norm();
  const int count = chord_count(2 * std::numbers::pi * size, chord, 24);
  Polyline line;
  for (int i = 0; i <= count; ++i) line.push_back(rim(2 * std::numbers::pi * (i % count) / count));
  return line;
}

// The shell is a wall of even depth whose struts, in the projection on the sphere, leave windows that the core fills.
ShapeSolid make(const Values& values) {
  const double radius = values.at("radius"), depth = values.at("shell_thickness"), width = values.at("strut_width");
  const double inner = radius - depth;
  if (inner <= 0)
    fail_input(code::shape_parameter, "stressball: shell_thickness {:g} m must be less than radius {:g} m", depth,
               radius);
  const bool windows = values.at("windows") != 0;
  auto struts = std::make_shared<StrutField>();
  const SphereTiling tiling = goldberg_tiling(static_cast<int>(values.at("frequency")));
  for (const auto& [a, b] : tiling.edges) {
    std::vector<Vec3> points =
        arc(tiling.corners[static_cast<std::size_t>(a)], tiling.corners[static_cast<std::size_t>(b)], 6);
    for (Vec3& p : points) p *= radius;
    struts->add(points, std::vector<double>(points.size(), 0.5 * width));
  }
  struts->build();
  const double cavity = values.at("cavity_radius"), spacing = values.at("cavity_spacing");
  const double wall = 0.5 * spacing - cavity;  // half of what is left between two cavities
  if (cavity > 0 && wall <= 0) {
    fail_input(code::shape_parameter,
               "stressball: cavity_spacing {:g} m must be more than twice cavity_radius = {:g} m", spacing, 2 * cavity);
  }
  const double cavities_within = cavity > 0 ? inner - cavity - 2 * wall : -1;
  if (cavity > 0 && cavities_within < 0) {
    fail_input(code::shape_parameter, "stressball: cavity_radius {:g} m leaves no room in a core of radius {:g} m",
               cavity, inner);
  }
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    const double r2 = p.squaredNorm();
    if (r2 >= radius * radius) return 0;
    if (r2 > inner * inner) {
      if (!windows) return 1;
      return struts->inside(radius / std::sqrt(r2) * p) ? 1 : 2;
    }
    if (cavities_within >= 0) {
      const Vec3 nearest = spacing * (p / spacing).array().round();
      if ((p - nearest).squaredNorm() < cavity * cavity && nearest.norm() <= cavities_within) return 0;
    }
    return 2;
  };
  made.solid.regions = {"shell", "core"};
  // A ball of shorter edges is refused for its number of tets, but finding its lines would take for ever.
  const bool lines = windows && values.at("edge") > 0.004 * radius;
  if (lines) {
    for (const Vec3& cell : tiling.cells) {
      Polyline rim = window_rim(*struts, cell, radius, 0.2 * values.at("edge"));
      if (rim.empty()) continue;
      Polyline& deep = made.solid.features.emplace_back(rim);  // where the struts end in the core
      for (Vec3& p : deep) p *= inner / radius;
      made.solid.features.push_back(std::move(rim));
    }
  }
  made.solid.bounds = with_margin(centred_box(Vec3::Constant(2 * radius)));
  made.solid.thickness = std::min(depth, windows ? width : depth);
  if (cavity > 0) made.solid.thickness = std::min({made.solid.thickness, 2 * cavity, 2 * wall});
  made.finest_detail = 1.5 * made.solid.thickness;
  made.detail_parameter = depth < width ? "shell_thickness" : "strut_width";
  return made;
}

}  // namespace

Shape stressball_shape() {
  return {"stressball",
          "A soft ball in a stiff net whose windows it fills (regions shell, core)",
          {{"edge", "m", "edge length", {0.012, 0.0018, 0.00135}, 1e-6, 1e3},
           {"radius", "m", "outer radius", {0.04, 0.04, 0.04}, 1e-6, 1e3},
           {"shell_thickness", "m", "depth of the net", {0.009, 0.004, 0.004}, 1e-6, 1e3},
           {"frequency", "", "n gives 10 n^2 + 2 windows", {1, 2, 2}, 1, 40, true},
           {"strut_width", "m", "width of the net's struts", {0.014, 0.0045, 0.0045}, 1e-6, 1e3},
           {"windows", "", "1: a net; 0: a closed shell", {1, 1, 1}, 0, 1, true},
           {"cavity_radius", "m", "of the cavities in the core; 0: none", {0, 0, 0}, 0, 1e3},
           {"cavity_spacing", "m", "between the centres of cavities", {0.012, 0.012, 0.012}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
