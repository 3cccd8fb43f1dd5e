#include "sinew/dynamics/tie_traction.h"

#include <algorithm>
#include <numeric>

#include <Eigen/Geometry>

namespace sinew {

// sum_s |f_s - min(f_s . n_s, 0) n_s| / sum_s A_s with the outward normals n_s at x and the areas A_s at rest. A force
// along n_s pulls at the body.
double mean_traction(const Tie& tie, const Points& x, const Points& forces) {
  Points normals = Points::Zero(3, static_cast<Index>(tie.vertices.size()));
  for (Index f = 0; f < tie.faces.cols(); ++f) {
    const Vec3 a = x.col(tie.faces(0, f)), b = x.col(tie.faces(1, f)), c = x.col(tie.faces(2, f));
    const Vec3 normal = (b - a).cross(c - a);
    for (int k = 0; k < 3; ++k) {
      const auto place = std::ranges::lower_bound(tie.vertices, tie.faces(k, f)) - tie.vertices.begin();
      normals.col(place) += normal;
    }
  }
  double sum = 0;
  for (std::size_t i = 0; i < tie.vertices.size(); ++i) {
    const Vec3 force = forces.col(tie.vertices[i]), normal = normals.col(static_cast<Index>(i)).normalized();
    sum += (force - std::min(force.dot(normal), 0.0) * normal).norm();
  }
  return sum / std::accumulate(tie.area.begin(), tie.area.end(), 0.0);
}

}  // namespace sinew
