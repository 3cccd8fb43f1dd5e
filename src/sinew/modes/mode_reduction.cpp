#include "sinew/modes/mode_reduction.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/activity.h"
#include "sinew/core/error.h"
#include "sinew/core/random_stream.h"
#include "sinew/core/suggest.h"
#include "sinew/linalg/dense_decompositions.h"
#include "sinew/linalg/tall_products.h"
#include "sinew/modes/mass_gram_schmidt.h"

namespace sinew {
namespace {

// Of the largest energy of a component: the Gram matrix squares singular values, below this they are rounding.
constexpr double least_component = 1e-15;
constexpr long reduction_parts = 3;  // combinations, their products, their vibrations

// U V of the largest eigenvalues of U^T M U = V diag(e) V^T.
MatX principal_components(const RestBody& body, const MatX& U, Index count) {
  const SymmetricEigen eigen = symmetric_eigen(weighted_gram(U, body.mass()));
  const VecX& energy = eigen.values;  // ascending
  Index kept = 0;
  while (kept < std::min<Index>(count, static_cast<Index>(U.cols())) &&
         energy[energy.size() - 1 - kept] > least_component * energy[energy.size() - 1])
    ++kept;
  return tall_product(U, eigen.vectors.rightCols(kept).rowwise().reverse());
}

// U R with R_ij = sqrt(3) times 1, 0, -1 with probabilities 1/6, 4/6, 1/6 (EP, equation 10).
MatX random_combinations(const MatX& U, Index count, std::uint64_t seed) {
  MatX R = MatX::Zero(U.cols(), count);
  RandomStream random(seed, 0);
  for (Eigen::Index i = 0; i < R.rows(); ++i)
    for (Eigen::Index j = 0; j < R.cols(); ++j) {
      const double draw = 6 * random.uniform();
      R(i, j) = draw < 1 ? std::sqrt(3.0) : draw < 2 ? -std::sqrt(3.0) : 0.0;
    }
  return tall_product(U, R);
}

}  // namespace

std::vector<std::string> reduction_methods() {
  return {"pca", "random"};
}

ReducedModes vibrations_of_span(const RestBody& body, const MatX& U) {
  MatX K = U.transpose() * body.multiply(U);
  K = 0.5 * (K + K.transpose()).eval();
  const SymmetricEigen eigen = symmetric_eigen(K);
  return {eigen.values, tall_product(U, eigen.vectors)};
}

ReducedModes reduce_modes(const RestBody& body, const MatX& candidates, Index count, const std::string& method,
                          std::uint64_t seed) {
  const std::vector<std::string> known = reduction_methods();
  if (std::ranges::find(known, method) == known.end())
    fail_input(code::usage, "reduction: found \"{}\", expected one of {}{}", method, quoted_list(known),
               did_you_mean(method, known));
  activity::begin(fmt::format("few of {} modes of {}", candidates.cols(), body.name()), reduction_parts);
  const MatX few =
      method == "pca" ? principal_components(body, candidates, count) : random_combinations(candidates, count, seed);
  activity::advance();
  MatX U(body.size(), 0);
  MassGramSchmidt(body.rest(), body.mass(), count).append(few, count, U);
  activity::advance();
  return vibrations_of_span(body, U);
}

}  // namespace sinew
