// Meshes put together or cut, and domains of single meshes without a System.
#pragma once

#include <functional>
#include <vector>

#include "sinew/material/model.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/partition/domain.h"

namespace sinew::test {

inline Vec3 barycentre(const Points& vertices, const Tets& tets, Index t) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i) sum += vertices.col(tets(i, t));
  return sum / 4;
}
inline Vec3 barycentre(const Domain& domain, Index t) {
  return barycentre(domain.vertices, domain.tets, t);
}

inline void set_stiffness(Domain& domain, Index t, double young, double poisson = 0.3) {
  const LameParameters lame = lame_parameters(young, poisson);
  domain.young[t] = young;
  domain.lambda[t] = lame.lambda;
  domain.mu[t] = lame.mu;
}

// The mesh in material 0 with young(barycentre) [Pa] of each tet and fixed(position) of each vertex; 1000 kg/m^3.
inline Domain domain_of(
    const TetMesh& mesh, const std::function<double(const Vec3&)>& young = [](const Vec3&) { return 1e5; },
    const std::function<bool(const Vec3&)>& fixed = [](const Vec3&) { return false; }) {
  Domain domain;
  domain.vertices = mesh.vertices;
  domain.tets = mesh.tets;
  for (auto* values : {&domain.young, &domain.lambda, &domain.mu}) values->resize(mesh.tet_count());
  domain.mass.assign(mesh.vertex_count(), 0);
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    domain.volume.push_back(tet_volume(mesh.vertices, mesh.tets, t));
    set_stiffness(domain, t, young(barycentre(mesh.vertices, mesh.tets, t)));
    for (int i = 0; i < 4; ++i) domain.mass[mesh.tets(i, t)] += 1000 * domain.volume[t] / 4;
  }
  domain.material.assign(mesh.tet_count(), 0);
  domain.component = face_components(mesh.tets, domain.component_count);
  for (Index v = 0; v < mesh.vertex_count(); ++v) domain.fixed.push_back(fixed(mesh.vertices.col(v)) ? 1 : 0);
  return domain;
}

// Young's modulus and material of the tets whose barycentre is `inside`.
inline void set_material(Domain& domain, Index material, double young, const std::function<bool(const Vec3&)>& inside) {
  for (Index t = 0; t < domain.tet_count(); ++t) {
    if (!inside(barycentre(domain, t))) continue;
    domain.material[t] = material;
    set_stiffness(domain, t, young);
  }
}

// Meshes side by side, as one.
inline TetMesh joined(const std::vector<TetMesh>& meshes) {
  TetMesh all;
  Index vertices = 0, tets = 0;
  for (const TetMesh& mesh : meshes) {
    vertices += mesh.vertex_count();
    tets += mesh.tet_count();
  }
  all.vertices.resize(3, vertices);
  all.tets.resize(4, tets);
  vertices = tets = 0;
  for (const TetMesh& mesh : meshes) {
    all.vertices.middleCols(vertices, mesh.vertex_count()) = mesh.vertices;
    all.tets.middleCols(tets, mesh.tet_count()) = mesh.tets.array() + vertices;
    vertices += mesh.vertex_count();
    tets += mesh.tet_count();
  }
  all.regions.assign(tets, 0);
  return all;
}

// The mesh without the tets whose barycentre is `removed`, and without the vertices that only those use.
inline TetMesh cut(const TetMesh& mesh, const std::function<bool(const Vec3&)>& removed) {
  std::vector<Index> kept, number(mesh.vertex_count(), -1);
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    if (!removed(barycentre(mesh.vertices, mesh.tets, t))) kept.push_back(t);
  }
  TetMesh result;
  result.tets.resize(4, static_cast<Index>(kept.size()));
  result.vertices.resize(3, mesh.vertex_count());
  Index count = 0;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (int i = 0; i < 4; ++i) {
      const Index v = mesh.tets(i, kept[k]);
      if (number[v] < 0) {
        number[v] = count++;
        result.vertices.col(number[v]) = mesh.vertices.col(v);
      }
      result.tets(i, static_cast<Index>(k)) = number[v];
    }
  }
  result.vertices.conservativeResize(3, count);
  result.regions.assign(kept.size(), 0);
  return result;
}

}  // namespace sinew::test
