#include "sinew/solver/constrained_system.h"

#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

template <class Value>
double sum_diagonal(const SymBlockMatrix& H, Value&& value) {
  const auto& begin = H.pattern().row_begin;
  return parallel_sum(H.rows(), [&](std::size_t i) {
    const double* block = H.block(begin[i]);
    return value(block[0]) + value(block[4]) + value(block[8]);
  });
}

}  // namespace

// rhs_f = -g_f - (H d_p)_f - drift_f, rhs_p = 0, where d_p has the known displacements of prescribed coordinates.
// Without motion both last terms vanish, and the product with H is saved.
void free_right_hand_side(const SymBlockMatrix& H, std::span<const char> fixed, const Points& drift, const Points& g,
                          const Points& d, Points& rhs) {
  const Index n = H.rows();
  rhs.resize(3, n);
  if (drift.cols() > 0) {
    Points prescribed = Points::Zero(3, n);
    for (Index i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k)
        if (fixed[3 * i + k]) prescribed(k, i) = d(k, i);
    H.multiply(prescribed.data(), rhs.data());
    rhs = -g - rhs - drift;
  } else {
    parallel_for(
        n, [&](std::size_t i) { rhs.col(i) = -g.col(i); }, 4096);
  }
  parallel_for(
      n,
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          if (fixed[3 * i + k]) rhs(k, i) = 0;
      },
      4096);
}

void set_free(const Points& g, std::span<const char> fixed, Points& rhs) {
  rhs.resize(3, g.cols());
  parallel_for(
      g.cols(),
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k) rhs(k, i) = fixed[3 * i + k] ? 0.0 : -g(k, i);
      },
      4096);
}

// trace(H) / 3n: what prescribed rows get, so that they neither dominate nor vanish beside the others.
double mean_diagonal(const SymBlockMatrix& H) {
  const double mean = sum_diagonal(H, [](double v) { return v; }) / (3.0 * H.rows());
  return mean > 0 ? mean : 1.0;
}

void take_free(const Points& solution, std::span<const char> fixed, Points& d) {
  parallel_for(
      solution.cols(),
      [&](std::size_t i) {
        for (int k = 0; k < 3; ++k)
          if (!fixed[3 * i + k]) d(k, i) = solution(k, i);
      },
      4096);
}

bool finite_diagonal(const SymBlockMatrix& H) {
  return std::isfinite(sum_diagonal(H, [](double v) { return std::abs(v); }));
}

}  // namespace sinew
