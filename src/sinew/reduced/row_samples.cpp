#include "sinew/reduced/row_samples.h"

#include "sinew/linalg/dense_kernels.h"

namespace sinew {

RowSamples::RowSamples(const System& system, const AxisRows& axes, std::span<const Index> vertices)
    : set_of_(axes.set), free_(axes.free) {
  const auto samples = static_cast<Index>(vertices.size());
  rest_.resize(3, samples);
  for (int s = 0; s < axes.sets(); ++s) {
    MatX& W = W_.emplace_back(axes.rows, samples);
    for (Index k = 0; k < samples; ++k) W.col(k) = axes.row(axes.axis_of_set(s), vertices[k]);
  }
  for (Index k = 0; k < samples; ++k) rest_.col(k) = system.rest.col(vertices[k]);
  number_.assign(samples, -1);
  product_.resize(free_, samples);
  touched_rows_.resize(free_, samples);
}

// x = X + U y
void RowSamples::positions(const MatX& y, Points& out) {
  displacements(y, out);
  out.leftCols(count()) += rest_;
}

void RowSamples::way(const MatX& from, const MatX& to, Points& out) {
  difference_ = to - from;
  displacements(difference_, out);
}

void RowSamples::displacements(const MatX& d, Points& out) const {
  for (Index s = 0; s < count(); ++s)
    for (int a = 0; a < 3; ++a) out(a, s) = row(a, s).dot(d.col(a));
}

void RowSamples::add_gradient(const Points& f, MatX& g) {
  for (Index s = 0; s < count(); ++s) {
    if (f.col(s).isZero(0)) continue;
    for (int a = 0; a < 3; ++a) g.col(a).head(free_) += f(a, s) * row(a, s).head(free_);
  }
}

// For each pair of axes (a, b) and the m samples in contact, T = (H_c)_ab W_b is formed row by row and multiplied by
// W_a^T with a dense kernel: O(m r^2).
void RowSamples::add_hessian(const SymBlockMatrix& Hc, std::span<const Index> touched, AxisHessian& H) {
  const BlockPattern& pattern = Hc.pattern();
  const auto m = static_cast<Index>(touched.size());
  for (Index k = 0; k < m; ++k) number_[touched[k]] = k;
  for (int b = 0; b < 3; ++b) {
    for (int a = b; a < 3; ++a) {
      product_.leftCols(m).setZero();  // (H_ab W_b)^T
      for (const Index i : touched) {
        for (auto e = pattern.row_begin[i]; e < pattern.row_begin[i + 1]; ++e) {
          const double* block = Hc.block(e);
          const Index j = pattern.columns[e];
          if (number_[j] < 0) continue;
          const double direct = block[3 * b + a], transposed = block[3 * a + b];
          if (direct != 0) product_.col(number_[i]) += direct * row(b, j).head(free_);
          if (j != i && transposed != 0) product_.col(number_[j]) += transposed * row(b, i).head(free_);
        }
      }
      for (Index k = 0; k < m; ++k) touched_rows_.col(k) = row(a, touched[k]).head(free_);
      auto block = H.block(a, b);
      kernel::add_product(block.data(), static_cast<int>(block.outerStride()), free_, free_, touched_rows_.data(),
                          free_, product_.data(), free_, m);
    }
  }
  for (const Index v : touched) number_[v] = -1;
}

}  // namespace sinew
