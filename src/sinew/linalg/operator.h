// A symmetric linear map that is given only by its products.
#pragma once

#include "sinew/linalg/block_matrix.h"

namespace sinew {

class Operator {
 public:
  virtual ~Operator() = default;
  virtual Index rows() const = 0;  // number of block rows: vectors have 3 rows() entries

  // y = A x. x and y do not overlap.
  virtual void multiply(const double* x, double* y) const = 0;
  // y = A x; returns x^T y.
  virtual double multiply_dot(const double* x, double* y) const = 0;
};

// The map of a matrix, which must outlive this.
class MatrixOperator : public Operator {
 public:
  explicit MatrixOperator(const SymBlockMatrix& A) : A_(A) {}

  Index rows() const override { return A_.rows(); }
  void multiply(const double* x, double* y) const override { A_.multiply(x, y); }
  double multiply_dot(const double* x, double* y) const override { return A_.multiply_dot(x, y); }

 private:
  const SymBlockMatrix& A_;
};

}  // namespace sinew
