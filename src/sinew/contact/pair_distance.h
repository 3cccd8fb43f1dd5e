// Tests whether the primitives of a pair are farther apart than a radius, mostly without their exact distance.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/contact/broad_phase.h"
#include "sinew/contact/distance.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// Margin of comparisons as a share of the radius, far above the rounding of distances and motions.
inline constexpr double kDistanceSafety = 1e-6;

// Whether the separation lowest / |direction| exceeds the radius; radius2: its square [m^2].
inline bool beyond(double lowest, const Vec3& direction, double radius2) {
  return lowest > 0 && lowest * lowest > radius2 * direction.squaredNorm() * (1 + kDistanceSafety);
}

// Whether a cheap lower bound of the distance of a point and a triangle exceeds the radius. The two bounds, the
// separation along the triangle's normal and along the line from its centroid to the point, settle most distant pairs.
inline bool point_beyond(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, double radius2) {
  const Vec3 w0 = p - t0, w1 = p - t1, w2 = p - t2;
  const Vec3 normal = (t1 - t0).cross(t2 - t0);
  if (beyond(std::abs(normal.dot(w0)), normal, radius2)) return true;
  const Vec3 middle = w0 + w1 + w2;
  return beyond(std::min({middle.dot(w0), middle.dot(w1), middle.dot(w2)}), middle, radius2);
}

// As point_beyond(), by the separation of two edges along the line between their midpoints.
inline bool edges_beyond(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, double radius2) {
  const Vec3 middle = (a0 - b0) + (a1 - b1);
  // Lowest of middle . (a_i - b_j), from differences only to avoid cancellation far from the origin.
  const double a_low = std::min(0.0, middle.dot(a1 - a0)), b_high = std::max(0.0, middle.dot(b1 - b0));
  return beyond(middle.dot(a0 - b0) + a_low - b_high, middle, radius2);
}

inline bool pair_beyond(const CollisionMesh& mesh, const PrimitivePair& pair, const Points& x, double radius2) {
  if (pair.kind == PairKind::vertex_face) {
    const auto t = mesh.triangles.col(pair.second);
    return point_beyond(x.col(mesh.vertices[pair.first]), x.col(t[0]), x.col(t[1]), x.col(t[2]), radius2);
  }
  const auto a = mesh.edges.col(pair.first), b = mesh.edges.col(pair.second);
  return edges_beyond(x.col(a[0]), x.col(a[1]), x.col(b[0]), x.col(b[1]), radius2);
}

// Squared distance of the primitives of a pair [m^2].
inline double pair_distance2(const CollisionMesh& mesh, const PrimitivePair& pair, const Points& x) {
  if (pair.kind == PairKind::vertex_face) {
    const auto t = mesh.triangles.col(pair.second);
    return point_triangle_distance2(x.col(mesh.vertices[pair.first]), x.col(t[0]), x.col(t[1]), x.col(t[2]));
  }
  const auto a = mesh.edges.col(pair.first), b = mesh.edges.col(pair.second);
  return edge_edge_distance2(x.col(a[0]), x.col(a[1]), x.col(b[0]), x.col(b[1]));
}

// Whether the exact distance is at most the radius.
inline bool pair_within(const CollisionMesh& mesh, const PrimitivePair& pair, const Points& x, double radius2) {
  return !pair_beyond(mesh, pair, x, radius2) && pair_distance2(mesh, pair, x) <= radius2;
}

// The distance at which the surfaces of a pair's owners touch [m]; 0 without thicknesses.
inline double pair_offset(const CollisionMesh& mesh, const PrimitivePair& pair) {
  if (mesh.owner_offset.empty()) return 0;
  if (pair.kind == PairKind::vertex_face)
    return mesh.offset(mesh.vertex_owner[mesh.vertices[pair.first]], mesh.vertex_owner[mesh.triangles(0, pair.second)]);
  return mesh.offset(mesh.vertex_owner[mesh.edges(0, pair.first)], mesh.vertex_owner[mesh.edges(0, pair.second)]);
}

// Vertex ids of a pair's primitives.
inline std::array<Index, 4> vertices_of(const CollisionMesh& mesh, const PrimitivePair& pair) {
  if (pair.kind == PairKind::vertex_face) {
    const auto t = mesh.triangles.col(pair.second);
    return {mesh.vertices[pair.first], t[0], t[1], t[2]};
  }
  const auto a = mesh.edges.col(pair.first), b = mesh.edges.col(pair.second);
  return {a[0], a[1], b[0], b[1]};
}

}  // namespace sinew
