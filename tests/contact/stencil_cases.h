// Stencils of every kind and branch in general position, and finite differences, for the tests of contact and
// potential.
#pragma once

#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "sinew/contact/distance_type.h"
#include "sinew/contact/mollifier.h"
#include "sinew/contact/stencil.h"

namespace sinew::test {

inline double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

inline Vec3 random_vector(std::mt19937& random, double size = 1) {
  return Vec3(uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size));
}

inline Mat3 random_rotation(std::mt19937& random) {
  return Eigen::AngleAxisd(uniform(random, 0, 3), random_vector(random).normalized()).toRotationMatrix();
}

struct StencilCase {
  std::string name;
  StencilKind kind;
  StencilPoints x = StencilPoints::Zero();
  double gap = 0;    // about the distance [m]
  double scale = 0;  // length over which derivatives change and the closest features stay [m]
  double eps = 0;    // of the mollifier
};

// The stencil on the vertices 0, 1, ..
inline ContactStencil contact_of(const StencilCase& c, double weight) {
  ContactStencil contact;
  contact.kind = c.kind;
  for (int i = 0; i < contact.vertex_count(); ++i) contact.v[i] = i;
  contact.weight = weight;
  contact.mollifier_eps = c.eps;
  return contact;
}

inline EdgeEdgeType edge_type(const StencilPoints& x) {
  return edge_edge_type(x.col(0), x.col(1), x.col(2), x.col(3));
}

// Nearly parallel edges of length 1 whose closest features are `type`, also for changes of 5 % of `scale`.
inline StencilPoints nearly_parallel_edges(EdgeEdgeType type, double gap, double scale, std::mt19937& random) {
  for (;;) {
    StencilPoints x;
    const double angle = uniform(random, 1, 4) * scale, roll = uniform(random, 0, 6.3);
    const Vec3 v(std::cos(angle), std::sin(angle) * std::cos(roll), std::sin(angle) * std::sin(roll));
    const double side = uniform(random, -1, 1);
    const double along = side < -0.5  ? -1 + uniform(random, -gap, gap)
                         : side > 0.5 ? 1 + uniform(random, -gap, gap)
                                      : uniform(random, -1.05, 1.05);
    const Vec3 middle(along, uniform(random, -gap, gap), uniform(random, -gap, gap));
    const double half = uniform(random, -1, 1) < 0 ? -0.5 : 0.5;
    x << Vec3(-0.5, 0, 0), Vec3(0.5, 0, 0), middle - half * v, middle + half * v;
    const auto [found, d2] = edge_edge_closest(x.col(0), x.col(1), x.col(2), x.col(3));
    bool stays = found == type && d2 > 0.04 * gap * gap && d2 < 4 * gap * gap;
    for (int k = 0; k < 12 && stays; ++k) {
      for (double step : {-0.05, 0.05}) {
        StencilPoints moved = x;
        moved.data()[k] += step * scale;
        stays = stays && edge_type(moved) == type;
      }
    }
    if (stays) return x;
  }
}

// Every kind, with all nine edge-edge types within the mollified one, at a random place and orientation.
inline std::vector<StencilCase> stencil_cases(double gap, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<StencilCase> cases;
  const auto jitter = [&] { return random_vector(random, 0.1 * gap); };
  const auto add = [&](std::string name, StencilKind kind, std::initializer_list<Vec3> points, double eps = 0) {
    StencilCase c{std::move(name), kind, StencilPoints::Zero(), gap, gap, eps};
    int i = 0;
    for (const Vec3& p : points) c.x.col(i++) = p + jitter();
    cases.push_back(c);
  };
  add("point_point", StencilKind::point_point, {Vec3(0, 0, gap), Vec3(0, 0, 0)});
  add("point_edge", StencilKind::point_edge, {Vec3(0.3, 0, gap), Vec3(0, 0, 0), Vec3(0.9, 0, 0)});
  add("point_triangle", StencilKind::point_triangle,
      {Vec3(0.3, 0.2, gap), Vec3(0, 0, 0), Vec3(0.9, -0.1, 0), Vec3(0.1, 0.8, 0)});
  add("point_triangle_below", StencilKind::point_triangle,
      {Vec3(0.3, 0.2, -gap), Vec3(0, 0, 0), Vec3(0.9, -0.1, 0), Vec3(0.1, 0.8, 0)});
  add("edge_edge", StencilKind::edge_edge,
      {Vec3(-0.4, 0.1, gap), Vec3(0.5, -0.2, gap), Vec3(0.1, -0.6, 0), Vec3(-0.1, 0.4, 0)});
  add("edge_edge_mollified wide", StencilKind::edge_edge_mollified,
      {Vec3(-0.4, 0.1, gap), Vec3(0.5, -0.2, gap), Vec3(0.1, -0.6, 0), Vec3(-0.1, 0.4, 0)}, 4);
  for (int type = 0; type < 9; ++type) {
    const double scale = std::min(0.5 * gap, 5e-3);
    StencilCase c{"edge_edge_mollified type " + std::to_string(type),
                  StencilKind::edge_edge_mollified,
                  nearly_parallel_edges(static_cast<EdgeEdgeType>(type), gap, scale, random),
                  gap,
                  scale,
                  1e-3};
    cases.push_back(c);
  }
  for (StencilCase& c : cases) {
    const Mat3 R = random_rotation(random);
    const Vec3 shift = random_vector(random);
    for (int i = 0; i < 4; ++i) c.x.col(i) = R * c.x.col(i) + shift;
  }
  return cases;
}

inline int vertex_count(StencilKind kind) {
  ContactStencil stencil;
  stencil.kind = kind;
  return stencil.vertex_count();
}

// Sixth-order central difference of f along coordinate k of x (of any matrix type), step h.
template <class F, class X>
auto difference(F&& f, X x, int k, double h) {
  const double at = x.data()[k];
  const auto sample = [&](double step) {
    x.data()[k] = at + step * h;
    return f(x);
  };
  using Value = std::decay_t<decltype(f(x))>;
  const Value a1 = sample(1), b1 = sample(-1), a2 = sample(2), b2 = sample(-2), a3 = sample(3), b3 = sample(-3);
  const Value result = (45 * (a1 - b1) - 9 * (a2 - b2) + (a3 - b3)) / (60 * h);
  return result;
}

// The derivatives of f by the coordinates of a stencil. A function that does not change has none to compare with: of
// one that is zero by mistake all derivatives would be right.
template <class F>
auto differences(F&& f, const StencilPoints& x, double h) {
  using Value = std::decay_t<decltype(f(x))>;
  Eigen::Matrix<double, std::is_same_v<Value, double> ? 1 : 12, 12> result;
  const Value here = f(x);
  bool changes = false;
  const auto watched = [&](const StencilPoints& at) {
    const Value value = f(at);
    changes |= !(value == here);
    return value;
  };
  for (int k = 0; k < 12; ++k) result.col(k) << difference(watched, x, k, h);
  EXPECT_TRUE(changes) << "the function is the same all around, which tests nothing";
  return result;
}

template <class F>
Vec12 difference_gradient(F&& f, const StencilPoints& x, double h) {
  return differences(f, x, h).transpose();
}

template <class F>
Mat12 difference_jacobian(F&& gradient, const StencilPoints& x, double h) {
  return differences(gradient, x, h);
}

}  // namespace sinew::test
