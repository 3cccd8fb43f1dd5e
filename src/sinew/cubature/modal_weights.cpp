#include "sinew/cubature/modal_weights.h"

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"
#include "sinew/linalg/nnls.h"

namespace sinew {

ModalWeights fit_modal_weights(const TrainingForces& training) {
  const Eigen::Index r = training.whole.rows(), T = training.whole.cols();
  VecX scale(T);  // 1 / |f(t)|
  for (Eigen::Index t = 0; t < T; ++t) {
    const double norm = training.whole.col(t).norm();
    scale[t] = norm > 0 ? 1 / norm : 0;
  }
  ModalWeights result;
  result.weights.setZero(training.points, r);
  result.errors.setZero(r);
  MatX missing(r, T);  // b - A w
  activity::begin("modal weights", static_cast<long>(r));
  parallel_for(
      static_cast<std::size_t>(r),
      [&](std::size_t coordinate) {
        const auto j = static_cast<Eigen::Index>(coordinate);
        MatX A;
        training.column(static_cast<Index>(j), A);
        A = scale.asDiagonal() * A;
        const VecX b = scale.cwiseProduct(training.whole.row(j).transpose());
        const double size = b.norm();
        missing.row(j) = b.transpose();
        if (size > 0) {
          const NnlsResult fit = nnls(A, b);
          result.weights.col(j) = fit.x;
          missing.row(j) -= (A * fit.x).transpose();
          result.errors[j] = missing.row(j).norm() / size;
        }
        activity::advance();
      },
      1);
  result.pose_errors = missing.colwise().norm().transpose();
  result.mean_error = r > 0 ? result.errors.mean() : 0;
  return result;
}

}  // namespace sinew
