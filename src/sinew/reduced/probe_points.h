// The points that measure displacements of substructures: barycentres of the cubature tets, whose volumes weight the
// mean, and vertices far from each other, such as ends of limbs. Warped substructures have no cubature and use mass
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
  VecX weight;  // weights of the mean: volumes [m^3] or masses [kg]; zero for vertices
};

// part: by point of `points`, its substructure. clusters: those of warped substructures; empty without warping.
ProbePoints probe_points(const System& system, const std::vector<Substructure>& parts, std::span<const Index> part,
                         const ElasticPoints& points, const std::vector<MassCluster>& clusters);

}  // namespace sinew
