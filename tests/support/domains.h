// Domains of single meshes, without a system.
#pragma once

#include <algorithm>
#include <cmath>

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"
#include "sinew/partition/domain.h"

namespace sinew::test {

// The mesh with Young's modulus 1e5 Pa in material 0, nothing fixed.
inline Domain domain_of(const TetMesh& mesh) {
  Domain domain;
  domain.vertices = mesh.vertices;
  domain.tets = mesh.tets;
  domain.volume.resize(mesh.tet_count());
  for (Index t = 0; t < mesh.tet_count(); ++t) domain.volume[t] = tet_volume(mesh.vertices, mesh.tets, t);
  domain.young.assign(mesh.tet_count(), 1e5);
  domain.material.assign(mesh.tet_count(), 0);
  domain.component = face_components(domain.tets, domain.component_count);
  domain.fixed.assign(mesh.vertex_count(), 0);
  return domain;
}

// Young's modulus and material of the tets whose barycentre is `inside`.
template <class Predicate>
void set_material(Domain& domain, Index material, double young, Predicate inside) {
  for (Index t = 0; t < domain.tet_count(); ++t) {
    Vec3 barycentre = Vec3::Zero();
    for (int i = 0; i < 4; ++i) barycentre += domain.vertices.col(domain.tets(i, t)) / 4;
    if (!inside(barycentre)) continue;
    domain.material[t] = material;
    domain.young[t] = young;
  }
}

}  // namespace sinew::test
