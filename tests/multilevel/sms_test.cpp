// The multilevel direction as printed: it descends whatever is set, and every setting does something.
#include "sinew/multilevel/sms.h"

#include <cstdio>

#include "solver/bent_bar.h"

namespace sinew {
namespace {

using namespace test;

// `set` changes the printed settings.
struct Printed : Bent {
  explicit Printed(
      const std::function<void(PrintedSetup&)>& set = [](PrintedSetup&) {}, double range = 1, int degree = 2,
      const char* rule = "stiffness")
      : Bent(
            [&](SolverSetup& s) {
              s.cubature_rule = rule;
              s.cubature_degree = degree;
              set(s.multilevel.printed.emplace());
            },
            range) {}

  Found found(int count = 1, double alpha = 0.25) {
    SmsDirection direction(system);
    return direction_of(*this, direction, count, alpha);
  }
};

TEST(Sms, EveryDirectionDescends) {
  for (const int refinement : {-1, 0, 1, 5}) {
    for (int choice = 0; choice < 32; ++choice) {
      const auto bit = [&](int k) { return (choice >> k & 1) != 0; };
      if (!bit(0) && !bit(1) && refinement == 0) continue;  // nothing at all
      if (bit(3) && !bit(2)) continue;
      Printed bent(
          [&](PrintedSetup& s) {
            s.refinement = refinement;
            s.affine = bit(0);
            s.subspace = bit(1);
            s.cubature_hessian = bit(2);
            s.cubature_residual = bit(3);
            s.factorize = bit(4);
          },
          1e6);
      const Found found = bent.found();
      ASSERT_TRUE(found.result.ok);
      ASSERT_TRUE(found.d.allFinite());
      EXPECT_LT(slope(found), 0) << "refinement " << refinement << ", choice " << choice;
      for (Index i = 0; i < bent.system->dynamic_count; ++i) {
        if (bent.context.prescribed[3 * i]) {
          EXPECT_EQ(found.d.col(i), Vec3::Zero());
        }
      }
    }
  }
}

// A rule that sees too little stiffness makes steps too long: what refinement starts from must decrease the model of
// all tets nevertheless.
TEST(Sms, CoarseRulesDecreaseTheModel) {
  for (const char* rule : {"stiffness", "modal", "polynomial"}) {
    Printed bent([](PrintedSetup& s) { s.refinement = 0; }, 1e6, 1, rule);
    const Found found = bent.found();
    const double curvature = std::pow(energy_norm(bent, found.d), 2);
    std::printf("%s: slope %.3g, curvature %.3g\n", rule, slope(found), curvature);
    EXPECT_LT(slope(found) + 0.5 * curvature, 0) << rule;
  }
}

TEST(Sms, EverySettingDoesSomething) {
  const std::pair<const char*, void (*)(PrintedSetup&)> settings[] = {
      {"affine", [](PrintedSetup& s) { s.affine = false; }},
      {"subspace", [](PrintedSetup& s) { s.subspace = false; }},
      {"reduced_solver", [](PrintedSetup& s) { s.factorize = true; }},
      {"reduced_tolerance", [](PrintedSetup& s) { s.reduced_tolerance = 0.1; }},
      {"hessian", [](PrintedSetup& s) { s.cubature_hessian = false; }},
      {"residual", [](PrintedSetup& s) { s.cubature_residual = true; }},
      {"refinement", [](PrintedSetup& s) { s.refinement = 3; }},
  };
  for (const auto& [name, change] : settings) {
    SCOPED_TRACE(name);
    Printed without([](PrintedSetup&) {}, 1e3), with(change, 1e3);
    EXPECT_FALSE(same(without.found().d, with.found().d));
    EXPECT_TRUE(same(with.found().d, with.found().d));
  }
  Printed stiffness([](PrintedSetup&) {}, 1e3), modal([](PrintedSetup&) {}, 1e3, 2, "modal"),
      lower([](PrintedSetup&) {}, 1e3, 1, "modal");
  EXPECT_FALSE(same(stiffness.found().d, modal.found().d));
  EXPECT_FALSE(same(modal.found().d, lower.found().d));
}

// The elastic Hessian is kept while line searches take long steps, and for `lag` directions at least.
TEST(Sms, TheHessianIsKept) {
  const auto updates = [](int lag, double lag_step, double alpha) {
    Printed bent([=](PrintedSetup& s) { s.lag = lag, s.lag_step = lag_step; });
    SmsDirection direction(bent.system);
    direction.begin_step(bent.context, *bent.potential);
    int sum = 0;
    for (int i = 0; i < 6; ++i) {
      Points g, d = Points::Zero(3, bent.system->vertex_count());
      sum += direction.direction(bent.x, Points(), g, d).levels.hessian_updates;
      direction.accepted(bent.x, alpha, 1);
    }
    return sum;
  };
  EXPECT_EQ(updates(0, 0.5, 0.25), 6);
  EXPECT_EQ(updates(2, 0.5, 0.25), 3);
  EXPECT_EQ(updates(2, 0.1, 0.25), 1);
}

TEST(Sms, LevelsThatAreOffDoNotWork) {
  const auto levels = [](void (*set)(PrintedSetup&)) {
    Printed bent(set);
    return bent.found().result.levels;
  };
  EXPECT_EQ(levels([](PrintedSetup& s) { s.affine = false; }).affine, 0);
  const LevelReport refined = levels([](PrintedSetup& s) { s.affine = s.subspace = false; });
  EXPECT_EQ(refined.subspace, 0);
  EXPECT_EQ(refined.parts->subspace_mean, 0);
  EXPECT_EQ(refined.refinement_iterations, 20);
  const LevelReport coarse = levels([](PrintedSetup& s) { s.refinement = 0; });
  EXPECT_EQ(coarse.refinement_iterations, 0);
  EXPECT_EQ(coarse.parts->refinement_mean, 0);
  EXPECT_GT(coarse.parts->subspace_mean, 0);
  EXPECT_GT(coarse.affine_iterations, 0);
  EXPECT_GT(coarse.subspace_iterations, 0);
  EXPECT_EQ(levels([](PrintedSetup& s) { s.factorize = true; }).subspace_iterations, 0);
}

// `stop: subspace` measures the part from the levels, `full` all of the direction.
TEST(Sms, TheStopTestLooksAtWhatItIsTold) {
  for (const bool subspace : {false, true}) {
    Printed bent([&](PrintedSetup& s) { s.stop_by_subspace = subspace; });
    const Found found = bent.found();
    ASSERT_EQ(found.result.measured.has_value(), subspace);
    if (!subspace) continue;
    EXPECT_NEAR(found.result.measured->mean, found.result.levels.parts->subspace_mean,
                1e-12 * found.result.levels.parts->subspace_mean);
    EXPECT_NE(found.result.measured->mean, step_norms(found.d, bent.system->dynamic_count, bent.context.step).mean);
  }
}

}  // namespace
}  // namespace sinew
