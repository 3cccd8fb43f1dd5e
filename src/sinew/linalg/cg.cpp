#include "sinew/linalg/cg.h"

#include <cmath>

namespace sinew {

// z = P^-1 r, p = z + beta p, alpha = r^T z / p^T A p. Fletcher and Reeves' beta would assume a symmetric A: that of
// Polak and Ribiere, z^T (r - r_before) / r_before^T z_before, keeps the iteration going if A is nearly symmetric.
CgResult cg(const std::function<void(const VecX& v, VecX& Av)>& product, const std::function<void(VecX& v)>& solve,
            const VecX& b, const CgOptions& options) {
  const Eigen::Index n = b.size();
  const Eigen::Index most = options.max_iterations > 0 ? options.max_iterations : n;
  CgResult result;
  result.x = VecX::Zero(n);
  VecX r = b, z = b, Ap(n);
  solve(z);
  const double first = r.dot(z);
  if (first == 0) return result;
  VecX p = z;
  double rz = first;
  result.relative_residual = 1;
  while (true) {
    if (result.relative_residual <= options.tolerance) return result;
    if (!(rz > 0) || !std::isfinite(rz)) {
      result.end = CgEnd::breakdown;
      return result;
    }
    if (result.iterations == most) {
      result.end = CgEnd::iterations;
      return result;
    }
    product(p, Ap);
    const double curvature = p.dot(Ap);
    if (!(curvature > 0)) {
      result.end = std::isfinite(curvature) ? CgEnd::negative_curvature : CgEnd::breakdown;
      return result;
    }
    const double alpha = rz / curvature;
    result.x += alpha * p;
    r -= alpha * Ap;
    ++result.iterations;
    const VecX before = z;
    z = r;
    solve(z);
    const double next = r.dot(z);
    p = z + (next - r.dot(before)) / rz * p;
    rz = next;
    result.relative_residual = std::sqrt(std::abs(rz) / first);
  }
}

}  // namespace sinew
