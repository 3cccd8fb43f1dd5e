#include <numbers>
#include <vector>

#include "sdf.h"
#include "sdf_scatter.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// The points below all planes n . p = offset, the edges between them rounded.
struct Facets {
  std::vector<Vec3> normals;
  std::vector<double> offsets;

  void add(const Vec3& normal, const Vec3& through) {
    normals.push_back(normal.normalized());
    offsets.push_back(normals.back().dot(through));
  }

  double distance(const Vec3& p, double rounding) const {
    double d = normals[0].dot(p) - offsets[0];
    for (std::size_t i = 1; i < normals.size(); ++i)
      d = smooth_intersection(d, normals[i].dot(p) - offsets[i], rounding);
    return d;
  }
};

// Peak 0 is the highest and stands in the middle, the others around it: steep pyramids with uneven faces.
Facets make_peak(int i, int count, double width, double height) {
  constexpr int faces = 6;
  const double turn = 2 * std::numbers::pi * (i + scattered(i, 0, -0.2, 0.2)) / std::max(count - 1, 1);
  const bool outer = i % 2 == 0;
  const double away = i == 0 ? 0 : (outer ? scattered(i, 1, 0.28, 0.34) : scattered(i, 1, 0.17, 0.22)) * width;
  const double tall = i == 0 ? height : (outer ? scattered(i, 2, 0.3, 0.5) : scattered(i, 2, 0.6, 0.85)) * height;
  const double reach = i == 0 ? 0.3 * width : 0.45 * width - away;
  const Vec3 apex(away * std::cos(turn), tall, away * std::sin(turn));
  Facets peak;
  for (int k = 0; k < faces; ++k) {
    const double angle = 2 * std::numbers::pi * (k + scattered(i, 3 + k, 0.0, 0.6)) / faces;
    const double slope = scattered(i, 16 + k, 0.4, 1.0) * reach / tall;  // run over rise
    peak.add(Vec3(std::cos(angle), slope, std::sin(angle)), apex);
  }
  return peak;
}

// The flat part around the peaks, broken off along uneven sides.
Facets make_floe(double width, double top) {
  constexpr int sides = 9;
  Facets floe;
  floe.add(Vec3::UnitY(), Vec3(0, top, 0));
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi * (k + scattered(99, k, -0.25, 0.25)) / sides;
    const Vec3 out(std::cos(angle), 0, std::sin(angle));
    floe.add(out + scattered(99, 16 + k, 0.1, 0.6) * Vec3::UnitY(), scattered(99, 32 + k, 0.42, 0.47) * width * out);
  }
  return floe;
}

ShapeSolid make(const Values& values) {
  const double width = values.at("width"), height = values.at("height"), rounding = values.at("rounding");
  if (rounding > 0.2 * std::min(width, height)) {
    fail_input(code::shape_parameter,
               "iceberg: rounding {:g} m must be at most a fifth of width {:g} m and height {:g} m", rounding, width,
               height);
  }
  const int count = static_cast<int>(values.at("peaks"));
  std::vector<Facets> peaks;
  for (int i = 0; i < count; ++i) peaks.push_back(make_peak(i, count, width, height));
  const double top = 0.1 * height;
  const Facets floe = make_floe(width, top);
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    if (p.y() <= 0) return 0;
    double d = floe.distance(p, rounding);
    for (const Facets& peak : peaks) d = smooth_union(d, peak.distance(p, rounding), rounding);
    return round_intersection(d, -p.y(), 0.3 * top) < 0 ? 1 : 0;
  };
  made.solid.regions = {"ice"};
  made.solid.bounds = with_margin({Vec3(-0.52 * width, 0, -0.52 * width), Vec3(0.52 * width, height, 0.52 * width)});
  made.solid.thickness = top;
  set_finest_detail(made, {{1.5 * top, "height"}, {0.1 * width, "width"}});
  return made;
}

}  // namespace

Shape iceberg_shape() {
  return {"iceberg",
          "A jagged block of ice: faceted peaks on a floe whose bottom lies at y = 0",
          {{"edge", "m", "edge length", {0.03, 0.012, 0.009}, 1e-6, 1e3},
           {"width", "m", "of the floe", {0.5, 0.5, 0.5}, 1e-6, 1e3},
           {"height", "m", "of the highest peak", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"peaks", "", "number of peaks", {10, 10, 10}, 1, 60, true},
           {"rounding", "m", "width of the rounded edges between faces", {0.006, 0.006, 0.006}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
