#include "sinew/linalg/jacobi.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t rows_at_once = 1024;

// Positive replacements of a block's diagonal (column-major D), whatever its signs.
void positive_diagonal(const double* D, double* diagonal) {
  double scale = 0;
  for (int k = 0; k < 9; ++k) scale = std::max(scale, std::abs(D[k]));
  if (!(scale > 0) || !std::isfinite(scale)) scale = 1;
  for (int a = 0; a < 3; ++a) {
    const double d = std::abs(D[4 * a]);
    diagonal[a] = d > 0 && std::isfinite(d) ? d : scale;
  }
}

// The inverse of the symmetric block (its lower triangle) by cofactors; false unless it is safely positive definite.
bool invert_positive(const double* D, double* inverse) {
  const double a = D[0], b = D[1], c = D[2], d = D[4], e = D[5], f = D[8];
  const double minor = a * d - b * b;
  const double c00 = d * f - e * e, c10 = c * e - b * f, c20 = b * e - c * d;
  const double det = a * c00 + b * c10 + c * c20;
  // Relative to the product of the diagonal (Hadamard's bound) what is left of the minors tells how singular the block
  // is.
  constexpr double tiny = 1e-12;
  if (!(a > 0 && d > 0 && f > 0 && minor > tiny * a * d && det > tiny * a * d * f)) return false;
  const double s = 1 / det;
  if (!std::isfinite(s)) return false;
  inverse[0] = c00 * s;
  inverse[1] = c10 * s;
  inverse[2] = c20 * s;
  inverse[3] = (a * f - c * c) * s;
  inverse[4] = (b * c - a * e) * s;
  inverse[5] = minor * s;
  return true;
}

}  // namespace

// M_ii^-1 = A_ii^-1 for each diagonal block, with the replacements of jacobi.h.
bool BlockJacobi::compute(const NewtonSystem& system) {
  const SymBlockMatrix& A = system.H;
  inverse_.resize(6 * static_cast<std::size_t>(A.rows()));
  parallel_for(A.rows(), [&](std::size_t row) {
    const double* D = A.block(A.pattern().row_begin[row]);
    double* inverse = inverse_.data() + 6 * row;
    if (invert_positive(D, inverse)) return;
    double diagonal[3];
    positive_diagonal(D, diagonal);
    std::fill_n(inverse, 6, 0.0);
    inverse[0] = 1 / diagonal[0];
    inverse[3] = 1 / diagonal[1];
    inverse[5] = 1 / diagonal[2];
  });
  return true;
}

// z_i = A_ii^-1 r_i with the six numbers of each symmetric inverse.
void BlockJacobi::apply_rows(const double* r, double* z, Index begin, Index end) const {
  for (std::size_t i = begin; i < static_cast<std::size_t>(end); ++i) {
    const double* m = inverse_.data() + 6 * i;
    const double x = r[3 * i], y = r[3 * i + 1], w = r[3 * i + 2];
    z[3 * i] = m[0] * x + m[1] * y + m[2] * w;
    z[3 * i + 1] = m[1] * x + m[3] * y + m[4] * w;
    z[3 * i + 2] = m[2] * x + m[4] * y + m[5] * w;
  }
}

void BlockJacobi::apply(const double* r, double* z) const {
  parallel_chunks(inverse_.size() / 6, rows_at_once, [&](std::size_t begin, std::size_t end) {
    apply_rows(r, z, static_cast<Index>(begin), static_cast<Index>(end));
  });
}

// 1 / A_kk, with the replacements of positive_diagonal().
bool Jacobi::compute(const NewtonSystem& system) {
  const SymBlockMatrix& A = system.H;
  inverse_.resize(3 * static_cast<std::size_t>(A.rows()));
  parallel_for(A.rows(), [&](std::size_t row) {
    double diagonal[3];
    positive_diagonal(A.block(A.pattern().row_begin[row]), diagonal);
    for (int a = 0; a < 3; ++a) inverse_[3 * row + a] = 1 / diagonal[a];
  });
  return true;
}

void Jacobi::apply_rows(const double* r, double* z, Index begin, Index end) const {
  for (std::size_t k = 3 * static_cast<std::size_t>(begin); k < 3 * static_cast<std::size_t>(end); ++k)
    z[k] = inverse_[k] * r[k];
}

void Jacobi::apply(const double* r, double* z) const {
  parallel_chunks(inverse_.size() / 3, rows_at_once, [&](std::size_t begin, std::size_t end) {
    apply_rows(r, z, static_cast<Index>(begin), static_cast<Index>(end));
  });
}

}  // namespace sinew
