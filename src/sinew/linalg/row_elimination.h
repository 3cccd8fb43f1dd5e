// Exact elimination of some rows of a symmetric matrix, as the outermost part of a preconditioner. With J these rows
// and R the other rows,
//
//   M^{-1} = [ I  -A_JJ^{-1} A_JR ]^T  [ A_JJ^{-1}      ]  [ I  -A_JJ^{-1} A_JR ]
//            [ 0         I        ]    [           B    ]  [ 0         I        ]   (J first)
//
// where B resembles the inverse of the Schur complement A_RR - A_RJ A_JJ^{-1} A_JR. However stiff the couplings among
// the rows of J are, the condition of M^{-1} A is that of B times the Schur complement.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/linalg/cholesky.h"

namespace sinew {

class RowElimination {
 public:
  RowElimination();

  // Forgets the data of earlier matrices that affect later results.
  void reset();

  // rows: block rows of A to eliminate (J), ascending, each once. Returns false, and eliminates nothing, if A_JJ is not
  // positive definite. The factor and the coupling A_JR are kept in single precision.
  bool compute(const SymBlockMatrix& A, std::span<const Index> rows);

  bool empty() const { return !computed_; }

  // t = r - A_:J A_JJ^{-1} r_J: zero in J, elsewhere the right-hand side of the Schur complement. r and t have 3
  // A.rows() entries.
  void forward(const double* r, double* t);
  // z_J = A_JJ^{-1} (r_J - A_JR z_R); the other rows of z stay unchanged.
  void backward(const double* r, double* z);

 private:
  // A coupling block of a row. For a row of J: (row of R, block). For a row of R: (index in J, block).
  struct Coupling {
    Index other;
    Index block;
  };

  void set_rows(const std::shared_ptr<const BlockPattern>& pattern, std::span<const Index> rows);
  void copy_values(const SymBlockMatrix& A);

  std::unique_ptr<SparseCholesky> cholesky_;
  std::shared_ptr<const BlockPattern> pattern_;  // pattern for which the members below were computed
  std::vector<Index> rows_;                      // J
  std::vector<Index> place_;                     // by row of A: its index in J, or -1
  SymBlockMatrix part_;                          // A_JJ
  std::vector<std::int64_t> part_slots_;         // by slot of A_JJ: slot of A
  std::vector<Index> ring_;                      // rows of R that are coupled to J, ascending
  std::vector<Index> row_begin_, ring_begin_;    // first coupling of each row of J and of ring_
  std::vector<Coupling> of_row_, of_ring_;
  std::vector<std::int64_t> block_slots_;  // by coupling block: slot of A
  std::vector<float> blocks_;              // coupling blocks A(j, other), 9 entries each, column-major
  std::vector<double> b_, x_;
  bool computed_ = false;
};

}  // namespace sinew
