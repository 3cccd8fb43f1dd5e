#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// A plate whose top lies at y = 0, with spikes on a grid.
struct Bed {
  double length, width, base, height, foot, tip, along, across;

  double pitch_x() const { return length / along; }
  double pitch_z() const { return width / across; }

  bool inside(const Vec3& p) const {
    if (std::abs(p.x()) >= 0.5 * length || std::abs(p.z()) >= 0.5 * width) return false;
    if (p.y() <= 0) return p.y() > -base;
    if (p.y() >= height) return false;
    const auto offset = [](double x, double pitch) { return x - (std::floor(x / pitch) + 0.5) * pitch; };
    const Vec3 q(offset(p.x() + 0.5 * length, pitch_x()), p.y(), offset(p.z() + 0.5 * width, pitch_z()));
    const double cone = capsule_distance(q, {0, -0.5 * foot, 0}, {0, height - tip, 0}, foot, tip);
    return smooth_union(cone, p.y(), 0.5 * foot) < 0;
  }
};

ShapeSolid make(const Values& values) {
  const Bed bed{values.at("length"),       values.at("width"),        values.at("base_height"),
                values.at("spike_height"), values.at("spike_radius"), values.at("tip_radius"),
                values.at("spikes_along"), values.at("spikes_across")};
  if (bed.tip >= bed.foot) {
    fail_input(code::shape_parameter, "spike_bed: tip_radius {:g} m must be less than spike_radius {:g} m", bed.tip,
               bed.foot);
  }
  if (bed.height <= 2 * bed.foot) {
    fail_input(code::shape_parameter, "spike_bed: spike_height {:g} m must exceed twice spike_radius {:g} m",
               bed.height, bed.foot);
  }
  const double room = std::min(bed.pitch_x(), bed.pitch_z());
  if (2.6 * bed.foot >= room) {
    fail_input(code::shape_parameter,
               "spike_bed: spikes are {:g} m apart, which must be more than 2.6 spike_radius = {:g} m", room,
               2.6 * bed.foot);
  }
  ShapeSolid made;
  made.solid.label = [bed](const Vec3& p) { return bed.inside(p) ? 1 : 0; };
  made.solid.regions = {"bed"};
  const double a = 0.5 * bed.length, b = 0.5 * bed.width;
  made.solid.bounds = with_margin({Vec3(-a, -bed.base, -b), Vec3(a, bed.height, b)});
  add_box_edges({Vec3(-a, -bed.base, -b), Vec3(a, 0, b)}, made.solid.features);
  made.solid.thickness = std::min(2 * bed.tip, bed.base);
  set_finest_detail(made, {{3 * bed.tip, "tip_radius"}, {bed.base, "base_height"}});
  return made;
}

}  // namespace

Shape spike_bed_shape() {
  return {"spike_bed",
          "A plate, its top at y = 0, with spikes on a grid",
          {{"edge", "m", "edge length", {0.028, 0.0082, 0.0062}, 1e-6, 1e3},
           {"length", "m", "extent along x", {0.5, 0.5, 0.5}, 1e-6, 1e3},
           {"width", "m", "extent along z", {0.5, 0.5, 0.5}, 1e-6, 1e3},
           {"base_height", "m", "of the plate", {0.03, 0.03, 0.03}, 1e-6, 1e3},
           {"spike_height", "m", "above the plate", {0.07, 0.07, 0.07}, 1e-6, 1e3},
           {"spike_radius", "m", "of a spike at its foot", {0.021, 0.014, 0.014}, 1e-6, 1e3},
           {"tip_radius", "m", "of the rounded tips", {0.01, 0.005, 0.005}, 1e-6, 1e3},
           {"spikes_along", "", "spikes along x", {6, 10, 10}, 1, 500, true},
           {"spikes_across", "", "spikes along z", {6, 10, 10}, 1, 500, true}},
          make};
}

}  // namespace sinew::mesher
