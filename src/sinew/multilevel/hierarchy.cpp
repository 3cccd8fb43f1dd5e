#include "sinew/multilevel/hierarchy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/activity.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/cubature/make_cubature.h"
#include "sinew/multilevel/hierarchy_cache.h"
#include "sinew/subspace/affine.h"
#include "sinew/subspace/basis_methods.h"
#include "sinew/subspace/cluster_graph.h"
#include "sinew/subspace/free_motions.h"
#include "sinew/subspace/stiff_pieces.h"

namespace sinew {
namespace {

// Mean over the clusters of the largest number of edges from the centre to a vertex, by breadth-first search within
// the cluster (SMS, section 3.7.2): as many iterations as Jacobi-PCG needs to cross half a cluster.
double mean_hops(const Domain& domain, const Partition& partition) {
  const ClusterGraph graph = cluster_graph(domain, partition.tet_cluster, partition.cluster_count());
  std::vector<double> hops(graph.cluster_count());
  const auto count = [&](std::size_t c) {
    // Tets at each vertex of the cluster, in its own numbering.
    const auto vertices = graph.vertices[c];
    std::vector<Index> corner_vertex;
    for (const Index t : graph.tets[c])
      for (int k = 0; k < 4; ++k) corner_vertex.push_back(graph.tet_local(k, t));
    const IndexLists corners = grouped(corner_vertex, static_cast<Index>(vertices.size()));
    const auto start = std::lower_bound(vertices.begin(), vertices.end(), partition.center[c]);
    std::vector<Index> depth(vertices.size(), -1), queue = {static_cast<Index>(start - vertices.begin())};
    depth[queue[0]] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      for (const Index corner : corners[queue[next]]) {
        const Index t = graph.tets[c][corner / 4];
        for (int k = 0; k < 4; ++k) {
          const Index v = graph.tet_local(k, t);
          if (depth[v] >= 0) continue;
          depth[v] = depth[queue[next]] + 1;
          queue.push_back(v);
        }
      }
    }
    hops[c] = depth[queue.back()];
  };
  parallel_for(hops.size(), count, 4);
  return std::accumulate(hops.begin(), hops.end(), 0.0) / std::max<Index>(1, graph.cluster_count());
}

// What depends on the rest shape alone (SMS, section 3.9: all of it is made before the first step):
//
// 1. Affine basis U_a, one handle a body (section 3.4).
// 2. Partition into clusters (section 3.6; theory, section 5).
// 3. Basis U_s: the biharmonic functions of the clusters, clipped and normalised (section 3.5, equations 8 to 11).
// 4. Cubature rule of H by modal moment fitting (section 3.8), only for the method as printed.
// 5. Affine functions that vanish at lines and points of fixed vertices (theory, section 6). Weights of step 3 alone
//    are nearly constant a few edges from these and cannot turn about them.
// 6. Edges across a cluster.
Hierarchy compute(const Domain& domain, const SolverSetup& solver) {
  const MultilevelSetup& setup = solver.multilevel;
  Hierarchy hierarchy;
  if (has_affine_level(setup)) hierarchy.affine = affine_basis(domain);
  activity::begin("clusters");
  hierarchy.partition = make_partition(domain, partition_options(solver));
  activity::begin("basis functions", hierarchy.partition.cluster_count());
  hierarchy.subspace = make_basis(domain, hierarchy.partition, setup.basis);
  if (setup.has_cubature()) {
    activity::begin("cubature rules", hierarchy.partition.cluster_count());
    CubatureOptions cubature;
    cubature.method = solver.cubature_rule;
    cubature.fitting.degree = solver.cubature_degree;
    hierarchy.cubature = make_cubature(domain, hierarchy.partition, hierarchy.subspace, cubature);
  }
  // Step 5.
  if (!setup.printed && setup.dirichlet) {
    const HandleBasis turning = free_motion_handles(domain);
    if (turning.handle_count() > 0) hierarchy.subspace = joined_handles({&hierarchy.subspace, &turning});
  }
  hierarchy.hops = mean_hops(domain, hierarchy.partition);
  activity::finish();
  return hierarchy;
}

}  // namespace

PartitionOptions partition_options(const SolverSetup& solver) {
  PartitionOptions options;
  options.method = solver.multilevel.partition;
  options.handles = solver.handles;
  options.stiffness_exponent = solver.multilevel.stiffness_exponent;
  options.interface_stiffness = solver.multilevel.interface_stiffness;
  options.prune_ratio = solver.multilevel.prune_ratio;
  return options;
}

bool is_kept(const Domain& domain, const SolverSetup& solver) {
  return solver.multilevel.cache && domain.tet_count() >= least_cached_tets;
}

// Which coordinates are prescribed at time 0. The basis is made for these, and anew if a step has others.
std::vector<char> prescribed_at_start(const System& system) {
  std::vector<char> fixed(3 * static_cast<std::size_t>(system.dynamic_count), 0);
  for (const PrescribedVertex& prescribed : system.prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.until > 0 && prescribed.axes[k]) fixed[3 * static_cast<std::size_t>(prescribed.vertex) + k] = 1;
  return fixed;
}

std::shared_ptr<const Hierarchy> make_hierarchy(const System& system, const std::vector<char>& fixed,
                                                std::optional<int> handles) {
  const Stopwatch watch;
  SolverSetup solver = system.setup.solver;
  if (handles) solver.handles = *handles;
  Domain domain = make_domain(system, fixed);
  // For comparison: without section 3.5.1 the basis knows nothing of fixed vertices, as in figure 9 of SMS.
  if (!solver.multilevel.dirichlet) std::fill(domain.fixed.begin(), domain.fixed.end(), 0);
  const std::string path = is_kept(domain, solver) ? hierarchy_cache_path(domain, solver) : std::string();
  std::optional<Hierarchy> hierarchy = read_hierarchy(path, domain, solver.multilevel);
  if (!hierarchy) {
    hierarchy = compute(domain, solver);
    write_hierarchy(path, *hierarchy);
  }
  hierarchy->pieces = stiff_piece_basis(domain);
  hierarchy->seconds = watch.seconds();
  return std::make_shared<const Hierarchy>(std::move(*hierarchy));
}

}  // namespace sinew
