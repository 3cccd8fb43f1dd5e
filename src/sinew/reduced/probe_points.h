// The points that measure displacements of substructures: barycentres of the cubature tets, whose volumes weigh the
// mean, and vertices far from each other, at the ends of limbs. Warped substructures have no cubature and use mass
// clusters.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/mass_clusters.h"
#include "sinew/reduced/material_points.h"

namespace sinew {

struct ProbePoints {
  std::vector<MaterialPoint> points;
  VecX weight;  // of the mean: volumes [m^3], or masses [kg]; zero of vertices
};

// part: of each point; clusters: of warped substructures, else none.
ProbePoints probe_points(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
                         const ElasticPoints& points, const std::vector<MassCluster>& clusters);

}  // namespace sinew
