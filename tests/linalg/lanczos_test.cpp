#include "sinew/linalg/lanczos.h"

#include <cmath>
#include <fstream>
#include <string>

#include "linalg/grid_laplacian.h"
#include <Eigen/Eigenvalues>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

std::vector<double> grid_eigenvalues(Index a, Index b, Index c) {
  std::vector<double> values;
  auto one = [](Index i, Index n) { return 2 - 2 * std::cos(M_PI * i / n); };
  for (Index k = 0; k < c; ++k) {
    for (Index j = 0; j < b; ++j) {
      for (Index i = 0; i < a; ++i) values.push_back(one(i, a) + one(j, b) + one(k, c));
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

void expect_eigenpairs(const SparseMatrix& A, const VecX& mass, const Eigenpairs& pairs) {
  const auto k = static_cast<Index>(pairs.values.size());
  const MatX gram = pairs.vectors.transpose() * mass.asDiagonal() * pairs.vectors;
  EXPECT_LT((gram - MatX::Identity(k, k)).cwiseAbs().maxCoeff(), 1e-12);
  const MatX residual = A * pairs.vectors - mass.asDiagonal() * pairs.vectors * pairs.values.asDiagonal();
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Lanczos, EigenvaluesOfGrids) {
  for (const auto& [a, b, c] : {std::array<Index, 3>{40, 25, 1}, {12, 12, 12}, {600, 1, 1}}) {
    const SparseMatrix A = test::grid_laplacian(a, b, c);
    const VecX mass = VecX::Ones(A.cols());
    for (Index count : {1, 7, 50}) {
      const Eigenpairs pairs = lowest_eigenpairs(A, mass, count, 1e-2);
      ASSERT_EQ(pairs.values.size(), count);
      expect_eigenpairs(A, mass, pairs);
      const auto exact = grid_eigenvalues(a, b, c);
      for (Index i = 0; i < count; ++i) EXPECT_NEAR(pairs.values[i], exact[i], 1e-9) << a << ' ' << count << ' ' << i;
    }
  }
}

TEST(Lanczos, MassOfManySizes) {
  const SparseMatrix A = test::grid_laplacian(15, 10, 5);
  VecX mass(A.cols());
  for (Index i = 0; i < mass.size(); ++i) mass[i] = std::pow(10.0, -(i % 5));
  expect_eigenpairs(A, mass, lowest_eigenpairs(A, mass, 12, 1e-2));
}

TEST(Lanczos, AllOfASmallMatrix) {
  const SparseMatrix A = test::grid_laplacian(3, 2, 1);
  const Eigenpairs pairs = lowest_eigenpairs(A, VecX::Ones(6), 100, 1);
  ASSERT_EQ(pairs.values.size(), 6);
  const auto exact = grid_eigenvalues(3, 2, 1);
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(pairs.values[i], exact[i], 1e-13);
  EXPECT_EQ(lowest_eigenpairs(A, VecX::Ones(6), 0, 1).values.size(), 0);
}

TEST(Lanczos, RefusesIndefinite) {
  SparseMatrix A = test::grid_laplacian(3, 2, 1);
  A *= -1;
  EXPECT_THROW(lowest_eigenpairs(A, VecX::Ones(6), 2, 1e-3), SimulationError);
}

MatX random_columns(Index rows, Index columns) {
  std::uint64_t state = 7;
  MatX x(rows, columns);
  for (double& value : x.reshaped()) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    value = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  return x;
}

// A matrix with rigid modes, a cluster and a multiple eigenvalue, each of as many as the block, by its eigenvectors.
TEST(Lanczos, AgainstADenseSolverWithRigidModesAndClusters) {
  constexpr Index n = 150;
  constexpr double shift = 1;
  VecX mass(n);
  for (Index i = 0; i < n; ++i) mass[i] = std::pow(10.0, -(i % 4));
  const MatX Q = Eigen::HouseholderQR<MatX>(random_columns(n, n)).householderQ();
  const MatX X = mass.cwiseSqrt().asDiagonal() * Q;
  for (const Index block : {1, 3, 6, 8}) {
    VecX spectrum(n);
    for (Index i = 0; i < n; ++i)
      spectrum[i] = i < block ? 0 : i < 2 * block ? 3 + 1e-9 * i : i < 3 * block ? 20 : 30 + 1.5 * i;
    const MatX K = X * spectrum.asDiagonal() * X.transpose();
    const Eigen::LDLT<MatX> factor(K + shift * MatX(mass.asDiagonal()));
    const auto solve = [&](const MatX& b) { return MatX(factor.solve(b)); };
    for (const Index count : {1, 6, 10, 16, 40, 149, 150}) {
      LanczosOptions options;
      options.block = block;
      options.columns = count + 12 * block;  // few enough that it restarts
      const Eigenpairs pairs = lowest_eigenpairs(solve, mass, count, shift, options);
      ASSERT_EQ(pairs.values.size(), count);
      // A Ritz value of a symmetric operator errs by less than the residual, 1e-8 of theta = 1 / (lambda + shift).
      for (Index i = 0; i < count; ++i)
        EXPECT_NEAR(pairs.values[i], spectrum[i], 2e-8 * (spectrum[i] + shift)) << block << ' ' << count;
      const MatX residual = K * pairs.vectors - mass.asDiagonal() * pairs.vectors * pairs.values.asDiagonal();
      const MatX of_inverse = mass.cwiseSqrt().asDiagonal() * factor.solve(residual);
      EXPECT_LT(of_inverse.colwise().norm().maxCoeff(), 2e-8) << block << ' ' << count;
      const MatX gram = pairs.vectors.transpose() * mass.asDiagonal() * pairs.vectors;
      EXPECT_LT((gram - MatX::Identity(count, count)).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

// Eigenvalues of a cube come in groups of 1, 3 and 6, and 2 pi^2 (0, 1, 1; ...) meet by chance in larger ones.
TEST(Lanczos, MultiplicitiesOfACube) {
  const SparseMatrix A = test::grid_laplacian(12, 12, 12);
  const auto exact = grid_eigenvalues(12, 12, 12);
  for (const Index count : {4, 13, 30, 60, 100, 200}) {
    const Eigenpairs pairs = lowest_eigenpairs(A, VecX::Ones(A.cols()), count, 1e-2);
    expect_eigenpairs(A, VecX::Ones(A.cols()), pairs);
    for (Index i = 0; i < count; ++i) EXPECT_NEAR(pairs.values[i], exact[i], 1e-9) << count << ' ' << i;
  }
}

TEST(Lanczos, SameBitsForAnyNumberOfThreads) {
  const SparseMatrix A = test::grid_laplacian(30, 30, 12);  // three chunks of rows
  std::vector<Eigenpairs> found;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    found.push_back(lowest_eigenpairs(A, VecX::Ones(A.cols()), 20, 1e-2));
  }
  for (const Eigenpairs& other : found) {
    EXPECT_EQ(other.values, found[0].values);
    EXPECT_EQ(other.vectors, found[0].vectors);
  }
}

#ifdef __linux__
// Resident memory of this process, now or at its largest [bytes].
double resident(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == key) return status >> word, 1024 * std::stod(word);
  return 0;
}

TEST(Lanczos, HoldsAsManyColumnsAsItSays) {
  constexpr Index n = 60000, count = 40;
  VecX spectrum(n);
  for (Index i = 0; i < n; ++i) spectrum[i] = std::pow(i + 1.0, 2.0 / 3);  // as of a solid
  const VecX inverse = (spectrum.array() + 1).inverse();
  const ThreadLimit limit(1);
  const double before = resident("VmRSS:");
  std::ofstream("/proc/self/clear_refs") << 5;  // the largest is that from here on
  if (resident("VmHWM:") > before + 1e6) GTEST_SKIP() << "the peak of resident memory cannot be reset";
  const Eigenpairs pairs =
      lowest_eigenpairs([&](const MatX& b) { return MatX(inverse.asDiagonal() * b); }, VecX::Ones(n), count, 1);
  [[maybe_unused]] const double peak = resident("VmHWM:") - before, after = resident("VmRSS:") - before;
  for (Index i = 0; i < count; ++i) EXPECT_NEAR(pairs.values[i], spectrum[i], 1e-9 * spectrum[i]);
    // Sanitizers keep what is freed for a while, and shadows of it.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
  constexpr double bytes = 8.0 * n, library = 4e6;  // of a column; of pages of code
  EXPECT_LT(peak, bytes * lanczos_columns(count) + library);
  EXPECT_LT(after, bytes * count + library);
#endif
}
#endif

TEST(Lanczos, SaysWhatHasNotConverged) {
  const SparseMatrix A = test::grid_laplacian(20, 20, 5);
  LanczosOptions options;
  options.restarts = 0;
  options.columns = 60;
  try {
    lowest_eigenpairs(A, VecX::Ones(A.cols()), 30, 1e-2, options);
    FAIL() << "no error";
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("of the 30 lowest eigenpairs of 2000 unknowns in 0 restarts"));
  }
  options.restarts = 50;
  EXPECT_EQ(lowest_eigenpairs(A, VecX::Ones(A.cols()), 30, 1e-2, options).values.size(), 30);
}

TEST(Lanczos, RefusesASolveThatIsNotFinite) {
  const auto solve = [](const MatX& b) { return MatX(b * std::nan("")); };
  EXPECT_THROW(lowest_eigenpairs(solve, VecX::Ones(100), 5, 1), SimulationError);
}

}  // namespace
}  // namespace sinew
