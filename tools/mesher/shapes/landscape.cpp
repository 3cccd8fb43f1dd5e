#include <limits>
#include <memory>
#include <numbers>

#include "sdf.h"
#include "sdf_mushroom.h"
#include "sdf_scatter.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

enum Region { outside = 0, ground_region = 1, castle_region = 2, things_region = 3 };

// A house with a gable roof along x, of length 1 and height 1, standing at y = 0.
double unit_house(const Vec3& p, bool fine) {
  const double walls = box_distance(p - Vec3(0, 0.3, 0), {0.45, 0.7, 0.35}, 0.04);
  const double roof = (p.y() - 1 + 1.1 * std::abs(p.z())) / std::sqrt(1 + 1.1 * 1.1);
  double d = smooth_intersection(walls, roof, 0.05);
  if (!fine) return d;
  // The roof stands out; a chimney, a door, windows.
  const double tiles =
      round_intersection(std::max(roof - 0.06, -roof - 0.09), std::max(std::abs(p.x()) - 0.52, 0.42 - p.y()), 0.03);
  d = smooth_union(d, std::max(tiles, std::abs(p.z()) - 0.46), 0.03);
  d = smooth_union(d, box_distance(p - Vec3(0.22, 0.9, 0.16), {0.09, 0.22, 0.09}, 0.02), 0.03);
  const double end = std::abs(p.x()) - 0.45, side = std::abs(p.z()) - 0.35;
  d = smooth_intersection(d, -box_distance({end, p.y() - 0.16, p.z()}, {0.06, 0.24, 0.1}, 0.03), 0.03);
  return smooth_intersection(d, -box_distance({std::abs(p.x()) - 0.22, p.y() - 0.28, side}, {0.09, 0.1, 0.06}, 0.03),
                             0.03);
}

// A square castle of width 1 between the axes of its towers, standing at y = 0, with a foundation of depth `deep`.
double unit_castle(const Vec3& p, double deep, bool fine) {
  const double x = std::abs(p.x()), z = std::abs(p.z());
  const auto merlons = [&](double along, double pitch) {
    return fine ? 0.1 * smooth_step(-0.25, 0.25, std::cos(2 * std::numbers::pi * along / pitch)) : 0;
  };
  const double wall_top = 0.42 + merlons(std::min(x, z), 0.22);
  double wall = round_intersection(std::max(std::abs(std::max(x, z) - 0.5) - 0.09, std::max(x, z) - 0.59),
                                   std::max((p.y() - wall_top) * 0.6, -deep - p.y()), 0.03);
  const double r = std::hypot(x - 0.5, z - 0.5);
  double tower = round_intersection(r - 0.19, std::max(p.y() - 0.7, -deep - p.y()), 0.03);
  double roof = std::max(capsule_distance(Vec3(r, p.y(), 0), {0, 0.7, 0}, {0, 1, 0}, 0.19, 0.05), 0.6 - p.y());
  double keep = box_distance(p - Vec3(0, 0.4 - 0.5 * deep, 0), {0.2, 0.4 + 0.5 * deep, 0.2}, 0.03);
  if (fine) {
    // A gate in the wall at +x, arrow slits, pointed roofs that stand out, a keep with a corbelled crown.
    const double gate = std::max(std::hypot(p.z(), std::max(p.y() - 0.2, 0.0)) - 0.11, std::abs(p.x() - 0.6) - 0.07);
    wall = smooth_intersection(wall, -gate, 0.02);
    const double slit = box_distance({r - 0.19, p.y() - 0.42, x - z}, {0.04, 0.1, 0.045}, 0.02);
    tower = smooth_intersection(tower, -slit, 0.02);
    tower = smooth_union(tower, round_intersection(r - 0.215, std::abs(p.y() - 0.64) - 0.045, 0.02), 0.03);
    roof = (r - 0.25 * (1.12 - p.y()) / 0.45) * 0.87;
    roof = round_intersection(roof, 0.67 - p.y(), 0.02);
    roof = smooth_union(roof, capsule_distance(Vec3(r, p.y(), 0), {0, 0.8, 0}, {0, 1.12, 0}, 0.045, 0.04), 0.03);
    const double crown = 0.78 + (std::max(x, z) > 0.15 ? 0.02 + merlons(std::min(x, z), 0.2) : 0);
    keep =
        std::min(keep, round_intersection(std::max(x, z) - 0.235, std::max((p.y() - crown) * 0.6, 0.66 - p.y()), 0.02));
    keep = smooth_intersection(
        keep, -box_distance({std::max(x, z) - 0.2, p.y() - 0.45, std::min(x, z)}, {0.05, 0.1, 0.05}, 0.02), 0.02);
  }
  return std::min(smooth_union(wall, std::min(tower, roof), 0.04), keep);
}

struct Thing {
  bool house, fine;
  Vec3 at;
  double size, turn;

  double distance(const Vec3& p) const {
    const Vec3 q = Eigen::AngleAxisd(turn, Vec3::UnitY()) * (p - at) / size;
    return size * (house ? unit_house(q, fine) : mushroom_distance(q));
  }
};

// Plots around a flat clearing in the middle; the castle has the place at -x.
struct Landscape {
  double length, width, base, hill, thing, castle;
  bool fine;
  std::vector<Thing> things;

  Vec3 castle_place() const { return {-0.5 * length + 0.85 * castle, 0, 0}; }

  double ground(double x, double z) const {
    const double k = 2 * std::numbers::pi / length;
    const double wave = 0.5 * (1 + std::sin(2.3 * k * x + 0.7) * std::cos(2.1 * k * z + 0.4));
    const double rise = smooth_step(0.25 * width, 0.5 * width, std::abs(z));  // the middle is level
    return hill * wave * rise;
  }

  // Smaller tets in what is built, larger ones in the slab.
  double grading(const Vec3& p) const {
    double near = (p - castle_place()).cwiseAbs().maxCoeff() - 0.65 * castle;
    for (const Thing& t : things) near = std::min(near, (p - t.at).norm() - 0.9 * t.size);
    const double small = 0.55 + 0.75 * smooth_step(0, 0.6 * thing, near);
    return p.y() < 0 ? std::max(small, std::min(1.3, small - 14 * p.y())) : small;
  }

  double distance_of_things(const Vec3& p) const {
    double least = std::numeric_limits<double>::max();
    for (const Thing& t : things) {
      if ((p - t.at).squaredNorm() < 2.6 * t.size * t.size) least = std::min(least, t.distance(p));
    }
    return least;
  }

  Region label(const Vec3& p) const {
    if (std::abs(p.x()) >= 0.5 * length || std::abs(p.z()) >= 0.5 * width || p.y() <= -base) return outside;
    const double stone = castle * unit_castle((p - castle_place()) / castle, 0.5 * base / castle, fine);
    if (stone < 0) return castle_region;
    const double above = p.y() - ground(p.x(), p.z());
    if (above < 0) return ground_region;
    const double thing_there = distance_of_things(p);
    if (thing_there < 0) return things_region;
    const double things = smooth_union(above, thing_there, (fine ? 0.05 : 0.1) * thing);
    return smooth_union(things, stone, 0.05 * castle) < 0 ? ground_region : outside;
  }
};

// On both sides of the clearing, in rows along x; those at the place of the castle are left out.
void place_things(Landscape& land, int along) {
  const double pitch = land.length / along;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i < along; ++i) {
      const int id = side * along + i;
      const double size = land.thing * scattered(id, 0, 0.8, 1), room = 0.5 * pitch - 0.6 * size;
      const double x = -0.5 * land.length + (i + 0.5) * pitch + scattered(id, 1, -0.5, 0.5) * std::max(room, 0.0);
      const double z = (side == 0 ? -1 : 1) * scattered(id, 2, 0.35, 0.38) * land.width;
      const Vec3 at(x, land.ground(x, z), z);
      if ((at - land.castle_place()).norm() < 0.9 * land.castle + 0.8 * size) continue;
      land.things.push_back({id % 3 == 1, land.fine, at, size, scattered(id, 3, -0.5, 0.5)});
    }
  }
}

ShapeSolid make(const Values& values) {
  Landscape land{
      values.at("length"),     values.at("width"),        values.at("base_height"),  values.at("hill_height"),
      values.at("thing_size"), values.at("castle_width"), values.at("details") != 0, {}};
  const int along = static_cast<int>(values.at("plots"));
  if (1.3 * land.thing > land.length / along) {
    fail_input(code::shape_parameter,
               "landscape: {} plots in a row are too narrow for a thing_size of {:g} m; use fewer plots or a smaller "
               "thing_size",
               along, land.thing);
  }
  if (land.thing > 0.22 * land.width) {
    fail_input(code::shape_parameter, "landscape: thing_size {:g} m must be at most 0.22 width = {:g} m", land.thing,
               0.22 * land.width);
  }
  if (land.castle > 0.4 * std::min(land.length, land.width)) {
    fail_input(code::shape_parameter,
               "landscape: castle_width {:g} m must be at most 0.4 of length {:g} m and width {:g} m", land.castle,
               land.length, land.width);
  }
  if (land.hill > 0.5 * land.width) {
    fail_input(code::shape_parameter, "landscape: hill_height {:g} m must be at most half of width {:g} m", land.hill,
               land.width);
  }
  place_things(land, along);
  ShapeSolid made;
  made.solid.regions = {"ground", "castle", "things"};
  const double a = 0.5 * land.length, b = 0.5 * land.width;
  const auto line = [&](double xa, double za, double xb, double zb) {
    const int count = chord_count(std::hypot(xb - xa, zb - za), 0.25 * values.at("edge"), 8);
    Polyline points;
    for (int i = 0; i <= count; ++i) {
      const double t = static_cast<double>(i) / count, x = (1 - t) * xa + t * xb, z = (1 - t) * za + t * zb;
      points.emplace_back(x, land.ground(x, z), z);
    }
    made.solid.features.push_back(points);
    made.solid.features.push_back({Vec3(xa, -land.base, za), Vec3(xb, -land.base, zb)});
    made.solid.features.push_back({Vec3(xa, -land.base, za), points.front()});
  };
  line(-a, -b, a, -b);
  line(a, -b, a, b);
  line(a, b, -a, b);
  line(-a, b, -a, -b);
  const double top = std::max(land.hill + 1.1 * land.thing, (land.fine ? 1.17 : 1.06) * land.castle);
  made.solid.bounds = with_margin({Vec3(-a, -land.base, -b), Vec3(a, top, b)});
  made.solid.thickness = std::min({land.base, 0.35 * land.thing, 0.18 * land.castle});
  set_finest_detail(
      made, {{land.base, "base_height"}, {0.4 * land.thing, "thing_size"}, {0.18 * land.castle, "castle_width"}});
  const auto shared = std::make_shared<Landscape>(std::move(land));
  made.solid.label = [shared](const Vec3& p) { return static_cast<int>(shared->label(p)); };
  if (shared->fine) made.solid.grading = [shared](const Vec3& p) { return shared->grading(p); };
  return made;
}

}  // namespace

Shape landscape_shape() {
  return {
      "landscape",
      "A slab with a level clearing at y = 0, a castle, and hills with mushrooms and houses (regions ground, castle, "
      "things)",
      {{"edge", "m", "edge length", {0.043, 0.018, 0.0088}, 1e-6, 1e3},
       {"length", "m", "extent along x", {1, 1, 1}, 1e-6, 1e3},
       {"width", "m", "extent along z", {0.7, 0.7, 0.7}, 1e-6, 1e3},
       {"base_height", "m", "of the slab", {0.06, 0.06, 0.06}, 1e-6, 1e3},
       {"hill_height", "m", "of the hills above the clearing", {0.06, 0.06, 0.06}, 0, 1e3},
       {"thing_size", "m", "of the largest house or mushroom", {0.12, 0.12, 0.12}, 1e-6, 1e3},
       {"plots", "", "houses and mushrooms in each of two rows", {5, 6, 6}, 1, 100, true},
       {"castle_width", "m", "between the axes of two of its towers", {0.24, 0.24, 0.24}, 1e-6, 1e3},
       {"details", "", "1: with merlons, gate, windows and roofs that stand out; 0: without", {0, 1, 1}, 0, 1, true}},
      make};
}

}  // namespace sinew::mesher
