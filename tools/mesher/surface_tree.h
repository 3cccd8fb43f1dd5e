// A bounding volume hierarchy over triangles: closest points, crossings of a ray.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew::mesher {

struct Closest {
  double distance = 0;  // [m]
  Index triangle = -1;
  Vec3 point = Vec3::Zero();
};

struct RayHit {
  double distance = 0;  // in lengths of the direction
  Index triangle = -1;  // -1: none
};

class SurfaceTree {
 public:
  // A node covers triangles order()[first, first + count); its children, of inner nodes only, are left and left + 1.
  struct Node {
    Eigen::AlignedBox3d box;
    Index first = 0, count = 0, left = -1;
  };

  SurfaceTree(const Points& vertices, const Triangles& triangles);

  // The point of the surface closest to p. The surface must not be empty.
  Closest closest(const Vec3& p) const;

  // Whether a triangle is nearer to p than `distance` [m].
  bool comes_within(double distance, const Vec3& p) const;

  // How many triangles the ray from p along `direction` passes through; those in `skipped` (one triangle) do not count.
  int crossings(const Vec3& p, const Vec3& direction, Index skipped = -1) const;

  // The first triangle but `skipped` that the ray from p along `direction` meets.
  RayHit first_hit(const Vec3& p, const Vec3& direction, Index skipped = -1) const;

  const std::vector<Node>& nodes() const { return nodes_; }  // the first is the root; children follow their parents
  const std::vector<Index>& order() const { return order_; }
  Vec3 corner(Index triangle, int k) const { return corners_.col(3 * triangle + k); }
  Index size() const { return static_cast<Index>(order_.size()); }

 private:
  void split(std::size_t node, const Points& centres);

  // visit(triangle) for those of the boxes that `meets` says, until one is true; whether one was.
  template <class Meets, class Visit>
  bool any(const Meets& meets, const Visit& visit) const;

  // visit(triangle, distance) for all that the ray meets.
  template <class Visit>
  void along_ray(const Vec3& p, const Vec3& direction, Visit&& visit) const;

  Points corners_;  // 3 x 3f [m]
  std::vector<Node> nodes_;
  std::vector<Index> order_;
};

}  // namespace sinew::mesher
