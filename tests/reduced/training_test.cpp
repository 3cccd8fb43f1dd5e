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

}  // namespace
}  // namespace sinew
