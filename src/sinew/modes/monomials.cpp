#include "sinew/modes/monomials.h"

namespace sinew {

MatX monomials(const Points& X) {
  const Vec3 center = X.rowwise().mean();
  const double radius = (X.colwise() - center).colwise().norm().maxCoeff();
  MatX U = MatX::Zero(3 * X.cols(), monomial_count);
  for (Eigen::Index v = 0; v < X.cols(); ++v) {
    const Vec3 x = (X.col(v) - center) / radius;
    const double values[9] = {x[0],        x[1],        x[2],        x[0] * x[0], x[0] * x[1],
                              x[0] * x[2], x[1] * x[1], x[1] * x[2], x[2] * x[2]};
    for (int f = 0; f < 9; ++f)
      for (int k = 0; k < 3; ++k) U(3 * v + k, 3 * f + k) = values[f];
  }
  return U;
}

}  // namespace sinew
