#include "sinew/linalg/multigrid_level.h"

#include <utility>

namespace sinew {
namespace {

template <int N>
std::size_t at(std::size_t row, int k) {
  return (N * row + static_cast<std::size_t>(k)) * strip_width;
}

// Chebyshev, fourth kind: d_k = (2 k - 3) / (2 k + 1) d_{k-1} + (8 k - 4) / ((2 k + 1) largest) r_{k-1}, k = 1, 2 ...
float along(int k) {
  return static_cast<float>((2.0 * k - 3) / (2.0 * k + 1));
}
float across(int k, double largest) {
  return static_cast<float>((8.0 * k - 4) / ((2.0 * k + 1) * largest));
}

}  // namespace

template <int N>
void MultigridLevel<N>::allocate() {
  const std::size_t fine = static_cast<std::size_t>(A.rows) * N * strip_width;
  const std::size_t coarse = static_cast<std::size_t>(P.columns) * 6 * strip_width;
  for (StripVector<float>* v : {&z_, &r_, &d_, &next_}) v->resize(fine);
  if (N == 6)
    for (StripVector<float>* v : {&second_r, &second_z}) v->resize(fine);
  coarse_r.resize(coarse);
  coarse_z.resize(coarse);
}

template <int N>
std::size_t MultigridLevel<N>::memory_bytes() const {
  return A.memory_bytes() + P.memory_bytes() + PT.memory_bytes() +
         sizeof(float) * (4 * z_.size() + 2 * second_r.size() + coarse_r.size() + coarse_z.size());
}

// The step k: r -= A d_{k-1};  d_k = along d_{k-1} + across r;  z += d_k. One pass over A.
template <int N>
void MultigridLevel<N>::step(int k, const float* r, float* z) {
  const float a = k > 1 ? along(k) : 0.0f, b = across(k, largest);
  for_block_rows(A.rows, [&](std::size_t i) {
    Strip<float> row[N];
    for (int c = 0; c < N; ++c) row[c] = load_strip(r + at<N>(i, c));
    A.template add_row<-1>(i, d_.data(), row);
    for (int c = 0; c < N; ++c) {
      store_strip(r_.data() + at<N>(i, c), row[c]);
      const Strip<float> d = a * load_strip(d_.data() + at<N>(i, c)) + b * row[c];
      store_strip(next_.data() + at<N>(i, c), d);
      store_strip(z + at<N>(i, c), load_strip(z_.data() + at<N>(i, c)) + d);
    }
  });
  std::swap(d_, next_);
}

// z = d_1, the steps 2 to `degree`, then P^T r of the last residual.
template <int N>
void MultigridLevel<N>::descend(int degree, const float* r, float* restricted) {
  const float b = across(1, largest);
  for_block_rows(A.rows, [&](std::size_t i) {
    for (int c = 0; c < N; ++c) {
      const Strip<float> d = b * load_strip(r + at<N>(i, c));
      store_strip(d_.data() + at<N>(i, c), d);
      store_strip(z_.data() + at<N>(i, c), d);
    }
  });
  const float* now = r;
  for (int k = 2; k <= degree; ++k) {
    step(k, now, z_.data());
    now = r_.data();
  }
  residual(now, d_.data(), r_.data());
  for_block_rows(PT.rows, [&](std::size_t i) {
    Strip<float> row[6] = {};
    PT.template add_row<1>(i, r_.data(), row);
    for (int c = 0; c < 6; ++c) store_strip(restricted + at<6>(i, c), row[c]);
  });
}

template <int N>
void MultigridLevel<N>::residual(const float* r, const float* z, float* to) const {
  for_block_rows(A.rows, [&](std::size_t i) {
    Strip<float> row[N];
    for (int c = 0; c < N; ++c) row[c] = load_strip(r + at<N>(i, c));
    A.template add_row<-1>(i, z, row);
    for (int c = 0; c < N; ++c) store_strip(to + at<N>(i, c), row[c]);
  });
}

// With d_0 = P coarse, the residual after the correction is r - A d_0: the first step of the smoother finds it.
template <int N>
void MultigridLevel<N>::ascend(int degree, const float* coarse, float* z) {
  for_block_rows(P.rows, [&](std::size_t i) {
    Strip<float> row[N] = {};
    P.template add_row<1>(i, coarse, row);
    for (int c = 0; c < N; ++c) {
      store_strip(d_.data() + at<N>(i, c), row[c]);
      store_strip(z_.data() + at<N>(i, c), load_strip(z_.data() + at<N>(i, c)) + row[c]);
    }
  });
  for (int k = 1; k <= degree; ++k) step(k, r_.data(), k == degree ? z : z_.data());
}

template class MultigridLevel<3>;
template class MultigridLevel<6>;

}  // namespace sinew
