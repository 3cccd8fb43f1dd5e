// Gram-Schmidt in the mass, exact or reduced (EP, section 4.2 and appendix B; theory, section 9).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct GramSchmidtOptions {
  // true: uses products from a sample of vertices, and does not subtract nearly orthogonal modes; the result is only
  // nearly orthogonal. false: uses exact products over all vertices; the result is orthonormal to rounding.
  bool reduced = false;
  double least_cosine = 1e-3;  // alpha_tau: smaller cosines are not subtracted
};

// Modes have 3 entries for each vertex, interleaved. Deterministic.
class MassGramSchmidt {
 public:
  // rest: 3 x n [m]. mass: 3 n [kg]. most: largest number of modes, which determines the sample size.
  MassGramSchmidt(const Points& rest, const VecX& mass, Index most, GramSchmidtOptions options = {});

  // Orthogonalises the columns of `more` against `modes` and each other. Appends them to `modes` with unit norm in the
  // mass, up to `most` columns in total. Dependent columns are left out.
  void append(const MatX& more, Index most, MatX& modes);

  const std::vector<Index>& sample() const { return sample_; }  // sampled vertices
  const VecX& sample_mass() const { return sample_mass_; }      // mass of the cube that each sampled vertex represents

 private:
  VecX sampled(Eigen::Ref<const VecX> v) const;
  bool reduce(VecX& v, const Eigen::Ref<const MatX>& modes);
  bool reduce_exactly(Eigen::Ref<VecX> v, const Eigen::Ref<const MatX>& modes, double first) const;
  void append_exactly(MatX more, Index most, MatX& modes) const;

  const VecX& mass_;
  GramSchmidtOptions options_;
  std::vector<Index> sample_;
  VecX sample_mass_;
  MatX sampled_;              // modes at the sample, times the root of its mass, with unit norm
  std::vector<double> over_;  // by mode: norm in the sample over norm in the mass
};

}  // namespace sinew
