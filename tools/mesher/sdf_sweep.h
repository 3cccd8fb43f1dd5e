// Generalised cylinders: what an ellipse sweeps whose centre follows a smooth curve, its half axes changing on the way.
#pragma once

#include <limits>
#include <vector>

#include "sdf.h"

namespace sinew::mesher {

struct Section {
  Vec3 at;
  double radius;       // across the side [m]
  double stretch = 1;  // half axis along the side over the radius
};

class Sweep {
 public:
  Sweep() = default;

  // A Catmull-Rom curve through the sections (two or more, none twice at a place), `pieces` chords between two of them.
  // The side is a unit vector: the axis of the ellipses that is not one radius long.
  Sweep(const std::vector<Section>& sections, int pieces, const Vec3& side = Vec3::UnitZ()) : side_(side) {
    const auto n = static_cast<int>(sections.size());
    const auto section = [&](int i) { return sections[static_cast<std::size_t>(std::clamp(i, 0, n - 1))]; };
    for (int i = 0; i + 1 < n; ++i) {
      for (int k = 0; k < pieces; ++k) add(section(i - 1), section(i), section(i + 1), section(i + 2), k, pieces);
    }
    nodes_.push_back(sections.back());
    for (const Section& s : nodes_) {
      const Vec3 reach = Vec3::Constant(s.radius * std::max(1.0, s.stretch));
      box_.extend(Eigen::AlignedBox3d(s.at - reach, s.at + reach));
    }
  }

  // About the distance. Far from the sweep that to its box, which is less.
  double distance(const Vec3& p) const {
    constexpr double far = 0.09;  // more than the fillets are wide
    const double outside = box_.exteriorDistance(p);
    if (outside > far) return outside;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i + 1 < nodes_.size(); ++i) {
      const Section &a = nodes_[i], &b = nodes_[i + 1];
      const Vec3 d = b.at - a.at;
      const double t = std::clamp((p - a.at).dot(d) / d.squaredNorm(), 0.0, 1.0);
      const Vec3 q = p - a.at - t * d;
      const double across = q.dot(side_), stretch = a.stretch + t * (b.stretch - a.stretch);
      const double rest = (q - across * side_).norm(), radius = a.radius + t * (b.radius - a.radius);
      least = std::min(least, (std::hypot(rest, across / stretch) - radius) * std::min(1.0, stretch));
    }
    return least;
  }

  // At t from 0 to 1 along the curve: the section and the unit tangent.
  Section section(double t) const {
    const auto [i, s] = place(t);
    const Section &a = nodes_[i], &b = nodes_[i + 1];
    return {a.at + s * (b.at - a.at), a.radius + s * (b.radius - a.radius), a.stretch + s * (b.stretch - a.stretch)};
  }
  Vec3 tangent(double t) const {
    const std::size_t i = place(t).first;
    return (nodes_[i + 1].at - nodes_[i].at).normalized();
  }
  // On the surface, at an angle from the normal `side x tangent` towards the side; the unit normal there, about.
  Vec3 normal(double t, double angle) const {
    return std::cos(angle) * side_.cross(tangent(t)).normalized() + std::sin(angle) * side_;
  }
  Vec3 surface(double t, double angle) const {
    const Section s = section(t);
    return s.at +
           s.radius * (std::cos(angle) * side_.cross(tangent(t)).normalized() + s.stretch * std::sin(angle) * side_);
  }

 private:
  void add(const Section& before, const Section& from, const Section& to, const Section& after, int k, int pieces) {
    const double t = static_cast<double>(k) / pieces;
    const auto spline = [t](const auto& a, const auto& b, const auto& c, const auto& d) {
      return 0.5 * (2 * b + t * ((c - a) + t * ((2 * a - 5 * b + 4 * c - d) + t * (3 * b - a - 3 * c + d))));
    };
    Section made;
    for (int i = 0; i < 3; ++i) made.at[i] = spline(before.at[i], from.at[i], to.at[i], after.at[i]);
    made.radius = spline(before.radius, from.radius, to.radius, after.radius);
    made.stretch = spline(before.stretch, from.stretch, to.stretch, after.stretch);
    nodes_.push_back(made);
  }

  std::pair<std::size_t, double> place(double t) const {
    const double s = std::clamp(t, 0.0, 1.0) * static_cast<double>(nodes_.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(s), nodes_.size() - 2);
    return {i, s - static_cast<double>(i)};
  }

  std::vector<Section> nodes_;
  Vec3 side_ = Vec3::UnitZ();
  Eigen::AlignedBox3d box_;
};

// Cones with round tips: teeth, claws, spikes. Each stands on its foot.
struct Cone {
  Vec3 foot, tip;
  double foot_radius, tip_radius;
};

class Cones {
 public:
  void add(const Cone& c) {
    cones_.push_back(c);
    box_.extend(Eigen::AlignedBox3d(c.foot - Vec3::Constant(c.foot_radius), c.foot + Vec3::Constant(c.foot_radius)));
    box_.extend(Eigen::AlignedBox3d(c.tip - Vec3::Constant(c.tip_radius), c.tip + Vec3::Constant(c.tip_radius)));
  }

  // To their union, with fillets of width k where it is above 0. Far from all of them that to their box, which is less.
  double distance(const Vec3& p, double k = 0) const {
    constexpr double far = 0.06;
    const double outside = box_.exteriorDistance(p);
    if (outside > far) return outside;
    double d = 1;
    for (const Cone& c : cones_) {
      const double to = capsule_distance(p, c.foot, c.tip, c.foot_radius, c.tip_radius);
      d = k > 0 ? smooth_union(d, to, k) : std::min(d, to);
    }
    return d;
  }

 private:
  std::vector<Cone> cones_;
  Eigen::AlignedBox3d box_;
};

}  // namespace sinew::mesher
