#include "sinew/modes/krylov_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/linalg/dense_decompositions.h"
#include "sinew/linalg/tall_products.h"

namespace sinew {

void KrylovError::append(const MatX& U, const MatX& X, const MatX& errors, const MatX& transported) {
  const Eigen::Index known = D_.cols(), added = U.cols() - known;
  const MatX shares = weighted_product(U, mass_, X);  // C above R
  const MatX R = shares.bottomRows(added).leftCols(added).triangularView<Eigen::Upper>();
  const MatX inverse = R.triangularView<Eigen::Upper>().solve(MatX::Identity(added, added));
  MatX own = transported.leftCols(added) + errors.leftCols(added);
  if (known > 0) subtract_tall_product(D_, shares.topRows(known).leftCols(added), own);
  own = tall_product(own, inverse);
  // What lies in the span of U does not turn it.
  subtract_tall_product(U, weighted_product(U, mass_, own), own);
  D_.conservativeResize(U.rows(), U.cols());
  D_.rightCols(added) = own;
}

double KrylovError::sine() const {
  if (D_.cols() == 0) return 0;
  const MatX gram = weighted_gram(D_, mass_);
  if (!gram.allFinite()) return std::numeric_limits<double>::infinity();
  return std::sqrt(std::max(0.0, symmetric_eigen(gram).values.maxCoeff()));
}

}  // namespace sinew
