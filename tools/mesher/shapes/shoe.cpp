#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

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
  return closed_spline({{0.0, 0.0},
                        {0.045, 0.075},
                        {0.15, 0.113},
                        {0.32, 0.115},
                        {0.5, 0.13},
                        {0.68, 0.162},
                        {0.82, 0.152},
                        {0.93, 0.103},
                        {0.988, 0.035},
                        {0.995, -0.04},
                        {0.95, -0.11},
                        {0.85, -0.153},
                        {0.7, -0.16},
                        {0.52, -0.118},
                        {0.36, -0.095},
                        {0.2, -0.105},
                        {0.07, -0.085}},
                       16);
}

// Of the upper above the midsole: heel, a dip under the ankle, the instep, and down to the toes.
double upper_height(double u) {
  const double instep = 0.27 - 0.15 * smooth_step(0.36, 0.82, u);
  return instep - 0.03 * smooth_step(0.8, 1.05, u) + 0.025 * smooth_step(0.12, 0.0, u) -
         0.02 * smooth_step(0.05, 0.2, u) * smooth_step(0.4, 0.25, u);
}

struct Holes {
  double count, rows, part;

  static constexpr double first = 0.08, last = 0.8;

  double spacing() const { return (last - first) / count; }
  double radius(double thickness) const { return 0.5 * part * std::min(thickness / rows, spacing()); }
};

enum Region { outside = 0, outsole_region = 1, midsole_region = 2, upper_region = 3 };

struct Shoe {
  OutlineField outline;
  double outsole, midsole_heel, midsole_toe, wall, laces;
  Holes holes;

  double ground(double u) const {
    const double toe = std::max(0.0, (u - 0.68) / 0.32), heel = std::max(0.0, (0.12 - u) / 0.12);
    return 0.045 * toe * toe + 0.012 * heel * heel;
  }
  double midsole(double u) const { return midsole_heel + (midsole_toe - midsole_heel) * smooth_step(0.2, 0.75, u); }
  double outsole_top(double u) const { return ground(u) + outsole; }
  double midsole_top(double u) const { return outsole_top(u) + midsole(u); }

  // Beyond the side, seen from above: a sole with a waist, a step in above it, then leaning in.
  double side(double u, double y, double z) const {
    const double bottom = ground(u), top = midsole_top(u), above = y - top;
    const double h = std::clamp((y - bottom) / (top - bottom), 0.0, 1.0);
    const double lean = 0.12 * std::max(0.0, above - 0.02) * smooth_step(0.0, 0.15, above);
    return outline(u, z) + 0.03 * h * (1 - h) + 0.016 * smooth_step(-0.01, 0.03, above) + lean;
  }

  // Where tunnel `column` of `row` runs: u, y and radius.
  Vec3 hole(double column, double row) const {
    const double u = Holes::first + (column + shift(row)) * holes.spacing();
    const double y = outsole_top(u) + (row + 0.5) * midsole(u) / holes.rows;
    return {u, y, holes.radius(midsole(u))};
  }
  // Every other row is shifted by half the spacing, and has one tunnel less.
  static double shift(double row) { return std::fmod(row, 2) == 0 ? 0.5 : 1.0; }
  double hole_count(double row) const { return holes.part > 0 ? holes.count - (shift(row) - 0.5) * 2 : 0; }

  bool in_hole(double u, double y) const {
    const double row = std::clamp(std::floor((y - outsole_top(u)) * holes.rows / midsole(u)), 0.0, holes.rows - 1);
    // The sole slopes: a tunnel may reach into the height of its neighbours' row.
    for (double r = std::max(row - 1, 0.0); r <= std::min(row + 1, holes.rows - 1); ++r) {
      const double column = std::round((u - Holes::first) / holes.spacing() - shift(r));
      if (column < 0 || column >= hole_count(r)) continue;
      const Vec3 at = hole(column, r);
      if (std::hypot(u - at.x(), y - at.y()) < at.z()) return true;
    }
    return false;
  }

  // Of the opening for foot (the heel's part, bounded by the wall) and laces (a tongue that narrows towards the toe).
  double opening(double u, double z, double side) const {
    const double foot = std::max(side + wall, u - 0.3);
    const double half_width = 0.052 - 0.022 * smooth_step(0.3, 0.55, u);
    const double laces = (std::hypot((u - 0.36) / 0.19, z / half_width) - 1) * half_width;
    return smooth_union(foot, std::max(laces, side + wall), 0.02);
  }

  // What is sewn on the upper where it has laces: toe cap, heel counter, a band above the sole, stays beside the laces,
  // and three stripes on each side. It is that much thicker.
  double relief(double u, double z, double above) const {
    if (laces <= 0) return 0;
    const auto step = [](double x) { return smooth_step(-0.007, 0.007, x); };
    const double width = std::abs(z);
    const double cap = step(u - 0.75 + 0.6 * z * z), heel = step(0.13 - u + 0.25 * std::max(0.0, 0.1 - above));
    const double band = step(0.034 - above),
                 stay = step(0.085 - width) * step(u - 0.3) * step(0.58 - u) * step(above - 0.08);
    const double bar = 0.5 + 0.5 * std::cos(2 * std::numbers::pi * (u + 0.35 * above) / 0.075);
    const double stripes =
        step(bar - 0.5) * step(0.64 - u - 0.35 * above) * step(u + 0.35 * above - 0.445) * step(0.135 - above);
    return 0.008 * std::max({cap, heel, band, stay, 0.9 * stripes});
  }

  // Rods from stay to stay.
  double lacing(double u, double y, double z) const {
    double d = 1;
    for (double i = 0; i < laces; ++i) {
      const double at = 0.34 + 0.165 * (i + 0.5) / laces, high = midsole_top(at) + upper_height(at) - 0.2 * wall;
      const double half = 0.075 - 0.022 * smooth_step(0.3, 0.55, at);
      d = std::min(d, capsule_distance({u, y, std::abs(z)}, {at, high, 0}, {at, high - 0.006, half}, 0.0095, 0.0095));
    }
    return d;
  }

  Region upper_label(double u, double y, double z, double above) const {
    const double top = y - above + upper_height(u);
    const double s = side(u, y, z);
    const double rim = 0.45 * wall;
    const double toe_radius = rim + (0.075 - rim) * smooth_step(0.42, 0.7, u);
    const double bare = round_intersection(s, y - top, toe_radius), body = bare - relief(u, z, above);
    if (laces > 0 && u > 0.3 && u < 0.55 && lacing(u, y, z) < 0) return upper_region;
    if (body >= 0) return outside;
    if (above < wall) return upper_region;  // the floor
    if (round_intersection(bare + wall, wall - above, 0.6 * wall) < 0) return outside;
    if (above < 3 * wall) return upper_region;
    return round_intersection(body, -opening(u, z, s), rim) < 0 ? upper_region : outside;
  }

  Region label(double u, double y, double z) const {
    if (u < -0.05 || u > 1.05) return outside;
    const double bottom = ground(u);
    if (y <= bottom) return outside;
    const double above = y - midsole_top(u);
    if (above >= upper_height(u) + (laces > 0 ? 0.012 : 0) || outline(u, z) >= 0) return outside;
    if (above >= 0) return upper_label(u, y, z, above);
    if (side(u, y, z) >= 0) return outside;
    if (y < outsole_top(u)) return outsole_region;
    return in_hole(u, y) ? outside : midsole_region;
  }
};

// Where a horizontal ray from inside the shoe at (u, y, z) leaves its side.
Vec3 leave(const Shoe& shoe, const Eigen::Vector2d& from, const Eigen::Vector2d& to, auto&& height) {
  double in = 0, out = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (in + out);
    const Eigen::Vector2d p = from + middle * (to - from);
    (shoe.side(p.x(), height(p.x()), p.y()) < 0 ? in : out) = middle;
  }
  const Eigen::Vector2d p = from + in * (to - from);
  return {p.x(), height(p.x()), p.y()};
}

// The edge of the sole, the curves where the layers meet the side, and the mouths of the tunnels; in units of the
// length.
std::vector<Polyline> feature_lines(const Shoe& shoe, double chord) {
  std::vector<Polyline> lines;
  const std::vector<Eigen::Vector2d> plan = sole_outline();
  const std::size_t stride =
      std::max<std::size_t>(1, static_cast<std::size_t>(chord * static_cast<double>(plan.size()) / 2.3));
  for (double (Shoe::*level)(double) const : {&Shoe::ground, &Shoe::outsole_top, &Shoe::midsole_top}) {
    const auto height = [&](double u) { return (shoe.*level)(u); };
    Polyline& line = lines.emplace_back();
    for (std::size_t i = 0; i < plan.size(); i += stride) {
      const Eigen::Vector2d middle(std::clamp(plan[i].x(), 0.1, 0.9), 0);
      line.push_back(leave(shoe, middle, plan[i], height));
    }
    line.push_back(line.front());
  }
  for (double row = 0; row < shoe.holes.rows; ++row) {
    for (double column = 0; column < shoe.hole_count(row); ++column) {
      const Vec3 at = shoe.hole(column, row);
      if (at.z() < 3.5 * chord) continue;  // a circle of a few edges would only crowd the mesh
      const int count = chord_count(2 * std::numbers::pi * at.z(), chord, 16);
      for (const double z : {-0.3, 0.3}) {
        Polyline& line = lines.emplace_back();
        for (int i = 0; i <= count; ++i) {
          const double angle = 2 * std::numbers::pi * (i % count) / count;
          const double u = at.x() + at.z() * std::cos(angle), y = at.y() + at.z() * std::sin(angle);
          line.push_back(leave(shoe, {u, 0}, {u, z}, [y](double) { return y; }));
        }
      }
    }
  }
  return lines;
}

// Beyond these parts of the length it is no shoe any more.
void check_proportions(const Values& values) {
  const double length = values.at("length");
  constexpr std::pair<const char*, double> most[] = {
      {"outsole_thickness", 0.3}, {"midsole_heel", 0.3}, {"midsole_toe", 0.3}, {"upper_thickness", 0.15}};
  for (const auto& [name, part] : most) {
    if (values.at(name) > part * length)
      fail_input(code::shape_parameter, "shoe: {} {:g} m must be at most {:g} length = {:g} m", name, values.at(name),
                 part, part * length);
  }
}

ShapeSolid make(const Values& values) {
  check_proportions(values);
  const double length = values.at("length");
  auto shoe = std::make_shared<Shoe>(Shoe{OutlineField(sole_outline(), 1.0 / 500, 0.06),
                                          values.at("outsole_thickness") / length,
                                          values.at("midsole_heel") / length,
                                          values.at("midsole_toe") / length,
                                          values.at("upper_thickness") / length,
                                          values.at("laces"),
                                          {values.at("holes"), values.at("hole_rows"), values.at("hole_part")}});
  ShapeSolid made;
  made.solid.label = [shoe, s = 1 / length](const Vec3& p) {
    return static_cast<int>(shoe->label(s * p.x() + 0.5, s * p.y(), s * p.z()));
  };
  for (Polyline& line : feature_lines(*shoe, 0.25 * values.at("edge") / length)) {
    for (Vec3& p : line) p = length * (p - Vec3(0.5, 0, 0));
    made.solid.features.push_back(std::move(line));
  }
  made.solid.regions = {"outsole", "midsole", "upper"};
  const double height =
      0.32 * length + values.at("outsole_thickness") + std::max(values.at("midsole_heel"), values.at("midsole_toe"));
  made.solid.bounds =
      with_margin({Vec3(-0.5 * length, 0, -0.165 * length), Vec3(0.5 * length, height, 0.165 * length)});
  made.solid.thickness = std::min(values.at("upper_thickness"), values.at("outsole_thickness"));
  set_finest_detail(made, {{1.6 * values.at("outsole_thickness"), "outsole_thickness"},
                           {1.6 * values.at("upper_thickness"), "upper_thickness"},
                           {1.6 * values.at("midsole_heel"), "midsole_heel"},
                           {1.6 * values.at("midsole_toe"), "midsole_toe"}});
  return made;
}

}  // namespace

Shape shoe_shape() {
  return {"shoe",
          "A shoe along x, the toe at +x, standing at y = 0 (regions outsole, midsole with tunnels, upper)",
          {{"edge", "m", "edge length", {0.016, 0.0027, 0.0015}, 1e-6, 1e3},
           {"length", "m", "from heel to toe", {0.28, 0.28, 0.28}, 1e-6, 1e3},
           {"outsole_thickness", "m", "of the outsole", {0.01, 0.006, 0.006}, 1e-6, 1e3},
           {"midsole_heel", "m", "thickness of the midsole at the heel", {0.03, 0.03, 0.03}, 1e-6, 1e3},
           {"midsole_toe", "m", "thickness of the midsole at the toe", {0.018, 0.018, 0.018}, 1e-6, 1e3},
           {"upper_thickness", "m", "of the upper's wall", {0.01, 0.0045, 0.004}, 1e-6, 1e3},
           {"holes", "", "tunnels in a row of the midsole", {4, 11, 15}, 1, 200, true},
           {"hole_rows", "", "rows of tunnels", {1, 2, 2}, 1, 20, true},
           {"laces", "", "across the opening; 0: none, and nothing sewn on", {0, 4, 4}, 0, 10, true},
           {"hole_part", "", "diameter of a tunnel as a share of its space", {0.55, 0.6, 0.6}, 0, 0.9}},
          make};
}

}  // namespace sinew::mesher
