// Products of matrices with many rows and few columns, such as bases of modes. They run in parallel over chunks of rows
// and sum in a fixed order, so results do not depend on the number of threads.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// U^T diag(weight) V.
MatX weighted_product(const Eigen::Ref<const MatX>& U, const VecX& weight, const Eigen::Ref<const MatX>& V);

// U^T diag(weight) U.
MatX weighted_gram(const Eigen::Ref<const MatX>& U, const VecX& weight);

// U C.
MatX tall_product(const Eigen::Ref<const MatX>& U, const Eigen::Ref<const MatX>& C);

// V -= U C.
void subtract_tall_product(const Eigen::Ref<const MatX>& U, const Eigen::Ref<const MatX>& C, Eigen::Ref<MatX> V);

}  // namespace sinew
