// Modal and optimised cubature of made-up forces whose weights are known.
#include "sinew/cubature/modal_weights.h"

#include <gtest/gtest.h>

#include "sinew/cubature/optimized_weights.h"

namespace sinew {
namespace {

// Forces of n points in T poses of r coordinates, and those of the whole.
struct MadeUp {
  Index n, r, T;
  std::vector<MatX> of_points;  // r x T each
  MatX weights;                 // n x r
  MadeUp(Index n, Index r, Index T) : n(n), r(r), T(T), weights(MatX::Random(n, r).cwiseMax(0.0)) {
    for (Index e = 0; e < n; ++e) of_points.push_back(MatX::Random(r, T));
  }
  TrainingForces training() const {
    TrainingForces training;
    training.whole.setZero(r, T);
    for (Index e = 0; e < n; ++e) training.whole += weights.row(e).transpose().asDiagonal() * of_points[e];
    training.points = n;
    training.column = [this](Index j, MatX& of_points_j) {
      of_points_j.resize(T, n);
      for (Index e = 0; e < n; ++e) of_points_j.col(e) = of_points[e].row(j).transpose();
    };
    return training;
  }
};

TEST(ModalWeights, AreFoundWhereTheyAreKnown) {
  std::srand(5);
  const MadeUp made(20, 4, 60);
  const ModalWeights fit = fit_modal_weights(made.training());
  EXPECT_LT((fit.weights - made.weights).norm(), 1e-8);
  EXPECT_LT(fit.mean_error, 1e-10);
  EXPECT_LT(fit.pose_errors.maxCoeff(), 1e-9);
}

// Least in the poses over their force: scaling one pose changes nothing.
TEST(ModalWeights, PosesCountByTheirForce) {
  std::srand(6);
  MadeUp made(6, 3, 40);
  TrainingForces training = made.training();
  training.whole += 0.3 * MatX::Random(3, 40);
  const ModalWeights fit = fit_modal_weights(training);
  EXPECT_GT(fit.mean_error, 0.01);
  EXPECT_GE(fit.weights.minCoeff(), 0);
  for (MatX& forces : made.of_points) forces.col(7) *= 1000;
  training.whole.col(7) *= 1000;
  const ModalWeights other = fit_modal_weights(training);
  EXPECT_LT((fit.weights - other.weights).norm(), 1e-7);
  EXPECT_NEAR(fit.mean_error, other.mean_error, 1e-9);
}

TEST(OptimizedWeights, FindFewPointsAmongMany) {
  std::srand(7);
  const Index r = 5, T = 30, tets = 300;
  std::vector<MatX> of_tets;
  for (Index e = 0; e < tets; ++e) of_tets.push_back(MatX::Random(r, T));
  OptimizedTraining training;
  training.whole = 2.0 * of_tets[11] + 0.5 * of_tets[200] + 3.0 * of_tets[42];
  training.tets = tets;
  training.forces = [&](std::span<const Index> chosen) {
    MatX columns(r * T, static_cast<Index>(chosen.size()));
    for (std::size_t k = 0; k < chosen.size(); ++k) columns.col(static_cast<Index>(k)) = of_tets[chosen[k]].reshaped();
    return columns;
  };
  OptimizedOptions options;
  options.tolerance = 1e-8;
  const OptimizedCubature result = optimized_cubature(training, options);
  EXPECT_LE(result.error, 1e-8);
  ASSERT_GE(result.cubature.tets.size(), 3u);
  for (std::size_t k = 0; k < result.cubature.tets.size(); ++k) {
    const Index tet = result.cubature.tets[k];
    const double expected = tet == 11 ? 2 : tet == 42 ? 3 : tet == 200 ? 0.5 : 0;
    EXPECT_NEAR(result.cubature.weights[k], expected, 1e-6) << tet;
  }
  options.points = 2;
  EXPECT_LE(optimized_cubature(training, options).cubature.tets.size(), 2u);
}

}  // namespace
}  // namespace sinew
