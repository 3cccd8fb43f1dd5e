#include <numbers>

#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// The tread: pads between grooves along the axis and around it, faded out towards the ends so that they are round.
double tread_height(double angle, double z, double half, double pads_around, double pads_along) {
  const auto pad = [](double wave) { return smooth_step(-0.75, 0.05, wave); };
  const double row = std::numbers::pi * pads_along * (z / half + 1);  // pads_along rows over the length
  return pad(std::cos(pads_around * angle)) * pad(-std::cos(row));
}

ShapeSolid make(const Values& values) {
  const double radius = values.at("radius"), half = 0.5 * values.at("length"), depth = values.at("groove_depth");
  const double bore = values.at("bore_radius"), core = values.at("core_radius");
  const double around = values.at("pads_around"), along = values.at("pads_along");
  const double low = radius - depth;
  if (bore >= core)
    fail_input(code::shape_parameter, "roller: bore_radius {:g} m must be less than core_radius {:g} m", bore, core);
  if (core >= low)
    fail_input(code::shape_parameter, "roller: core_radius {:g} m must be less than radius - groove_depth = {:g} m",
               core, low);
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    if (std::abs(p.z()) >= half) return 0;
    const double r2 = p.x() * p.x() + p.y() * p.y();
    if (r2 >= radius * radius || r2 <= bore * bore) return 0;
    if (r2 <= core * core) return 1;
    if (r2 <= low * low) return 2;
    const double rise = depth * tread_height(std::atan2(p.y(), p.x()), p.z(), half, around, along);
    return r2 < (low + rise) * (low + rise) ? 2 : 0;
  };
  made.solid.regions = {"core", "foam"};
  made.solid.bounds = with_margin(centred_box({2 * radius, 2 * radius, 2 * half}));
  const double chord = 0.25 * values.at("edge");
  for (const double r : {bore, core, low}) {
    made.solid.features.push_back(circle_around_z(r, -half, chord));
    made.solid.features.push_back(circle_around_z(r, half, chord));
  }
  made.solid.thickness = std::min(core - bore, low - core);
  constexpr double pad = 0.7;  // of the distance to the next one
  set_finest_detail(made, {{1.5 * (low - core), "core_radius"},
                           {1.5 * (core - bore), "bore_radius"},
                           {pad * 2 * std::numbers::pi * low / around, "pads_around"},
                           {pad * 2 * half / along, "pads_along"}});
  return made;
}

}  // namespace

Shape roller_shape() {
  return {"roller",
          "A foam roller along z: a stiff tube in soft foam with a tread of pads (regions core, foam)",
          {{"edge", "m", "edge length", {0.019, 0.0047, 0.0036}, 1e-6, 1e3},
           {"radius", "m", "outer radius", {0.07, 0.07, 0.07}, 1e-6, 1e3},
           {"length", "m", "extent along z", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"core_radius", "m", "outer radius of the tube", {0.038, 0.035, 0.035}, 1e-6, 1e3},
           {"bore_radius", "m", "inner radius of the tube", {0.025, 0.029, 0.029}, 1e-6, 1e3},
           {"groove_depth", "m", "of the tread", {0.008, 0.008, 0.008}, 1e-6, 1e3},
           {"pads_around", "", "pads in a ring", {6, 10, 12}, 2, 100, true},
           {"pads_along", "", "rings of pads", {3, 7, 8}, 1, 100, true}},
          make};
}

}  // namespace sinew::mesher
