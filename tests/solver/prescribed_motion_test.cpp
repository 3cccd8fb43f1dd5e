// What is prescribed goes to its targets, waits after short steps, and counts as blocked without room.
#include "sinew/solver/prescribed_motion.h"

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// A cube with vertex 0 prescribed at a target along x, and a plane far below that rises.
class PrescribedMotionTest : public ::testing::Test {
 protected:
  PrescribedMotionTest() {
    sinew::Setup setup;
    setup.bodies.push_back(
        test::body("cube", make_box(Vec3::Ones(), {1, 1, 1}), test::material("neo_hookean", 1e5, 0.3)));
    system = build_system(std::move(setup));
    potential = std::make_unique<IncrementalPotential>(system);
    const Index n = system->dynamic_count;
    context.step = context.reference_step = 0.01;
    context.start = context.reference = context.predictor = context.target = system->rest;
    context.prescribed.assign(3 * n, 0);
    context.prescribed[0] = 1;
    context.target(0, 0) += 0.25;
    context.target(1, 0) += 1;  // not prescribed
    context.plane_start = context.plane_reference = planes;
    context.plane_end = planes;
    potential->begin_step(context, 1e5);
    motion.begin();
  }

  std::shared_ptr<const System> system;
  std::unique_ptr<IncrementalPotential> potential;
  StepContext context;
  std::vector<PlaneState> planes;
  PrescribedMotion motion;
  Points d, drift;
};

TEST_F(PrescribedMotionTest, AimsAtWhatIsPrescribedAlone) {
  Points x = system->rest;
  const Aim aim = motion.aim(*potential, x, planes, d, drift);
  EXPECT_TRUE(aim.waits && aim.open);
  EXPECT_DOUBLE_EQ(aim.remaining, 0.25);
  EXPECT_DOUBLE_EQ(d(0, 0), 0.25);
  d(0, 0) = 0;
  EXPECT_TRUE(d.isZero(0));
  EXPECT_TRUE(drift.isZero(0));  // no obstacle moves
  potential->place_prescribed(x);
  EXPECT_EQ(x(0, 0), context.target(0, 0));
  EXPECT_EQ(x(1, 0), system->rest(1, 0));
  EXPECT_FALSE(motion.aim(*potential, x, planes, d, drift).waits);
}

TEST_F(PrescribedMotionTest, BodiesGiveWayAfterAShortStep) {
  const Points& x = system->rest;
  Aim aim = motion.aim(*potential, x, planes, d, drift);
  EXPECT_FALSE(motion.blocked(aim, 0.2, 1, 1e-3));
  aim = motion.aim(*potential, x, planes, d, drift);
  EXPECT_TRUE(aim.relax && !aim.open);
  EXPECT_TRUE(d.isZero(0));
  EXPECT_FALSE(motion.blocked(aim, 1, 1, 1e-3));
  EXPECT_TRUE(motion.aim(*potential, x, planes, d, drift).open);
}

TEST_F(PrescribedMotionTest, BlockedAfterTwoIterationsWithoutRoom) {
  const Points& x = system->rest;
  for (const bool jammed : {false, true}) {
    motion.begin();
    const Aim aim = motion.aim(*potential, x, planes, d, drift);
    const double alpha = jammed ? 0.4 : 1e-11, gap = jammed ? 1e-12 : 1;
    EXPECT_FALSE(motion.blocked(aim, alpha, gap, 1e-3));
    Aim relaxed = aim;
    relaxed.relax = true;
    EXPECT_FALSE(motion.blocked(relaxed, 1, gap, 1e-3));  // does not count
    EXPECT_TRUE(motion.blocked(aim, alpha, gap, 1e-3));
    motion.forget_blocked();
    EXPECT_FALSE(motion.blocked());
  }
}

}  // namespace
}  // namespace sinew
