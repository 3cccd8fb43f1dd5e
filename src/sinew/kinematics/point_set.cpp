#include "sinew/kinematics/point_set.h"

namespace sinew {

// A point is y = sum_s c_s x_s. Where a vertex s follows others, x_s = sum_v w_sv x_v takes its place, so that
//
//   y = sum_s sum_v c_s w_sv x_v.
void resolve_followers(const Embedding& embedding, std::vector<PointRow>& rows) {
  if (embedding.empty()) return;
  for (PointRow& row : rows) {
    PointRow resolved;
    for (const auto& point : row)
      embedding.for_each(point.first, [&](Index v, double w) { resolved.emplace_back(v, point.second * w); });
    row = std::move(resolved);
  }
}

}  // namespace sinew
