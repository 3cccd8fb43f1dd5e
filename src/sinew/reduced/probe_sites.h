// Where displacements of substructures are measured: the barycentres of the points' tets, whose volumes weigh the mean,
// and vertices far from each other, where limbs end.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/sites.h"

namespace sinew {

struct ProbeSites {
  std::vector<Site> sites;
  VecX volume;  // [m^3]; zero of vertices
};

// part: of each point.
ProbeSites probe_sites(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
                       const ElasticPoints& points);

}  // namespace sinew
