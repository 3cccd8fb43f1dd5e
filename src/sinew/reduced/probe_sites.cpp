#include "sinew/reduced/probe_sites.h"

#include <array>

#include "sinew/reduced/displacement_probes.h"
#include "sinew/reduced/substructure_owners.h"

namespace sinew {

ProbeSites probe_sites(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
                       const ElasticPoints& points) {
  ProbeSites probes;
  std::vector<double> volume;
  for (Index c = 0; c < points.slot_count(); ++c) {
    if (points.volume(c) == 0) continue;  // only fills a pack
    std::array<std::pair<Index, double>, 4> corners;
    for (int i = 0; i < 4; ++i) corners[i] = {system.tets(i, points.tet(c)), 0.25};
    probes.sites.push_back(make_site(system, parts, part[points.point(c)], corners));
    volume.push_back(points.volume(c));
  }
  const std::vector<Index> owner = substructure_of_vertices(system, parts);
  for (const Index v : far_vertices(system)) {
    const std::pair<Index, double> vertex(v, 1.0);
    probes.sites.push_back(make_site(system, parts, owner[v], {&vertex, 1}));
    volume.push_back(0);
  }
  probes.volume = Eigen::Map<const VecX>(volume.data(), static_cast<Eigen::Index>(volume.size()));
  return probes;
}

}  // namespace sinew
