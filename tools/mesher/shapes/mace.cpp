#include <numbers>

#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// The head lies around the origin, the handle goes up.
struct Mace {
  double radius, spike_height, foot, tip, handle, handle_length;
  std::vector<Vec3> spikes;  // unit directions

  double operator()(const Vec3& p) const {
    double d = p.norm() - radius;
    double nearest = spike_height + radius;
    for (const Vec3& u : spikes) {
      if (p.dot(u) <= 0) continue;  // on the other side of the head
      nearest = std::min(nearest, capsule_distance(p, 0.9 * radius * u, (radius + spike_height - tip) * u, foot, tip));
    }
    d = smooth_union(d, nearest, 0.5 * foot);
    const double top = radius + handle_length;
    const double rod = capsule_distance(p, Vec3::Zero(), Vec3(0, top - handle, 0), handle, handle);
    const double pommel = (p - Vec3(0, top - 1.5 * handle, 0)).norm() - 1.5 * handle;
    return smooth_union(d, smooth_union(rod, pommel, handle), handle);
  }
};

ShapeSolid make(const Values& values) {
  Mace mace{values.at("radius"),
            values.at("spike_height"),
            values.at("spike_radius"),
            values.at("tip_radius"),
            values.at("handle_radius"),
            values.at("handle_length"),
            {}};
  if (mace.tip >= mace.foot) {
    fail_input(code::shape_parameter, "mace: tip_radius {:g} m must be less than spike_radius {:g} m", mace.tip,
               mace.foot);
  }
  if (mace.spike_height <= 2 * mace.tip) {
    fail_input(code::shape_parameter, "mace: spike_height {:g} m must exceed twice tip_radius {:g} m",
               mace.spike_height, mace.tip);
  }
  if (mace.handle > 0.5 * mace.radius) {
    fail_input(code::shape_parameter, "mace: handle_radius {:g} m must be at most half of radius {:g} m", mace.handle,
               mace.radius);
  }
  if (mace.handle_length < 4 * mace.handle) {
    fail_input(code::shape_parameter, "mace: handle_length {:g} m must be at least four times handle_radius {:g} m",
               mace.handle_length, mace.handle);
  }
  const int count = static_cast<int>(values.at("spikes"));
  const double apart = mace.radius * std::sqrt(4 * std::numbers::pi / count);
  if (2 * mace.foot > apart) {
    fail_input(code::shape_parameter, "mace: {} spikes are only {:g} m apart, too near for spike_radius {:g} m", count,
               apart, mace.foot);
  }
  constexpr double golden_angle = std::numbers::pi * (3 - 2.2360679774997896964);
  for (int i = 0; i < count; ++i) {
    const double y = -1 + (2 * i + 1.0) / count, r = std::sqrt(1 - y * y);  // from the bottom up
    const Vec3 u(r * std::cos(golden_angle * i), y, r * std::sin(golden_angle * i));
    if (r * mace.radius > mace.handle + 1.5 * mace.foot || y < 0) mace.spikes.push_back(u);  // none in the handle
  }
  ShapeSolid made;
  made.solid.label = [mace](const Vec3& p) { return mace(p) < 0 ? 1 : 0; };
  made.solid.regions = {"mace"};
  const double reach = mace.radius + mace.spike_height;
  made.solid.bounds = with_margin({Vec3(-reach, -reach, -reach), Vec3(reach, mace.radius + mace.handle_length, reach)});
  made.solid.thickness = 2 * std::min(mace.tip, mace.handle);
  set_finest_detail(made, {{3 * mace.tip, "tip_radius"}, {1.5 * mace.handle, "handle_radius"}});
  return made;
}

}  // namespace

Shape mace_shape() {
  return {"mace",
          "A ball with spikes around the origin, on a handle that points up",
          {{"edge", "m", "edge length", {0.026, 0.0075, 0.0048}, 1e-6, 1e3},
           {"radius", "m", "of the ball", {0.1, 0.1, 0.1}, 1e-6, 1e3},
           {"spikes", "", "places for spikes around the ball", {20, 32, 32}, 1, 1000, true},
           {"spike_height", "m", "above the ball", {0.06, 0.06, 0.06}, 1e-6, 1e3},
           {"spike_radius", "m", "of a spike at its foot", {0.024, 0.02, 0.02}, 1e-6, 1e3},
           {"tip_radius", "m", "of the rounded tips", {0.009, 0.005, 0.005}, 1e-6, 1e3},
           {"handle_radius", "m", "of the handle", {0.022, 0.02, 0.02}, 1e-6, 1e3},
           {"handle_length", "m", "from the ball to the end", {0.25, 0.25, 0.25}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
