// Signed distances to the triangle surfaces of bodies and obstacles.
#pragma once

#include <vector>

#include "sinew/contact/bvh.h"
#include "sinew/contact/distance_type.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// The point of an owner's surface that is nearest to some point.
struct NearestPoint {
  Index triangle = -1;          // of the collision mesh; -1: none within the radius
  Vec3 weights = Vec3::Zero();  // barycentric
  Vec3 normal = Vec3::Zero();   // unit, along which the signed distance grows
  double distance = 0;          // [m], negative inside
  bool on_border = false;       // of an open surface: the inside is not defined there
};

// One tree of triangles for each owner. The normal at the nearest point tells the side of the surface. It is that of
// the triangle, at an edge or vertex the angle-weighted mean of the normals around (Baerentzen and Aanaes 2005, "Signed
// distance computation using the angle weighted pseudonormal").
class SurfaceDistance {
 public:
  // The mesh must outlive this.
  explicit SurfaceDistance(const CollisionMesh& mesh);

  // Moves the triangles to x (3 x n_all).
  void update(const Points& x);

  bool has_triangles(Index owner) const { return !owners_[owner].triangles.empty(); }
  // Whether every edge of the surface has two triangles.
  bool closed(Index owner) const { return owners_[owner].closed; }
  // The distance of p to a box around the owner's surface, 0 inside [m].
  double box_distance(Index owner, const Vec3& p) const;

  // Within `radius` [m] of p, at the x of the last update().
  NearestPoint nearest(Index owner, const Points& x, const Vec3& p, double radius) const;

 private:
  struct Owner {
    std::vector<Index> triangles;  // of the mesh
    Bvh tree;                      // of these
    std::vector<FloatBox> boxes;
    bool closed = true;
  };
  Vec3 normal_of(const Points& x, Index triangle) const;
  Vec3 pseudonormal(const Points& x, Index triangle, PointTriangleType type, bool& on_border) const;

  const CollisionMesh& mesh_;
  std::vector<Owner> owners_;
  Triangles neighbours_;          // 3 x f: the triangle beyond edge k (t_k t_k+1); -1: none
  std::vector<Index> fan_begin_;  // by vertex id, into fan_
  std::vector<Index> fan_;        // triangles around it
  std::vector<char> border_vertex_;
  double start_radius_ = 0;  // of searches: the mean edge of the surfaces [m]
};

}  // namespace sinew
