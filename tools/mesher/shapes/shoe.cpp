#include <cmath>
#include <memory>

#include "sdf.h"
#include "sdf_outline.h"
#include "shapes/features.h"
#include "shapes/shapes.h"
#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Lengths are over the length of the shoe, u runs along x from the heel (0) to the toe (1), z across, y = 0 the ground.

// A left sole seen from above.
std::vector<Eigen::Vector2d> sole_outline() {
  return closed_spline({{0.0, 0.0},     {0.045, 0.075},  {0.15, 0.113},  {0.32, 0.115},  {0.5, 0.13},  {0.68, 0.162},
                        {0.82, 0.152},  {0.93, 0.103},   {0.988, 0.035}, {0.995, -0.04}, {0.95, -0.11}, {0.85, -0.153},
                        {0.7, -0.16},   {0.52, -0.118},  {0.36, -0.095}, {0.2, -0.105},  {0.07, -0.085}},
                       16);
}

// Linear between the rows (u, height) of a profile, smoothed.
double upper_height(double u) {
  const double instep = 0.27 - 0.15 * smooth_step(0.36, 0.82, u);
  return instep - 0.03 * smooth_step(0.8, 1.05, u) + 0.025 * smooth_step(0.12, 0.0, u) -
         0.02 * smooth_step(0.05, 0.2, u) * smooth_step(0.4, 0.25, u);
}

struct Holes {
  double count, rows, part;

  static constexpr double first = 0.08, last = 0.86;

  double spacing() const { return (last - first) / count; }
  double radius(double thickness) const { return 0.5 * part * std::min(thickness / rows, spacing()); }
};

struct Shoe {
  OutlineField outline;
  double outsole, midsole_heel, midsole_toe, wall;
  Holes holes;

  double ground(double u) const {
    const double toe = std::max(0.0, (u - 0.68) / 0.32), heel = std::max(0.0, (0.12 - u) / 0.12);
    return 0.045 * toe * toe + 0.012 * heel * heel;
  }
  double midsole(double u) const {
    return midsole_heel + (midsole_toe - midsole_heel) * smooth_step(0.2, 0.75, u);
  }

  // Tunnels across the midsole, in rows over each other, every other row shifted by half their spacing.
  bool in_hole(double u, double height, double thickness) const {
    if (holes.part <= 0) return false;
    const double layer = thickness / holes.rows;
    const double row = std::clamp(std::floor(height / layer), 0.0, holes.rows - 1);
    const double shift = std::fmod(row, 2) == 0 ? 0.5 : 1.0;
    const double column = std::round((u - Holes::first) / holes.spacing() - shift);
    if (column < 0 || column > holes.count - 1 - (shift - 0.5)) return false;
    const double centre = Holes::first + (column + shift) * holes.spacing();
    // The layers follow the slope of the sole; the radius is that at the centre, so that the tunnels are round.
    const double r = holes.radius(midsole(centre));
    return std::hypot(u - centre, height - (row + 0.5) * layer) < r;
  }

  // 1 outsole, 2 midsole, 3 upper.
  int label(double u, double y, double z) const {
    if (u < -0.05 || u > 1.05) return 0;
    const double bottom = ground(u), y1 = bottom + outsole, thickness = midsole(u), y2 = y1 + thickness;
    if (y <= bottom) return 0;
    const double top = y2 + upper_height(u);
    if (y >= top) return 0;
    const double plan = outline(u, z);
    if (plan >= 0) return 0;
    // The side: a sole with a waist, a step in above it, then leaning in.
    const double above = y - y2;
    const double h = std::clamp((y - bottom) / (y2 - bottom), 0.0, 1.0);
    const double inset = 0.03 * h * (1 - h) + 0.016 * smooth_step(-0.01, 0.03, above) + 0.12 * std::max(0.0, above - 0.02) * smooth_step(0.0, 0.15, above);
    const double side = plan + inset;
    if (y < y2) {
      if (round_intersection(side, bottom - y, 0.012) >= 0) return 0;
      if (y < y1) return 1;
      return in_hole(u, y - y1, thickness) ? 0 : 2;
    }
    const double body = round_intersection(side, y - top, 0.07);
    if (body >= 0) return 0;
    const double inner = round_intersection(body + wall, wall - above, 0.6 * wall);
    // The opening for foot and laces.
    const double a = 0.21, b = 0.058;
    const double narrow = b * (1 - 0.45 * smooth_step(0.25, 0.5, u));
    const double mouth = (std::hypot((u - 0.27) / a, z / narrow) - 1) * narrow;
    const double opening = above > 2 * wall ? -mouth : 1e3;
    const double shell = -inner;  // negative in the wall and beyond the outer side
    return round_intersection(std::max(body, shell), above > 2 * wall ? opening : -1.0, 0.45 * wall) < 0 ? 3 : 0;
  }
};

ShapeSolid make(const Values& values) {
  const double length = values.at("length");
  auto shoe = std::make_shared<Shoe>(Shoe{OutlineField(sole_outline(), 1.0 / 500, 0.06), values.at("outsole_thickness") / length,
                                          values.at("midsole_heel") / length, values.at("midsole_toe") / length,
                                          values.at("upper_thickness") / length,
                                          {values.at("holes"), values.at("hole_rows"), values.at("hole_part")}});
  ShapeSolid made;
  made.solid.label = [shoe, s = 1 / length](const Vec3& p) { return shoe->label(s * p.x() + 0.5, s * p.y(), s * p.z()); };
  made.solid.regions = {"outsole", "midsole", "upper"};
  const double height = 0.32 * length + values.at("outsole_thickness") + values.at("midsole_heel");
  made.solid.bounds = with_margin({Vec3(-0.5 * length, 0, -0.165 * length), Vec3(0.5 * length, height, 0.165 * length)});
  made.solid.thickness = std::min(values.at("upper_thickness"), values.at("outsole_thickness"));
  made.finest_detail = 1.6 * made.solid.thickness;
  made.detail_parameter = values.at("upper_thickness") < values.at("outsole_thickness") ? "upper_thickness" : "outsole_thickness";
  return made;
}

}  // namespace

Shape shoe_shape() {
  return {"shoe",
          "A shoe along x, the toe at +x, standing at y = 0 (regions outsole, midsole with tunnels, upper)",
          {{"edge", "m", "edge length", {0.012, 0.0034, 0.0019}, 1e-6, 1e3},
           {"length", "m", "from heel to toe", {0.28, 0.28, 0.28}, 1e-6, 1e3},
           {"outsole_thickness", "m", "of the outsole", {0.008, 0.006, 0.006}, 1e-6, 1e3},
           {"midsole_heel", "m", "thickness of the midsole at the heel", {0.03, 0.03, 0.03}, 1e-6, 1e3},
           {"midsole_toe", "m", "thickness of the midsole at the toe", {0.018, 0.018, 0.018}, 1e-6, 1e3},
           {"upper_thickness", "m", "of the upper's wall", {0.009, 0.0045, 0.004}, 1e-6, 1e3},
           {"holes", "", "tunnels in a row of the midsole", {5, 12, 16}, 1, 200, true},
           {"hole_rows", "", "rows of tunnels", {1, 2, 2}, 1, 20, true},
           {"hole_part", "", "diameter of a tunnel over the room it has", {0.55, 0.6, 0.6}, 0, 0.9}},
          make};
}

}  // namespace sinew::mesher
