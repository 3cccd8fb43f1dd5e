#include "sinew/linalg/gmres.h"

#include <algorithm>
#include <cmath>

namespace sinew {

// Arnoldi: A V_k = V_{k+1} H_k with orthonormal V by modified Gram-Schmidt; H_k is made triangular by Givens rotations
// as it grows, and |beta e_1 - H_k y| is the last entry of the rotated right-hand side.
GmresResult gmres(const std::function<void(const VecX& v, VecX& Av)>& product,
                  const std::function<void(VecX& v)>& solve, const VecX& b, const GmresOptions& options) {
  const Eigen::Index n = b.size();
  const Eigen::Index most = options.max_iterations > 0 ? std::min<Eigen::Index>(options.max_iterations, n) : n;
  GmresResult result;
  result.x = VecX::Zero(n);
  VecX r = b;
  solve(r);
  const double beta = r.norm();
  if (!(beta > 0)) {
    result.converged = beta == 0;
    return result;
  }
  MatX V(n, most + 1), H = MatX::Zero(most + 1, most);
  VecX g = VecX::Zero(most + 1), c(most), s(most), w(n);
  V.col(0) = r / beta;
  g[0] = beta;
  result.relative_residual = 1;
  Eigen::Index k = 0;
  while (k < most && !result.converged) {
    product(V.col(k), w);
    solve(w);
    for (Eigen::Index i = 0; i <= k; ++i) {
      H(i, k) = V.col(i).dot(w);
      w -= H(i, k) * V.col(i);
    }
    H(k + 1, k) = w.norm();
    const bool ends = !(H(k + 1, k) > 1e-14 * H.col(k).head(k + 1).norm());
    if (!ends) V.col(k + 1) = w / H(k + 1, k);
    for (Eigen::Index i = 0; i < k; ++i) {
      const double upper = c[i] * H(i, k) + s[i] * H(i + 1, k);
      H(i + 1, k) = c[i] * H(i + 1, k) - s[i] * H(i, k);
      H(i, k) = upper;
    }
    const double length = std::hypot(H(k, k), H(k + 1, k));
    if (!(length > 0)) break;  // A is singular on the space
    c[k] = H(k, k) / length;
    s[k] = H(k + 1, k) / length;
    H(k, k) = length;
    H(k + 1, k) = 0;
    g[k + 1] = -s[k] * g[k];
    g[k] *= c[k];
    ++k;
    result.relative_residual = std::abs(g[k]) / beta;
    result.converged = result.relative_residual <= options.tolerance || ends;
  }
  result.iterations = static_cast<int>(k);
  if (k == 0) return result;
  const VecX y = H.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(g.head(k));
  result.x = V.leftCols(k) * y;
  return result;
}

}  // namespace sinew
