#include "sinew/app/subspace_facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/mesh/quality.h"

namespace sinew::app {
namespace {

constexpr std::size_t most_listed = 20;  // bodies

// Counts as they are summed up.
struct Sums {
  SubspaceCounts counts;
  std::int64_t weights = 0;
  double volume = 0, largest = 0;  // of clusters [m^3]

  void add(const Sums& other) {
    counts.vertices += other.counts.vertices;
    counts.tets += other.counts.tets;
    counts.clusters += other.counts.clusters;
    counts.handles += other.counts.handles;
    counts.points += other.counts.points;
    weights += other.weights;
    volume += other.volume;
    largest = std::max(largest, other.largest);
  }

  SubspaceCounts result() const {
    SubspaceCounts result = counts;
    result.weights_per_vertex = static_cast<double>(weights) / std::max<Index>(1, counts.vertices);
    result.volume_balance = volume > 0 ? largest * counts.clusters / volume : 0;
    return result;
  }
};

void count_vertices(const System& system, const HandleBasis& basis, std::vector<Sums>& bodies) {
  std::vector<char> seen(static_cast<std::size_t>(basis.handle_count()), 0);
  for (Index v = 0; v < system.dynamic_count; ++v) {
    Sums& body = bodies[system.vertex_body[v]];
    ++body.counts.vertices;
    body.weights += basis.begin[v + 1] - basis.begin[v];
    for (std::int64_t k = basis.begin[v]; k < basis.begin[v + 1]; ++k) {
      body.counts.handles += seen[basis.handle[k]] ? 0 : 1;
      seen[basis.handle[k]] = 1;
    }
  }
}

std::vector<double> cluster_volumes(const System& system, const Partition& partition) {
  std::vector<double> volume(static_cast<std::size_t>(partition.cluster_count()), 0);
  for (Index t = 0; t < system.tet_count(); ++t)
    volume[partition.tet_cluster[t]] += tet_volume(system.rest, system.tets, t);
  return volume;
}

void count_tets(const System& system, const Partition& partition, std::vector<Sums>& bodies) {
  const std::vector<double> volume = cluster_volumes(system, partition);
  std::vector<Index> body_of(volume.size(), 0);
  for (Index t = 0; t < system.tet_count(); ++t) {
    ++bodies[system.tet_body[t]].counts.tets;
    body_of[partition.tet_cluster[t]] = system.tet_body[t];
  }
  for (std::size_t c = 0; c < volume.size(); ++c) {
    Sums& body = bodies[body_of[c]];
    ++body.counts.clusters;
    body.volume += volume[c];
    body.largest = std::max(body.largest, volume[c]);
  }
}

Json json(const SubspaceCounts& counts, bool cubature) {
  return {{"vertices", counts.vertices},
          {"tets", counts.tets},
          {"clusters", counts.clusters},
          {"handles", counts.handles},
          {"cubature_points", cubature ? Json(counts.points) : Json()},
          {"weights_per_vertex", counts.weights_per_vertex},
          {"volume_balance", counts.volume_balance}};
}

std::string row(const SubspaceCounts& counts, const char* name, std::size_t width, bool cubature) {
  return fmt::format("{:<{}} {:>9} {:>9} {:>9} {:>8} {:>9} {:>15.3g} {:>8.3g}\n", name, width, counts.vertices,
                     counts.tets, counts.clusters, counts.handles, cubature ? fmt::format("{}", counts.points) : "-",
                     counts.weights_per_vertex, counts.volume_balance);
}

}  // namespace

SubspaceFacts subspace_facts(const System& system, const Hierarchy& hierarchy) {
  const SolverSetup& solver = system.setup.solver;
  SubspaceFacts facts;
  facts.scene = system.setup.name;
  facts.partition = solver.multilevel.partition;
  facts.basis = solver.multilevel.basis;
  if (solver.multilevel.has_cubature()) facts.cubature = solver.cubature_rule;
  std::vector<Sums> bodies(system.bodies.size());
  count_vertices(system, hierarchy.subspace, bodies);
  count_tets(system, hierarchy.partition, bodies);
  for (const Index t : hierarchy.cubature.tets) ++bodies[system.tet_body[t]].counts.points;
  Sums total;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    bodies[b].counts.name = system.bodies[b].name;
    facts.bodies.push_back(bodies[b].result());
    total.add(bodies[b]);
  }
  facts.total = total.result();
  facts.mean_hops = hierarchy.hops;
  facts.seconds = hierarchy.seconds;
  facts.cached = hierarchy.cached;
  return facts;
}

std::string text(const SubspaceFacts& facts) {
  const bool cubature = !facts.cubature.empty();
  const std::size_t listed = std::min(most_listed, facts.bodies.size());
  std::size_t width = 5;
  for (std::size_t b = 0; b < listed; ++b) width = std::max(width, facts.bodies[b].name.size());
  std::string result = fmt::format("{:<{}} {:>9} {:>9} {:>9} {:>8} {:>9} {:>15} {:>8}\n", "body", width, "vertices",
                                   "tets", "clusters", "handles", "cubature", "weights/vertex", "balance");
  for (std::size_t b = 0; b < listed; ++b)
    result += row(facts.bodies[b], facts.bodies[b].name.c_str(), width, cubature);
  if (listed < facts.bodies.size()) result += fmt::format("and {} more bodies\n", facts.bodies.size() - listed);
  if (facts.bodies.size() > 1) result += row(facts.total, "all", width, cubature);
  result += fmt::format(
      "{}: partition \"{}\", basis \"{}\", cubature {}; {:.3g} edges from the centre of a cluster to its boundary, {} "
      "in "
      "{:.3g} s\n",
      facts.scene, facts.partition, facts.basis, cubature ? "\"" + facts.cubature + "\"" : "not made (--cubature)",
      facts.mean_hops, facts.cached ? "read from the cache" : "made", facts.seconds);
  return result;
}

Json json(const SubspaceFacts& facts) {
  const bool cubature = !facts.cubature.empty();
  Json bodies = Json::array();
  for (const SubspaceCounts& counts : facts.bodies) {
    Json body = {{"name", counts.name}};
    body.update(json(counts, cubature));
    bodies.push_back(std::move(body));
  }
  Json result = {{"scene", facts.scene},
                 {"partition", facts.partition},
                 {"basis", facts.basis},
                 {"cubature", cubature ? Json(facts.cubature) : Json()}};
  result.update(json(facts.total, cubature));
  result["mean_hops"] = facts.mean_hops;
  result["seconds"] = facts.seconds;
  result["cached"] = facts.cached;
  result["bodies"] = bodies;
  return result;
}

Json clusters_json(const System& system, const Hierarchy& hierarchy) {
  std::vector<Index> cluster(static_cast<std::size_t>(system.user_tet_count), -1);
  for (Index t = 0; t < system.tet_count(); ++t)
    if (system.tet_to_user[t] >= 0) cluster[system.tet_to_user[t]] = hierarchy.partition.tet_cluster[t];
  return {{"cluster_volumes", cluster_volumes(system, hierarchy.partition)}, {"tet_clusters", std::move(cluster)}};
}

}  // namespace sinew::app
