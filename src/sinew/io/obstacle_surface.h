// Makes one triangle mesh of all obstacles for drawing: their surfaces, and a square for each plane.
#pragma once

#include <vector>

#include "sinew/model/state.h"
#include "sinew/model/system.h"

namespace sinew {

class ObstacleSurface {
 public:
  explicit ObstacleSurface(const System& system);

  bool empty() const { return ids_.empty(); }
  bool moves() const;  // whether any obstacle has a motion now: edits can give it one at any time

  Index vertex_count() const { return vertex_count_; }
  const Triangles& triangles() const { return triangles_; }
  const std::vector<Index>& ids() const { return ids_; }  // by triangle: its obstacle, in scene order

  // Returns positions, 3 x vertex_count() [m]: the vertices of the obstacles' meshes, then four for each plane. These
  // four form a square, twice as wide as the scene, around the point of the plane nearest to the bodies' centre at
  // rest.
  Points positions(const State& state) const;

 private:
  const System& system_;
  Triangles triangles_;
  std::vector<Index> ids_;
  Index vertex_count_ = 0;
  Vec3 center_;  // centre of the bodies at rest [m]
};

}  // namespace sinew
