#include <cmath>
#include <numbers>

#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// A solid around z: the swollen middle, up to `middle` from z = 0, and beyond the necks the pleated ends of the
// wrapper.
struct Candy {
  double half, middle, radius, neck, end, pleats;

  double radius_at(double z, double angle) const {
    const double away = std::abs(z);
    if (away < middle) {
      const double s = away / middle;
      return neck + (radius - neck) * std::pow(1 - s * s, 0.7);
    }
    const double t = (away - middle) / (half - middle);
    const double fold = 0.16 * smooth_step(0.15, 1, t) * std::cos(pleats * angle);
    return (neck + (end - neck) * smooth_step(0, 1.4, t) / smooth_step(0, 1.4, 1)) * (1 + fold);
  }

  Polyline rim(double z, double chord) const {
    const int count = chord_count(2 * std::numbers::pi * radius_at(z, 0), chord, 16);
    Polyline line;
    for (int i = 0; i <= count; ++i) {
      const double angle = 2 * std::numbers::pi * (i % count) / count, r = radius_at(z, angle);
      line.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
    }
    return line;
  }
};

ShapeSolid make(const Values& values) {
  const double length = values.at("length"), radius = values.at("radius"), neck = values.at("neck_radius");
  if (neck >= 0.8 * radius) {
    fail_input(code::shape_parameter, "candy: neck_radius {:g} m must be less than 0.8 radius = {:g} m", neck,
               0.8 * radius);
  }
  const Candy candy{0.5 * length, 0.24 * length, radius, neck, std::max(0.85 * radius, neck), values.at("pleats")};
  ShapeSolid made;
  made.solid.label = [candy](const Vec3& p) {
    if (std::abs(p.z()) >= candy.half) return 0;
    const double r = candy.radius_at(p.z(), std::atan2(p.y(), p.x()));
    if (p.x() * p.x() + p.y() * p.y() >= r * r) return 0;
    return std::abs(p.z()) < candy.middle ? 1 : 2;
  };
  made.solid.regions = {"candy", "wrapper"};
  made.solid.bounds = with_margin(centred_box({2 * radius, 2 * radius, length}));
  const double chord = 0.25 * values.at("edge");
  for (const double z : {candy.middle, candy.half}) {
    made.solid.features.push_back(candy.rim(-z, chord));
    made.solid.features.push_back(candy.rim(z, chord));
  }
  made.solid.thickness = 2 * neck;
  set_finest_detail(made, {{1.5 * neck, "neck_radius"},
                           {0.7 * 2 * std::numbers::pi * candy.end / candy.pleats, "pleats"},
                           {0.2 * length, "length"}});
  return made;
}

}  // namespace

Shape candy_shape() {
  return {"candy",
          "A wrapped candy along z: the swollen middle and the pleated ends of its wrapper (regions candy, wrapper)",
          {{"edge", "m", "edge length", {0.035, 0.01, 0.0073}, 1e-6, 1e3},
           {"length", "m", "extent along z", {1, 1, 1}, 1e-6, 1e3},
           {"radius", "m", "of the middle", {0.17, 0.17, 0.17}, 1e-6, 1e3},
           {"neck_radius", "m", "where the wrapper is twisted", {0.05, 0.05, 0.05}, 1e-6, 1e3},
           {"pleats", "", "folds around each end", {6, 9, 9}, 2, 100, true}},
          make};
}

}  // namespace sinew::mesher
