// Predicted contacts: fewer directions to the same step, and the penalties behind them.
#include <cmath>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/methods.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/model/system.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// Thin fins that stand in a row, each a little farther from the next, every second one of which swings towards its
// neighbour, far beyond it unless something stops it.
sinew::Setup fins(int count, bool predict, const char* method) {
  sinew::Setup setup;
  setup.time.step = 0.02;
  setup.contact.distance = 2e-3;
  setup.contact.friction = 0.2;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-6;
  setup.solver.predict_contacts = predict;
  setup.solver.multilevel.cache = false;
  double place = 0;
  for (int i = 0; i < count; ++i) {
    BodySetup fin = test::body("fin" + std::to_string(i), make_box(Vec3(0.01, 0.2, 0.02), {1, 16, 1}),
                               test::material("neo_hookean", 1e5, 0.4), Vec3(place, 0.003 * (i % 3), 0.002 * (i % 2)));
    place += 0.0115 + 0.0005 * i;
    FixSetup held;
    held.vertices = test::select_vertices(fin.mesh, [&](const Vec3& p) { return p.y() < -0.09; });
    fin.fixes = {held};
    if (i % 2 == 0) fin.velocity = Vec3(1.5, 0, 0);
    setup.bodies.push_back(fin);
  }
  return setup;
}

TEST(PredictedContacts, ManyContactsTakeFewDirections) {
  for (const char* method : {"newton", "multilevel"}) {
    const auto run = [&](bool predict, int* iterations) {
      Simulation simulation(build_system(fins(30, predict, method)));
      const StepReport report = simulation.step();
      EXPECT_TRUE(report.converged) << report.reason;
      EXPECT_GT(report.contacts, 6);
      *iterations = report.newton_iterations;
      return Points(simulation.state().x);
    };
    int with = 0, without = 0;
    const Points a = run(true, &with), b = run(false, &without);
    std::printf("%s: %d iterations, %d without prediction\n", method, with, without);
    EXPECT_LT(with, without);
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-5);  // |d| / h of 1e-6 and contacts that have settled
  }
}

struct Falling {
  std::shared_ptr<const System> system;
  StepContext context;
  std::unique_ptr<IncrementalPotential> potential;
  Points d;

  Falling() {
    system = build_system(fins(4, true, "newton"));
    prepare_step(*system, initial_state(*system), context);
    potential = std::make_unique<IncrementalPotential>(system);
    potential->begin_step(context, system->contact_stiffness);  // looks for what is near
    d = Points::Zero(3, system->vertex_count());
    for (Index v = 0; v < system->dynamic_count; ++v)
      if (system->vertex_body[v] % 2 == 0) d(0, v) = 0.03;
  }
  Points gradient() {
    Points g = Points::Zero(3, system->dynamic_count);
    potential->add_predicted_gradient(context.start, Points::Zero(3, system->vertex_count()), context.plane_end, g);
    return g;
  }
  double curvature(const Points& d) {
    Points g, Hd(3, system->dynamic_count);
    SymBlockMatrix H;
    potential->derivatives(context.start, Projection::psd, g, H);
    H.multiply(d.data(), Hd.data());
    return Hd.cwiseProduct(d).sum();
  }
};

// With the first fins in contact those near them are known. They resist the motion that they were predicted from, and
// are gone when there is none.
TEST(PredictedContacts, ResistWhatTheyWerePredictedFrom) {
  Falling falling;
  IncrementalPotential& potential = *falling.potential;
  const auto& end = falling.context.plane_end;
  const double before = falling.curvature(falling.d);
  potential.predict_contacts(falling.context.start, falling.d, 0, end);
  ASSERT_GE(potential.predicted_contacts().size(), 4u) << potential.contact_count();
  EXPECT_TRUE(potential.has_contact_hessian());
  EXPECT_GT(falling.curvature(falling.d), 1.002 * before);
  // A motion of all bodies together closes no gap.
  Points together = Points::Zero(3, falling.system->vertex_count());
  together.row(0).setConstant(0.03);
  const Points g = falling.gradient();
  EXPECT_LT(std::abs(g.cwiseProduct(together).sum()), 1e-12 * g.norm() * together.norm());
  // At d = 0 gaps are wider than the target: the penalties' gradient pulls towards it.
  EXPECT_LT(g.cwiseProduct(falling.d).sum(), 0);

  const std::size_t size = potential.predicted_contacts().size();
  potential.predict_contacts(falling.context.start, falling.d, 1, end);  // nothing is left of it, but all still push
  EXPECT_EQ(potential.predicted_contacts().size(), size);
  potential.predict_contacts(falling.context.start, 0 * falling.d, 0, end);  // nor do they push any more
  EXPECT_TRUE(potential.predicted_contacts().empty());
  EXPECT_EQ(falling.curvature(falling.d), before);
  potential.predict_contacts(falling.context.start, falling.d, 0.999, end);
  EXPECT_TRUE(potential.predicted_contacts().empty());
}

}  // namespace
}  // namespace sinew
