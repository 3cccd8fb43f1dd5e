// Forces of poses against the elastic energy itself, and what weights that are fitted to them give in other poses.
#include "sinew/reduced/training.h"

#include <numeric>

#include "modes/rest_bars.h"
#include <gtest/gtest.h>

#include "sinew/modes/nonlinear_modes.h"

namespace sinew {
namespace {

using namespace test;

struct Trained {
  std::shared_ptr<const System> system = bars(Held::at_an_end, 1);
  ModeSet modes = nonlinear_modes(*system, prescribed(*system), 10, {});
  PoseForces forces{*system, modes.vectors};
  VecX deviation = pose_deviation(modes.vectors, modes.values, 0.1 * system->diagonal, 1);
};

TEST(PoseForces, AreThoseOfTheEnergy) {
  Trained t;
  const MatX poses = gaussian_poses(t.forces, VecX::Zero(10), t.deviation, 5, 1, 1);
  VecX energies;
  const MatX whole = t.forces.whole(poses, &energies);
  // By differences of the energy.
  for (Index p = 0; p < 5; ++p)
    for (Index j = 0; j < 10; ++j) {
      const double h = 1e-4 * t.deviation[j];
      MatX ends(10, 2);
      ends.colwise() = poses.col(p);
      ends(j, 0) += h;
      ends(j, 1) -= h;
      VecX values;
      t.forces.whole(ends, &values);
      EXPECT_NEAR(whole(j, p), (values[0] - values[1]) / (2 * h), 1e-5 * whole.col(p).norm());
    }
  // By tets.
  std::vector<Index> all(static_cast<std::size_t>(t.system->tet_count()));
  std::iota(all.begin(), all.end(), 0);
  const PoseForces::AtTets at = t.forces.at(all, poses);
  MatX sum = MatX::Zero(10, 5);
  for (std::size_t e = 0; e < all.size(); ++e) sum += at.gradient[e].transpose() * at.stress[e];
  EXPECT_LT((sum - whole).norm(), 1e-10 * whole.norm());
  EXPECT_LT((VecX(at.energy.colwise().sum()) - energies).norm(), 1e-10 * energies.norm());
}

TEST(PoseForces, PosesHaveTheSizeAskedFor) {
  Trained t;
  const MatX poses = gaussian_poses(t.forces, VecX::Zero(10), t.deviation, 200, 7, 1);
  double mean = 0;
  for (Index p = 0; p < 200; ++p) {
    const VecX u = t.modes.vectors * poses.col(p);
    mean += Eigen::Map<const Points>(u.data(), 3, u.size() / 3).colwise().norm().maxCoeff() / 200;
    EXPECT_GT(t.forces.min_jacobian(poses.col(p)), 0);
  }
  EXPECT_NEAR(mean, 0.1 * t.system->diagonal, 0.03 * t.system->diagonal);
}

// Weights that rounds of poses gave fit poses that they have not seen.
TEST(Training, HoldsInOtherPoses) {
  Trained t;
  std::vector<Index> points;
  for (Index e = 0; e < t.system->tet_count(); e += 3) points.push_back(e);
  const TrainedWeights trained = train_modal_weights(*t.system, t.modes.vectors, t.modes.values, points, {});
  EXPECT_GE(trained.rounds, 2);
  EXPECT_LT(trained.error, 0.1);
  EXPECT_EQ(trained.weights.rows(), static_cast<Index>(points.size()));
  EXPECT_GE(trained.weights.minCoeff(), 0);
  const MatX poses = gaussian_poses(t.forces, VecX::Zero(10), t.deviation, 50, 99, 5);
  const MatX whole = t.forces.whole(poses);
  const PoseForces::AtTets at = t.forces.at(points, poses);
  MatX sum = MatX::Zero(10, 50);
  for (std::size_t e = 0; e < points.size(); ++e)
    sum += trained.weights.row(static_cast<Index>(e)).transpose().asDiagonal() *
           MatX(at.gradient[e].transpose() * at.stress[e]);
  double error = 0;
  for (Index p = 0; p < 50; ++p) error += (sum.col(p) - whole.col(p)).norm() / whole.col(p).norm() / 50;
  EXPECT_LT(error, 0.1);
  // The same bits again, with as many poses as are asked for.
  TrainingOptions options;
  options.poses = 40;
  const TrainedWeights once = train_modal_weights(*t.system, t.modes.vectors, t.modes.values, points, options);
  EXPECT_EQ(once.poses.cols(), 40);
  EXPECT_EQ(once.weights, train_modal_weights(*t.system, t.modes.vectors, t.modes.values, points, options).weights);
}

// Energies, and the forces that follow from them, in poses that the weights have not seen; each mode's stiffness.
TEST(Training, WeightsOfEnergiesHoldInOtherPoses) {
  Trained t;
  std::vector<Index> places;
  for (Index e = 0; e < t.system->tet_count(); e += 2) places.push_back(e);
  const TrainedWeights trained = train_energy_weights(*t.system, t.modes.vectors, t.modes.values, places, {});
  const auto& tets = trained.cubature.tets;
  EXPECT_GE(trained.rounds, 2);
  EXPECT_EQ(trained.weights.size(), 0);
  EXPECT_LT(tets.size(), places.size());
  for (const double weight : trained.cubature.weights) EXPECT_GT(weight, 0);
  MatX poses = gaussian_poses(t.forces, VecX::Zero(10), t.deviation, 60, 99, 5);
  for (Index j = 0; j < 10; ++j) poses.col(50 + j) = 0.2 * t.deviation[j] * VecX::Unit(10, j);
  VecX energies;
  const MatX whole = t.forces.whole(poses, &energies);
  EXPECT_LT((t.forces.energies(poses) - energies).norm(), 1e-14 * energies.norm());
  const PoseForces::AtTets at = t.forces.at(tets, poses);
  const Eigen::Map<const VecX> weights(trained.cubature.weights.data(), static_cast<Index>(tets.size()));
  const VecX found = at.energy.transpose() * weights;
  MatX sum = MatX::Zero(10, 60);
  for (std::size_t e = 0; e < tets.size(); ++e)
    sum += weights[static_cast<Index>(e)] * MatX(at.gradient[e].transpose() * at.stress[e]);
  double of_energies = 0, of_forces = 0;
  for (Index p = 0; p < 60; ++p) {
    of_energies += std::abs(found[p] / energies[p] - 1) / 60;
    of_forces += (sum.col(p) - whole.col(p)).norm() / whole.col(p).norm() / 60;
    if (p >= 50) {
      EXPECT_NEAR(found[p], energies[p], 0.1 * energies[p]) << p;
    }
  }
  EXPECT_LT(of_energies, 0.03);
  EXPECT_LT(of_forces, 0.15);
  TrainingOptions options;
  options.poses = 40;
  const auto again = [&] {
    return train_energy_weights(*t.system, t.modes.vectors, t.modes.values, places, options).cubature.weights;
  };
  EXPECT_EQ(again(), again());
}

// Where all tets are places, the weights may be 1, and energies are those of all tets.
TEST(Training, WeightsOfEnergiesOfAllTetsAreExact) {
  Trained t;
  std::vector<Index> all(static_cast<std::size_t>(t.system->tet_count()));
  std::iota(all.begin(), all.end(), 0);
  const TrainedWeights trained = train_energy_weights(*t.system, t.modes.vectors, t.modes.values, all, {});
  EXPECT_LT(trained.energy_error, 1e-6);
}

}  // namespace
}  // namespace sinew
