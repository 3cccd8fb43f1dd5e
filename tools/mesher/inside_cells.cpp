#include "inside_cells.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "surface_edges.h"
#include <Eigen/Geometry>

namespace sinew::mesher {
namespace {

constexpr std::size_t few = 6;     // triangles of a cell that is not split
constexpr int deepest = 16;        // cells of 1 / 65536 of the bounding box
constexpr double clearance = 7;    // of a cell from open edges, in halves of its side: four of its radii
constexpr double most_open = 0.2;  // of the harmonic part at the reference point
constexpr std::size_t most_cells = 4'000'000;

// Off the planes of symmetry, where surfaces like to be; in halves of the side.
const Vec3 offset(0.0271, 0.0143, -0.0187);

// The edges over which the triangles do not cancel each other, as triangles (a, b, b).
Triangles open_edges(const Triangles& triangles) {
  const SurfaceEdges edges(triangles);
  std::vector<Index> corners;
  for (const SurfaceEdges::Edge& edge : edges.edges()) {
    int sum = 0;
    for (const SurfaceEdges::Use& use : edges.uses(edge)) sum += use.forward ? 1 : -1;
    if (sum != 0) corners.insert(corners.end(), {edge.a, edge.b, edge.b});
  }
  return Eigen::Map<const Triangles>(corners.data(), 3, static_cast<Eigen::Index>(corners.size() / 3));
}

}  // namespace

InsideCells::InsideCells(const Points& vertices, const Triangles& triangles, double least)
    : vertices_(vertices),
      triangles_(triangles),
      normals_(3, triangles.cols()),
      winding_(vertices, triangles),
      least_(least) {
  const Triangles open = open_edges(triangles);
  if (open.cols() > 0) open_edges_.emplace_back(vertices, open);
  Cell root;
  for (Eigen::Index f = 0; f < triangles.cols(); ++f) {
    normals_.col(f) = triangle_normal(vertices, triangles, f);
    root.triangles.push_back(static_cast<Index>(f));
    for (int k = 0; k < 3; ++k) box_.extend(corner(static_cast<Index>(f), k));
  }
  root.centre = box_.center();
  root.half = 0.501 * box_.sizes().maxCoeff();
  cells_.push_back(std::move(root));
}

bool InsideCells::operator()(const Vec3& p) {
  if (!box_.contains(p)) return false;
  for (std::size_t at = 0;;) {
    if (cells_[at].kind == Kind::fresh) open(at);
    const Cell& cell = cells_[at];
    if (cell.kind == Kind::plain) return winding(p) > 0.5;
    if (cell.kind == Kind::near) {
      if (cell.triangles.empty()) return cell.winding > 0;
      return cell.winding + crossings(cell.centre + cell.half * offset, p, cell.triangles) > 0;
    }
    const int octant = (p.x() > cell.centre.x()) + 2 * (p.y() > cell.centre.y()) + 4 * (p.z() > cell.centre.z());
    at = static_cast<std::size_t>(cell.first + octant);
  }
}

// Decides what a cell is.
void InsideCells::open(std::size_t at) {
  Cell& cell = cells_[at];
  const bool may_split = cell.depth < deepest && cells_.size() < most_cells;
  const bool clear = far_from_open_edges(cell);
  if (may_split && clear && cell.triangles.size() > few) return split(at);
  if (clear) {
    const double w = winding(cell.centre + cell.half * offset), whole = std::round(w);
    if (std::abs(w - whole) < most_open) {
      cell.kind = Kind::near;
      cell.winding = static_cast<int>(whole);
      return;
    }
  }
  if (may_split && 2 * cell.half > least_) return split(at);
  cell.kind = Kind::plain;
  cell.triangles = {};
}

void InsideCells::split(std::size_t at) {
  const Cell parent = std::move(cells_[at]);
  cells_[at].kind = Kind::split;
  cells_[at].triangles = {};
  cells_[at].first = static_cast<Index>(cells_.size());
  for (int octant = 0; octant < 8; ++octant) {
    Cell child;
    child.half = 0.5 * parent.half;
    child.centre = parent.centre + child.half * Vec3(octant & 1 ? 1 : -1, octant & 2 ? 1 : -1, octant & 4 ? 1 : -1);
    child.depth = parent.depth + 1;
    for (const Index f : parent.triangles) {
      if (touches(f, child.centre, child.half)) child.triangles.push_back(f);
    }
    cells_.push_back(std::move(child));
  }
}

// Also true for some that only come near.
bool InsideCells::touches(Index f, const Vec3& centre, double half) const {
  half *= 1 + 1e-6;
  const Vec3 a = corner(f, 0) - centre, b = corner(f, 1) - centre, c = corner(f, 2) - centre;
  if ((a.cwiseMin(b).cwiseMin(c).array() > half).any() || (a.cwiseMax(b).cwiseMax(c).array() < -half).any())
    return false;
  const Vec3 n = normals_.col(f);
  return std::abs(n.dot(a)) <= half * n.lpNorm<1>() * (1 + 1e-6);
}

bool InsideCells::far_from_open_edges(const Cell& cell) const {
  return open_edges_.empty() || !open_edges_.front().comes_within(clearance * cell.half, cell.centre);
}

// By how much the winding number changes on the way. A way through an edge or vertex crosses just one of the triangles
// there: each edge has one sign for all of them.
int InsideCells::crossings(const Vec3& from, const Vec3& to, const std::vector<Index>& triangles) const {
  const Vec3 way = to - from;
  int sum = 0;
  for (const Index f : triangles) {
    const Vec3 n = normals_.col(f), a = corner(f, 0);
    const bool front = n.dot(from - a) > 0;
    if (front == (n.dot(to - a) > 0)) continue;
    const auto passes_left = [&](int k) {
      const Index u = triangles_(k, f), v = triangles_((k + 1) % 3, f);
      const Vec3 low = vertices_.col(std::min(u, v)), high = vertices_.col(std::max(u, v));
      const bool left = (low - from).cross(high - from).dot(way) > 0;
      return u < v ? left : !left;
    };
    const bool left = passes_left(0);
    if (left == passes_left(1) && left == passes_left(2)) sum += front ? 1 : -1;
  }
  return sum;
}

double InsideCells::winding(const Vec3& p) {
  ++evaluations_;
  return winding_(p);
}

}  // namespace sinew::mesher
