// An independent check that a configuration is free of intersections: at start-up and in tests. It shares only the
// bounding volume hierarchy with the distances and the collision detection.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/collision_mesh.h"

namespace sinew {

// An edge and a triangle without common vertices that have a point in common, touching included.
struct Intersection {
  Index edge, triangle;              // of the collision mesh
  Index edge_owner, triangle_owner;  // bodies or obstacles
};

// A vertex of a deformable body on or behind a plane that it may touch.
struct BelowPlane {
  Index vertex;  // simulation id
  Index plane;
  double height;  // [m], not positive
};

// All intersections at x (3 x n_all) [m], by edge, then triangle. Pairs of owners that may not touch, and pairs of
// obstacles, are left out. Decided exactly. Throws SimulationError where a surface vertex is not finite.
// Pairs across ties are left out, too: of those that hold, by flags, or of all without flags.
std::vector<Intersection> find_intersections(const CollisionMesh& mesh, const Points& x,
                                             std::span<const char> held = {});

// A point that the two have in common, to rounding; of coplanar ones the point of the edge nearest to the triangle's
// middle.
Vec3 intersection_point(const CollisionMesh& mesh, const Points& x, const Intersection& intersection);

// planes: state of each of the mesh's planes.
std::vector<BelowPlane> find_below_planes(const CollisionMesh& mesh, const Points& x,
                                          std::span<const PlaneState> planes);

}  // namespace sinew
