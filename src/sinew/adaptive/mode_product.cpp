#include "sinew/adaptive/mode_product.h"

#include "sinew/core/parallel.h"
#include "sinew/multilevel/galerkin.h"

namespace sinew {
namespace {

// (C D)^T for the dense columns D of U, twelve columns a task: a block of C is read once for twelve columns. C is
// symmetric and stored as its upper triangle, so that each block acts twice.
MatX dense_times(const MatX& D, const SymBlockMatrix& C) {
  const BlockPattern& pattern = C.pattern();
  MatX T = MatX::Zero(D.rows(), D.cols());
  parallel_for(
      static_cast<std::size_t>(D.rows() / 12),
      [&](std::size_t block) {
        const Index j = 12 * static_cast<Index>(block);
        for (Index r = 0; r < C.rows(); ++r)
          for (auto slot = pattern.row_begin[r]; slot < pattern.row_begin[r + 1]; ++slot) {
            const Index c = pattern.columns[slot];
            const Eigen::Map<const Mat3> value(C.block(slot));
            T.block<12, 3>(j, 3 * r).noalias() += D.block<12, 3>(j, 3 * c) * value.transpose();
            if (c != r) T.block<12, 3>(j, 3 * c).noalias() += D.block<12, 3>(j, 3 * r) * value;
          }
      },
      1);
  return T;
}

// A has the blocks of `handles`, and all those of dense modes beside them.
void add_dense_pattern(const SymBlockMatrix& handles, Index rows, SymBlockMatrix& A) {
  const BlockPattern& of_handles = handles.pattern();
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = rows;
  pattern->row_begin.push_back(0);
  for (Index i = 0; i < rows; ++i) {
    if (i < handles.rows())
      pattern->columns.insert(pattern->columns.end(), of_handles.columns.begin() + of_handles.row_begin[i],
                              of_handles.columns.begin() + of_handles.row_begin[i + 1]);
    for (Index j = std::max(i, handles.rows()); j < rows; ++j) pattern->columns.push_back(j);
    pattern->row_begin.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  A.set_pattern(std::move(pattern));
  A.add(handles);
}

}  // namespace

// With U = [W (x) I, D]: the handles' part by GalerkinProduct, then D^T C D, and (W (x) I)^T C D beside them.
void mode_product(const ModeBasis& basis, const Points& rest, ModeTransfer& transfer, const SymBlockMatrix& C,
                  std::span<const char> fixed, SymBlockMatrix& A) {
  SymBlockMatrix handles;
  GalerkinProduct(basis.handles, rest).compute(C, fixed, handles);
  if (basis.dense_blocks() == 0) {
    A = std::move(handles);
    return;
  }
  const Index first = handles.rows(), rows = 4 * basis.block_count();
  add_dense_pattern(handles, rows, A);
  const BlockPattern& pattern = A.pattern();
  const MatX T = dense_times(basis.dense, C);
  const MatX square = T * basis.dense.transpose();
  for (Index p = first; p < rows; ++p)
    for (Index q = p; q < rows; ++q)
      Eigen::Map<Mat3>(A.block(pattern.find(p, q))) += square.block<3, 3>(3 * (p - first), 3 * (q - first));

  VecX column(T.cols()), reduced(3 * first);
  for (Index j = 0; j < T.rows(); ++j) {
    column = T.row(j);
    transfer.restrict_to_handles(column.data(), reduced.data());
    for (Index row = 0; row < first; ++row) {
      double* block = A.block(pattern.find(row, first + j / 3));
      for (int axis = 0; axis < 3; ++axis) block[3 * (j % 3) + axis] += reduced[3 * row + axis];
    }
  }
}

}  // namespace sinew
