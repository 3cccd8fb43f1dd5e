// Finds surfaces whose thicknesses overlap although their meshes do not (CollisionMesh::offset).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/model/collision_mesh.h"

namespace sinew {

// Two owners, or one twice, whose meshes are nearer somewhere than the distance at which their surfaces touch.
struct LayerOverlap {
  Index a = -1, b = -1;  // owners, a <= b; the second may be a plane's
  double offset = 0;     // distance at which they touch [m]
  double distance = 0;   // smallest distance of primitives that share no vertex [m]
  long count = 0;        // pairs of primitives, or vertices over a plane
  // Vertices of the nearest two primitives: `first` of the first one, then those of the second, then -1. Over a plane:
  // one vertex.
  std::array<Index, 4> v{-1, -1, -1, -1};
  int first = 1;

  std::span<const Index> first_primitive() const { return {v.data(), static_cast<std::size_t>(first)}; }
  std::span<const Index> second_primitive() const { return {v.data() + first, static_cast<std::size_t>(4 - first)}; }
};

// Returns the overlaps at x (3 x n_all) [m], by owners. Leaves out pairs that may not touch, pairs of obstacles and
// pairs across ties that hold. held: a flag for each tie; empty: all hold. planes: the state of each plane, or none to
// leave planes out. Costs nothing without thicknesses.
std::vector<LayerOverlap> find_layer_overlaps(const CollisionMesh& mesh, const Points& x,
                                              std::span<const PlaneState> planes, std::span<const char> held = {});

}  // namespace sinew
