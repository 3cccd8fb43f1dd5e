#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "sinew/core/parallel.h"
#include "sinew/material/mass_spring.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/build_parts.h"
#include "sinew/model/element_parameters.h"

namespace sinew {
namespace {

auto spring_key(const EdgeSpring& s) {
  return std::tie(s.a, s.b, s.bending, s.material);
}

// An edge of a triangle with what the triangle has beyond it.
struct ClothEdge {
  Index a, b;      // ascending
  Index opposite;  // vertex
  double volume;   // of the triangle [m^3]
  double young;    // of its springs across edges [Pa]
  Index material;
};

class SpringBuilder {
 public:
  SpringBuilder(const Setup& setup, const VertexMaps& maps, System& system) : setup_(setup), maps_(maps), s_(system) {}

  void build() {
    for (std::size_t b = 0; b < setup_.bodies.size(); ++b) {
      for (const MaterialAssignment& a : setup_.bodies[b].materials)
        if (a.mass_spring) add_elements(b, a);
      add_cross_springs();
    }
    merge();
  }

 private:
  void add_elements(std::size_t b, const MaterialAssignment& assignment) {
    const TetMesh& mesh = setup_.bodies[b].mesh;
    const std::vector<Index>& map = maps_.mesh[b];
    const auto name = std::find(s_.material_names.begin(), s_.material_names.end(), assignment.name);
    const auto material = static_cast<Index>(name - s_.material_names.begin());
    const bool all = assignment.tets.empty();
    const std::size_t size = all ? mesh.element_count() : assignment.tets.size();
    for (std::size_t k = 0; k < size; ++k) {
      const Index e = all ? static_cast<Index>(k) : assignment.tets[k];
      const ElementParameters of = element_parameters(assignment, k);
      const double young = of.kernel[MassSpring::young], limit = of.kernel[MassSpring::stretch_limit];
      if (!mesh.is_cloth()) {
        const double volume = tet_volume(mesh.vertices, mesh.tets, e);
        for (const auto& [i, j] : tet_edges)
          add(map[mesh.tets(i, e)], map[mesh.tets(j, e)], material, false, volume, young, limit);
        continue;
      }
      const double volume = of.kernel[MassSpring::thickness] * triangle_area(mesh.vertices, mesh.triangles, e);
      for (int i = 0; i < 3; ++i) {
        const auto [p, q] = std::minmax(map[mesh.triangles(i, e)], map[mesh.triangles((i + 1) % 3, e)]);
        add(p, q, material, false, volume, young, limit);
        const double across = of.kernel[MassSpring::bending] * young;
        if (across > 0) edges_.push_back({p, q, map[mesh.triangles((i + 2) % 3, e)], volume, across, material});
      }
    }
  }

  // k = E V / l^2. limit: stretch_limit, or 0.
  void add(Index i, Index j, Index material, bool bending, double volume, double young, double limit) {
    const double length2 = (s_.rest.col(i) - s_.rest.col(j)).squaredNorm();
    if (i == j || !(length2 > 0)) return;  // triangles that are folded onto each other
    const auto [a, b] = std::minmax(i, j);
    const double length = std::sqrt(length2);
    s_.edge_springs.push_back({a, b, material, bending, length, volume / length2, young * volume / length2,
                               limit > 0 ? (1 + limit) * length : 0});
  }

  // Between the vertices opposite to edges of exactly two triangles, with the volumes of both.
  void add_cross_springs() {
    std::stable_sort(edges_.begin(), edges_.end(),
                     [](const ClothEdge& p, const ClothEdge& q) { return std::tie(p.a, p.b) < std::tie(q.a, q.b); });
    for (std::size_t begin = 0, end = 0; begin < edges_.size(); begin = end) {
      while (end < edges_.size() && edges_[end].a == edges_[begin].a && edges_[end].b == edges_[begin].b) ++end;
      if (end - begin != 2) continue;
      const ClothEdge &p = edges_[begin], &q = edges_[begin + 1];
      for (const ClothEdge& own : {p, q}) add(p.opposite, q.opposite, own.material, true, own.volume, own.young, 0);
    }
    edges_.clear();
  }

  // The elements at an edge add up, in their order. Its limit is the smallest of theirs.
  void merge() {
    std::vector<EdgeSpring>& springs = s_.edge_springs;
    std::stable_sort(springs.begin(), springs.end(),
                     [](const EdgeSpring& p, const EdgeSpring& q) { return spring_key(p) < spring_key(q); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < springs.size(); ++i) {
      if (kept > 0 && spring_key(springs[kept - 1]) == spring_key(springs[i])) {
        springs[kept - 1].section += springs[i].section;
        springs[kept - 1].stiffness += springs[i].stiffness;
        if (springs[i].longest > 0)
          springs[kept - 1].longest = springs[kept - 1].longest > 0
                                          ? std::min(springs[kept - 1].longest, springs[i].longest)
                                          : springs[i].longest;
      } else {
        springs[kept++] = springs[i];
      }
    }
    springs.resize(kept);
    springs.shrink_to_fit();
  }

  const Setup& setup_;
  const VertexMaps& maps_;
  System& s_;
  std::vector<ClothEdge> edges_;
};

}  // namespace

void build_edge_springs(const Setup& setup, const VertexMaps& maps, System& system) {
  SpringBuilder(setup, maps, system).build();
}

}  // namespace sinew
