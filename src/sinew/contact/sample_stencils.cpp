#include "sinew/contact/sample_stencils.h"

#include "sinew/contact/distance_type.h"
#include "sinew/contact/stencil_build.h"

namespace sinew {

double sample_stencils(const CollisionMesh& mesh, Index vertex, Index triangle, const Points& x, double dhat,
                       double reach, std::vector<ContactStencil>& stencils, double offset) {
  using K = StencilKind;
  const Index p = mesh.vertices[vertex];
  const std::array<Index, 3> t{mesh.triangles(0, triangle), mesh.triangles(1, triangle), mesh.triangles(2, triangle)};
  StencilAtDistance own = point_triangle_stencil(mesh, vertex, triangle, x);
  const double reach2 = (reach + offset) * (reach + offset);
  if (!(own.distance2 < reach2)) return own.distance2;
  const double share =
      mesh.sample_share[static_cast<std::size_t>(mesh.vertex_owner[p]) * mesh.owner_count + mesh.vertex_owner[t[0]]];
  const double weight = share * mesh.vertex_area[vertex];
  if (!(weight > 0)) return own.distance2;
  const auto add = [&](ContactStencil stencil) {
    if (reach > dhat) stencil.reach = reach;
    stencil.offset = offset;
    stencils.push_back(stencil);
  };
  own.stencil.weight = weight;
  add(own.stencil);
  for (std::size_t k = 0; k < 3; ++k) {
    const Index a = t[k], b = t[(k + 1) % 3];
    if (const int sign = mesh.feature[triangle].edge[k]) {
      const auto [type, distance2] = point_edge_closest(x.col(p), x.col(a), x.col(b));
      if (distance2 < reach2) {
        if (type == PointEdgeType::p_e) add(canonical_stencil(K::point_edge, {p, a, b, -1}, sign * weight));
        if (type == PointEdgeType::p_e0) add(canonical_stencil(K::point_point, {p, a, -1, -1}, sign * weight));
        if (type == PointEdgeType::p_e1) add(canonical_stencil(K::point_point, {p, b, -1, -1}, sign * weight));
      }
    }
    const int sign = mesh.feature[triangle].corner[k];
    if (sign != 0 && (x.col(p) - x.col(a)).squaredNorm() < reach2)
      add(canonical_stencil(K::point_point, {p, a, -1, -1}, sign * weight));
  }
  return own.distance2;
}

}  // namespace sinew
