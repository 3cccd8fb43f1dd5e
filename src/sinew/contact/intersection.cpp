#include "sinew/contact/intersection.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <Eigen/Geometry>

#include "sinew/contact/bvh.h"
#include "sinew/contact/intersection_predicates.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Box of the vertices in the columns `ids`.
template <class Ids>
FloatBox box_of(const Points& x, const Ids& ids) {
  FloatBox box;
  for (Index v : ids) {
    FloatBox point;
    for (int c = 0; c < 3; ++c) {
      point.low[c] = float_below(x(c, v));
      point.high[c] = float_above(x(c, v));
    }
    box.add(point);
  }
  return box;
}

// Whether an edge and a triangle count: no common vertex, one of them deformable, and owners that may touch.
bool comparable(const CollisionMesh& mesh, Index edge, Index triangle, std::span<const char> held) {
  const auto e = mesh.edges.col(edge);
  const auto t = mesh.triangles.col(triangle);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      if (e[i] == t[j]) return false;
  if (mesh.kinematic(e[0]) && mesh.kinematic(t[0])) return false;
  const std::array<Index, 2> ends = {e[0], e[1]};
  const std::array<Index, 3> corners = {t[0], t[1], t[2]};
  if (mesh.glued(ends, corners, held)) return false;
  return mesh.owners_may_touch(mesh.vertex_owner[e[0]], mesh.vertex_owner[t[0]]);
}

}  // namespace

// Two closed surfaces in general position intersect where an edge of one passes through a triangle of the other, so
// edges are tested against the triangles whose boxes they meet, with exact predicates. O((n + pairs) log n).
std::vector<Intersection> find_intersections(const CollisionMesh& mesh, const Points& x, std::span<const char> held) {
  for (Index v : mesh.vertices) {
    if (!x.col(v).allFinite())
      throw SimulationError(code::not_finite, fmt::format("the position of surface vertex {} is not finite", v));
  }
  const std::size_t triangles = static_cast<std::size_t>(mesh.triangles.cols());
  const std::size_t edges = static_cast<std::size_t>(mesh.edges.cols());
  // A tree of the boxes of all triangles.
  std::vector<FloatBox> boxes(triangles);
  parallel_for(triangles, [&](std::size_t t) { boxes[t] = box_of(x, mesh.triangles.col(t)); });
  Bvh tree;
  tree.build(boxes);

  // Edges in parallel, each chunk into a list of its own; the sort at the end makes the order independent of the tree.
  constexpr std::size_t kChunk = 512;
  std::vector<std::vector<Intersection>> found((edges + kChunk - 1) / kChunk);
  parallel_chunks(edges, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Index edge = static_cast<Index>(i);
      const Vec3 p = x.col(mesh.edges(0, edge)), q = x.col(mesh.edges(1, edge));
      tree.query(box_of(x, mesh.edges.col(edge)), 0, [&](std::size_t position) {
        const Index triangle = tree.order()[position];
        if (!comparable(mesh, edge, triangle, held)) return;
        const auto t = mesh.triangles.col(triangle);
        if (!segment_meets_triangle(p, q, x.col(t[0]), x.col(t[1]), x.col(t[2]))) return;
        found[begin / kChunk].push_back(
            {edge, triangle, mesh.vertex_owner[mesh.edges(0, edge)], mesh.vertex_owner[t[0]]});
      });
    }
  });
  std::vector<Intersection> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(), [](const Intersection& a, const Intersection& b) {
    return std::tie(a.edge, a.triangle) < std::tie(b.edge, b.triangle);
  });
  return all;
}

// The point p + s (q - p) of the edge where its height over the triangle's plane is zero, s = h_p / (h_p - h_q).
Vec3 intersection_point(const CollisionMesh& mesh, const Points& x, const Intersection& intersection) {
  const Vec3 p = x.col(mesh.edges(0, intersection.edge)), q = x.col(mesh.edges(1, intersection.edge));
  const auto t = mesh.triangles.col(intersection.triangle);
  const Vec3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
  const Vec3 normal = (b - a).cross(c - a);
  const double from = normal.dot(p - a), to = normal.dot(q - a);
  const Vec3 along = q - p, middle = (a + b + c) / 3;
  if (along.isZero(0)) return p;
  const double s = from != to ? from / (from - to) : along.dot(middle - p) / along.squaredNorm();
  return p + std::clamp(s, 0.0, 1.0) * along;
}

std::vector<BelowPlane> find_below_planes(const CollisionMesh& mesh, const Points& x,
                                          std::span<const PlaneState> planes) {
  std::vector<BelowPlane> below;
  for (std::size_t p = 0; p < mesh.planes.size(); ++p) {
    for (Index v : mesh.vertices) {
      if (mesh.kinematic(v) || !mesh.owners_may_touch(mesh.vertex_owner[v], mesh.planes[p].owner)) continue;
      const double height = planes[p].normal.dot(x.col(v) - planes[p].point);
      if (!(height > 0)) below.push_back({v, static_cast<Index>(p), height});
    }
  }
  return below;
}

}  // namespace sinew
