#include "sinew/contact/stencil_build.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sinew/contact/distance.h"
#include "sinew/contact/mollifier.h"

namespace sinew {
namespace {

// Weights of samples cancel (contact/sample_stencils.h). A sum below this share of its summands is their rounding.
constexpr double kCancelled = 1e-12;

void sort_two(Index& a, Index& b) {
  if (b < a) std::swap(a, b);
}

auto features(const ContactStencil& s) {
  return std::tie(s.kind, s.v, s.plane, s.reach);
}

}  // namespace

// Sorts the vertices that may be swapped without changing the distance, so that equal contacts have equal stencils.
void canonicalize(ContactStencil& stencil) {
  auto& v = stencil.v;
  switch (stencil.kind) {
    case StencilKind::point_plane:
      return;
    case StencilKind::point_point:
      return sort_two(v[0], v[1]);
    case StencilKind::point_edge:
      return sort_two(v[1], v[2]);
    case StencilKind::point_triangle:
      return std::sort(v.begin() + 1, v.end());
    case StencilKind::edge_edge:
    case StencilKind::edge_edge_mollified:
      break;
  }
  sort_two(v[0], v[1]);
  sort_two(v[2], v[3]);
  if (std::tie(v[2], v[3]) < std::tie(v[0], v[1])) {
    std::swap(v[0], v[2]);
    std::swap(v[1], v[3]);
  }
}

ContactStencil canonical_stencil(StencilKind kind, std::array<Index, 4> v, double weight) {
  ContactStencil stencil;
  stencil.kind = kind;
  stencil.v = v;
  stencil.weight = weight;
  canonicalize(stencil);
  return stencil;
}

bool same_stencil(const ContactStencil& a, const ContactStencil& b) {
  return features(a) == features(b);
}

// Convergent IPC (Li et al. 2023) adds the weights w of all primitive pairs whose closest features are the same, so
// that the energy does not depend on how many pairs share them.
void merge_equal(std::vector<ContactStencil>& stencils) {
  if (stencils.empty()) return;
  // Equal stencils are sorted by weight, so that the rounding of the sum does not depend on the order of the input.
  std::sort(stencils.begin(), stencils.end(), [](const ContactStencil& a, const ContactStencil& b) {
    return std::tuple_cat(features(a), std::tie(a.weight)) < std::tuple_cat(features(b), std::tie(b.weight));
  });
  stencils.resize(merge_sorted(stencils, stencils.data()));
}

std::size_t merge_sorted(std::span<const ContactStencil> sorted, ContactStencil* merged) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sorted.size();) {
    ContactStencil sum = sorted[i];
    double size = std::abs(sum.weight);
    for (++i; i < sorted.size() && same_stencil(sorted[i], sum); ++i) {
      sum.weight += sorted[i].weight;
      size += std::abs(sorted[i].weight);
    }
    if (std::abs(sum.weight) > kCancelled * size) merged[kept++] = sum;
  }
  return kept;
}

// The weight is w = A_v / 4, A_v a third of the rest area of the triangles around the vertex.
StencilAtDistance point_triangle_stencil(const CollisionMesh& mesh, Index vertex, Index triangle, const Points& x) {
  using T = PointTriangleType;
  const Index p = mesh.vertices[vertex];
  const Index t[3] = {mesh.triangles(0, triangle), mesh.triangles(1, triangle), mesh.triangles(2, triangle)};
  const auto [type, distance2] = point_triangle_closest(x.col(p), x.col(t[0]), x.col(t[1]), x.col(t[2]));
  const double weight = 0.25 * mesh.vertex_area[vertex];
  const int feature = static_cast<int>(type);
  if (type == T::p_t) return {canonical_stencil(StencilKind::point_triangle, {p, t[0], t[1], t[2]}, weight), distance2};
  if (feature < 3) return {canonical_stencil(StencilKind::point_point, {p, t[feature], -1, -1}, weight), distance2};
  const int side = feature - 3;
  return {canonical_stencil(StencilKind::point_edge, {p, t[side], t[(side + 1) % 3], -1}, weight), distance2};
}

// The weight is w = (A_e + A_e') / 4. Nearly parallel edges, c = |e_a x e_b|^2 < eps, stay an edge-edge stencil with
// all four vertices, since the mollifier e(c) depends on all of them; the kind then says nothing about the closest
// features.
StencilAtDistance edge_edge_stencil(const CollisionMesh& mesh, Index edge_a, Index edge_b, const Points& x) {
  using T = EdgeEdgeType;
  using K = StencilKind;
  const Index a0 = mesh.edges(0, edge_a), a1 = mesh.edges(1, edge_a);
  const Index b0 = mesh.edges(0, edge_b), b1 = mesh.edges(1, edge_b);
  StencilPoints points;
  points << x.col(a0), x.col(a1), x.col(b0), x.col(b1);
  const auto [type, distance2] = edge_edge_closest(points.col(0), points.col(1), points.col(2), points.col(3));
  const double weight = 0.25 * (mesh.edge_area[edge_a] + mesh.edge_area[edge_b]);

  const double eps = mollifier_threshold(mesh.edge_rest_length2[edge_a], mesh.edge_rest_length2[edge_b]);
  if (edges_cross2(points) < eps) {
    StencilAtDistance result{canonical_stencil(K::edge_edge_mollified, {a0, a1, b0, b1}, weight), distance2};
    result.stencil.mollifier_eps = eps;
    return result;
  }
  // Else the kind is that of the closest features: two vertices, a vertex and an edge, or the two edges.
  switch (type) {
    case T::a0_b0:
      return {canonical_stencil(K::point_point, {a0, b0, -1, -1}, weight), distance2};
    case T::a0_b1:
      return {canonical_stencil(K::point_point, {a0, b1, -1, -1}, weight), distance2};
    case T::a1_b0:
      return {canonical_stencil(K::point_point, {a1, b0, -1, -1}, weight), distance2};
    case T::a1_b1:
      return {canonical_stencil(K::point_point, {a1, b1, -1, -1}, weight), distance2};
    case T::a_b0:
      return {canonical_stencil(K::point_edge, {b0, a0, a1, -1}, weight), distance2};
    case T::a_b1:
      return {canonical_stencil(K::point_edge, {b1, a0, a1, -1}, weight), distance2};
    case T::a0_b:
      return {canonical_stencil(K::point_edge, {a0, b0, b1, -1}, weight), distance2};
    case T::a1_b:
      return {canonical_stencil(K::point_edge, {a1, b0, b1, -1}, weight), distance2};
    case T::a_b:
      break;
  }
  return {canonical_stencil(K::edge_edge, {a0, a1, b0, b1}, weight), distance2};
}

StencilAtDistance point_plane_stencil(const CollisionMesh& mesh, Index vertex, Index plane, const PlaneState& state,
                                      const Points& x, double* signed_distance) {
  const Index p = mesh.vertices[vertex];
  const double d = state.normal.dot(x.col(p) - state.point);
  if (signed_distance) *signed_distance = d;
  StencilAtDistance result{canonical_stencil(StencilKind::point_plane, {p, -1, -1, -1}, mesh.vertex_area[vertex]),
                           d * d};
  result.stencil.plane = plane;
  return result;
}

}  // namespace sinew
