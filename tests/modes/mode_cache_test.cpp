// Modes that are kept, of a list of kinds, and what is told while they are made.
#include "sinew/modes/mode_cache.h"

#include <filesystem>
#include <fstream>

#include "modes/rest_bars.h"
#include "support/folder.h"
#include <gmock/gmock.h>

#include "sinew/core/activity.h"
#include "sinew/core/cache_folder.h"
#include "sinew/core/error.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/mode_file.h"
#include "sinew/modes/mode_union.h"
#include "sinew/modes/rest_body.h"

namespace sinew {
namespace {

using namespace test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;

// As few vertices as tets that are kept allow.
std::shared_ptr<const System> large_box(double young, bool cache = true) {
  sinew::Setup setup;
  setup.bodies.push_back(body("block", make_box(Vec3(1, 1, 1), {16, 16, 16}), material("stvk", young, 0.3)));
  setup.solver.multilevel.cache = cache;
  return build_system(std::move(setup));
}

class ModeCache : public testing::Test {
 protected:
  Folder folder_;
  Variable cache_{"XDG_CACHE_HOME", folder_.path.string()};

  std::vector<std::string> files() const {
    std::vector<std::string> found;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path, none))
      if (entry.is_regular_file()) found.push_back(entry.path().string());
    return found;
  }
};

// What is made while `work` runs; told at its beginnings.
template <class Work>
std::vector<std::string> told(Work&& work) {
  std::vector<std::string> lines;
  const activity::Listening listening({.interrupted = {}, .progress = [&](const std::string& line) {
                                         if (line.ends_with(" ...") && (lines.empty() || lines.back() != line))
                                           lines.push_back(line);
                                       }});
  work();
  return lines;
}

TEST_F(ModeCache, ModesAreFoundAgain) {
  const auto system = large_box(1e5);
  ASSERT_GE(system->tet_count(), least_cached_tets);
  const std::vector<char> fixed = prescribed(*system);
  const ModeKind& kind = *find_mode_kind("inertia");
  ModeOptions options;
  options.count = 8;
  ModeSet made, again;
  const std::string path = kept_modes_path(kind, *system, fixed, options);
  EXPECT_THAT(told([&] { made = kept_modes(kind, *system, fixed, options); }),
              ElementsAre("making inertia modes of body 'block' ..."));
  EXPECT_THAT(files(), ElementsAre(path));
  EXPECT_THAT(told([&] { again = kept_modes(kind, *system, fixed, options); }), ElementsAre());
  EXPECT_EQ(again.kind, "inertia");
  EXPECT_EQ(again.values, made.values);
  EXPECT_EQ(again.vectors, made.vectors);
  // A damaged file is made anew.
  fs::resize_file(path, fs::file_size(path) / 2);
  EXPECT_EQ(kept_modes(kind, *system, fixed, options).vectors, made.vectors);
  EXPECT_THAT(told([&] { kept_modes(kind, *system, fixed, options); }), ElementsAre());

  // What they follow from has files of its own.
  std::vector<std::string> paths{path};
  const auto other = [&](const char* name, const System& of, const std::vector<char>& held, const ModeOptions& asked) {
    paths.push_back(kept_modes_path(*find_mode_kind(name), of, held, asked));
  };
  other("linear", *system, fixed, options);
  other("inertia", *large_box(1.1e5), fixed, options);
  std::vector<char> held = fixed;
  held[4] = 1;
  other("inertia", *system, held, options);
  ModeOptions changed = options;
  changed.count = 9;
  other("inertia", *system, fixed, changed);
  changed = options;
  changed.inertia.orthogonal.reduced = true;
  other("inertia", *system, fixed, changed);
  changed = options;
  for (const char* start : {"linear", "quadratic"}) {
    changed.inertia.start = {start};
    other("inertia", *system, fixed, changed);
  }
  changed = options;
  changed.nonlinear.order = 2;
  other("inertia", *system, fixed, changed);
  changed = options;
  changed.rigid = false;
  other("inertia", *system, fixed, changed);
  std::ranges::sort(paths);
  EXPECT_TRUE(std::ranges::adjacent_find(paths) == paths.end());
  // Who asked changes nothing.
  changed = options;
  changed.count = {8, "solver.handles"};
  EXPECT_EQ(kept_modes_path(kind, *system, fixed, changed), path);

  EXPECT_EQ(kept_modes_path(kind, *large_box(1e5, false), fixed, options), "");
  EXPECT_EQ(kept_modes_path(kind, *bars(Held::nowhere, 1), fixed, options), "");
}

TEST_F(ModeCache, ModesByBodyAreFoundAgain) {
  const auto system = large_box(1e5);
  const std::vector<char> fixed = prescribed(*system);
  std::vector<BodyModes> made, again;
  EXPECT_THAT(told([&] { made = kept_linear_modes_by_body(*system, fixed, 7); }),
              ElementsAre("making linear modes of body 'block' ..."));
  EXPECT_THAT(told([&] { again = kept_linear_modes_by_body(*system, fixed, 7); }), ElementsAre());
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].vertices, made[0].vertices);
  EXPECT_EQ(again[0].values, made[0].values);
  EXPECT_EQ(again[0].vectors, made[0].vectors);
}

// Every long stage says how much there is, and what is left.
TEST(ModeProgress, IsToldWithAnEnd) {
  const auto system = two_bars(Held::at_an_end);
  ModeOptions options;
  options.count = 12;
  const std::vector<std::string> lines =
      told([&] { find_mode_kind("derivatives")->make(*system, prescribed(*system), options); });
  EXPECT_THAT(
      lines,
      ElementsAre("making linear modes of body 'soft' ...", "making derivatives of modes of body 'soft' ...",
                  "making few of 44 modes of body 'soft' ...", "making linear modes of body 'stiff' ...",
                  "making derivatives of modes of body 'stiff' ...", "making few of 44 modes of body 'stiff' ..."));
  EXPECT_EQ(activity::progress_text("modes", 0, 12, 3), "making modes ...");
  EXPECT_EQ(activity::progress_text("modes", 3, 12, 15), "making modes: 3 of 12, 0:45 left");
  EXPECT_EQ(activity::progress_text("modes", 12, 12, 15), "making modes: 12 of 12, 0:00 left");
  EXPECT_EQ(activity::progress_text("modes", 13, 12, 15), "making modes: 12 of 12, 0:00 left");
  EXPECT_EQ(activity::progress_text("modes", 1, 3601, 2), "making modes: 1 of 3601, 2:00:00 left");
  EXPECT_EQ(activity::progress_text("clusters", 7, 0, 2), "making clusters ...");
}

VecX mass_of(const System& system) {
  VecX mass(3 * system.dynamic_count);
  for (Index i = 0; i < mass.size(); ++i) mass[i] = system.mass[i / 3];
  return mass;
}

TEST(ModeUnion, SpansAllOfItsKinds) {
  const Folder folder;
  const auto system = two_bars(Held::at_an_end);
  const std::vector<char> fixed = prescribed(*system);
  const VecX mass = mass_of(*system);
  const std::string path = (folder.path / "modes.npz").string();
  const ModeSet own = find_mode_kind("quadratic")->make(*system, fixed, {});
  write_modes(path, *system, own);
  const std::vector<std::string> names = {"linear", "inertia", "linear", path};
  const ModeSet all = modes_of_kinds(*system, fixed, names, {5, "solver.handles"});
  EXPECT_EQ(all.kind, "linear + inertia + linear + quadratic");
  EXPECT_EQ(all.vectors.cols(), 15);  // the second "linear" adds nothing
  const MatX U = all.vectors;
  EXPECT_LT((U.transpose() * mass.asDiagonal() * U - MatX::Identity(15, 15)).norm(), 1e-9);
  const SymBlockMatrix K = stiffness_at_rest(*system);
  for (Index i = 0; i < 15; ++i) {
    VecX f(U.rows());
    K.multiply(U.col(i).data(), f.data());
    EXPECT_NEAR(U.col(i).dot(f), all.values[i], 1e-9 * all.values[i]);
  }
  // Motions without strain are left out; of a file the first modes.
  MatX parts(U.rows(), 10);
  parts << linear_modes(*system, fixed, 5, false).vectors, own.vectors.leftCols(5);
  EXPECT_LT((parts - U * (U.transpose() * mass.asDiagonal() * parts)).norm(), 1e-8 * parts.norm());
  EXPECT_GT(all.values.minCoeff(), 0);
  // One name is the kind itself; of a file without a number all modes.
  EXPECT_EQ(modes_of_kinds(*system, fixed, {"linear"}, 5).vectors, parts.leftCols(5));
  EXPECT_EQ(modes_of_kinds(*system, fixed, {path}, {30, ""}).vectors.cols(), own.vectors.cols());
}

TEST(ModeUnion, ErrorsNameTheFileOrTheKey) {
  const Folder folder;
  const auto system = two_bars(Held::at_an_end), other = two_bars(Held::nowhere);
  const std::vector<char> fixed = prescribed(*system);
  const std::string path = (folder.path / "modes.npz").string();
  ModeSet set{"pod", VecX::Ones(3), MatX::Random(3 * system->dynamic_count, 3)};
  for (std::size_t c = 0; c < fixed.size(); ++c)
    if (fixed[c]) set.vectors.row(static_cast<Index>(c)).setZero();
  write_modes(path, *system, set);
  const auto error = [&](const ModeCount& count, const std::vector<std::string>& names) {
    try {
      modes_of_kinds(*system, fixed, names, count);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(error({3, "solver.handles"}, {path}), "");
  EXPECT_EQ(error({4, "solver.handles"}, {path}), "solver.handles: found 4, expected at most 3, the modes of " + path +
                                                      "; ask for fewer, or make more with `sinew modes`");
  EXPECT_THAT(error({100000, "solver.handles"}, {path, "linear"}), HasSubstr("solver.handles: found 100000"));
  EXPECT_EQ(error({100000, ""}, {"inertia"}), "");
  // Modes of a scene that holds nothing move what this one holds.
  const auto held = static_cast<Index>(std::ranges::find(fixed, char{1}) - fixed.begin());
  set.vectors(held, 0) = 0.1;
  write_modes(path, *system, set);
  EXPECT_THAT(error({3, ""}, {path}), AllOf(HasSubstr(path + ": its modes move vertex "),
                                            HasSubstr(" of body 'soft', which "), HasSubstr("`sinew modes`")));
  set.vectors(held, 0) = 0;
  // Modes that depend on others are told of.
  set.vectors.col(2) = set.vectors.col(0) - 2 * set.vectors.col(1);
  write_modes(path, *system, set);
  testing::internal::CaptureStderr();
  EXPECT_EQ(error({3, ""}, {path}), "");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("found 3 modes; 1 of them are linear combinations of the others"));
}

}  // namespace
}  // namespace sinew
