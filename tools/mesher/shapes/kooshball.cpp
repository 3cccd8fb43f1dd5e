#include <cmath>
#include <memory>
#include <numbers>

#include "sdf_scatter.h"
#include "sdf_struts.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Tendril i of n: straight at its root. Towards the tips all turn ever more about y and droop ever more in -y, by maps
// of space that are one to one: so none meet.
void add_tendril(const Values& values, int i, int n, StrutField& tendrils) {
  constexpr int pieces = 9;
  constexpr double golden_angle = std::numbers::pi * (3 - 2.2360679774997896964);
  const double core = values.at("core_radius"), radius = values.at("radius"), thick = values.at("tendril_radius");
  const double height = 1 - (2 * i + 1.0) / n, angle = golden_angle * i;
  const Vec3 direction(std::sqrt(1 - height * height) * std::cos(angle), height,
                       std::sqrt(1 - height * height) * std::sin(angle));
  const double tip = radius * scattered(i, 0, 0.86, 1) - 0.8 * thick;
  std::vector<Vec3> points;
  std::vector<double> radii;
  for (int k = 0; k <= pieces; ++k) {
    const double t = static_cast<double>(k) / pieces;
    const double r = 0.8 * core + t * (tip - 0.8 * core);
    Vec3 p = Eigen::AngleAxisd(values.at("twist") * r * r / (radius * radius), Vec3::UnitY()) * (r * direction);
    p.y() -= values.at("droop") * (p.x() * p.x() + p.z() * p.z()) / radius;
    points.push_back(p);
    radii.push_back(thick * (1.04 - 0.25 * t));
  }
  tendrils.add(points, radii);
}

ShapeSolid make(const Values& values) {
  const double core = values.at("core_radius"), radius = values.at("radius");
  if (core >= 0.9 * radius)
    fail_input(code::shape_parameter, "kooshball: core_radius {:g} m must be less than 0.9 radius = {:g} m", core,
               0.9 * radius);
  if (values.at("tendril_radius") >= 0.5 * radius) {
    fail_input(code::shape_parameter, "kooshball: tendril_radius {:g} m must be less than half of radius {:g} m",
               values.at("tendril_radius"), radius);
  }
  const int n = static_cast<int>(values.at("tendrils"));
  auto tendrils = std::make_shared<StrutField>();
  for (int i = 0; i < n; ++i) add_tendril(values, i, n, *tendrils);
  tendrils->build();
  ShapeSolid made;
  made.solid.label = [tendrils, core2 = core * core](const Vec3& p) {
    return p.squaredNorm() < core2 || tendrils->inside(p) ? 1 : 0;
  };
  made.solid.regions = {"rubber"};
  made.solid.bounds = with_margin(centred_box(Vec3::Constant(2 * radius)));
  made.solid.thickness = 2 * tendrils->thinnest();
  made.finest_detail = 3 * tendrils->thinnest();
  made.detail_parameter = "tendril_radius";
  return made;
}

}  // namespace

Shape kooshball_shape() {
  return {"kooshball",
          "A ball of many thin tendrils that grow from a core and droop in -y",
          {{"edge", "m", "edge length", {0.006, 0.0028, 0.0023}, 1e-6, 1e3},
           {"radius", "m", "from the centre to the tips of the longest tendrils", {0.06, 0.06, 0.06}, 1e-6, 1e3},
           {"core_radius", "m", "of the core", {0.02, 0.02, 0.022}, 1e-6, 1e3},
           {"tendrils", "", "number of tendrils", {72, 340, 600}, 1, 1e5, true},
           {"tendril_radius",
            "m",
            "of a tendril at its root; the tip is a fifth thinner",
            {0.0026, 0.0012, 0.00105},
            1e-6,
            1e3},
           {"twist", "", "angle by which the tips are turned about y [rad]", {0.4, 0.4, 0.4}, -3, 3},
           {"droop", "", "by how much the tips at the sides hang down, over the radius", {0.45, 0.45, 0.45}, 0, 0.5}},
          make};
}

}  // namespace sinew::mesher
