#include "sinew/linalg/block_cg.h"

#include <algorithm>
#include <cmath>

#include "sinew/linalg/dense_decompositions.h"

namespace sinew {
namespace {

constexpr double dependent_direction =
    1e-12;  // eigenvalue of the directions' scaled products below which one is left out

using Row = Strip<double>;

[[gnu::always_inline]] inline Row widened(const float* p) {
  return __builtin_convertvector(load_strip(p), Row);
}

// sum[k] += a[k] b: products of the columns of A with those of B, row k of A^T B.
struct Gram {
  Row row[strip_width] = {};

  [[gnu::always_inline]] void add(const double* a, Row b) {
    for (int k = 0; k < strip_width; ++k) row[k] += a[k] * b;
  }
  StripMatrix matrix() const {
    StripMatrix result;
    for (int k = 0; k < strip_width; ++k)
      for (int c = 0; c < strip_width; ++c) result(k, c) = row[k][c];
    return result;
  }
};

// sum over k of a[k] C(k, :): a row of A C.
[[gnu::always_inline]] inline Row row_product(const double* a, const Row* C) {
  Row sum = {};
  for (int k = 0; k < strip_width; ++k) sum += a[k] * C[k];
  return sum;
}

struct Coefficients {
  Row row[strip_width];
  explicit Coefficients(const StripMatrix& C) {
    for (int k = 0; k < strip_width; ++k)
      for (int c = 0; c < strip_width; ++c) row[k][c] = C(k, c);
  }
};

struct Pair {
  StripMatrix first = StripMatrix::Zero(), second = StripMatrix::Zero();
  Pair& operator+=(const Pair& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

struct Triple {
  StripMatrix first = StripMatrix::Zero(), second = StripMatrix::Zero(), third = StripMatrix::Zero();
  Triple& operator+=(const Triple& other) {
    first += other.first;
    second += other.second;
    third += other.third;
    return *this;
  }
};

// The pseudoinverse of a symmetric positive semidefinite matrix, scaled to unit diagonal first. Returns false if the
// matrix is not finite.
bool pseudoinverse(const StripMatrix& G, StripMatrix& inverse) {
  Eigen::Matrix<double, strip_width, 1> scale;
  for (int k = 0; k < strip_width; ++k) scale[k] = G(k, k) > 0 ? 1 / std::sqrt(G(k, k)) : 0;
  const MatX scaled = scale.asDiagonal() * (0.5 * (G + G.transpose())) * scale.asDiagonal();
  if (!scaled.allFinite()) return false;
  const SymmetricEigen eigen = symmetric_eigen(scaled);
  VecX over = VecX::Zero(strip_width);
  for (int k = 0; k < strip_width; ++k)
    if (eigen.values[k] > dependent_direction) over[k] = 1 / eigen.values[k];
  inverse = scale.asDiagonal() * (eigen.vectors * over.asDiagonal() * eigen.vectors.transpose()) * scale.asDiagonal();
  return true;
}

}  // namespace

BlockConjugateGradients::BlockConjugateGradients(const BlockRows<double, 3, 3>& A, Multigrid& B, const VecX& mass,
                                                 const MatX& kernel)
    : A_(A), B_(B), mass_(mass), kernel_(kernel) {
  const std::size_t size = static_cast<std::size_t>(A.rows) * 3 * strip_width;
  p_.resize(size);
  q_.resize(size);
  z_.resize(size);
}

void BlockConjugateGradients::multiply(const double* x, double* y) const {
  for_block_rows(A_.rows, [&](std::size_t i) {
    Row row[3] = {};
    A_.add_row<1>(i, x, row);
    for (std::size_t k = 0; k < 3; ++k) store_strip(y + (3 * i + k) * strip_width, row[k]);
  });
}

// z = B r, then z -= R R^T M z: B leaves an arbitrary part in the kernel R of A.
void BlockConjugateGradients::precondition(const double* r, float* z) {
  B_.apply(r, z);
  const auto rows = static_cast<std::size_t>(A_.rows);
  for (Eigen::Index k = 0; k < kernel_.cols(); ++k) {
    const double* kernel = kernel_.col(k).data();
    using Sum = Eigen::Array<double, strip_width, 1>;
    struct Zeroed {
      Sum sum = Sum::Zero();
      Zeroed& operator+=(const Zeroed& other) {
        sum += other.sum;
        return *this;
      }
    };
    const Zeroed share =
        parallel_sum_chunks<Zeroed>(rows, block_rows_a_chunk, [&](std::size_t first, std::size_t last) {
          Row sum = {};
          for (std::size_t j = 3 * first; j < 3 * last; ++j)
            sum += kernel[j] * mass_[static_cast<Eigen::Index>(j)] * widened(z + j * strip_width);
          Zeroed result;
          for (int c = 0; c < strip_width; ++c) result.sum[c] = sum[c];
          return result;
        });
    Row shares;
    for (int c = 0; c < strip_width; ++c) shares[c] = share.sum[c];
    for_block_rows(A_.rows, [&](std::size_t i) {
      for (std::size_t j = 3 * i; j < 3 * i + 3; ++j)
        store_strip(z + j * strip_width,
                    __builtin_convertvector(widened(z + j * strip_width) - kernel[j] * shares, Strip<float>));
    });
  }
}

// Z = B R;  P = Z - P (P^T Q)^+ (Q^T Z);  Q = A P;  alpha = (P^T Q)^+ (P^T R);  X += P alpha;  R -= Q alpha.
// The directions are orthogonalised by products with Q itself, which also holds for a B that rounding made unsymmetric.
// The errors fall by the trace of (P^T R)^T alpha in each step (Hestenes, Stiefel 1952), which bounds them from below.
bool BlockConjugateGradients::solve(double* r, double* x, int max_iterations,
                                    const std::function<bool(const BlockCgState&)>& stop) {
  const auto rows = static_cast<std::size_t>(A_.rows);
  StripMatrix inverse = StripMatrix::Zero();
  std::vector<Eigen::Array<double, strip_width, 1>> energies, falls;  // r^T B r; fall of e^T A e
  BlockCgState state;
  state.x = x;
  for (int k = 0;; ++k) {
    state.iteration = k;
    precondition(r, z_.data());
    // Q^T Z, Z^T M Z, and R^T Z.
    const Triple sums = parallel_sum_chunks<Triple>(rows, block_rows_a_chunk, [&](std::size_t first, std::size_t last) {
      Gram qz, zz, rz;
      for (std::size_t j = 3 * first; j < 3 * last; ++j) {
        const Row z = widened(z_.data() + j * strip_width);
        alignas(64) double values[strip_width];
        store_strip(values, mass_[static_cast<Eigen::Index>(j)] * z);
        zz.add(values, z);
        if (k > 0) qz.add(q_.data() + j * strip_width, z);
        rz.row[0] += load_strip(r + j * strip_width) * z;
      }
      return Triple{qz.matrix(), zz.matrix(), rz.matrix()};
    });
    state.errors = sums.second;
    energies.push_back(sums.third.row(0).transpose().array());
    for (std::size_t from = 0; from + 2 < falls.size(); ++from) {
      Eigen::Array<double, strip_width, 1> error = Eigen::Array<double, strip_width, 1>::Zero();
      for (std::size_t j = from; j < falls.size(); ++j) error += falls[j];
      for (int c = 0; c < strip_width; ++c)
        if (energies[from][c] > 0) state.underestimate = std::max(state.underestimate, error[c] / energies[from][c]);
    }
    if (!state.errors.allFinite()) return false;
    if (stop(state)) return true;
    if (k == max_iterations) return false;
    const Coefficients beta(inverse * sums.first);
    for_block_rows(A_.rows, [&](std::size_t i) {
      for (std::size_t j = 3 * i; j < 3 * i + 3; ++j) {
        Row p = widened(z_.data() + j * strip_width);
        if (k > 0) p -= row_product(p_.data() + j * strip_width, beta.row);
        store_strip(p_.data() + j * strip_width, p);
      }
    });
    // P^T Q and P^T R.
    const Pair directions =
        parallel_sum_chunks<Pair>(rows, block_rows_a_chunk, [&](std::size_t first, std::size_t last) {
          Gram pq, pr;
          for (std::size_t i = first; i < last; ++i) {
            Row row[3] = {};
            A_.add_row<1>(i, p_.data(), row);
            for (std::size_t j = 3 * i; j < 3 * i + 3; ++j) {
              store_strip(q_.data() + j * strip_width, row[j - 3 * i]);
              pq.add(p_.data() + j * strip_width, row[j - 3 * i]);
              pr.add(p_.data() + j * strip_width, load_strip(r + j * strip_width));
            }
          }
          return Pair{pq.matrix(), pr.matrix()};
        });
    if (!pseudoinverse(directions.first, inverse)) return false;
    const StripMatrix step = inverse * directions.second;
    falls.push_back(directions.second.cwiseProduct(step).colwise().sum().transpose().array());
    const Coefficients alpha(step);
    for_block_rows(A_.rows, [&](std::size_t i) {
      for (std::size_t j = 3 * i; j < 3 * i + 3; ++j) {
        store_strip(x + j * strip_width,
                    load_strip(x + j * strip_width) + row_product(p_.data() + j * strip_width, alpha.row));
        store_strip(r + j * strip_width,
                    load_strip(r + j * strip_width) - row_product(q_.data() + j * strip_width, alpha.row));
      }
    });
  }
}

}  // namespace sinew
