#include "sinew/linalg/pcg.h"

#include "linalg/linalg_fixtures.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/linalg/jacobi.h"

namespace sinew {
namespace {

using namespace test;

// Block Jacobi as a preconditioner that PCG cannot fuse with its own loops.
class UnfusedBlockJacobi : public Preconditioner {
 public:
  bool compute(const NewtonSystem& system) override { return inner_.compute(system); }
  void apply(const double* r, double* z) const override { inner_.apply(r, z); }

 private:
  BlockJacobi inner_;
};

SymBlockMatrix mesh_matrix() {
  return random_matrix(make_pattern(12 * 11 * 10, grid_pairs(12, 11, 10)), 1, 1.002);
}

template <class M>
void expect_solves(const SymBlockMatrix& A) {
  PcgSolver solver(std::make_unique<M>(), {.tolerance = 1e-12});
  EXPECT_TRUE(solver.compute(A));
  const VecX b = random_vector(3 * A.rows(), 2);
  VecX x = VecX::Zero(b.size()), Ax(b.size());
  const LinearSolveReport report = solver.solve(b.data(), x.data());
  EXPECT_TRUE(report.ok) << report.reason;
  EXPECT_GT(report.iterations, 1);
  A.multiply(x.data(), Ax.data());
  EXPECT_LE((b - Ax).norm(), 2e-12 * b.norm());
  EXPECT_NEAR(report.relative_residual, (b - Ax).norm() / b.norm(), 1e-13);
}

TEST(Pcg, SolvesWithEachPreconditioner) {
  const SymBlockMatrix A = mesh_matrix();
  expect_solves<BlockJacobi>(A);
  expect_solves<Jacobi>(A);
  expect_solves<UnfusedBlockJacobi>(A);
}

TEST(Pcg, MatchesTheDenseSolution) {
  const SymBlockMatrix A = random_matrix(make_pattern(100, random_pairs(100, 500, 3)), 4);
  PcgSolver solver(std::make_unique<BlockJacobi>(), {.tolerance = 1e-14});
  solver.compute(A);
  const VecX b = random_vector(300, 5);
  VecX x = random_vector(300, 6);  // the start
  EXPECT_TRUE(solver.solve(b.data(), x.data()).ok);
  const VecX expected = dense(A).ldlt().solve(b);
  EXPECT_LE((x - expected).norm(), 1e-11 * expected.norm());
}

// The change that the preconditioner still asks for, against the solution so far and what it is added to.
TEST(Pcg, StopsByChange) {
  const SymBlockMatrix A = mesh_matrix();
  const VecX b = random_vector(3 * A.rows(), 9), offset = 0.01 * random_vector(b.size(), 10);
  BlockJacobi M;
  M.compute(A);
  int last = 0;
  for (const bool added : {true, false}) {
    for (const double share : {0.1, 0.01, 1e-6}) {
      DirectionStop stop({.energy_share = 0, .change_share = share, .offset = added ? offset.data() : nullptr});
      PcgSolver fused(std::make_unique<BlockJacobi>()), unfused(std::make_unique<UnfusedBlockJacobi>());
      VecX x = VecX::Zero(b.size()), y = x, r(b.size()), z(b.size());
      ASSERT_TRUE(fused.compute(A) && unfused.compute(A));
      const LinearSolveReport report = fused.solve(b.data(), x.data(), stop, 10000);
      EXPECT_TRUE(report.ok);
      EXPECT_EQ(unfused.solve(b.data(), y.data(), stop, 10000).iterations, report.iterations);
      const auto change = [&](const VecX& at) {
        A.multiply(at.data(), r.data());
        r = b - r;
        M.apply(r.data(), z.data());
        return z.norm() / (added ? VecX(at + offset) : at).norm();
      };
      EXPECT_LE(change(x), share * (1 + 1e-6));
      fused.solve(b.data(), x.setZero().data(), stop, report.iterations - 1);
      EXPECT_GT(change(x), share);
      EXPECT_GT(report.iterations, last);
      last = share == 1e-6 ? 0 : report.iterations;
    }
  }
  // Zero is where it starts: nothing is a small change of nothing, but for a zero right-hand side.
  DirectionStop stop({.energy_share = 0, .change_share = 0.5});
  PcgSolver solver(std::make_unique<BlockJacobi>());
  solver.compute(A);
  VecX x = VecX::Zero(b.size());
  EXPECT_GT(solver.solve(b.data(), x.data(), stop, 10000).iterations, 0);
}

// The error in the norm of A, as M sees it, against that at the start and what the start is worth.
TEST(Pcg, StopsByEnergy) {
  const SymBlockMatrix A = mesh_matrix();
  const VecX b = random_vector(3 * A.rows(), 9);
  BlockJacobi M;
  M.compute(A);
  VecX r(b.size()), z(b.size());
  const auto energy = [&](const VecX& at) {
    A.multiply(at.data(), r.data());
    r = b - r;
    M.apply(r.data(), z.data());
    return r.dot(z);
  };
  const VecX zero = VecX::Zero(b.size());
  const double at_start = energy(zero);
  int last = 1000000;
  for (const double before : {0.0, 3 * at_start, 1e4 * at_start}) {
    DirectionStop stop({.energy_share = 0.02, .energy_before = before});
    PcgSolver solver(std::make_unique<BlockJacobi>());
    ASSERT_TRUE(solver.compute(A));
    VecX x = zero;
    const LinearSolveReport report = solver.solve(b.data(), x.data(), stop, 10000);
    EXPECT_TRUE(report.ok);
    EXPECT_LE(energy(x), 4e-4 * (at_start + before) * (1 + 1e-6));
    EXPECT_LT(report.iterations, last);
    last = report.iterations;
    if (last == 0) continue;
    solver.solve(b.data(), x.setZero().data(), stop, report.iterations - 1);
    EXPECT_GT(energy(x), 4e-4 * (at_start + before));
  }
  EXPECT_EQ(last, 0) << "what the start is worth dwarfs its error";
}

// A preconditioner that is 10^4 times as stiff as A in most directions: what it asks for says little about the error,
// but the gains of the iterations tell.
class StiffPreconditioner : public Preconditioner {
 public:
  bool compute(const NewtonSystem& system) override {
    n_ = 3 * system.H.rows();
    return true;
  }
  void apply(const double* r, double* z) const override {
    for (Index i = 0; i < n_; ++i) z[i] = i % 10 == 0 ? r[i] : 1e-4 * r[i];
  }

 private:
  Index n_ = 0;
};

TEST(Pcg, GainsTellWhatThePreconditionerOverlooks) {
  const SymBlockMatrix A = mesh_matrix();
  const VecX b = random_vector(3 * A.rows(), 2);
  const VecX exact = dense(A).ldlt().solve(b);
  const auto solve = [&](bool by_gains, int* iterations) {
    DirectionStop stop({.energy_share = 0.1, .change_share = 0.1, .both = true, .by_gains = by_gains});
    PcgSolver solver(std::make_unique<StiffPreconditioner>());
    solver.compute(A);
    VecX x = VecX::Zero(b.size());
    const LinearSolveReport report = solver.solve(b.data(), x.data(), stop, 10000);
    EXPECT_TRUE(report.ok);
    *iterations = report.iterations;
    const VecX e = x - exact;
    VecX Ae(b.size()), Ax(b.size());
    A.multiply(e.data(), Ae.data());
    A.multiply(exact.data(), Ax.data());
    return std::sqrt(e.dot(Ae) / exact.dot(Ax));
  };
  int trusting = 0, careful = 0;
  EXPECT_GT(solve(false, &trusting), 0.2);
  EXPECT_LT(solve(true, &careful), 0.11);  // of 0.1, by an extrapolation
  EXPECT_LT(trusting, careful);
  std::printf("%d iterations, %d by gains\n", trusting, careful);
}

TEST(Pcg, AGoodStartNeedsNoIterations) {
  const SymBlockMatrix A = mesh_matrix();
  PcgSolver solver(std::make_unique<BlockJacobi>(), {.tolerance = 1e-10});
  solver.compute(A);
  const VecX b = random_vector(3 * A.rows(), 7);
  VecX x = VecX::Zero(b.size());
  solver.solve(b.data(), x.data());
  const VecX first = x;
  solver.options().tolerance = 1e-9;
  EXPECT_EQ(solver.solve(b.data(), x.data()).iterations, 0);
  EXPECT_TRUE(x == first);
}

TEST(Pcg, ZeroRightHandSideGivesZero) {
  const SymBlockMatrix A = mesh_matrix();
  PcgSolver solver(std::make_unique<BlockJacobi>());
  solver.compute(A);
  const VecX b = VecX::Zero(3 * A.rows());
  VecX x = random_vector(b.size(), 8);
  EXPECT_TRUE(solver.solve(b.data(), x.data()).ok);
  EXPECT_TRUE(x == b);
}

TEST(Pcg, HasTheSameBitsForAnyThreads) {
  const SymBlockMatrix A = mesh_matrix();
  const VecX b = random_vector(3 * A.rows(), 9);
  const auto solve = [&](int threads) {
    const ThreadLimit limit(threads);
    PcgSolver solver(std::make_unique<BlockJacobi>());
    solver.compute(A);
    VecX x = VecX::Zero(b.size());
    solver.solve(b.data(), x.data());
    return x;
  };
  EXPECT_TRUE(solve(1) == solve(2));
}

TEST(Pcg, PowerOfTwoUnitsScaleExactly) {
  const SymBlockMatrix A = mesh_matrix();
  SymBlockMatrix scaled = A;
  for (double& v : scaled.values()) v = std::ldexp(v, -83);
  const VecX b = random_vector(3 * A.rows(), 10), scaled_b = b * std::ldexp(1.0, -60);
  VecX x = VecX::Zero(b.size()), scaled_x = x;
  PcgSolver solver(std::make_unique<BlockJacobi>());
  solver.compute(A);
  const auto report = solver.solve(b.data(), x.data());
  solver.compute(scaled);
  const auto scaled_report = solver.solve(scaled_b.data(), scaled_x.data());
  EXPECT_TRUE(scaled_x == x * std::ldexp(1.0, 23));
  EXPECT_EQ(report.iterations, scaled_report.iterations);
  EXPECT_EQ(report.relative_residual, scaled_report.relative_residual);
}

TEST(Pcg, IndefiniteMatrixIsReportedWithADescentDirection) {
  SymBlockMatrix A = mesh_matrix();
  A.block(A.pattern().row_begin[500])[4] *= -1;
  PcgSolver solver(std::make_unique<BlockJacobi>(), {.tolerance = 1e-12});
  EXPECT_FALSE(solver.compute(A));
  const VecX b = random_vector(3 * A.rows(), 11);
  VecX x = VecX::Zero(b.size());
  const auto report = solver.solve(b.data(), x.data());
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.reason, "the matrix is not positive definite");
  EXPECT_GT(x.dot(b), 0);
}

// Negative curvature at the first direction: the preconditioned right-hand side comes back.
TEST(Pcg, NegativeMatrixGivesThePreconditionedRightHandSide) {
  SymBlockMatrix A = mesh_matrix();
  for (double& v : A.values()) v = -v;
  PcgSolver solver(std::make_unique<Jacobi>());
  EXPECT_FALSE(solver.compute(A));
  const VecX b = random_vector(3 * A.rows(), 12);
  VecX x = VecX::Zero(b.size()), z(b.size());
  const auto report = solver.solve(b.data(), x.data());
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.iterations, 0);
  solver.preconditioner().apply(b.data(), z.data());
  EXPECT_TRUE(x == z);
}

TEST(Pcg, IterationLimitIsReported) {
  const SymBlockMatrix A = mesh_matrix();
  PcgSolver solver(std::make_unique<BlockJacobi>(), {.tolerance = 1e-12, .max_iterations = 3});
  solver.compute(A);
  const VecX b = random_vector(3 * A.rows(), 13);
  VecX x = VecX::Zero(b.size());
  const auto report = solver.solve(b.data(), x.data());
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.reason, "the iteration limit was reached");
}

TEST(Pcg, NonFiniteInputIsReported) {
  SymBlockMatrix A = mesh_matrix();
  PcgSolver solver(std::make_unique<BlockJacobi>());
  solver.compute(A);
  VecX b = random_vector(3 * A.rows(), 14), x = VecX::Zero(b.size());
  b[7] = std::nan("");
  EXPECT_EQ(solver.solve(b.data(), x.data()).reason, "the right-hand side or the start is not finite");
  b[7] = 1;
  A.values()[9 * 40 + 3] = std::nan("");
  EXPECT_FALSE(solver.solve(b.data(), x.data()).ok);
}

TEST(BlockJacobi, InvertsDiagonalBlocks) {
  const SymBlockMatrix A = random_matrix(make_pattern(50, random_pairs(50, 200, 15)), 16);
  BlockJacobi M;
  M.compute(A);
  const VecX r = random_vector(150, 17);
  VecX z(150);
  M.apply(r.data(), z.data());
  for (Index i = 0; i < 50; ++i) {
    const Mat3 D = Eigen::Map<const Mat3>(A.block(A.pattern().row_begin[i]));
    EXPECT_LE((D * z.segment<3>(3 * i) - r.segment<3>(3 * i)).norm(), 1e-13 * r.segment<3>(3 * i).norm());
  }
}

// Indefinite, singular, negative, zero and barely singular blocks: M stays positive definite and finite.
TEST(BlockJacobi, StaysPositiveDefinite) {
  Mat3 rank_one = Vec3(1, 2, 3) * Vec3(1, 2, 3).transpose();
  Mat3 blocks[] = {Vec3(1, -2, 3).asDiagonal(), Mat3::Ones(), -Mat3::Identity(), Mat3::Zero(), rank_one,
                   Vec3(1, 0, 4).asDiagonal()};
  for (const Mat3& block : blocks) {
    SymBlockMatrix A(make_pattern(1, {}));
    std::copy_n(block.data(), 9, A.block(0));
    for (int kind = 0; kind < 2; ++kind) {
      std::unique_ptr<Preconditioner> M;
      if (kind == 0) M = std::make_unique<BlockJacobi>();
      if (kind == 1) M = std::make_unique<Jacobi>();
      M->compute(A);
      Mat3 inverse;
      for (int a = 0; a < 3; ++a) {
        const Vec3 e = Vec3::Unit(a);
        M->apply(e.data(), inverse.col(a).data());
      }
      EXPECT_TRUE(inverse.allFinite());
      EXPECT_GT(inverse.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0) << block;
    }
  }
}

}  // namespace
}  // namespace sinew
