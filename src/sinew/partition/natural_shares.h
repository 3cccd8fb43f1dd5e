// Computes the default number of handles of each component of a domain.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Domain;
struct ComponentTets;

// Returns the number of clusters of each component, at least one: as many free vertices as fit with at least
// `natural_spacing` edges between them. The number of refinement iterations grows with the edges across a cluster, so
// all clusters have the same width: some 1500 vertices in a solid, a hundred in a strand. Wider clusters cost more
// iterations, narrower ones a larger reduced system (measured on the gallery from 8 to 12 edges).
//
// In thin strands, clusters are longer, so that they have at least `least_cluster` vertices. With fewer, the reduced
// matrix would have as many entries as the full one (measured on the kooshball from 75 to 200 vertices).
std::vector<Index> natural_shares(const Domain& domain, const ComponentTets& components);

inline constexpr int natural_spacing = 12;
inline constexpr int least_cluster = 90;

}  // namespace sinew
