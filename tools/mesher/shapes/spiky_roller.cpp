#include <numbers>

#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// A drum around z with rings of spikes, every other ring turned by half a spike.
struct Drum {
  double radius, half, spike_height, foot, tip, around, rings;

  double ring_spacing() const { return 2 * half / rings; }
  double ring_z(double ring) const { return (ring + 0.5) * ring_spacing() - half; }

  double spike(const Vec3& p, double ring) const {
    const double turn = 2 * std::numbers::pi / around, shift = std::fmod(ring, 2) == 0 ? 0 : 0.5;
    const double angle = turn * (std::round(std::atan2(p.y(), p.x()) / turn - shift) + shift);
    const Vec3 out(std::cos(angle), std::sin(angle), 0), at(0, 0, ring_z(ring));
    return capsule_distance(p, at + 0.9 * radius * out, at + (radius + spike_height - tip) * out, foot, tip);
  }

  double operator()(const Vec3& p) const {
    const double r = std::hypot(p.x(), p.y());
    const double drum = round_intersection(r - radius, std::abs(p.z()) - half, 0.2 * std::min(radius, half));
    const double nearest = std::clamp(std::round((p.z() + half) / ring_spacing() - 0.5), 0.0, rings - 1);
    double spikes = spike(p, nearest);
    if (nearest > 0) spikes = std::min(spikes, spike(p, nearest - 1));
    if (nearest + 1 < rings) spikes = std::min(spikes, spike(p, nearest + 1));
    return smooth_union(drum, spikes, 0.5 * foot);
  }
};

ShapeSolid make(const Values& values) {
  const Drum drum{values.at("radius"),       0.5 * values.at("length"), values.at("spike_height"),
                  values.at("spike_radius"), values.at("tip_radius"),   values.at("spikes_around"),
                  values.at("rings")};
  if (drum.tip >= drum.foot) {
    fail_input(code::shape_parameter, "spiky_roller: tip_radius {:g} m must be less than spike_radius {:g} m", drum.tip,
               drum.foot);
  }
  if (drum.spike_height <= 2 * drum.tip) {
    fail_input(code::shape_parameter, "spiky_roller: spike_height {:g} m must exceed twice tip_radius {:g} m",
               drum.spike_height, drum.tip);
  }
  const double room = std::min(2 * std::numbers::pi * drum.radius / drum.around, drum.ring_spacing());
  if (2 * drum.foot >= 0.9 * room) {
    fail_input(code::shape_parameter,
               "spiky_roller: spikes are {:g} m apart, too near for spike_radius {:g} m: fewer spikes_around or rings",
               room, drum.foot);
  }
  ShapeSolid made;
  made.solid.label = [drum](const Vec3& p) { return drum(p) < 0 ? 1 : 0; };
  made.solid.regions = {"roller"};
  const double reach = drum.radius + drum.spike_height;
  made.solid.bounds = with_margin(centred_box({2 * reach, 2 * reach, 2 * drum.half}));
  made.solid.thickness = 2 * drum.tip;
  set_finest_detail(made, {{3 * drum.tip, "tip_radius"}, {drum.radius, "radius"}, {2 * drum.half, "length"}});
  return made;
}

}  // namespace

Shape spiky_roller_shape() {
  return {"spiky_roller",
          "A drum along z with rings of spikes",
          {{"edge", "m", "edge length", {0.022, 0.0062, 0.0047}, 1e-6, 1e3},
           {"radius", "m", "of the drum", {0.07, 0.07, 0.07}, 1e-6, 1e3},
           {"length", "m", "extent along z", {0.24, 0.24, 0.24}, 1e-6, 1e3},
           {"spike_height", "m", "above the drum", {0.04, 0.04, 0.04}, 1e-6, 1e3},
           {"spike_radius", "m", "of a spike at its foot", {0.016, 0.012, 0.012}, 1e-6, 1e3},
           {"tip_radius", "m", "of the rounded tips", {0.008, 0.004, 0.004}, 1e-6, 1e3},
           {"spikes_around", "", "spikes in a ring", {8, 12, 12}, 1, 100, true},
           {"rings", "", "rings of spikes", {4, 6, 6}, 1, 100, true}},
          make};
}

}  // namespace sinew::mesher
