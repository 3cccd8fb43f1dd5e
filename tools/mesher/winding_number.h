// The generalised winding number of a triangle soup: 1 inside and 0 outside of a closed surface that is oriented
// outwards, and in between where the surface has holes. A. Jacobson, L. Kavan, O. Sorkine-Hornung, Robust
// inside-outside segmentation using generalized winding numbers, 2013; far parts as dipoles after G. Barill, N.
// Dickson, R. Schmidt, D. Levin, A. Jacobson, Fast winding numbers for soups and clouds, 2018.
#pragma once

#include <memory>

#include "surface_tree.h"

#include "sinew/core/types.h"

namespace sinew::mesher {

class WindingNumber {
 public:
  WindingNumber(const Points& vertices, const Triangles& triangles);

  // O(log f) for p away from the surface.
  double operator()(const Vec3& p) const;

  const SurfaceTree& tree() const { return tree_; }

 private:
  // What a node looks like from afar.
  struct Dipole {
    Vec3 centre = Vec3::Zero();  // of area
    Vec3 moment = Vec3::Zero();  // sum of area x normal [m^2]
    double radius = 0;           // of the ball around the centre that holds the node
  };

  SurfaceTree tree_;
  std::vector<Dipole> dipoles_;  // one a node
};

}  // namespace sinew::mesher
