#include "sinew/model/render_surface.h"

#include <algorithm>

#include "sinew/core/parallel.h"

namespace sinew {

Points RenderSurface::positions(const Points& user, Index first) const {
  Points x(3, static_cast<Eigen::Index>(rows.size()));
  parallel_for(
      rows.size(),
      [&](std::size_t v) {
        Vec3 sum = Vec3::Zero();
        for (const Embedding::Entry& entry : rows[v]) sum += entry.weight * user.col(first + entry.vertex);
        x.col(static_cast<Eigen::Index>(v)) = sum;
      },
      2048);
  return x;
}

VecX RenderSurface::means(const VecX& user, Index first) const {
  VecX values(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t v = 0; v < rows.size(); ++v) {
    double sum = 0, whole = 0;
    for (const Embedding::Entry& entry : rows[v]) {
      const double w = std::max(entry.weight, 0.0);
      sum += w * user[first + entry.vertex];
      whole += w;
    }
    values[static_cast<Eigen::Index>(v)] = sum / whole;
  }
  return values;
}

std::vector<Index> RenderSurface::leaders(Index first) const {
  std::vector<Index> most;
  for (const Embedding::Row& row : rows)
    most.push_back(first + std::ranges::max_element(row, {}, &Embedding::Entry::weight)->vertex);
  return most;
}

}  // namespace sinew
