#include "sinew/partition/submesh.h"

#include <algorithm>

#include "sinew/core/sort_unique.h"

namespace sinew {

// Some tets as a mesh of their own: distinct corners ascending, and tets in their numbers.
Submesh extract(const Domain& domain, std::span<const Index> tets) {
  Submesh sub;
  sub.tet.assign(tets.begin(), tets.end());
  sub.vertex.reserve(4 * tets.size());
  for (const Index t : tets)
    for (int i = 0; i < 4; ++i) sub.vertex.push_back(domain.tets(i, t));
  sort_unique(sub.vertex);
  sub.vertices.resize(3, sub.vertex_count());
  for (Index v = 0; v < sub.vertex_count(); ++v) sub.vertices.col(v) = domain.vertices.col(sub.vertex[v]);
  sub.tets.resize(4, sub.tet_count());
  for (Index t = 0; t < sub.tet_count(); ++t) {
    for (int i = 0; i < 4; ++i) {
      const auto found = std::lower_bound(sub.vertex.begin(), sub.vertex.end(), domain.tets(i, tets[t]));
      sub.tets(i, t) = static_cast<Index>(found - sub.vertex.begin());
    }
  }
  return sub;
}

}  // namespace sinew
