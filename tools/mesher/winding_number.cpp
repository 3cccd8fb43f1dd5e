#include "winding_number.h"

#include <array>
#include <cmath>
#include <numbers>

namespace sinew::mesher {
namespace {

constexpr double opening = 2.3;  // a node is far beyond this many of its radii; the error there is below 1 %

// A sum of angles as a product of complex numbers, which takes a fraction of the time of their arcs.
class Angles {
 public:
  // The angle of x + i y, from -pi to pi.
  void add(double x, double y) {
    const bool up = y_ >= 0, both = up == (y >= 0);
    const double product = x_ * x - y_ * y;
    y_ = x_ * y + y_ * x;
    x_ = product;
    if (both && up != (y_ >= 0)) turns_ += up ? 1 : -1;
    const double scale = 1 / (std::abs(x_) + std::abs(y_));
    x_ *= scale;
    y_ *= scale;
  }

  double sum() const { return std::atan2(y_, x_) + 2 * std::numbers::pi * turns_; }

 private:
  double x_ = 1, y_ = 0;
  int turns_ = 0;
};

// Half the solid angle of a triangle. A. van Oosterom, J. Strackee, The solid angle of a plane triangle, 1983.
void add_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, Angles& half) {
  const Vec3 u = a - p, v = b - p, w = c - p;
  const double lu = u.norm(), lv = v.norm(), lw = w.norm();
  const double volume = u.dot(v.cross(w));
  const double base = lu * lv * lw + u.dot(v) * lw + v.dot(w) * lu + w.dot(u) * lv;
  if (volume != 0 || base != 0) half.add(base, volume);
}

}  // namespace

WindingNumber::WindingNumber(const Points& vertices, const Triangles& triangles)
    : tree_(vertices, triangles), dipoles_(tree_.nodes().size()) {
  for (std::size_t n = 0; n < dipoles_.size(); ++n) {
    const SurfaceTree::Node& node = tree_.nodes()[n];
    Dipole& dipole = dipoles_[n];
    double area = 0;
    for (Index i = node.first; i < node.first + node.count; ++i) {
      const Index f = tree_.order()[static_cast<std::size_t>(i)];
      const Vec3 a = tree_.corner(f, 0), b = tree_.corner(f, 1), c = tree_.corner(f, 2);
      const Vec3 moment = (b - a).cross(c - a) / 2;
      dipole.moment += moment;
      dipole.centre += moment.norm() * (a + b + c) / 3;
      area += moment.norm();
    }
    dipole.centre = area > 0 ? Vec3(dipole.centre / area) : Vec3(node.box.center());
    const Vec3 reach = (dipole.centre - node.box.min()).cwiseMax(node.box.max() - dipole.centre);
    dipole.radius = reach.norm();
  }
}

double WindingNumber::operator()(const Vec3& p) const {
  // Depth of the median tree over 2^31 triangles; each level leaves one sibling behind.
  std::array<Index, 64> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  double far = 0;  // solid angle
  Angles near;
  while (depth > 0) {
    const auto id = static_cast<std::size_t>(stack[--depth]);
    const Dipole& dipole = dipoles_[id];
    const Vec3 r = dipole.centre - p;
    const double distance2 = r.squaredNorm();
    if (distance2 > opening * opening * dipole.radius * dipole.radius) {
      far += dipole.moment.dot(r) / (distance2 * std::sqrt(distance2));
      continue;
    }
    const SurfaceTree::Node& node = tree_.nodes()[id];
    if (node.left >= 0) {
      stack[depth++] = node.left;
      stack[depth++] = node.left + 1;
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i) {
      const Index f = tree_.order()[static_cast<std::size_t>(i)];
      add_triangle(p, tree_.corner(f, 0), tree_.corner(f, 1), tree_.corner(f, 2), near);
    }
  }
  return (far + 2 * near.sum()) / (4 * std::numbers::pi);
}

}  // namespace sinew::mesher
