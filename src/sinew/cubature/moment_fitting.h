// Rules from moments: of each cluster of a partition, the fewest tets with positive weights that integrate given
// functions as all of its tets do (SMS, section 3.8, Algorithm 3; theory, section 5).
#pragma once

#include <cstdint>

#include "sinew/cubature/cluster_functions.h"
#include "sinew/cubature/cluster_rule.h"

namespace sinew {

struct MomentFittingOptions {
  int degree = 2;
  double tolerance = 1e-9;  // |A w - b| / |b| over the orthonormal functions, at most
  // Root mean square of what the span of the orthonormal functions may lack of one of size 1. At 1e-9 smooth weights
  // ask for half of all tets; at 1e-4 for a tenth of that, with the energies of the reduced stiffness within a
  // factor 3.
  double rank_tolerance = 1e-4;
  std::uint64_t seed = 1;  // of the candidates
};

// degree 1 or 2: products of handle functions, see modal_functions().
Cubature modal_moment_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                              const MomentFittingOptions& options, FittingReport& report);

// degree >= 0: polynomials.
Cubature polynomial_moment_fitting(const Domain& domain, const Partition& partition,
                                   const MomentFittingOptions& options, FittingReport& report);

}  // namespace sinew
