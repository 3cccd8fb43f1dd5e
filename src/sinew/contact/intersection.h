// Checks independently that a configuration has no intersections, at start-up and in tests. The check shares only the
// bounding volume hierarchy with the distances and the collision detection.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/collision_mesh.h"

namespace sinew {

// An edge and a triangle without common vertices that have a point in common, touching included.
struct Intersection {
  Index edge, triangle;              // numbers in the collision mesh
  Index edge_owner, triangle_owner;  // bodies or obstacles
};

// A vertex of a deformable body on or behind a plane that it may touch.
struct BelowPlane {
  Index vertex;  // simulation id
  Index plane;
  double height;  // [m], not positive
};

// Returns all intersections at x (3 x n_all) [m], by edge, then triangle. Leaves out pairs of owners that may not
// touch, pairs of obstacles, and pairs across ties that hold. held: a flag for each tie; empty: all hold. Decided
// exactly. Throws SimulationError if a surface vertex is not finite.
std::vector<Intersection> find_intersections(const CollisionMesh& mesh, const Points& x,
                                             std::span<const char> held = {});

// Returns a point of both the edge and the triangle, up to rounding. If they are coplanar, returns the point of the
// edge nearest to the triangle's centroid.
Vec3 intersection_point(const CollisionMesh& mesh, const Points& x, const Intersection& intersection);

// planes: the state of each of the mesh's planes.
std::vector<BelowPlane> find_below_planes(const CollisionMesh& mesh, const Points& x,
                                          std::span<const PlaneState> planes);

}  // namespace sinew
