// Modes of frames, and files of modes.
#include "sinew/modes/snapshot_modes.h"

#include <random>

#include "support/bodies.h"
#include "support/folder.h"
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/npz.h"
#include "sinew/modes/mode_file.h"

namespace sinew {
namespace {

// Snapshots of rank 3, unequal masses.
TEST(SnapshotModes, LeaveTheLeastOfTheFrames) {
  const Index n = 40, frames = 9;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  MatX shapes(3 * n, 3), weights(3, frames);
  for (double& value : shapes.reshaped()) value = uniform(random);
  for (double& value : weights.reshaped()) value = uniform(random);
  std::vector<double> mass(n);
  for (double& m : mass) m = 1.5 + uniform(random);
  const MatX X = shapes * weights;
  std::vector<Points> displacements;
  for (Index t = 0; t < frames; ++t) displacements.push_back(Eigen::Map<const Points>(X.col(t).data(), 3, n));

  const SnapshotModes modes = snapshot_modes(displacements, mass, 5);
  ASSERT_EQ(modes.vectors.cols(), 3);
  VecX root(3 * n);
  for (Index i = 0; i < 3 * n; ++i) root[i] = std::sqrt(mass[i / 3]);
  const MatX weighted = root.asDiagonal() * modes.vectors;
  EXPECT_LT((weighted.transpose() * weighted - MatX::Identity(3, 3)).norm(), 1e-10);
  const MatX S = root.asDiagonal() * X;
  EXPECT_LT((S - weighted * (weighted.transpose() * S)).norm(), 1e-10 * S.norm());
  const VecX singular = Eigen::JacobiSVD<MatX>(S).singularValues();
  for (Index k = 0; k < 3; ++k)
    EXPECT_NEAR(modes.energies[k], singular[k] * singular[k] / singular.squaredNorm(), 1e-12);
  const SnapshotModes one = snapshot_modes(displacements, mass, 1);
  EXPECT_EQ(one.vectors.cols(), 1);
  EXPECT_EQ(snapshot_modes({}, mass, 5).vectors.cols(), 0);
  EXPECT_EQ(snapshot_modes({Points::Zero(3, n)}, mass, 5).vectors.cols(), 0);
}

std::shared_ptr<const System> box(double size) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("box", make_box(Vec3(size, 1, 1), {3, 2, 2}), test::material("neo_hookean", 1e5, 0.4, 900)));
  return build_system(std::move(setup));
}

TEST(ModeFile, GivesBackWhatWasWritten) {
  const test::Folder folder;
  const auto system = box(1);
  ModeSet set{"linear", VecX::LinSpaced(4, 1, 7), MatX::Random(3 * system->dynamic_count, 4)};
  const std::string path = (folder.path / "modes.npz").string();
  write_modes(path, *system, set);
  const ModeSet again = read_modes(path, *system);
  EXPECT_EQ(again.kind, "linear");
  EXPECT_EQ(again.values, set.values);
  EXPECT_EQ(again.vectors, set.vectors);

  // In the user's numbering.
  const NpzReader file(path);
  const NumberArray modes = file.array("modes");
  ASSERT_EQ(modes.rows, 3u * system->user_vertex_count);
  const Index v = system->vertex_to_user[5];
  EXPECT_EQ(modes.values[(3 * static_cast<std::size_t>(v) + 1) * 4 + 2], set.vectors(16, 2));

  try {
    read_modes(path, *box(1.01));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("another mesh"), std::string::npos) << error.what();
  }
  EXPECT_THROW(read_modes(folder.write("text.npz", "no archive"), *system), InputError);
  EXPECT_THROW(read_modes((folder.path / "none.npz").string(), *system), InputError);
  set.vectors(3, 1) = std::nan("");
  write_modes(path, *system, set);
  EXPECT_THROW(read_modes(path, *system), InputError);
}

}  // namespace
}  // namespace sinew
