#include <cmath>
#include <memory>
#include <numbers>

#include "sdf.h"
#include "sdf_struts.h"
#include "shapes/features.h"
#include "shapes/shapes.h"
#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// The ring around y through the origin's plane and behind it, towards -z, the arm and the plate that holds it.
struct Rim {
  double ring, tube;

  double operator()(const Vec3& p) const {
    const double hoop = torus_distance(p, ring, tube);
    const double arm = box_distance(p - Vec3(0, 0, -(ring + 4 * tube)), Vec3(4 * tube, 0.8 * tube, 3.5 * tube), 0.5 * tube);
    const double plate = box_distance(p - Vec3(0, -2 * tube, -(ring + 8 * tube)), Vec3(6 * tube, 4.5 * tube, tube), 0.6 * tube);
    return smooth_union(smooth_union(hoop, arm, tube), plate, tube);
  }
};

// Knots in rows, those of odd rows half-way between those of even ones; each is tied to two of the next row.
void add_net(const Values& values, const Rim& rim, StrutField& net) {
  const int around = static_cast<int>(values.at("knots_around")), rows = static_cast<int>(values.at("rows"));
  const double length = values.at("net_length"), bottom = values.at("net_radius"), thin = values.at("strand_radius");
  const auto knot = [&](int row, int i) {
    const double t = static_cast<double>(row) / rows;
    const double radius = bottom + (rim.ring - bottom) * std::pow(1 - t, 1.6);  // a funnel
    const double angle = 2 * std::numbers::pi * (i + 0.5 * (row % 2)) / around;
    // The first row lies inside the ring, so that the strands start there.
    const double y = row == 0 ? -0.7 * rim.tube : -rim.tube - t * (length - rim.tube);
    return Vec3(radius * std::sin(angle), y, radius * std::cos(angle));
  };
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < around; ++i) {
      const int other = row % 2 == 0 ? i - 1 : i + 1;
      net.add(knot(row, i), knot(row + 1, i), thin);
      net.add(knot(row, i), knot(row + 1, (other + around) % around), thin);
    }
  }
  net.build();
}

ShapeSolid make(const Values& values) {
  const double tube = values.at("rim_tube"), thin = values.at("strand_radius");
  const Rim rim{values.at("rim_radius") + tube, tube};
  if (thin >= tube) fail_input("hoop_with_net: strand_radius {:g} m must be less than rim_tube {:g} m", thin, tube);
  auto net = std::make_shared<StrutField>();
  add_net(values, rim, *net);
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    if (p.y() > -9 * tube && rim(p) < 0) return 1;
    return net->inside(p) ? 2 : 0;
  };
  made.solid.regions = {"rim", "net"};
  Eigen::AlignedBox3d box(Vec3(-(rim.ring + tube), -7 * tube, -(rim.ring + 9.5 * tube)), Vec3(rim.ring + tube, 4 * tube, rim.ring + tube));
  box.extend(net->bounds());
  made.solid.bounds = with_margin(box);
  made.solid.thickness = 2 * std::min(thin, tube);
  made.finest_detail = 3 * thin;
  made.detail_parameter = "strand_radius";
  return made;
}

}  // namespace

Shape hoop_with_net_shape() {
  return {"hoop_with_net",
          "A basketball hoop around y in the plane y = 0, its plate at -z, and the net tied to it (regions rim, net)",
          {{"edge", "m", "edge length", {0.02, 0.0045, 0.0034}, 1e-6, 1e3},
           {"rim_radius", "m", "inner radius of the hoop", {0.16, 0.16, 0.16}, 1e-6, 1e3},
           {"rim_tube", "m", "radius of the hoop's rod", {0.012, 0.009, 0.009}, 1e-6, 1e3},
           {"net_length", "m", "from the hoop to the lowest knots", {0.3, 0.36, 0.36}, 1e-6, 1e3},
           {"net_radius", "m", "of the net at the bottom", {0.11, 0.105, 0.105}, 1e-6, 1e3},
           {"strand_radius", "m", "of the net's strands", {0.0085, 0.0035, 0.003}, 1e-6, 1e3},
           {"knots_around", "", "knots in a row", {6, 12, 12}, 3, 200, true},
           {"rows", "", "rows of diamonds' halves", {3, 6, 6}, 1, 200, true}},
          make};
}

}  // namespace sinew::mesher
