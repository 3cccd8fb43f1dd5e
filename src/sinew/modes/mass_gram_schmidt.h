// Gram-Schmidt in the mass, exact or reduced (EP, section 4.2 and appendix B; theory, section 9).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct GramSchmidtOptions {
  // Products from a sample of vertices, and subtractions of modes that are nearly orthogonal left out: modes are then
  // only nearly orthogonal. false: exact products of all vertices, so that they are orthonormal to rounding.
  bool reduced = false;
  double least_cosine = 1e-3;  // alpha_tau: below it a subtraction is left out
};

// Modes of 3 a vertex, interleaved. Deterministic.
class MassGramSchmidt {
 public:
  // rest: 3 x n [m]; mass: 3 n [kg]; most: the modes that there will be, for which the sample is large enough.
  MassGramSchmidt(const Points& rest, const VecX& mass, Index most, GramSchmidtOptions options = {});

  // Makes the columns of `more` orthogonal to those of `modes` and to each other and appends them, of unit norm in the
  // mass, up to `most` columns; those that depend on the others are left out.
  void append(const MatX& more, Index most, MatX& modes);

  const std::vector<Index>& sample() const { return sample_; }  // vertices
  const VecX& sample_mass() const { return sample_mass_; }      // of the box that each stands for

 private:
  VecX sampled(Eigen::Ref<const VecX> v) const;
  bool reduce(VecX& v, const Eigen::Ref<const MatX>& modes);
  bool reduce_exactly(Eigen::Ref<VecX> v, const Eigen::Ref<const MatX>& modes, double first) const;
  void append_exactly(MatX more, Index most, MatX& modes) const;

  const VecX& mass_;
  GramSchmidtOptions options_;
  std::vector<Index> sample_;
  VecX sample_mass_;
  MatX sampled_;              // the modes at the sample, times the root of its mass, of unit norm
  std::vector<double> over_;  // by mode: its norm in the sample over that in the mass
};

}  // namespace sinew
