#include "sinew/reduced/probe_points.h"

#include <array>

#include "sinew/reduced/displacement_probes.h"
#include "sinew/reduced/substructure_owners.h"

namespace sinew {

// Where lengths of steps are measured, with weights for their mean: the cubature points by volume, clusters of warped
// parts by mass, and 64 vertices far from each other with weight 0, which count for the largest length alone.
ProbePoints probe_points(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
                         const ElasticPoints& points, const std::vector<MassCluster>& clusters) {
  ProbePoints probes;
  // Weights make the mean of lengths one over the bodies, not over the points.
  std::vector<double> weight;
  for (Index c = 0; c < points.slot_count(); ++c) {
    if (points.volume(c) == 0) continue;  // only fills a pack
    std::array<std::pair<Index, double>, 4> corners;
    for (int i = 0; i < 4; ++i) corners[i] = {system.tets(i, points.tet(c)), 0.25};
    probes.points.push_back(make_material_point(system, parts, part[points.point(c)], corners));
    weight.push_back(points.volume(c));
  }
  for (const MassCluster& cluster : clusters) {
    double mass = 0;
    for (const auto& [vertex, own] : cluster.vertices) mass += own;
    auto vertices = cluster.vertices;
    for (auto& [vertex, share] : vertices) share /= mass;
    probes.points.push_back(make_material_point(system, parts, cluster.part, vertices));
    weight.push_back(mass);
  }
  const std::vector<Index> owner = substructure_of_vertices(system, parts);
  for (const Index v : far_vertices(system)) {
    const std::pair<Index, double> vertex(v, 1.0);
    probes.points.push_back(make_material_point(system, parts, owner[v], {&vertex, 1}));
    weight.push_back(0);
  }
  probes.weight = Eigen::Map<const VecX>(weight.data(), static_cast<Eigen::Index>(weight.size()));
  return probes;
}

}  // namespace sinew
