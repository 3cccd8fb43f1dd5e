// Many thin round struts that flow into each other at their joints, with a grid to find those near a point.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew::mesher {

class StrutField {
 public:
  // A strut along a polyline with a radius at each point, linear between them [m].
  void add(const std::vector<Vec3>& points, const std::vector<double>& radii);
  void add(const Vec3& a, const Vec3& b, double radius);

  // To be called once, after the last strut.
  void build();

  // With t the squared distance to a strut over its squared radius there, the point is inside when the sum of
  // (1 - t / s^2)^3 over the struts (where positive) is at least its value for one strut at t = 1. So a lone strut is
  // round, struts that meet share a smooth joint, and no joint has a gap.
  bool inside(const Vec3& p) const;

  const Eigen::AlignedBox3d& bounds() const { return bounds_; }  // holds all struts
  double thinnest() const { return thinnest_; }                  // smallest radius
  double length() const { return length_; }                      // of all struts together

 private:
  struct Segment {
    Vec3 a, d;      // from a to a + d
    double inv_dd;  // 1 / |d|^2
    double ra, dr;  // radius ra + s dr
    Index strut;
  };

  std::vector<Segment> segments_;
  Index struts_ = 0;
  Eigen::AlignedBox3d bounds_;
  double thinnest_ = 0, length_ = 0;
  // Segments near cell c of the grid: items_[offsets_[c] .. offsets_[c + 1]), of one strut together.
  Vec3 origin_ = Vec3::Zero();
  double inv_cell_ = 0;
  Eigen::Vector3i count_ = Eigen::Vector3i::Zero();
  std::vector<Index> offsets_, items_;
};

}  // namespace sinew::mesher
