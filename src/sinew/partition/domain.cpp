#include "sinew/partition/domain.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/material/model.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/element_parameters.h"
#include "sinew/model/step_context.h"

namespace sinew {
namespace {

constexpr double smallest_young_share = 1e-12;  // of the largest Young's modulus

// A fiber of stiffness k adds k d d^T: k / 3 on the average over all directions.
void set_stiffness(const ElasticGroup& group, Index tet, Domain& domain) {
  const ElementParameters of = element_parameters(group, tet - group.tet_begin);
  const LameParameters lame = group.model->linearized(of.kernel);
  domain.young[tet] = group.model->equivalent_young(of.kernel) + of.fiber_stiffness / 3;
  domain.lambda[tet] = lame.lambda;
  domain.mu[tet] = lame.mu;
}

// Raises stiffnesses that vanish beside the largest one, since ratios of stiffnesses are used as weights.
void keep_above_zero(std::vector<double>& young) {
  const double largest = young.empty() ? 0 : *std::max_element(young.begin(), young.end());
  const double floor = largest > 0 ? smallest_young_share * largest : 1;
  for (double& value : young) value = value > floor ? value : floor;
}

}  // namespace

// Flood fill through faces.
std::vector<Index> face_components(const Tets& tets, Index& count, std::span<const Index> kind) {
  const Tets neighbours = tet_neighbours(tets);
  std::vector<Index> component(tets.cols(), -1), stack;
  count = 0;
  for (Index t = 0; t < tets.cols(); ++t) {
    if (component[t] >= 0) continue;
    component[t] = count;
    stack.assign(1, t);
    while (!stack.empty()) {
      const Index s = stack.back();
      stack.pop_back();
      for (int i = 0; i < 4; ++i) {
        const Index r = neighbours(i, s);
        if (r < 0 || component[r] >= 0 || (!kind.empty() && kind[r] != kind[s])) continue;
        component[r] = count;
        stack.push_back(r);
      }
    }
    ++count;
  }
  return component;
}

// Rest shape, volumes, masses and elastic moduli of all tets.
Domain make_domain(const System& system, const std::vector<char>& fixed) {
  Domain domain;
  domain.vertices = system.rest.leftCols(system.dynamic_count);
  domain.tets = system.tets;
  domain.volume.resize(system.tet_count());
  parallel_for(system.tet_count(),
               [&](std::size_t t) { domain.volume[t] = tet_volume(domain.vertices, domain.tets, t); });
  for (auto* values : {&domain.young, &domain.lambda, &domain.mu}) values->resize(system.tet_count());
  domain.mass = system.mass;
  for (const ElasticGroup& group : system.groups) {
    for (Index t = group.tet_begin; t < group.tet_end; ++t) set_stiffness(group, t, domain);
  }
  keep_above_zero(domain.young);
  domain.material = system.tet_material;
  domain.component = face_components(domain.tets, domain.component_count);
  // A vertex is fixed where all of its axes are.
  domain.fixed.resize(system.dynamic_count);
  for (std::size_t v = 0; v < domain.fixed.size(); ++v) domain.fixed[v] = all_prescribed(fixed, v);
  return domain;
}

}  // namespace sinew
