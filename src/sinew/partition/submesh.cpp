#include "sinew/partition/submesh.h"

#include <algorithm>

#include "sinew/core/sort_unique.h"

namespace sinew {

// Some tets as a mesh of their own: distinct corners ascending, and tets in their numbers.
Submesh extract(const Domain& domain, std::span<const Index> tets) {
  Submesh sub;
  sub.tet.assign(tets.begin(), tets.end());
  // A table of all vertices where the part is as large as that, else look-ups.
  const bool large = 4 * tets.size() >= static_cast<std::size_t>(domain.vertex_count());
  std::vector<Index> place(large ? domain.vertex_count() : 0, -1);
  if (large) {
    for (const Index t : tets)
      for (const Index v : domain.tets.col(t)) place[v] = 0;
    for (Index v = 0; v < domain.vertex_count(); ++v) {
      if (place[v] < 0) continue;
      place[v] = static_cast<Index>(sub.vertex.size());
      sub.vertex.push_back(v);
    }
  } else {
    sub.vertex.reserve(4 * tets.size());
    for (const Index t : tets)
      for (int i = 0; i < 4; ++i) sub.vertex.push_back(domain.tets(i, t));
    sort_unique(sub.vertex);
  }
  sub.vertices.resize(3, sub.vertex_count());
  for (Index v = 0; v < sub.vertex_count(); ++v) sub.vertices.col(v) = domain.vertices.col(sub.vertex[v]);
  sub.tets.resize(4, sub.tet_count());
  for (Index t = 0; t < sub.tet_count(); ++t) {
    for (int i = 0; i < 4; ++i) {
      const Index v = domain.tets(i, tets[t]);
      sub.tets(i, t) =
          large ? place[v] : static_cast<Index>(std::ranges::lower_bound(sub.vertex, v) - sub.vertex.begin());
    }
  }
  return sub;
}

}  // namespace sinew
