#include <algorithm>
#include <cmath>

#include "sdf_scatter.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

enum Region { outside = 0, ground_region = 1, houses_region = 2, towers_region = 3 };

// On the plot (i, j): a tower with a flat roof, or a house whose ridge runs along x or z.
struct Building {
  bool tower, ridge_along_x;
  Vec3 centre;       // of the foot
  double a, b;       // half extents along x and z
  double wall, top;  // heights of eaves and ridge, the same for a tower

  double roof(double x, double z) const {
    const double away = ridge_along_x ? std::abs(z) / b : std::abs(x) / a;
    return wall + (top - wall) * (1 - away);
  }
};

struct City {
  double length, width, base, house_height, tower_height;
  int along, across;

  double pitch_x() const { return length / along; }
  double pitch_z() const { return width / across; }

  Building building(int i, int j) const {
    const int id = i * across + j;
    Building made;
    made.tower = scattered(id, 0) < 0.3 || id == 0;
    made.ridge_along_x = scattered(id, 1) < 0.5;
    made.centre = {-0.5 * length + (i + 0.5) * pitch_x(), 0, -0.5 * width + (j + 0.5) * pitch_z()};
    const double room = std::min(pitch_x(), pitch_z());
    made.a = room * (made.tower ? scattered(id, 2, 0.24, 0.3) : scattered(id, 2, 0.28, 0.36));
    made.b = room * (made.tower ? scattered(id, 3, 0.24, 0.3) : scattered(id, 3, 0.28, 0.36));
    made.wall = (made.tower ? tower_height : 0.65 * house_height) * scattered(id, 4, 0.75, 1);
    made.top = made.tower ? made.wall : made.wall + 0.35 * house_height;
    return made;
  }

  Region label(const Vec3& p) const {
    if (std::abs(p.x()) >= 0.5 * length || std::abs(p.z()) >= 0.5 * width || p.y() <= -base) return outside;
    if (p.y() <= 0) return ground_region;
    if (p.y() >= std::max(house_height, tower_height)) return outside;
    const int i = std::min(static_cast<int>((p.x() + 0.5 * length) / pitch_x()), along - 1);
    const int j = std::min(static_cast<int>((p.z() + 0.5 * width) / pitch_z()), across - 1);
    const Building here = building(i, j);
    const double x = p.x() - here.centre.x(), z = p.z() - here.centre.z();
    if (std::abs(x) >= here.a || std::abs(z) >= here.b || p.y() >= here.roof(x, z)) return outside;
    return here.tower ? towers_region : houses_region;
  }
};

// Foot, walls and roof.
void add_building_edges(const Building& here, std::vector<Polyline>& features) {
  const auto at = [&](double x, double y, double z) { return Vec3(here.centre + Vec3(x * here.a, y, z * here.b)); };
  constexpr double turn[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
  for (int k = 0; k < 4; ++k) {
    const auto [x, z] = turn[k];
    const auto [next_x, next_z] = turn[k + 1];
    features.push_back({at(x, 0, z), at(next_x, 0, next_z)});
    features.push_back({at(x, 0, z), at(x, here.wall, z)});
    // Where the ridge ends above an edge there is a gable, and no edge at its foot.
    const bool gable = !here.tower && (here.ridge_along_x ? x == next_x : z == next_z);
    if (!gable) {
      features.push_back({at(x, here.wall, z), at(next_x, here.wall, next_z)});
      continue;
    }
    const Vec3 peak = here.ridge_along_x ? at(x, here.top, 0) : at(0, here.top, z);
    features.push_back({at(x, here.wall, z), peak});
    features.push_back({peak, at(next_x, here.wall, next_z)});
  }
  if (here.tower) return;
  if (here.ridge_along_x) {
    features.push_back({at(-1, here.top, 0), at(1, here.top, 0)});
  } else {
    features.push_back({at(0, here.top, -1), at(0, here.top, 1)});
  }
}

ShapeSolid make(const Values& values) {
  const City city{values.at("length"),
                  values.at("width"),
                  values.at("base_height"),
                  values.at("house_height"),
                  values.at("tower_height"),
                  static_cast<int>(values.at("plots_along")),
                  static_cast<int>(values.at("plots_across"))};
  ShapeSolid made;
  made.solid.label = [city](const Vec3& p) { return static_cast<int>(city.label(p)); };
  made.solid.regions = {"ground", "houses", "towers"};
  const double a = 0.5 * city.length, b = 0.5 * city.width, top = std::max(city.house_height, city.tower_height);
  add_box_edges({Vec3(-a, -city.base, -b), Vec3(a, 0, b)}, made.solid.features);
  bool house = false, tower = false;
  for (int i = 0; i < city.along; ++i) {
    for (int j = 0; j < city.across; ++j) {
      const Building here = city.building(i, j);
      (here.tower ? tower : house) = true;
      add_building_edges(here, made.solid.features);
    }
  }
  if (!house || !tower)
    fail_input(code::shape_parameter,
               "city: {} x {} plots give only houses or only towers, expected both; change plots_along or plots_across",
               city.along, city.across);
  made.solid.bounds = with_margin({Vec3(-a, -city.base, -b), Vec3(a, top, b)});
  const double narrowest = 0.48 * std::min(city.pitch_x(), city.pitch_z());
  made.solid.thickness = std::min(city.base, 0.55 * narrowest);  // the lanes are narrower than the towers
  set_finest_detail(made, {{city.base, "base_height"},
                           {0.48 * city.pitch_x(), "plots_along"},
                           {0.48 * city.pitch_z(), "plots_across"},
                           {0.35 * city.house_height, "house_height"},
                           {0.5 * city.tower_height, "tower_height"}});
  return made;
}

}  // namespace

Shape city_shape() {
  return {"city",
          "A slab, its top at y = 0, with houses and towers on its plots (regions ground, houses, towers)",
          {{"edge", "m", "edge length", {0.04, 0.0125, 0.0059}, 1e-6, 1e3},
           {"length", "m", "extent along x", {0.8, 0.8, 0.8}, 1e-6, 1e3},
           {"width", "m", "extent along z", {0.8, 0.8, 0.8}, 1e-6, 1e3},
           {"base_height", "m", "of the slab", {0.06, 0.06, 0.06}, 1e-6, 1e3},
           {"plots_along", "", "plots along x", {4, 5, 6}, 1, 200, true},
           {"plots_across", "", "plots along z", {4, 5, 6}, 1, 200, true},
           {"house_height", "m", "of the highest ridge", {0.14, 0.14, 0.14}, 1e-6, 1e3},
           {"tower_height", "m", "of the highest tower", {0.22, 0.22, 0.22}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
