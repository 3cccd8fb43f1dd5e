#include <memory>
#include <numbers>

#include "sdf.h"
#include "sdf_scatter.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// A leaning pyramid with uneven faces: the points below all planes n . p = offset.
struct Peak {
  std::vector<Vec3> normals;
  std::vector<double> offsets;

  double distance(const Vec3& p, double rounding) const {
    double d = normals[0].dot(p) - offsets[0];
    for (std::size_t i = 1; i < normals.size(); ++i)
      d = smooth_intersection(d, normals[i].dot(p) - offsets[i], rounding);
    return d;
  }
};

// Peak 0 is the highest and stands in the middle, the others around it.
Peak make_peak(int i, int count, double width, double height) {
  constexpr int faces = 6;
  const double turn = 2 * std::numbers::pi * (i + scattered(i, 0, -0.2, 0.2)) / std::max(count - 1, 1);
  const double away = i == 0 ? 0 : scattered(i, 1, 0.4, 0.55) * 0.5 * width;
  const double tall = i == 0 ? height : scattered(i, 2, 0.4, 0.75) * height;
  // All faces reach the ground within the width: the wider the gap to the rim, the flatter.
  const double reach = i == 0 ? 0.38 * width : 0.5 * width - away;
  const Vec3 apex(away * std::cos(turn), tall, away * std::sin(turn));
  Peak peak;
  for (int k = 0; k < faces; ++k) {
    const double angle = 2 * std::numbers::pi * (k + scattered(i, 3 + k, 0.0, 0.6)) / faces;
    const double slope = scattered(i, 16 + k, 0.6, 1.0) * reach / tall;  // run over rise
    const Vec3 normal = Vec3(std::cos(angle), slope, std::sin(angle)).normalized();
    peak.normals.push_back(normal);
    peak.offsets.push_back(normal.dot(apex));
  }
  return peak;
}

ShapeSolid make(const Values& values) {
  const double width = values.at("width"), height = values.at("height"), rounding = values.at("rounding");
  if (rounding > 0.2 * std::min(width, height)) {
    fail_input("iceberg: rounding {:g} m must be at most a fifth of width {:g} m and height {:g} m", rounding, width,
               height);
  }
  const int count = static_cast<int>(values.at("peaks"));
  std::vector<Peak> peaks;
  for (int i = 0; i < count; ++i) peaks.push_back(make_peak(i, count, width, height));
  const double floe = 0.12 * height;  // the flat part around the peaks
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    const double bottom = -p.y();
    if (bottom >= 0) return 0;
    double d = round_intersection(std::hypot(p.x(), p.z()) - 0.5 * width, p.y() - floe, 0.5 * floe);
    for (const Peak& peak : peaks) d = smooth_union(d, peak.distance(p, rounding), rounding);
    return round_intersection(d, bottom, 0.3 * floe) < 0 ? 1 : 0;
  };
  made.solid.regions = {"ice"};
  made.solid.bounds = with_margin({Vec3(-0.52 * width, 0, -0.52 * width), Vec3(0.52 * width, height, 0.52 * width)});
  made.solid.thickness = floe;
  set_finest_detail(made, {{1.5 * floe, "height"}, {0.1 * width, "width"}});
  return made;
}

}  // namespace

Shape iceberg_shape() {
  return {"iceberg",
          "A jagged block of ice: faceted peaks on a round floe whose bottom lies at y = 0",
          {{"edge", "m", "edge length", {0.03, 0.012, 0.009}, 1e-6, 1e3},
           {"width", "m", "diameter of the floe", {0.5, 0.5, 0.5}, 1e-6, 1e3},
           {"height", "m", "of the highest peak", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"peaks", "", "number of peaks", {6, 6, 6}, 1, 60, true},
           {"rounding", "m", "width of the rounded edges between faces", {0.006, 0.006, 0.006}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
