// Modes of frames, and files of modes.
#include "sinew/modes/snapshot_modes.h"

#include <functional>
#include <random>

#include "support/bodies.h"
#include "support/folder.h"
#include <Eigen/SVD>
#include <gmock/gmock.h>

#include "sinew/core/error.h"
#include "sinew/formats/npz.h"
#include "sinew/modes/mode_file.h"

namespace sinew {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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
}

// One array of a sound file is replaced or left out.
TEST(ModeFile, ErrorsNameTheFileAndWhatIsWrong) {
  const test::Folder folder;
  const auto system = box(1);
  const Index n = system->user_vertex_count;
  const MatX modes = MatX::Random(3 * n, 4), rest = system->user_rest.transpose();
  const VecX values = VecX::LinSpaced(4, 1, 7);
  const std::string path = (folder.path / "modes.npz").string();
  using Change = std::function<void(NpzWriter&)>;
  const auto error = [&](const std::string& left_out, const Change& change = {}) {
    NpzWriter file;
    if (left_out != "kind") file.add_text("kind", "linear");
    if (left_out != "values") file.add_vector("values", values);
    if (left_out != "modes") file.add("modes", modes);
    if (left_out != "rest") file.add("rest", rest);
    if (change) change(file);
    file.write(path);
    try {
      read_modes(path, *system);
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.rfind(path, 0), 0u) << text;
      return text.substr(std::min(text.size(), path.size()));
    }
    return std::string("none");
  };
  EXPECT_EQ(error(""), "none");
  for (const std::string name : {"kind", "values", "modes", "rest"})
    EXPECT_EQ(error(name), ": has no array \"" + name + "\"; expected a file that `sinew modes` wrote");
  // Types and shapes.
  EXPECT_THAT(error("modes", [](NpzWriter& file) { file.add_text("modes", "linear"); }), HasSubstr(" (modes):"));
  EXPECT_THAT(error("kind", [&](NpzWriter& file) { file.add_vector("kind", values); }),
              HasSubstr("array \"kind\" is not text"));
  EXPECT_EQ(
      error("rest", [&](NpzWriter& file) { file.add("rest", rest.leftCols(2)); }),
      fmt::format(": found arrays \"rest\" ({0}, 2) and \"modes\" ({1}, 4), expected (n, 3) and (3 n, k); make the "
                  "file with `sinew modes`",
                  n, 3 * n));
  EXPECT_THAT(error("modes", [&](NpzWriter& file) { file.add("modes", modes.topRows(n)); }),
              HasSubstr("expected (n, 3) and (3 n, k)"));
  EXPECT_EQ(error("modes", [&](NpzWriter& file) { file.add("modes", modes.leftCols(0)); }),
            fmt::format(" (modes): found an array of {} x 0, which holds no numbers; save one that does", 3 * n));
  EXPECT_EQ(error("values", [&](NpzWriter& file) { file.add_vector("values", values.head(3)); }),
            ": found 3 values of 4 modes, expected one each; make the file again");
  EXPECT_THAT(error("values", [&](NpzWriter& file) { file.add("values", MatX::Ones(4, 2)); }),
              HasSubstr("found 8 values of 4 modes"));
  // Another mesh.
  EXPECT_EQ(
      error("both",
            [&](NpzWriter& file) {
              file.add("rest", rest.topRows(n - 1));
              file.add("modes", modes.topRows(3 * n - 3));
            }),
      fmt::format(": holds modes of {} vertices, but the scene has {}; make modes of this scene with `sinew modes`",
                  n - 1, n));
  EXPECT_THAT(error("rest", [&](NpzWriter& file) { file.add("rest", 1.01 * rest); }),
              AllOf(HasSubstr(": vertex 0 rests at x = -0.505, in the scene at -0.5"), HasSubstr("another mesh")));
  // Numbers.
  const auto with = [&](double value, bool whole) {
    return [&, value, whole](NpzWriter& file) {
      MatX changed = modes;
      changed(5, 2) = value;
      if (whole) changed.col(2).setConstant(value);
      file.add("modes", changed);
    };
  };
  EXPECT_EQ(error("modes", with(std::nan(""), false)),
            ": found numbers that are not finite in mode 3; make the modes again");
  EXPECT_THAT(error("values", [&](NpzWriter& file) { file.add_vector("values", values / 0.0); }),
              HasSubstr("not finite in mode 1"));
  EXPECT_EQ(error("modes", with(0, true)), ": mode 3 of 4 is zero everywhere; leave it out of the file");

  EXPECT_THROW(read_modes(folder.write("text.npz", "no archive"), *system), InputError);
  EXPECT_THROW(read_modes((folder.path / "none.npz").string(), *system), InputError);
}

}  // namespace
}  // namespace sinew
