#include "sinew/potential/inverted_tets.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "sinew/material/model.h"
#include "sinew/mesh/quadratic_jacobian.h"

namespace sinew {
namespace {

// Six times the signed volume.
double determinant(const Points& x, const System& system, Index t) {
  const auto tet = system.tets.col(t);
  const Vec3 a = x.col(tet[1]) - x.col(tet[0]), b = x.col(tet[2]) - x.col(tet[0]), c = x.col(tet[3]) - x.col(tet[0]);
  return a.dot(b.cross(c));
}

// Ten-node tets with det(dx/dxi) <= 0 somewhere, by their first part; its value is the smallest at the corners.
void add_quadratic(const System& system, const ElasticGroup& group, const Points& x, bool allowed,
                   std::vector<InvertedTet>& list) {
  for (Index t = group.tet_begin; t < group.tet_end; t += parts_of_quadratic) {
    const Index* nodes = system.quadratic_tets.col(system.quadratic_of(t)).data();
    const CornerJacobians now = corner_jacobians(x, nodes);
    if (is_positive(now)) continue;
    const CornerJacobians before = corner_jacobians(system.rest, nodes);
    double least = 0;
    for (int i = 0; i < 4; ++i) least = std::min(least, now[i].determinant() / before[i].determinant());
    list.push_back({t, least, allowed});
  }
}

}  // namespace

// J = det D_s / det D_m of every tet; a state may hold J <= 0 only where the material allows it.
std::vector<InvertedTet> inverted_tets(const System& system, const Points& x) {
  std::vector<InvertedTet> list;
  for (const ElasticGroup& group : system.groups) {
    const bool allowed = !group.model->requires_positive_volume();
    if (is_quadratic(group.elements)) {
      add_quadratic(system, group, x, allowed, list);
      continue;
    }
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      const double jacobian = determinant(x, system, t) / determinant(system.rest, system, t);
      if (!(jacobian > 0)) list.push_back({t, jacobian, allowed});
    }
  }
  return list;
}

}  // namespace sinew
