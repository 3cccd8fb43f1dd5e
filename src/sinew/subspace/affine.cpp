#include "sinew/subspace/affine.h"

#include <algorithm>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/subspace/handle_construction.h"

namespace sinew {
namespace {

// One cluster for each component. Its centre is the vertex nearest to the volume centroid, a free one where there is
// any.
Partition component_partition(const Domain& domain) {
  Partition partition;
  partition.tet_cluster = domain.component;
  partition.center.resize(domain.component_count);
  const IndexLists tets = grouped(domain.component, domain.component_count);
  parallel_for(
      partition.center.size(),
      [&](std::size_t c) {
        const Vec3 origin = domain.vertices.col(domain.tets(0, tets[c].front()));
        Vec3 moment = Vec3::Zero();
        double volume = 0;
        for (Index t : tets[c]) {
          for (int i = 0; i < 4; ++i) {
            moment += domain.volume[t] / 4 * (domain.vertices.col(domain.tets(i, t)) - origin);
          }
          volume += domain.volume[t];
        }
        const Vec3 centroid = origin + moment / volume;
        std::pair<double, Index> best{std::numeric_limits<double>::infinity(), -1};
        for (bool any : {false, true}) {
          for (Index t : tets[c]) {
            for (int i = 0; i < 4; ++i) {
              const Index v = domain.tets(i, t);
              if (any || !domain.fixed[v]) {
                best = std::min(best, {(domain.vertices.col(v) - centroid).squaredNorm(), v});
              }
            }
          }
          if (best.second >= 0) break;
        }
        partition.center[c] = best.second;
      },
      8);
  return partition;
}

// The function u of a component's handle: 1 where no vertex is fixed, otherwise biharmonic with u = 1 at the centre and
// 0 at fixed vertices. The function of the fixed vertices is then u_DBC = 1 - u, since constants have no energy and no
// boundary is internal, and the normalised weight u+ / (u+ + (1 - u)+) (SMS, eq. 11) is u clamped to [0, 1].
void solve_component(const HandleConstruction& data, Index component, std::span<const Index> vertices,
                     HandleFunction& f) {
  const auto cells = data.cells.cluster_cells[component];
  f.cells.assign(cells.begin(), cells.end());
  const bool any_fixed = std::any_of(vertices.begin(), vertices.end(), [&](Index v) { return data.domain.fixed[v]; });
  if (any_fixed) {
    solve_function(
        data,
        [&](const Subdomain& subdomain, VecX& values) {
          values[subdomain.local(data.partition.center[component])] = 1;
        },
        f);
  }
  if (!any_fixed || f.quality == BiharmonicQuality::failed) {
    f.positive.nodes.assign(vertices.begin(), vertices.end());
    f.positive.values.assign(vertices.size(), 1);
  }
  for (double& value : f.positive.values) value = std::min(value, 1.0);
}

}  // namespace

// One handle for each component: the biharmonic function that vanishes at its fixed vertices and is 1 at its centre,
// cut off at 1; the constant 1 where no vertex is fixed.
HandleBasis affine_basis(const Domain& domain, SmsReport* report) {
  SmsReport own;
  SmsReport& met = report ? *report : own;
  met = {};
  const Partition partition = component_partition(domain);
  const HandleConstruction data(domain, partition, std::numeric_limits<Index>::max());
  const std::vector<Index> components = data.free_clusters();
  const IndexLists vertices = component_vertices(domain);
  std::vector<HandleFunction> functions(components.size());
  parallel_for(
      components.size(),
      [&](std::size_t i) { solve_component(data, components[i], vertices[components[i]], functions[i]); }, 1);
  VecX dirichlet = VecX::Ones(domain.vertex_count());
  for (const HandleFunction& f : functions) {
    for (std::size_t k = 0; k < f.positive.nodes.size(); ++k) dirichlet[f.positive.nodes[k]] -= f.positive.values[k];
  }
  return finish_basis(data, functions, components, dirichlet.cwiseMax(0), met);
}

}  // namespace sinew
