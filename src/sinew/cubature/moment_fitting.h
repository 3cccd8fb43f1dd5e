// Moment fitting: for each cluster of a partition, few tets with positive weights that integrate given functions like
// all of its tets (SMS, section 3.8, Algorithm 3; theory, section 5).
#pragma once

#include <cstdint>

#include "sinew/cubature/cluster_functions.h"
#include "sinew/cubature/cluster_rule.h"

namespace sinew {

struct MomentFittingOptions {
  int degree = 2;
  double tolerance = 1e-9;  // bound on |A w - b| / |b| over the orthonormal functions
  // Largest residual of a function of norm 1 in the span of the orthonormal functions. With 1e-9, smooth weights need
  // half of all tets. With 1e-4 they need a tenth of that, and energies of the reduced stiffness stay within a factor
  // 3.
  double rank_tolerance = 1e-4;
  std::uint64_t seed = 1;  // for drawing candidates
};

// Fits products of handle functions of degree 1 or 2: see modal_functions().
Cubature modal_moment_fitting(const Domain& domain, const Partition& partition, const HandleBasis& basis,
                              const MomentFittingOptions& options, FittingReport& report);

// Fits polynomials of degree >= 0.
Cubature polynomial_moment_fitting(const Domain& domain, const Partition& partition,
                                   const MomentFittingOptions& options, FittingReport& report);

}  // namespace sinew
