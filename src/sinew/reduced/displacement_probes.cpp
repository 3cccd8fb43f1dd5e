#include "sinew/reduced/displacement_probes.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_kernels.h"

namespace sinew {
namespace {

constexpr Index probe_vertices = 64;  // beside the points

}  // namespace

// Farthest-point sampling of the rest shape, n times 64 distances. Cubature points may all lie inside a body; the
// ends of a long body move the most, and these vertices see them.
std::vector<Index> far_vertices(const System& system) {
  const Index n = system.dynamic_count, count = std::min(probe_vertices, n);
  const Vec3 middle = system.rest.leftCols(n).rowwise().mean();
  std::vector<double> distance(n);
  for (Index v = 0; v < n; ++v) distance[v] = (system.rest.col(v) - middle).squaredNorm();
  std::vector<Index> chosen;
  while (static_cast<Index>(chosen.size()) < count) {
    const auto next = static_cast<Index>(std::ranges::max_element(distance) - distance.begin());
    chosen.push_back(next);
    parallel_for(
        n,
        [&](std::size_t v) {
          distance[v] = std::min(distance[v], (system.rest.col(v) - system.rest.col(next)).squaredNorm());
        },
        4096);
  }
  return chosen;
}

// The row w_p of W at each probe: of a cubature point the mean over the corners of its tet.
DisplacementProbes::DisplacementProbes(const System& system, const AxisRows& axes, const ElasticPoints& points,
                                       std::vector<Index> far)
    : set_(axes.set) {
  const Index slots = points.slot_count();
  volume_.resize(slots);
  for (Index c = 0; c < slots; ++c) volume_[c] = points.volume(c);
  // Points may all lie inside; far vertices see the motion of the ends.
  if (far.empty()) far = far_vertices(system);
  const Index probes = slots + static_cast<Index>(far.size());
  moved_.resize(probes, 3);
  for (int s = 0; s < axes.sets(); ++s) {
    MatX& rows = rows_.emplace_back(MatX::Zero(axes.rows, probes));
    const auto row = [&, axis = axes.axis_of_set(s)](Index vertex) { return axes.row(axis, vertex); };
    parallel_for(
        slots,
        [&](std::size_t c) {
          for (int i = 0; i < 4; ++i) rows.col(c) += 0.25 * row(system.tets(i, points.tet(c)));
        },
        64);
    for (std::size_t k = 0; k < far.size(); ++k) rows.col(slots + static_cast<Index>(k)) = row(far[k]);
  }
}

// Lengths of a step d [m]: u_p = w_p^T d at all probes; mean = sum_c V_c |u_c| / sum_c V_c over the cubature points,
// largest over all probes. Lengths by coordinates would have no unit.
Displacement DisplacementProbes::measure(const MatX& d) {
  const int rows = static_cast<int>(d.rows()), probes = static_cast<int>(moved_.rows());
  for (int a = 0; a < 3; ++a)
    kernel::multiply_transposed(moved_.col(a).data(), probes, probes, 1, rows_[set_[a]].data(), rows, d.col(a).data(),
                                rows, rows);
  Displacement result;
  double sum = 0;
  for (Index c = 0; c < probes; ++c) {
    const double length = std::sqrt(moved_.row(c).squaredNorm());
    result.largest = std::max(result.largest, length);
    if (c < volume_.size()) sum += volume_[c] * length;
  }
  result.mean = sum / volume_.sum();
  return result;
}

}  // namespace sinew
