#include "sinew/contact/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

FloatBox box_of(const Vec3& low, const Vec3& high) {
  FloatBox box;
  for (int c = 0; c < 3; ++c) {
    box.low[c] = float_below(low[c]);
    box.high[c] = float_above(high[c]);
  }
  return box;
}

// Barycentric weights of the point of the triangle that is nearest to p, given the features that hold it.
Vec3 nearest_weights(const Vec3& p, const Vec3& t0, const Vec3& t1, const Vec3& t2, PointTriangleType type) {
  const auto along = [&](const Vec3& a, const Vec3& b) {
    const Vec3 e = b - a;
    return std::clamp((p - a).dot(e) / e.squaredNorm(), 0.0, 1.0);
  };
  switch (type) {
    case PointTriangleType::p_t0:
      return Vec3(1, 0, 0);
    case PointTriangleType::p_t1:
      return Vec3(0, 1, 0);
    case PointTriangleType::p_t2:
      return Vec3(0, 0, 1);
    case PointTriangleType::p_e0: {
      const double s = along(t0, t1);
      return Vec3(1 - s, s, 0);
    }
    case PointTriangleType::p_e1: {
      const double s = along(t1, t2);
      return Vec3(0, 1 - s, s);
    }
    case PointTriangleType::p_e2: {
      const double s = along(t2, t0);
      return Vec3(s, 0, 1 - s);
    }
    case PointTriangleType::p_t:
      break;
  }
  // Inside: ratios of the areas that p's projection forms with each side to that of the triangle.
  const Vec3 n = (t1 - t0).cross(t2 - t0);
  const double a = (t2 - t1).cross(p - t1).dot(n), b = (t0 - t2).cross(p - t2).dot(n), area2 = n.squaredNorm();
  return Vec3(a / area2, b / area2, 1 - a / area2 - b / area2);
}

}  // namespace

// Builds the triangles of each owner, the neighbours across edges, and the fans around vertices. Two triangles of an
// oriented surface share an edge in opposite directions: each directed edge waits in a map for its reverse, and the
// edges that still wait at the end are the border.
SurfaceDistance::SurfaceDistance(const CollisionMesh& mesh) : mesh_(mesh), owners_(mesh.owner_count) {
  const Index count = static_cast<Index>(mesh.triangles.cols());
  const Index vertices = static_cast<Index>(mesh.vertex_owner.size());
  neighbours_ = Triangles::Constant(3, count, -1);
  std::map<std::pair<Index, Index>, std::pair<Index, int>> open;  // by directed edge: the triangle that has it
  fan_begin_.assign(static_cast<std::size_t>(vertices) + 1, 0);
  double length = 0;
  for (Index t = 0; t < count; ++t) {
    owners_[mesh.vertex_owner[mesh.triangles(0, t)]].triangles.push_back(t);
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(k, t), b = mesh.triangles((k + 1) % 3, t);
      ++fan_begin_[a + 1];
      const auto other = open.find({b, a});
      if (other == open.end()) {
        open[{a, b}] = {t, k};
        continue;
      }
      neighbours_(k, t) = other->second.first;
      neighbours_(other->second.second, other->second.first) = t;
      open.erase(other);
    }
  }
  // Edges without a reverse are the border; a surface with a border is not closed.
  border_vertex_.assign(vertices, 0);
  for (const auto& [edge, of] : open) {
    owners_[mesh.vertex_owner[edge.first]].closed = false;
    border_vertex_[edge.first] = border_vertex_[edge.second] = 1;
  }
  // The triangles at each vertex, by counting sort.
  for (Index v = 0; v < vertices; ++v) fan_begin_[v + 1] += fan_begin_[v];
  fan_.resize(3 * static_cast<std::size_t>(count));
  std::vector<Index> next(fan_begin_.begin(), fan_begin_.end() - 1);
  for (Index t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) fan_[next[mesh.triangles(k, t)]++] = t;
  // Searches for the nearest point begin with a ball of the mean edge length.
  for (const double length2 : mesh.edge_rest_length2) length += std::sqrt(length2);
  start_radius_ = mesh.edge_rest_length2.empty() ? 0 : length / static_cast<double>(mesh.edge_rest_length2.size());
}

// New boxes of all triangles; trees are sorted at the first call and refitted later.
void SurfaceDistance::update(const Points& x) {
  for (Owner& owner : owners_) {
    const bool first = owner.boxes.empty();
    owner.boxes.resize(owner.triangles.size());
    parallel_for(
        owner.triangles.size(),
        [&](std::size_t i) {
          const auto corners = mesh_.triangles.col(owner.triangles[i]);
          const Vec3 a = x.col(corners[0]), b = x.col(corners[1]), c = x.col(corners[2]);
          owner.boxes[i] = box_of(a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c));
        },
        1024);
    if (owner.boxes.empty()) continue;
    if (first) {
      owner.tree.build(owner.boxes);
    } else {
      owner.tree.refit(owner.boxes);
    }
  }
}

// The distance of a point to the bounding box of an owner's surface; 0 inside.
double SurfaceDistance::box_distance(Index owner, const Vec3& p) const {
  const FloatBox box = owners_[owner].tree.bounds();
  double distance2 = 0;
  for (int c = 0; c < 3; ++c) {
    const double beyond = std::max({0.0, box.low[c] - p[c], p[c] - box.high[c]});
    distance2 += beyond * beyond;
  }
  return std::sqrt(distance2);
}

Vec3 SurfaceDistance::normal_of(const Points& x, Index triangle) const {
  const auto t = mesh_.triangles.col(triangle);
  const Vec3 n = (x.col(t[1]) - x.col(t[0])).cross(x.col(t[2]) - x.col(t[0]));
  const double length = n.norm();
  return length > 0 ? Vec3(n / length) : Vec3(Vec3::Zero());
}

// The angle-weighted pseudonormal (Baerentzen and Aanaes 2005) at the nearest point:
//   inside of a triangle t        n_t
//   on an edge of t and t'        n_t + n_t'
//   at a vertex                   sum over the triangles t around it of alpha_t n_t, alpha_t the angle of t there.
// For any closed surface the sign of its product with p - nearest tells the side on which p lies.
template <class Accept>
Vec3 SurfaceDistance::pseudonormal(const Points& x, Index triangle, PointTriangleType type, bool& on_border,
                                   Accept&& accept) const {
  if (type == PointTriangleType::p_t) return normal_of(x, triangle);
  const bool on_edge =
      type == PointTriangleType::p_e0 || type == PointTriangleType::p_e1 || type == PointTriangleType::p_e2;
  if (on_edge) {
    const int k = static_cast<int>(type) - static_cast<int>(PointTriangleType::p_e0);
    const Index other = neighbours_(k, triangle);
    on_border = other < 0 || !accept(other);
    return on_border ? normal_of(x, triangle) : Vec3(normal_of(x, triangle) + normal_of(x, other));
  }
  const Index v = mesh_.triangles(static_cast<int>(type) - static_cast<int>(PointTriangleType::p_t0), triangle);
  on_border = border_vertex_[v] != 0;
  Vec3 sum = Vec3::Zero();
  for (Index f = fan_begin_[v]; f < fan_begin_[v + 1]; ++f) {
    if (!accept(fan_[f])) {
      on_border = true;
      continue;
    }
    const auto t = mesh_.triangles.col(fan_[f]);
    const int k = t[0] == v ? 0 : t[1] == v ? 1 : 2;
    const Vec3 a = x.col(t[(k + 1) % 3]) - x.col(v), b = x.col(t[(k + 2) % 3]) - x.col(v);
    sum += std::atan2(a.cross(b).norm(), a.dot(b)) * normal_of(x, fan_[f]);
  }
  return sum;
}

// The nearest point in three steps: search boxes of growing half-width r around p, the weights of the nearest point on
// the nearest triangle, and the sign by the pseudonormal. A search is complete once the nearest distance found is
// within r.
template <class Accept>
NearestPoint SurfaceDistance::search(Index owner, const Points& x, const Vec3& p, double radius,
                                     Accept&& accept) const {
  const Owner& o = owners_[owner];
  NearestPoint found;
  double best2 = std::numeric_limits<double>::infinity();
  PointTriangleType type = PointTriangleType::p_t;
  // r doubles while nothing is found, and then becomes the distance found.
  for (double r = std::min(radius, start_radius_); found.triangle < 0 || best2 > r * r;
       r = std::min(radius, found.triangle < 0 ? 2 * r : std::sqrt(best2) * (1 + 1e-12))) {
    o.tree.query(box_of(p - Vec3::Constant(r), p + Vec3::Constant(r)), 0, [&](std::size_t position) {
      const Index t = o.triangles[o.tree.order()[position]];
      if (!accept(t)) return;
      const auto corners = mesh_.triangles.col(t);
      const auto features = point_triangle_closest(p, x.col(corners[0]), x.col(corners[1]), x.col(corners[2]));
      // Among equally near triangles the one of the smallest index wins, whatever the order of the tree.
      if (features.distance2 < best2 || (features.distance2 == best2 && t < found.triangle)) {
        best2 = features.distance2;
        found.triangle = t;
        type = features.type;
      }
    });
    if (r >= radius) break;
  }
  if (found.triangle < 0 || best2 > radius * radius) return {};
  const auto t = mesh_.triangles.col(found.triangle);
  found.weights = nearest_weights(p, x.col(t[0]), x.col(t[1]), x.col(t[2]), type);
  const Vec3 offset =
      p - found.weights[0] * x.col(t[0]) - found.weights[1] * x.col(t[1]) - found.weights[2] * x.col(t[2]);
  const Vec3 normal = pseudonormal(x, found.triangle, type, found.on_border, accept);
  const double distance = std::sqrt(best2), side = offset.dot(normal) < 0 ? -1 : 1;
  found.distance = side * distance;
  // For a point on the surface the direction towards it is rounding, so the pseudonormal takes its place.
  const double size = std::max({p.cwiseAbs().maxCoeff(), x.col(t[0]).cwiseAbs().maxCoeff()});
  found.normal = distance > 1e-12 * size ? Vec3(side / distance * offset) : Vec3(normal.normalized());
  return found;
}

NearestPoint SurfaceDistance::nearest(Index owner, const Points& x, const Vec3& p, double radius) const {
  return search(owner, x, p, radius, [](Index) { return true; });
}

NearestPoint SurfaceDistance::nearest_facing(Index owner, const Points& x, const Vec3& p, const Vec3& own,
                                             double radius) const {
  constexpr double facing = -0.1;  // largest product of the two normals
  return search(owner, x, p, radius, [&](Index t) { return normal_of(x, t).dot(own) < facing; });
}

}  // namespace sinew
