// Computes signed distances to the triangle surfaces of bodies and obstacles.
#pragma once

#include <vector>

#include "sinew/contact/bvh.h"
#include "sinew/contact/distance_type.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// The point of an owner's surface that is nearest to some point.
struct NearestPoint {
  Index triangle = -1;          // number in the collision mesh; -1: none within the radius
  Vec3 weights = Vec3::Zero();  // barycentric
  Vec3 normal = Vec3::Zero();   // unit, along which the signed distance grows
  double distance = 0;          // [m], negative inside
  bool on_border = false;       // on the border of an open surface, where the inside is not defined
};

// Has one tree of triangles for each owner. The normal at the nearest point tells the side of the surface. It belongs
// to the triangle or, at an edge or vertex, is the angle-weighted mean of the normals around. See Baerentzen and Aanaes
// 2005, "Signed distance computation using the angle weighted pseudonormal".
class SurfaceDistance {
 public:
  // The mesh must outlive this.
  explicit SurfaceDistance(const CollisionMesh& mesh);

  // Moves the triangles to positions x (3 x n_all) [m].
  void update(const Points& x);

  bool has_triangles(Index owner) const { return !owners_[owner].triangles.empty(); }
  // Whether every edge of the surface has two triangles.
  bool closed(Index owner) const { return owners_[owner].closed; }
  // The distance [m] from p to a box around the owner's surface; 0 inside the box.
  double box_distance(Index owner, const Vec3& p) const;

  // The nearest point of the owner's surface within `radius` [m] of p. x: as in the last update().
  NearestPoint nearest(Index owner, const Points& x, const Vec3& p, double radius) const;
  // As above, of the triangles that face a surface with the unit normal `own` at p. Others count as missing: the border
  // of those that remain is one of the surface. At edges and vertices `normal` is the mean of those that remain.
  NearestPoint nearest_facing(Index owner, const Points& x, const Vec3& p, const Vec3& own, double radius) const;

 private:
  struct Owner {
    std::vector<Index> triangles;  // numbers in the collision mesh
    Bvh tree;                      // tree of these triangles
    std::vector<FloatBox> boxes;
    bool closed = true;
  };
  Vec3 normal_of(const Points& x, Index triangle) const;
  template <class Accept>
  NearestPoint search(Index owner, const Points& x, const Vec3& p, double radius, Accept&& accept) const;
  template <class Accept>
  Vec3 pseudonormal(const Points& x, Index triangle, PointTriangleType type, bool& on_border, Accept&& accept) const;

  const CollisionMesh& mesh_;
  std::vector<Owner> owners_;
  Triangles neighbours_;          // 3 x f: the triangle beyond edge k (t_k t_k+1); -1: none
  std::vector<Index> fan_begin_;  // by vertex id, into fan_
  std::vector<Index> fan_;        // triangles around each vertex
  std::vector<char> border_vertex_;
  double start_radius_ = 0;  // first radius of searches: the mean edge of the surfaces [m]
};

}  // namespace sinew
