// How many handles each component of a domain is given when the user does not say.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct Domain;
struct ComponentTets;

// Clusters by component, at least one each: as many as free vertices of it can be picked with `natural_spacing` edges
// or more from each to the next. Refinement costs iterations in proportion to the edges across a cluster, so that is
// what is alike everywhere: in a solid a cluster has some 1500 vertices, in a strand a hundred; strands of that length
// have their own, shorter ones share. Wider clusters cost more iterations; narrower ones, in solids and where bodies
// touch, a reduced system that costs more than those (measured on the gallery from 8 to 12 edges). Where strands are so
// thin that clusters of that length have fewer than `least_cluster` vertices they are longer: with fewer the reduced
// matrix has as many entries as that of the whole body (measured on the kooshball from 75 to 200 vertices).
std::vector<Index> natural_shares(const Domain& domain, const ComponentTets& components);

inline constexpr int natural_spacing = 12;
inline constexpr int least_cluster = 90;

}  // namespace sinew
