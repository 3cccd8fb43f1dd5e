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

// The ring around y in the plane y = 0 and behind it, towards -z, the arm and the plate that holds it. Arm and plate
// keep their place and size when the rod gets thicker.
struct Rim {
  double inner, tube;

  double ring() const { return inner + tube; }
  double back() const { return -1.45 * inner; }  // of the plate

  double operator()(const Vec3& p) const {
    const double hoop = torus_distance(p, ring(), tube);
    const double thick = std::max(0.05 * inner, 0.8 * tube);  // half, of the plate
    const double arm_end = back() + thick, arm_start = -inner - tube;
    const double arm = box_distance(p - Vec3(0, 0, 0.5 * (arm_start + arm_end)),
                                    Vec3(0.2 * inner, 0.8 * tube, 0.5 * (arm_start - arm_end)), 0.4 * tube);
    const double plate =
        box_distance(p - Vec3(0, -0.05 * inner, back() + thick), Vec3(0.32 * inner, 0.22 * inner, thick), 0.5 * thick);
    return smooth_union(smooth_union(hoop, arm, tube), plate, tube);
  }
};

// Knots in rows, those of odd rows half-way between those of even ones; each is tied to two of the next row.
void add_net(const Values& values, const Rim& rim, StrutField& net) {
  const int around = static_cast<int>(values.at("knots_around")), rows = static_cast<int>(values.at("rows"));
  const double length = values.at("net_length"), bottom = values.at("net_radius"), thin = values.at("strand_radius");
  const auto knot = [&](int row, int i) {
    const double t = static_cast<double>(row) / rows;
    const double radius = bottom + (rim.ring() - bottom) * std::pow(1 - t, 1.6);  // a funnel
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

// The curve on the rim around a root of the net: from where the strands leave it, over the surface to their border.
// None where they leave it apart from each other.
Polyline root_curve(const Rim& rim, const StrutField& net, double azimuth, double chord) {
  // A point of the surface `along` the hoop and `around` its rod [m] from the lowest point at the azimuth.
  const auto surface = [&](double along, double around) {
    const double a = azimuth + along / rim.ring(), b = around / rim.tube;
    const Vec3 outward(std::sin(a), 0, std::cos(a));
    const Vec3 direction = -std::cos(b) * Vec3::UnitY() + std::sin(b) * outward;
    double in = 0, out = 3 * rim.tube;
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (in + out);
      (rim(rim.ring() * outward + middle * direction) < 0 ? in : out) = middle;
    }
    return Vec3(rim.ring() * outward + in * direction);
  };
  if (!net.inside(surface(0, 0))) return {};
  const double step = 0.1 * chord, reach = 2 * rim.tube;
  const auto border = [&](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    double in = 0;
    while (in < reach && net.inside(surface((in + step) * c, (in + step) * s))) in += step;
    double out = in + step;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (in + out);
      (net.inside(surface(middle * c, middle * s)) ? in : out) = middle;
    }
    return surface(in * c, in * s);
  };
  constexpr int count = 48;
  Polyline line;
  for (int i = 0; i <= count; ++i) line.push_back(border(2 * std::numbers::pi * (i % count) / count));
  return line;
}

ShapeSolid make(const Values& values) {
  const double tube = values.at("rim_tube"), thin = values.at("strand_radius");
  const Rim rim{values.at("rim_radius"), tube};
  if (thin >= tube)
    fail_input(code::shape_parameter, "hoop_with_net: strand_radius {:g} m must be less than rim_tube {:g} m", thin,
               tube);
  const double across = 2 * std::numbers::pi * rim.ring() / values.at("knots_around");
  if (across <= 3 * thin) {
    fail_input(
        code::shape_parameter,
        "hoop_with_net: with {} knots_around one of them has {:.3g} m, expected more than three times strand_radius "
        "{:g} m",
        values.at("knots_around"), across, thin);
  }
  const double down = values.at("net_length") / values.at("rows");
  if (down <= 2 * thin) {
    fail_input(code::shape_parameter,
               "hoop_with_net: with {} rows one of them has {:.3g} m, expected more than twice strand_radius {:g} m",
               values.at("rows"), down, thin);
  }
  auto net = std::make_shared<StrutField>();
  add_net(values, rim, *net);
  const double lowest = -0.35 * rim.inner - tube, highest = 0.25 * rim.inner + tube;  // of the rim
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    if (p.y() > lowest && rim(p) < 0) return 1;
    return net->inside(p) ? 2 : 0;
  };
  made.solid.regions = {"rim", "net"};
  const int around = static_cast<int>(values.at("knots_around"));
  // The rod is strongly curved across a strand: shorter edges there, for the area of the interface.
  made.solid.grading = [=, ring = rim.ring()](const Vec3& p) {
    const double spacing = 2 * std::numbers::pi / around;
    const double azimuth = spacing * std::round(std::atan2(p.x(), p.z()) / spacing);
    const Vec3 root(ring * std::sin(azimuth), -tube, ring * std::cos(azimuth));
    return (p - root).squaredNorm() < 2.25 * thin * thin ? 0.5 : 1.0;
  };
  for (int i = 0; i < around; ++i) {
    const Polyline root = root_curve(rim, *net, 2 * std::numbers::pi * i / around, 0.25 * thin);
    // In arcs, whose ends are vertices: edges as long as elsewhere would cut the curve short.
    constexpr std::size_t arc = 8;
    for (std::size_t k = 0; k + arc < root.size(); k += arc) {
      const auto start = root.begin() + static_cast<std::ptrdiff_t>(k);
      made.solid.features.emplace_back(start, start + arc + 1);
    }
  }
  const double outer = rim.ring() + tube;
  Eigen::AlignedBox3d box(Vec3(-outer, lowest, rim.back() - tube), Vec3(outer, highest, outer));
  box.extend(net->bounds());
  made.solid.bounds = with_margin(box);
  made.solid.thickness = 2 * std::min(thin, tube);
  made.finest_detail = 2.4 * thin;
  made.detail_parameter = "strand_radius";
  return made;
}

}  // namespace

Shape hoop_with_net_shape() {
  return {"hoop_with_net",
          "A basketball hoop around y in the plane y = 0, its plate at -z, and the net tied to it (regions rim, net)",
          {{"edge", "m", "edge length", {0.038, 0.0085, 0.006}, 1e-6, 1e3},
           {"rim_radius", "m", "inner radius of the hoop", {0.23, 0.23, 0.23}, 1e-6, 1e3},
           {"rim_tube", "m", "radius of the hoop's rod", {0.02, 0.012, 0.01}, 1e-6, 1e3},
           {"net_length", "m", "from the hoop to the lowest knots", {0.4, 0.4, 0.4}, 1e-6, 1e3},
           {"net_radius", "m", "of the net at the bottom", {0.105, 0.105, 0.105}, 1e-6, 1e3},
           {"strand_radius", "m", "of the net's strands", {0.017, 0.0045, 0.0035}, 1e-6, 1e3},
           {"knots_around", "", "knots in a row", {6, 10, 12}, 3, 200, true},
           {"rows", "", "rows of strands", {3, 5, 6}, 1, 200, true}},
          make};
}

}  // namespace sinew::mesher
