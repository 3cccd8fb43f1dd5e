// Eigenvalues and eigenvectors of the small dense symmetric matrices of contact stencils, without allocation.
#pragma once

#include <cmath>
#include <limits>

#include "sinew/core/types.h"

namespace sinew::contact_detail {

// Householder reduction (Golub & Van Loan, Matrix Computations, 8.3.1). Returns an orthogonal Q for which Q^T S Q is
// tridiagonal, with the entries `diagonal` and `off` (whose last entry is unused). Overwrites S.
template <int N>
Eigen::Matrix<double, N, N> tridiagonalize(Eigen::Matrix<double, N, N>& S, Eigen::Matrix<double, N, 1>& diagonal,
                                           Eigen::Matrix<double, N, 1>& off) {
  using Vector = Eigen::Matrix<double, N, 1>;
  Eigen::Matrix<double, N, N> Q = Eigen::Matrix<double, N, N>::Identity();
  for (int k = 0; k + 2 < N; ++k) {
    Vector v = S.col(k);
    for (int j = 0; j <= k; ++j) v[j] = 0;
    double rest2 = 0;
    for (int j = k + 2; j < N; ++j) rest2 += v[j] * v[j];
    if (rest2 == 0) continue;
    const double first = v[k + 1], norm = std::sqrt(first * first + rest2);
    v[k + 1] += std::copysign(norm, first);
    const double beta = 2 / (v[k + 1] * v[k + 1] + rest2);
    // S <- (I - beta v v^T) S (I - beta v v^T), Q <- Q (I - beta v v^T)
    Vector w = Vector::Zero(), q = Vector::Zero();
    for (int j = k + 1; j < N; ++j) {
      w += v[j] * S.col(j);
      q += v[j] * Q.col(j);
    }
    w *= beta;
    w -= (0.5 * beta * w.dot(v)) * v;
    for (int j = 0; j < N; ++j) {
      S.col(j) -= w[j] * v + v[j] * w;
      Q.col(j) -= (beta * v[j]) * q;
    }
  }
  for (int k = 0; k < N; ++k) {
    diagonal[k] = S(k, k);
    off[k] = k + 1 < N ? S(k + 1, k) : 0;
  }
  return Q;
}

// Finds S = V diag(values) V^T, values in no particular order, by implicit QR steps with Wilkinson's shift on the
// tridiagonal form (8.3.5). Errors are of the size of rounding of |S|. Overwrites S. For N = 9 it is about four times
// as fast as Jacobi rotations.
template <int N>
void symmetric_eigen(Eigen::Matrix<double, N, N>& S, Eigen::Matrix<double, N, 1>& values,
                     Eigen::Matrix<double, N, N>& V) {
  Eigen::Matrix<double, N, 1> off;
  V = tridiagonalize<N>(S, values, off);
  const double negligible =
      0.25 * std::numeric_limits<double>::epsilon() * (values.cwiseAbs().maxCoeff() + off.cwiseAbs().maxCoeff());
  int high = N - 1;
  for (int step = 0; high > 0 && step < 40 * N; ++step) {
    if (!(std::abs(off[high - 1]) > negligible)) {
      --high;
      continue;
    }
    int low = high - 1;
    while (low > 0 && std::abs(off[low - 1]) > negligible) --low;
    const double half = 0.5 * (values[high - 1] - values[high]), last = off[high - 1];
    const double shift =
        values[high] - last * last / (half + std::copysign(std::sqrt(half * half + last * last), half));
    double x = values[low] - shift, z = off[low];
    for (int k = low; k < high; ++k) {
      const double r = std::sqrt(x * x + z * z);
      const double inverse = r > 0 ? 1 / r : 0;
      const double c = r > 0 ? x * inverse : 1, s = z * inverse;
      if (k > low) off[k - 1] = r;
      const double a = values[k], b = off[k], d = values[k + 1];
      values[k] = c * c * a + 2 * c * s * b + s * s * d;
      values[k + 1] = s * s * a - 2 * c * s * b + c * c * d;
      off[k] = c * s * (d - a) + (c * c - s * s) * b;
      if (k + 1 < high) {
        x = off[k];
        z = s * off[k + 1];
        off[k + 1] *= c;
      }
      const Eigen::Matrix<double, N, 1> column = V.col(k);
      V.col(k) = c * column + s * V.col(k + 1);
      V.col(k + 1) = c * V.col(k + 1) - s * column;
    }
  }
}

}  // namespace sinew::contact_detail
