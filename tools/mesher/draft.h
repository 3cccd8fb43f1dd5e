// What Delaunay refinement leaves, before slivers are removed.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "sinew/mesh/tet_mesh.h"

namespace sinew::mesher {

struct Draft {
  TetMesh mesh;
  std::vector<bool> fixed;                  // vertices on features
  std::vector<std::array<Index, 2>> sharp;  // edges on features
};

// The tets of a CGAL Mesh_complex_3_in_triangulation_3.
template <class Complex>
Draft extract(const Complex& complex) {
  Draft draft;
  TetMesh& mesh = draft.mesh;
  // Looked up only: numbers follow the order of the cells, which does not depend on addresses.
  std::unordered_map<const void*, Index> ids;
  std::vector<Vec3> points;
  mesh.tets.resize(4, static_cast<Eigen::Index>(complex.number_of_cells_in_complex()));
  Eigen::Index t = 0;
  for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell, ++t) {
    for (int k = 0; k < 4; ++k) {
      const auto vertex = cell->vertex(k);
      const auto [at, inserted] = ids.try_emplace(&*vertex, static_cast<Index>(points.size()));
      if (inserted) {
        const auto& p = vertex->point().point();
        points.emplace_back(p.x(), p.y(), p.z());
        draft.fixed.push_back(vertex->in_dimension() < 2);
      }
      mesh.tets(k, t) = at->second;
    }
    mesh.regions.push_back(static_cast<Index>(cell->subdomain_index()));
  }
  for (auto edge = complex.edges_in_complex_begin(); edge != complex.edges_in_complex_end(); ++edge) {
    const auto a = ids.find(&*edge->first->vertex(edge->second)), b = ids.find(&*edge->first->vertex(edge->third));
    if (a != ids.end() && b != ids.end()) draft.sharp.push_back({a->second, b->second});
  }
  mesh.vertices.resize(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t v = 0; v < points.size(); ++v) mesh.vertices.col(static_cast<Eigen::Index>(v)) = points[v];
  return draft;
}

// A group for each region, which are numbered from 1.
void add_groups(TetMesh& mesh, const std::vector<std::string>& names);

}  // namespace sinew::mesher
