#include "sinew/modes/stiffness_change.h"

#include <algorithm>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/material/lanes.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/element_parameters.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

// Values of columns side by side: lane l of coordinate c is at lane_count c + l.
void interleave(const MatX& W, std::span<const Index> columns, std::vector<double>& out) {
  for (std::size_t l = 0; l < columns.size(); ++l) {
    const double* from = W.col(columns[l]).data();
    for (Eigen::Index c = 0; c < W.rows(); ++c) out[lane_count * static_cast<std::size_t>(c) + l] = from[c];
  }
}

// G = sum over corners of w_c (grad N_c)^T, row-major.
void displacement_gradient(const double* w, const Index* corner, const double* shape, Lanes* G) {
  for (int k = 0; k < 9; ++k) G[k] = Lanes(0.0);
  for (int c = 0; c < 4; ++c) {
    if (corner[c] < 0) continue;
    for (int i = 0; i < 3; ++i) {
      const Lanes value = load_lanes(w + lane_count * (3 * static_cast<std::size_t>(corner[c]) + i));
      for (int j = 0; j < 3; ++j) G[3 * i + j] += value * shape[3 * c + j];
    }
  }
}

}  // namespace

// Constants are found once for each set of parameters that follows another.
StiffnessChange::StiffnessChange(const System& system, const RestBody& body) : body_(body) {
  if (!system.all_linear())
    fail_input(
        code::modes_stiffness,
        "{}: modes with derivatives take linear elements only; set \"elements\" of all bodies to \"linear\", or use "
        "modes of kind linear or inertia",
        body.name());
  std::vector<Index> number(static_cast<std::size_t>(system.dynamic_count), -1);
  for (std::size_t v = 0; v < body.vertices().size(); ++v) number[body.vertices()[v]] = static_cast<Index>(v);
  const ElasticGroup* group = nullptr;
  ElementParameters last;
  for (const Index t : body.tets()) {
    const auto of =
        std::ranges::find_if(system.groups, [&](const ElasticGroup& g) { return g.tet_begin <= t && t < g.tet_end; });
    if (of == system.groups.end()) continue;  // springs hold it
    const ElementParameters now = element_parameters(*of, static_cast<std::size_t>(t - of->tet_begin));
    const std::span<const double> kernel(now.kernel, of->parameters.size());
    if (&*of != group || !std::ranges::equal(kernel, std::span<const double>(last.kernel, kernel.size())))
      constants_.push_back(third_order_constants(*of->model, kernel));
    group = &*of;
    last = now;
    RestTet tet;
    for (int c = 0; c < 4; ++c) tet.corner[c] = number[system.tets(c, t)];
    Eigen::Map<Eigen::Matrix<double, 3, 4>>(tet.shape) = hat_gradients(system.rest, system.tets, t);
    tet.volume = tet_volume(system.rest, system.tets, t);
    tet.constants = static_cast<Index>(constants_.size()) - 1;
    Eigen::Map<Vec3>(tet.fiber) = now.fiber_direction;
    tet.fiber[3] = now.fiber_stiffness;
    tets_.push_back(tet);
  }
}

// A lane a pair: of each tet the gradients A and B of both displacements, the stress P_ab of them, and its forces
// V P_ab grad N_c at the corners.
MatX StiffnessChange::loads(const MatX& W, std::span<const std::pair<Index, Index>> pairs) const {
  const auto size = static_cast<std::size_t>(body_.size());
  MatX result(body_.size(), static_cast<Eigen::Index>(pairs.size()));
  const std::size_t groups = (pairs.size() + lane_count - 1) / lane_count;
  parallel_for(
      groups,
      [&](std::size_t g) {
        const std::size_t first = g * lane_count, count = std::min<std::size_t>(lane_count, pairs.size() - first);
        std::vector<double> a(lane_count * size), b(lane_count * size), f(lane_count * size);
        Index left[lane_count], right[lane_count];
        for (std::size_t l = 0; l < count; ++l) std::tie(left[l], right[l]) = pairs[first + l];
        interleave(W, {left, count}, a);
        interleave(W, {right, count}, b);
        Lanes A[9], B[9], P[9];
        for (const RestTet& tet : tets_) {
          displacement_gradient(a.data(), tet.corner, tet.shape, A);
          displacement_gradient(b.data(), tet.corner, tet.shape, B);
          second_stress(constants_[static_cast<std::size_t>(tet.constants)], A, B, P);
          if (tet.fiber[3] != 0) add_second_fiber_stress(tet.fiber[3], tet.fiber, A, B, P);
          for (int c = 0; c < 4; ++c) {
            if (tet.corner[c] < 0) continue;
            for (int i = 0; i < 3; ++i) {
              double* to = f.data() + lane_count * (3 * static_cast<std::size_t>(tet.corner[c]) + i);
              const double* shape = tet.shape + 3 * c;
              const Lanes force = P[3 * i] * shape[0] + P[3 * i + 1] * shape[1] + P[3 * i + 2] * shape[2];
              store_lanes(load_lanes(to) + tet.volume * force, to);
            }
          }
        }
        for (std::size_t l = 0; l < count; ++l)
          for (std::size_t c = 0; c < size; ++c)
            result(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(first + l)) = f[lane_count * c + l];
      },
      1);
  body_.set_fixed_to_zero(result);
  return result;
}

}  // namespace sinew
