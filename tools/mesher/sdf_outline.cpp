#include "sdf_outline.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::mesher {
namespace {

using Vec2 = Eigen::Vector2d;

// Exact: nearest chord, and the parity of chords crossed by a ray.
double polygon_distance(const std::vector<Vec2>& polygon, const Vec2& p) {
  double nearest2 = std::numeric_limits<double>::max();
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Vec2 &a = polygon[j], &b = polygon[i], d = b - a;
    const double t = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
    nearest2 = std::min(nearest2, (p - a - t * d).squaredNorm());
    if ((a.y() > p.y()) != (b.y() > p.y()) && p.x() < a.x() + (p.y() - a.y()) / d.y() * d.x()) inside = !inside;
  }
  return inside ? -std::sqrt(nearest2) : std::sqrt(nearest2);
}

}  // namespace

std::vector<Vec2> closed_spline(const std::vector<Vec2>& points, int steps) {
  std::vector<Vec2> curve;
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &a = points[(i + n - 1) % n], &b = points[i], &c = points[(i + 1) % n], &d = points[(i + 2) % n];
    for (int k = 0; k < steps; ++k) {
      const double t = static_cast<double>(k) / steps;
      curve.push_back(0.5 * (2 * b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * b - a - 3 * c + d)))));
    }
  }
  return curve;
}

OutlineField::OutlineField(const std::vector<Vec2>& polygon, double spacing, double margin)
    : inv_spacing_(1 / spacing) {
  for (const Vec2& p : polygon) bounds_.extend(p);
  origin_ = bounds_.min() - Vec2::Constant(margin);
  const Vec2 extent = bounds_.sizes() + Vec2::Constant(2 * margin);
  table_.resize(static_cast<Eigen::Index>(std::ceil(extent.x() / spacing)) + 2,
                static_cast<Eigen::Index>(std::ceil(extent.y() / spacing)) + 2);
  for (Eigen::Index j = 0; j < table_.cols(); ++j) {
    for (Eigen::Index i = 0; i < table_.rows(); ++i) {
      table_(i, j) =
          polygon_distance(polygon, origin_ + spacing * Vec2(static_cast<double>(i), static_cast<double>(j)));
    }
  }
}

double OutlineField::operator()(double x, double y) const {
  const double u = std::clamp((x - origin_.x()) * inv_spacing_, 0.0, static_cast<double>(table_.rows() - 2));
  const double v = std::clamp((y - origin_.y()) * inv_spacing_, 0.0, static_cast<double>(table_.cols() - 2));
  const auto i = static_cast<Eigen::Index>(u), j = static_cast<Eigen::Index>(v);
  const double s = u - static_cast<double>(i), t = v - static_cast<double>(j);
  return (1 - t) * ((1 - s) * table_(i, j) + s * table_(i + 1, j)) +
         t * ((1 - s) * table_(i, j + 1) + s * table_(i + 1, j + 1));
}

}  // namespace sinew::mesher
