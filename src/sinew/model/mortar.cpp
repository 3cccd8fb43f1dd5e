#include "sinew/model/mortar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <Eigen/Dense>

#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

using Vec2 = Eigen::Vector2d;
using Polygon2 = std::vector<Vec2>;

constexpr double facing = -0.25;        // the cosine of the angle of two normals that look at each other, at most
constexpr double opposite_reach = 0.5;  // of two faces that lie opposite, over the longer of their edges
constexpr double least_covered = 0.05;  // of the faces around a vertex that something lies opposite to
constexpr double sliver = 1e-6;         // share of a face below which an overlap counts as none
constexpr double same_rank = 1e-8;      // eigenvalues of a Gram matrix below this share of the largest are zero
constexpr double exact = 1e-12;         // of the distances of vertices

struct MortarFace {
  std::array<Vec3, 3> corner;
  Vec3 normal;  // unit
  double longest = 0, area = 0;
  Vec3 low, high;
};

MortarFace face_of(const Points& x, const Triangles& faces, Index f) {
  MortarFace face;
  for (int k = 0; k < 3; ++k) face.corner[k] = x.col(faces(k, f));
  const Vec3 cross = (face.corner[1] - face.corner[0]).cross(face.corner[2] - face.corner[0]);
  face.area = cross.norm() / 2;
  face.normal = cross / std::max(2 * face.area, std::numeric_limits<double>::min());
  face.low = face.high = face.corner[0];
  for (int k = 0; k < 3; ++k) {
    face.longest = std::max(face.longest, (face.corner[(k + 1) % 3] - face.corner[k]).norm());
    face.low = face.low.cwiseMin(face.corner[k]);
    face.high = face.high.cwiseMax(face.corner[k]);
  }
  return face;
}

// Faces sorted by where they begin along the longest axis of all of them: those near a box are a range, to be looked at
// one by one, some sqrt(n) of n faces of a surface.
class SortedFaces {
 public:
  SortedFaces(const Points& x, const Triangles& faces) {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (Index f = 0; f < faces.cols(); ++f) {
      faces_.push_back(face_of(x, faces, f));
      low = low.cwiseMin(faces_[f].low);
      high = high.cwiseMax(faces_[f].high);
      longest_ = std::max(longest_, faces_[f].longest);
    }
    (high - low).maxCoeff(&axis_);
    order_.resize(faces_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::stable_sort(order_, {}, [&](Index f) { return faces_[f].low[axis_]; });
  }

  const MortarFace& operator[](Index f) const { return faces_[f]; }

  // Those that may lie opposite to a face, ascending.
  void find_near(const MortarFace& face, std::vector<Index>& near) const {
    near.clear();
    const double reach = opposite_reach * std::max(face.longest, longest_);
    const auto begins = [&](Index f) { return faces_[f].low[axis_]; };
    auto at = std::ranges::lower_bound(order_, face.low[axis_] - reach - longest_, {}, begins);
    for (; at != order_.end() && begins(*at) <= face.high[axis_] + reach; ++at) {
      const MortarFace& other = faces_[*at];
      const double margin = opposite_reach * std::max(face.longest, other.longest);
      if ((face.low.array() <= other.high.array() + margin).all() &&
          (other.low.array() <= face.high.array() + margin).all())
        near.push_back(*at);
    }
    std::ranges::sort(near);
  }

 private:
  std::vector<MortarFace> faces_;
  std::vector<Index> order_;
  double longest_ = 0;  // edge
  int axis_ = 0;
};

// The plane of a face, with coordinates in which its corners are counterclockwise.
struct MortarPlane {
  Vec3 origin, u, v;

  explicit MortarPlane(const MortarFace& face)
      : origin(face.corner[0]), u((face.corner[1] - face.corner[0]).normalized()), v(face.normal.cross(u)) {}
  Vec2 coordinates(const Vec3& p) const { return {u.dot(p - origin), v.dot(p - origin)}; }
  Vec3 point(const Vec2& p) const { return origin + u * p[0] + v * p[1]; }
};

double cross2(const Vec2& a, const Vec2& b) {
  return a[0] * b[1] - a[1] * b[0];
}

// Barycentric coordinates of p in a triangle.
Vec3 hats(const std::array<Vec2, 3>& t, const Vec2& p) {
  const double area = cross2(t[1] - t[0], t[2] - t[0]);
  const double b = cross2(p - t[0], t[2] - t[0]) / area, c = cross2(t[1] - t[0], p - t[0]) / area;
  return {1 - b - c, b, c};
}

// What of a polygon lies left of all edges of a counterclockwise triangle (Sutherland and Hodgman 1974).
Polygon2 clipped(Polygon2 polygon, const std::array<Vec2, 3>& triangle) {
  for (int k = 0; k < 3 && !polygon.empty(); ++k) {
    const Vec2 &a = triangle[k], edge = triangle[(k + 1) % 3] - a;
    Polygon2 inside;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const double hp = cross2(edge, p - a), hq = cross2(edge, q - a);
      if (hp >= 0) inside.push_back(p);
      if ((hp >= 0) != (hq >= 0)) inside.push_back(p + hp / (hp - hq) * (q - p));
    }
    polygon.swap(inside);
  }
  return polygon;
}

double area_of(const Polygon2& polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    twice += cross2(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return twice / 2;
}

// Calls visit(p, weight) for points that integrate quadratic functions over a convex polygon: the middles of the edges
// of its triangles.
template <class Visit>
void for_each_quadrature_point(const Polygon2& polygon, Visit&& visit) {
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    const Vec2 &a = polygon[0], &b = polygon[i - 1], &c = polygon[i];
    const double weight = cross2(b - a, c - a) / 6;
    for (const Vec2& p : {Vec2((a + b) / 2), Vec2((b + c) / 2), Vec2((c + a) / 2)}) visit(p, weight);
  }
}

// What lies opposite to one face: int N N^T, int N, and int N N_m for each vertex m of the other faces, N the three
// hat functions of the face, N_m those of the others, over all that the others cover.
struct MortarOverlap {
  Mat3 gram = Mat3::Zero();
  Vec3 mean = Vec3::Zero();
  std::map<Index, Vec3> mixed;
  double gap = 0, least_gap = std::numeric_limits<double>::infinity();
};

void add_overlap(const MortarFace& face, const MortarPlane& plane, const std::array<Vec2, 3>& own,
                 const MortarFace& other, const Index* vertices, MortarOverlap& overlap) {
  // Seen from the face, what looks at it is clockwise.
  std::array<Vec2, 3> theirs;
  for (int k = 0; k < 3; ++k) theirs[k] = plane.coordinates(other.corner[k]);
  const Polygon2 common = clipped({theirs[0], theirs[2], theirs[1]}, own);
  if (common.size() < 3 || !(area_of(common) > sliver * face.area)) return;
  Vec2 center = Vec2::Zero();
  for (const Vec2& p : common) center += p / static_cast<double>(common.size());
  const Vec3 away = other.corner[0] - plane.point(center);
  const double gap = std::abs(other.normal.dot(away) / other.normal.dot(face.normal));
  if (gap > opposite_reach * std::max(face.longest, other.longest)) return;
  overlap.gap = std::max(overlap.gap, gap);
  for (const Vec2& p : common)
    overlap.least_gap =
        std::min(overlap.least_gap, other.normal.dot(other.corner[0] - plane.point(p)) / other.normal.dot(face.normal));
  for_each_quadrature_point(common, [&](const Vec2& p, double weight) {
    const Vec3 N = hats(own, p), M = hats(theirs, p);
    overlap.gram += weight * N * N.transpose();
    overlap.mean += weight * N;
    for (int k = 0; k < 3; ++k) overlap.mixed.try_emplace(vertices[k], Vec3::Zero()).first->second += weight * M[k] * N;
  });
}

}  // namespace

// Dual functions psi = A N of a face, A = diag(int N) (int N N^T)^-1, are biorthogonal to its hat functions,
//
//   int psi_i N_j = delta_ij int N_i,
//
// also where the integrals are over the part of the face alone that something lies opposite to (Cichosz, Bischoff
// 2011). Displacements that agree in the mean with weights psi_i are then
//
//   u_i = (1 / D_i) sum_m (int psi_i N_m) u_m,   D_i = int N_i.
//
// A constant traction t puts D_i t on vertex i, which these weights hand on as int N_m t: the forces that t itself puts
// on the other side. So tied meshes pass the patch test.
MortarWeights mortar_weights(const Points& x, const Triangles& faces, const Triangles& to) {
  MortarWeights result;
  result.vertices = used_vertices(faces);
  const SortedFaces others(x, to);

  struct Sums {
    double covered = 0, whole = 0;
    std::map<Index, double> mixed;
  };
  std::map<Index, Sums> sums;
  std::vector<Index> near;
  bool first = true;
  for (Index f = 0; f < faces.cols(); ++f) {
    const MortarFace face = face_of(x, faces, f);
    const MortarPlane plane(face);
    const std::array<Vec2, 3> own = {plane.coordinates(face.corner[0]), plane.coordinates(face.corner[1]),
                                     plane.coordinates(face.corner[2])};
    MortarOverlap overlap;
    others.find_near(face, near);
    for (const Index g : near)
      if (face.normal.dot(others[g].normal) < facing)
        add_overlap(face, plane, own, others[g], to.data() + 3 * static_cast<std::ptrdiff_t>(g), overlap);
    for (int k = 0; k < 3; ++k) sums[faces(k, f)].whole += face.area / 3;
    if (overlap.mixed.empty()) continue;
    const Mat3 dual = overlap.mean.asDiagonal() * overlap.gram.inverse();
    for (int k = 0; k < 3; ++k) sums[faces(k, f)].covered += overlap.mean[k];
    for (const auto& [vertex, mixed] : overlap.mixed) {
      const Vec3 weights = dual * mixed;
      for (int k = 0; k < 3; ++k) sums[faces(k, f)].mixed[vertex] += weights[k];
      result.opposite.push_back(vertex);
    }
    result.least_gap = first ? overlap.least_gap : std::min(result.least_gap, overlap.least_gap);
    result.gap = std::max(result.gap, overlap.gap);
    first = false;
  }
  std::ranges::sort(result.opposite);
  result.opposite.erase(std::unique(result.opposite.begin(), result.opposite.end()), result.opposite.end());
  for (const Index v : result.vertices) {
    const Sums& sum = sums[v];
    result.area.push_back(sum.covered);
    Embedding::Row& row = result.rows.emplace_back();
    if (!(sum.covered > least_covered * sum.whole)) continue;
    for (const auto& [vertex, mixed] : sum.mixed) row.push_back({vertex, mixed / sum.covered});
  }
  return result;
}

double distance_to_faces(const Points& x, const Triangles& faces, const Vec3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (Index f = 0; f < faces.cols(); ++f) {
    const MortarFace face = face_of(x, faces, f);
    // Above the triangle it is that from the plane, else that from an edge.
    const MortarPlane plane(face);
    const std::array<Vec2, 3> own = {plane.coordinates(face.corner[0]), plane.coordinates(face.corner[1]),
                                     plane.coordinates(face.corner[2])};
    if (hats(own, plane.coordinates(point)).minCoeff() >= 0)
      least = std::min(least, std::abs(face.normal.dot(point - face.corner[0])));
    for (int k = 0; k < 3; ++k) {
      const Vec3 &a = face.corner[k], edge = face.corner[(k + 1) % 3] - a;
      const double t = std::clamp(edge.dot(point - a) / edge.squaredNorm(), 0.0, 1.0);
      least = std::min(least, (point - a - t * edge).norm());
    }
  }
  return least;
}

// C w = (1, 0) with the columns (1, (x_v - p) / size) of C. The least change d with C d = b is C^T (C C^T)^+ b: where
// all vertices lie in a plane, C C^T is singular.
bool make_affine_exact(const Points& x, const Vec3& point, Embedding::Row& row) {
  const auto count = static_cast<Index>(row.size());
  double size = 0;
  for (const Embedding::Entry& entry : row) size = std::max(size, (x.col(entry.vertex) - point).norm());
  if (!(size > 0)) return count > 0;
  Eigen::Matrix<double, 4, Eigen::Dynamic> C(4, count);
  for (Index i = 0; i < count; ++i) C.col(i) << 1, (x.col(row[i].vertex) - point) / size;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(C * C.transpose());
  const Eigen::Vector4d values = eigen.eigenvalues();
  const Eigen::Vector4d inverse =
      (values.array() > same_rank * values[3]).select(values.cwiseInverse(), Eigen::Vector4d::Zero());
  const auto lack = [&] {
    Eigen::Vector4d b = Eigen::Vector4d::UnitX();
    for (Index i = 0; i < count; ++i) b -= row[i].weight * C.col(i);
    return b;
  };
  for (int round = 0; round < 2; ++round) {
    const Eigen::Vector4d b = lack();
    const VecX change =
        C.transpose() * (eigen.eigenvectors() * (inverse.asDiagonal() * (eigen.eigenvectors().transpose() * b)));
    for (Index i = 0; i < count; ++i) row[i].weight += change[i];
  }
  return lack().cwiseAbs().maxCoeff() <= exact;
}

}  // namespace sinew
