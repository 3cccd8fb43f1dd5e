#include "sinew/cubature/point_shares.h"

#include <algorithm>

#include "sinew/core/error.h"

namespace sinew {

// At least as many points as handles in each component, the others by greedy division of the volume.
std::vector<Index> share_points(const Domain& domain, const HandleBasis& basis, const IndexLists& tets, Index points) {
  if (points > domain.tet_count())
    fail_input(code::cubature, "cubature: {} points are more than the {} tets; use rule \"all\" for all of them",
               points, domain.tet_count());
  // Volumes of the components and the handles with support there.
  std::vector<std::vector<char>> has(domain.component_count, std::vector<char>(basis.handle_count(), 0));
  std::vector<double> volume(domain.component_count, 0);
  for (Index c = 0; c < domain.component_count; ++c) {
    for (const Index t : tets[c]) {
      volume[c] += domain.volume[t];
      for (int i = 0; i < 4; ++i) {
        const Index v = domain.tets(i, t);
        for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) has[c][basis.handle[e]] = 1;
      }
    }
  }
  // As many points as handles, at least one, at most all tets.
  std::vector<Index> share(domain.component_count), most;
  Index sum = 0;
  for (Index c = 0; c < domain.component_count; ++c) {
    most.push_back(static_cast<Index>(tets[c].size()));
    const auto handles = static_cast<Index>(std::count(has[c].begin(), has[c].end(), 1));
    share[c] = std::min(most[c], std::max<Index>(handles, 1));
    sum += share[c];
  }
  if (points < sum)
    fail_input(code::cubature,
               "cubature: {} points are fewer than the {} handles and pieces of the bodies, so some motions would have "
               "no stiffness; use {} or more",
               points, sum, 4 * sum);
  // Each next point goes to the component whose points stand for the largest volume each.
  for (; sum < points; ++sum) {
    Index next = -1;
    for (Index c = 0; c < domain.component_count; ++c)
      if (share[c] < most[c] && (next < 0 || volume[c] / share[c] > volume[next] / share[next])) next = c;
    if (next < 0) break;
    ++share[next];
  }
  return share;
}

}  // namespace sinew
