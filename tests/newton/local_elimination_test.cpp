// Newton's method on few vertices, between iterations on all.
#include "sinew/newton/local_elimination.h"

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/contact/intersection.h"
#include "sinew/core/parallel.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/newton/newton.h"

namespace sinew::local_elimination_test {

// Two boxes in contact. A few vertices of the upper one are out of place.
struct Scene {
  std::shared_ptr<const System> system;
  StepContext context;
  std::vector<PlaneState> planes;
  std::unique_ptr<IncrementalPotential> potential;
  Points x, g, d;

  explicit Scene(double displaced) {
    Setup setup;
    setup.time.step = 1e-3;
    setup.contact.distance = 2e-3;
    setup.contact.stiffness = 1e5;
    setup.contact.friction = 0.3;
    setup.bodies.push_back(
        test::body("lower", make_box(Vec3::Constant(0.1), {12, 12, 12}), test::material("neo_hookean", 1e5, 0.4)));
    setup.bodies.push_back(test::body("upper", make_box(Vec3::Constant(0.1), {12, 12, 12}),
                                      test::material("neo_hookean", 1e5, 0.4), Vec3(0.031, 0.1015, 0.017)));
    system = build_system(std::move(setup));
    context = test::resting_context(*system);
    potential = std::make_unique<IncrementalPotential>(system);
    potential->begin_step(context, system->contact_stiffness);
    x = system->rest;
    const Vec3 place(0.02, 0.0515, 0.01);
    for (Index v = 0; v < system->dynamic_count; ++v)
      if (system->vertex_body[v] == 1 && (x.col(v) - place).norm() < 0.01) x(1, v) -= displaced;
    potential->set_contacts(x, planes);
    NewtonDirection direction(std::make_unique<SparseCholesky>());
    direction.begin_step(context, *potential);
    d.setZero(3, x.cols());
    direction.direction(x, Points(), g, d);
  }

  double energy(const Points& at) {
    potential->set_contacts(at, planes);
    const double E = potential->value(at).total();
    potential->set_contacts(x, planes);
    return E;
  }
};

TEST(LocalElimination, MovesFewVerticesDownhillWithoutIntersections) {
  Scene scene(1.2e-3);
  ASSERT_FALSE(scene.potential->contact().contacts().empty());
  LocalElimination elimination(*scene.potential);
  Points y = scene.x;
  const EliminationReport report = elimination.eliminate(scene.g, scene.d, y);
  ASSERT_GT(report.iterations, 0);
  Index moved = 0;
  for (Index v = 0; v < y.cols(); ++v) moved += y.col(v) != scene.x.col(v);
  EXPECT_GT(moved, 0);
  EXPECT_LE(moved, 0.15 * static_cast<double>(y.cols()));
  // Nearly all of the energy of a local disturbance is gone.
  const double before = scene.energy(scene.x), after = scene.energy(y), rest = scene.energy(scene.system->rest);
  EXPECT_LT(after - rest, 0.05 * (before - rest));
  EXPECT_TRUE(find_intersections(scene.system->collision, y).empty());
}

// Where the descent is spread over more than the few, nothing moves.
TEST(LocalElimination, LeavesMotionsOfWholeBodies) {
  Scene scene(0);
  scene.context.predictor.row(1).array() -= 0.01;
  scene.potential->gradient(scene.x, scene.g);
  scene.d = Points::Zero(3, scene.x.cols());
  scene.d.row(1).array() = -0.01;
  LocalElimination elimination(*scene.potential);
  Points y = scene.x;
  EXPECT_EQ(elimination.eliminate(scene.g, scene.d, y).iterations, 0);
  EXPECT_EQ(y, scene.x);
}

TEST(LocalElimination, GivesTheSameBitsForAnyNumberOfThreads) {
  Points first;
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    Scene scene(1.2e-3);
    LocalElimination elimination(*scene.potential);
    Points y = scene.x;
    elimination.eliminate(scene.g, scene.d, y);
    if (first.cols() == 0) first = y;
    EXPECT_EQ(y, first) << threads;
  }
}

TEST(LocalElimination, NeedsBarriersAndFreeVertices) {
  System system;
  EXPECT_TRUE(PatchMaker::possible(system));
  system.setup.contact.model = ContactKind::penalty;
  EXPECT_FALSE(PatchMaker::possible(system));
  system.setup.contact = {};
  system.setup.contact.enabled = false;
  EXPECT_FALSE(PatchMaker::possible(system));
}

}  // namespace sinew::local_elimination_test
