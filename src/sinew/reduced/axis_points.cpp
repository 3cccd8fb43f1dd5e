#include "sinew/reduced/axis_points.h"

#include "sinew/linalg/dense_kernels.h"
#include "sinew/reduced/handle_hessian.h"

namespace sinew {

// A point that is a weighted mean of vertices has a row w of W for each set of axes: x_a = X_a + w_a . y_a. One row
// replaces its vertices from here on.
std::vector<AxisPoint> make_axis_points(const System& system, const AxisRows& axes, const std::vector<PointRow>& rows) {
  std::vector<AxisPoint> points;
  for (const PointRow& row : rows) {
    AxisPoint& point = points.emplace_back();
    for (int s = 0; s < axes.sets(); ++s) {
      VecX& w = point.w.emplace_back(VecX::Zero(axes.rows));
      for (const auto& [vertex, weight] : row) w += weight * axes.row(axes.axis_of_set(s), vertex);
    }
    for (const auto& [vertex, weight] : row) point.rest += weight * system.rest.col(vertex);
  }
  return points;
}

VecX numbers_of(const AxisPoint& point) {
  VecX numbers(static_cast<Index>(point.w.size()) * point.w[0].size() + 3);
  Eigen::Index at = 0;
  for (const VecX& w : point.w) {
    numbers.segment(at, w.size()) = w;
    at += w.size();
  }
  numbers.tail<3>() = point.rest;
  return numbers;
}

void set_numbers(const VecX& numbers, AxisPoint& point) {
  Eigen::Index at = 0;
  for (VecX& w : point.w) {
    w = numbers.segment(at, w.size());
    at += w.size();
  }
  point.rest = numbers.tail<3>();
}

// Rows of all points as one matrix for each set of axes: places are products of dense matrices.
AxisPoints::AxisPoints(const AxisRows& axes, const std::vector<AxisPoint>& points)
    : set_of_(axes.set), free_(axes.free) {
  const auto count = static_cast<Index>(points.size());
  rest_.resize(3, count);
  for (int s = 0; s < axes.sets(); ++s) {
    MatX& W = W_.emplace_back(axes.rows, count);
    for (Index k = 0; k < count; ++k) W.col(k) = points[k].w[s];
  }
  for (Index k = 0; k < count; ++k) rest_.col(k) = points[k].rest;
  number_.assign(count, -1);
  product_.resize(free_, count);
  touched_rows_.resize(free_, count);
}

// x_a = X_a + W_a^T y_a.
void AxisPoints::positions(const MatX& y, Points& out) {
  displacements(y, out);
  out.leftCols(count()) += rest_;
}

void AxisPoints::displacement(const MatX& from, const MatX& to, Points& out) {
  difference_ = to - from;
  displacements(difference_, out);
}

void AxisPoints::displacements(const MatX& d, Points& out) const {
  for (Index k = 0; k < count(); ++k)
    for (int a = 0; a < 3; ++a) out(a, k) = row(a, k).dot(d.col(a));
}

// g_a += f_a w_a for each point with a force.
void AxisPoints::add_gradient(const MatX&, const Points& f, MatX& g) {
  for (Index k = 0; k < count(); ++k) {
    if (f.col(k).isZero(0)) continue;
    for (int a = 0; a < 3; ++a) g.col(a).head(free_) += f(a, k) * row(a, k).head(free_);
  }
}

// H += W^T H_p W over the touched points: for each pair of axes (a, b) and m points, T = (H_p)_ab W_b row by row,
// then W_a^T T with a dense kernel, O(m r^2) flops.
void AxisPoints::add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& sum) {
  auto& H = in_layout<HandleHessian>(sum);
  const BlockPattern& pattern = Hp.pattern();
  const auto m = static_cast<Index>(touched.size());
  for (Index k = 0; k < m; ++k) number_[touched[k]] = k;
  for (int b = 0; b < 3; ++b) {
    for (int a = b; a < 3; ++a) {
      product_.leftCols(m).setZero();  // (H_ab W_b)^T
      bool any = false;                // springs without length have none off the diagonal
      for (const Index i : touched) {
        for (auto e = pattern.row_begin[i]; e < pattern.row_begin[i + 1]; ++e) {
          const double* block = Hp.block(e);
          const Index j = pattern.columns[e];
          if (number_[j] < 0) continue;
          const double direct = block[3 * b + a], transposed = block[3 * a + b];
          any |= direct != 0 || transposed != 0;
          if (direct != 0) product_.col(number_[i]) += direct * row(b, j).head(free_);
          if (j != i && transposed != 0) product_.col(number_[j]) += transposed * row(b, i).head(free_);
        }
      }
      if (!any) continue;
      for (Index k = 0; k < m; ++k) touched_rows_.col(k) = row(a, touched[k]).head(free_);
      auto block = H.block(a, b);
      kernel::add_product(block.data(), static_cast<int>(block.outerStride()), free_, free_, touched_rows_.data(),
                          free_, product_.data(), free_, m);
    }
  }
  for (const Index v : touched) number_[v] = -1;
}

}  // namespace sinew
