#include "sinew/potential/inverted_tets.h"

#include <Eigen/Geometry>

#include "sinew/material/model.h"

namespace sinew {
namespace {

// Six times the signed volume.
double determinant(const Points& x, const System& system, Index t) {
  const auto tet = system.tets.col(t);
  const Vec3 a = x.col(tet[1]) - x.col(tet[0]), b = x.col(tet[2]) - x.col(tet[0]), c = x.col(tet[3]) - x.col(tet[0]);
  return a.dot(b.cross(c));
}

}  // namespace

// J = det D_s / det D_m of every tet; a state may hold J <= 0 only where the material allows it.
std::vector<InvertedTet> inverted_tets(const System& system, const Points& x) {
  std::vector<InvertedTet> list;
  for (const ElasticGroup& group : system.groups) {
    const bool allowed = !group.model->requires_positive_volume();
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      const double jacobian = determinant(x, system, t) / determinant(system.rest, system, t);
      if (!(jacobian > 0)) list.push_back({t, jacobian, allowed});
    }
  }
  return list;
}

}  // namespace sinew
