#include "sinew/linalg/dense_kernels.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "sinew/core/random_stream.h"
#include "sinew/core/types.h"

namespace sinew::dense_kernels_test {

constexpr int ld = 40;
constexpr std::size_t size = ld * ld;

MatX random_matrix(std::uint64_t seed) {
  RandomStream random(seed, 0);
  MatX A(ld, ld);
  for (double& value : A.reshaped()) value = 2 * random.uniform() - 1;
  A.diagonal().array() += 8;
  return A;
}

// Random numbers whose first one lies `shift` doubles after a multiple of 64 bytes; a large diagonal.
class Numbers {
 public:
  Numbers(int which, int shift) : storage_(size + 16) {
    const auto place = reinterpret_cast<std::uintptr_t>(storage_.data()) / sizeof(double);
    first_ = storage_.data() + (8 - place % 8) % 8 + shift;
    static const std::vector<MatX> numbers = {random_matrix(0), random_matrix(1), random_matrix(2)};
    std::copy_n(numbers[static_cast<std::size_t>(which)].data(), size, first_);
  }
  double* data() { return first_; }
  Eigen::Map<const MatX> matrix() const { return {first_, ld, ld}; }

 private:
  std::vector<double> storage_;
  double* first_;
};

using Kernel = std::function<void(double* A, double* B, double* C)>;

// B and C after the kernel, for every place of A, B and C between multiples of 64 bytes.
void expect_equal_bits(const char* name, const Kernel& kernel) {
  Numbers A0(0, 0), B0(1, 0), C0(2, 0);
  kernel(A0.data(), B0.data(), C0.data());
  for (const int a : {0, 1, 3})
    for (const int b : {0, 1, 2, 7})
      for (const int c : {0, 1, 2, 3}) {
        Numbers A(0, a), B(1, b), C(2, c);
        kernel(A.data(), B.data(), C.data());
        ASSERT_EQ(B.matrix(), B0.matrix()) << name << " " << a << b << c;
        ASSERT_EQ(C.matrix(), C0.matrix()) << name << " " << a << b << c;
      }
}

// Buffers are where the allocator put them: another run has them elsewhere.
TEST(DenseKernels, BitsDoNotDependOnThePlaceInMemory) {
  for (const int n : {1, 2, 3, 5, 8, 13})
    for (const int w : {1, 2, 3, 4, 6, 7, 12, 30}) {
      expect_equal_bits("solve_lower", [&](double* A, double* B, double*) {
        kernel::solve_lower(A, ld, w, {B, ld, n});
      });
      expect_equal_bits("solve_lower_transposed", [&](double* A, double* B, double*) {
        kernel::solve_lower_transposed(A, ld, w, {B, ld, n});
      });
      for (const int rows : {1, 3, 6, 9, 31}) {
        expect_equal_bits("subtract_multiply", [&](double* A, double* B, double* C) {
          kernel::subtract_multiply(A, ld, rows, w, {B, ld, n}, {C, ld, n});
        });
        expect_equal_bits("subtract_multiply_transposed", [&](double* A, double* B, double* C) {
          kernel::subtract_multiply_transposed(A, ld, rows, w, {B, ld, n}, {C, ld, n});
        });
        expect_equal_bits("add_product", [&](double* A, double* B, double* C) {
          kernel::add_product(C, ld, rows, n, A, ld, B, ld, w);
        });
        expect_equal_bits("multiply_transposed", [&](double* A, double* B, double* C) {
          kernel::multiply_transposed(C, ld, rows, n, A, ld, B, ld, w);
        });
        expect_equal_bits("add_multiply", [&](double* A, double* B, double* C) {
          kernel::add_multiply(C, ld, rows, n, A, ld, B, ld, w);
        });
      }
    }
}

TEST(DenseKernels, AreTheirFormulas) {
  constexpr double rounding = 1e-13;
  for (const int n : {1, 2, 5, 13})
    for (const int w : {1, 3, 7, 30})
      for (const int rows : {1, 6, 31}) {
        Numbers A(0, 0), B(1, 1), C(2, 2);
        const MatX a = A.matrix(), b = B.matrix(), c = C.matrix();
        const MatX lower = a.topLeftCorner(w, w).triangularView<Eigen::Lower>();
        MatX expected = lower.inverse() * b.topLeftCorner(w, n);
        kernel::solve_lower(A.data(), ld, w, {B.data(), ld, n});
        EXPECT_LT((B.matrix().topLeftCorner(w, n) - expected).norm(), rounding * (1 + expected.norm()));
        kernel::solve_lower_transposed(A.data(), ld, w, {B.data(), ld, n});
        expected = lower.transpose().inverse() * expected;
        EXPECT_LT((B.matrix().topLeftCorner(w, n) - expected).norm(), rounding * (1 + expected.norm()));
        B = Numbers(1, 1);
        const auto expect = [&](int height, const MatX& right) {
          EXPECT_LT((C.matrix().topLeftCorner(height, n) - right).norm(), rounding * (1 + right.norm()));
          C = Numbers(2, 2);
        };
        kernel::subtract_multiply(A.data(), ld, rows, w, {B.data(), ld, n}, {C.data(), ld, n});
        expect(rows, c.topLeftCorner(rows, n) - a.topLeftCorner(rows, w) * b.topLeftCorner(w, n));
        kernel::subtract_multiply_transposed(A.data(), ld, rows, w, {B.data(), ld, n}, {C.data(), ld, n});
        expect(w, c.topLeftCorner(w, n) - a.topLeftCorner(rows, w).transpose() * b.topLeftCorner(rows, n));
        kernel::add_product(C.data(), ld, rows, n, A.data(), ld, B.data(), ld, w);
        expect(rows, c.topLeftCorner(rows, n) + a.topLeftCorner(rows, w) * b.topLeftCorner(n, w).transpose());
        kernel::multiply_transposed(C.data(), ld, rows, n, A.data(), ld, B.data(), ld, w);
        expect(rows, a.topLeftCorner(w, rows).transpose() * b.topLeftCorner(w, n));
        kernel::add_multiply(C.data(), ld, rows, n, A.data(), ld, B.data(), ld, w);
        expect(rows, c.topLeftCorner(rows, n) + a.topLeftCorner(rows, w) * b.topLeftCorner(w, n));
      }
}

// A product that replaces C does not read it: buffers start with anything.
TEST(DenseKernels, ProductsThatReplaceDoNotRead) {
  for (const int n : {1, 2, 13})
    for (const int w : {1, 3, 30}) {
      Numbers A(0, 0), B(1, 0), C(2, 0);
      std::fill_n(C.data(), size, std::numeric_limits<double>::quiet_NaN());
      kernel::multiply_transposed(C.data(), ld, 6, n, A.data(), ld, B.data(), ld, w);
      EXPECT_TRUE(C.matrix().topLeftCorner(6, n).allFinite());
    }
}

}  // namespace sinew::dense_kernels_test
