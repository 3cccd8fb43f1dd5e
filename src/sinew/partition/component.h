// A face-connected component of a domain in its own numbering: the input of the partition methods.
#pragma once

#include <span>
#include <vector>

#include "sinew/partition/submesh.h"

namespace sinew {

struct Component {
  Submesh mesh;
  Tets neighbours;                // 4 x m: the tet across each face, -1 on the boundary
  std::vector<double> volume;     // m [m^3]
  std::vector<double> stiffness;  // m: relative stiffness in the metric of distances; small at material interfaces
  std::vector<Index> material;    // m
  std::vector<char> free;         // n: whether the vertex is not fixed along all axes
  VecX vertex_volume;             // n [m^3], lumped
  VecX vertex_size;  // n: lumped volume in the metric, volume stiffness^(-3/2); 0 if the vertex is not free

  Index vertex_count() const { return mesh.vertex_count(); }
  Index tet_count() const { return mesh.tet_count(); }
  Vec3 barycentre(Index t) const;
};

// Makes the component of these tets. stiffness_exponent: 1 uses the stiffness of the materials in the metric of
// distances, 0 a uniform one. interface_stiffness: stiffness of tets with a vertex in several materials, over that of
// the component's softest tet.
Component make_component(const Domain& domain, std::span<const Index> tets, double interface_stiffness,
                         double stiffness_exponent = 1);

// The domain's tets by component: items[offsets[c] .. offsets[c + 1]), ascending.
struct ComponentTets {
  std::vector<Index> offsets, items;
};
ComponentTets component_tets(const Domain& domain);

}  // namespace sinew
