// Samples that move with rows of a basis (axis_rows.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/model/system.h"
#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/sample_motion.h"

namespace sinew {

class RowSamples final : public SampleMotion {
 public:
  // vertices: of the samples.
  RowSamples(const System& system, const AxisRows& axes, std::span<const Index> vertices);

  void positions(const MatX& y, Points& out) override;
  void reference(const MatX& y, Points& out) override { positions(y, out); }
  void way(const MatX& from, const MatX& to, Points& out) override;
  void add_gradient(const Points& f, MatX& g) override;

  // H += U^T H_c U with the sparse Hessian H_c by the samples, of which those in `touched` have entries.
  void add_hessian(const SymBlockMatrix& Hc, std::span<const Index> touched, AxisHessian& H);

 private:
  auto row(int axis, Index sample) const { return W_[set_of_[axis]].col(sample); }
  Index count() const { return static_cast<Index>(W_[0].cols()); }
  void displacements(const MatX& d, Points& out) const;

  std::vector<MatX> W_;        // rows of y x samples, by set of axes
  std::array<int, 3> set_of_;  // of each axis, into W_
  Index free_ = 0;
  Points rest_;
  // Work space.
  MatX difference_;
  std::vector<Index> number_;    // of each sample, its place among those touched or -1
  MatX touched_rows_, product_;  // W of the samples in contact, H times that; the first columns
};

}  // namespace sinew
