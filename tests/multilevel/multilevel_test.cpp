// The directions of newton-multilevel and of multilevel: they solve as well as they should, and every setting does
// something.
#include "sinew/multilevel/multilevel.h"

#include <cstdio>

#include "solver/bent_bar.h"

namespace sinew {
namespace {

using namespace test;

Found inexact(Bent& bent, int count = 1, double alpha = 0.25) {
  return direction_of(bent, *make_multilevel(bent.system), count, alpha);
}

Found exact(Bent& bent, int count = 1, double alpha = 0.25) {
  return direction_of(bent, *make_newton_multilevel(bent.system), count, alpha);
}

DirectionResult next(Bent& bent, FullSpaceDirection& direction, double alpha) {
  Points g, d = Points::Zero(3, bent.system->vertex_count());
  const DirectionResult result = direction.direction(bent.x, Points(), g, d);
  direction.accepted(bent.x, alpha, 1);
  return result;
}

// The direction of newton-multilevel is Newton's to solver.linear_tolerance, for any stiffnesses, also where reduced
// matrices are of earlier directions.
TEST(NewtonMultilevel, SolvesToTheLinearTolerance) {
  for (const double range : {1.0, 1e6}) {
    for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
      for (const bool eliminate : {true, false}) {
        Bent bent([&](SolverSetup& s) { s.linear_tolerance = tolerance, s.multilevel.eliminate_contacts = eliminate; },
                  range);
        for (const int count : {1, 3}) {
          const Found found = exact(bent, count, 0.5);
          ASSERT_TRUE(found.result.ok && found.result.may_stop);
          EXPECT_LE(relative_residual(bent, found.d), tolerance * (1 + 1e-6)) << "range " << range;
        }
      }
    }
  }
}

TEST(NewtonMultilevel, SaysWhereIterationsDidNotSuffice) {
  Bent bent([](SolverSetup& s) {
    s.linear_tolerance = 1e-8;
    s.linear_iterations = 3;
  });
  const Found found = exact(bent, 1, 1);
  EXPECT_TRUE(found.result.ok);
  EXPECT_FALSE(found.result.may_stop);
  EXPECT_GT(relative_residual(bent, found.d), 1e-8);
}

TEST(Multilevel, EveryDirectionDescends) {
  for (const double range : {1.0, 1e6}) {
    for (int choice = 0; choice < 8; ++choice) {
      Bent bent(
          [&](SolverSetup& s) {
            s.multilevel.eliminate_contacts = choice & 1;
            s.multilevel.dirichlet = choice & 2;
            s.multilevel.forcing = choice & 4 ? 0.9 : 0.01;
          },
          range);
      const Found found = inexact(bent);
      ASSERT_TRUE(found.result.ok);
      ASSERT_TRUE(found.d.allFinite());
      EXPECT_LT(slope(found), 0) << "range " << range << ", choice " << choice;
      for (Index i = 0; i < bent.system->dynamic_count; ++i) {
        if (bent.context.prescribed[3 * i]) {
          EXPECT_EQ(found.d.col(i), Vec3::Zero());
        }
      }
    }
  }
}

TEST(Multilevel, EverySettingDoesSomething) {
  const std::pair<const char*, void (*)(SolverSetup&)> settings[] = {
      {"handles", [](SolverSetup& s) { s.handles = 5; }},
      {"partition heat", [](SolverSetup& s) { s.multilevel.partition = "heat"; }},
      {"partition metis", [](SolverSetup& s) { s.multilevel.partition = "metis"; }},
      {"partition euclidean", [](SolverSetup& s) { s.multilevel.partition = "euclidean"; }},
      {"stiffness_exponent", [](SolverSetup& s) { s.multilevel.stiffness_exponent = 1; }},
      {"interface_stiffness", [](SolverSetup& s) { s.multilevel.interface_stiffness = 0.001; }},
      {"prune_ratio off", [](SolverSetup& s) { s.multilevel.prune_ratio = 0; }},
      {"basis rbf", [](SolverSetup& s) { s.multilevel.basis = "rbf"; }},
      {"basis biharmonic", [](SolverSetup& s) { s.multilevel.basis = "biharmonic"; }},
      {"basis eigenmodes", [](SolverSetup& s) { s.multilevel.basis = "eigenmodes"; }},
      {"dirichlet", [](SolverSetup& s) { s.multilevel.dirichlet = false; }},
      {"eliminate_contacts", [](SolverSetup& s) { s.multilevel.eliminate_contacts = false; }},
      {"forcing", [](SolverSetup& s) { s.multilevel.forcing = 0.5; }},
      {"printed", [](SolverSetup& s) { s.multilevel.printed.emplace(); }},
  };
  const auto fine = [](SolverSetup& s) { s.multilevel.forcing = 0.01; };
  for (const auto& setting : settings) {
    SCOPED_TRACE(setting.first);
    Bent without(fine, 1e3);
    Bent with([&](SolverSetup& s) { fine(s), setting.second(s); }, 1e3);
    EXPECT_FALSE(same(inexact(without).d, inexact(with).d));
    EXPECT_TRUE(same(inexact(with).d, inexact(with).d));
  }
}

// Reduced matrices serve several directions, which conjugate gradients make as good as those of fresh ones; a new step
// makes them anew.
TEST(Multilevel, ReducedMatricesAreKept) {
  for (const int lag : {0, 2, 20}) {
    SCOPED_TRACE(lag);
    Bent bent([&](SolverSetup& s) { s.multilevel.reduced_lag = lag, s.multilevel.forcing = 1e-6; }, 1e3);
    const auto direction = make_multilevel(bent.system);
    Points first;
    int updates = 0;
    for (int i = 0; i < 6; ++i) {
      if (i == 0 || i == 3) direction->begin_step(bent.context, *bent.potential);
      Points g, d = Points::Zero(3, bent.system->vertex_count());
      updates += direction->direction(bent.x, Points(), g, d).levels.reduced_updates;
      direction->accepted(bent.x, 0.5, 1);
      if (i == 0) first = d;
      EXPECT_LT((d - first).norm(), 1e-4 * first.norm());
    }
    EXPECT_EQ(updates, lag == 0 ? 6 : 2);
  }
}

// What of the Hessian reduced matrices keep, and what of it is renewed.
TEST(IncrementalPotential, TellsBodiesFromContacts) {
  Bent bent;
  IncrementalPotential& potential = *bent.potential;
  ASSERT_TRUE(potential.contact().has_hessian());
  Points g;
  SymBlockMatrix H, bodies, contacts;
  potential.derivatives(bent.x, {.bodies = &bodies}, g, H);
  potential.contact().softened_hessian(bent.x, bent.context.scale, Projection::psd,
                                       std::vector<double>(H.rows(), 1e300), contacts);
  EXPECT_LT(contacts.pattern().block_count(), H.pattern().block_count() / 4);
  const auto norm = [](const SymBlockMatrix& A) {
    double sum = 0;
    for (const double v : A.values()) sum += v * v;
    return std::sqrt(sum);
  };
  EXPECT_GT(norm(contacts), 0);
  EXPECT_LT(norm(bodies), norm(H));
  bodies.add(contacts);
  for (std::size_t i = 0; i < H.values().size(); ++i) ASSERT_NEAR(bodies.values()[i], H.values()[i], 1e-13 * norm(H));
}

// Directions of a body that was in the air when its reduced matrices were made.
class Landing {
 public:
  explicit Landing(double forcing)
      : bent_([=](SolverSetup& s) {
          s.handles = 14;
          s.multilevel.reduced_lag = 1000;
          s.multilevel.forcing = forcing;
        }),
        direction_(make_multilevel(bent_.system)) {
    bent_.context.scale = 1;  // long steps: inertia does not hold vertices in place
    bent_.potential->contact().set_stiffness(1e9);
    direction_->begin_step(bent_.context, *bent_.potential);
    Points above = bent_.system->rest;
    above.row(1).array() += 0.05;
    next(above);
    EXPECT_EQ(bent_.potential->contact().contacts().size(), 0u);
    EXPECT_EQ(sum.reduced_updates, 1);
  }

  // Iterations of conjugate gradients on the ground.
  long next() {
    const long iterations = next(bent_.system->rest);
    EXPECT_GT(bent_.potential->contact().contacts().size(), 0u);
    return iterations;
  }

  LevelReport sum;

 private:
  long next(const Points& x) {
    bent_.potential->set_contacts(x, bent_.potential->contact().planes());
    bent_.potential->contact().took(x, Points::Zero(3, bent_.system->vertex_count()), 1);  // friction is settled
    Points g, d = Points::Zero(3, bent_.system->vertex_count());
    const LevelReport levels = direction_->direction(x, Points(), g, d).levels;
    direction_->accepted(x, 0.5, 1);
    sum.add(levels);
    return levels.refinement_iterations;
  }

  Bent bent_;
  std::unique_ptr<FullSpaceDirection> direction_;
};

// Contacts that have come since are renewed alone, which conjugate gradients feel at once.
TEST(Multilevel, ContactsOfReducedMatricesAreRenewed) {
  Landing landing(1e-6);
  const long old_contacts = landing.next();
  EXPECT_EQ(landing.sum.reduced_updates, 1);
  while (landing.sum.reduced_updates == 1 && landing.sum.refinement_iterations < 5000) landing.next();
  EXPECT_EQ(landing.sum.reduced_updates, 2);
  EXPECT_EQ(landing.sum.contact_updates, 1);
  const long new_contacts = landing.next();
  std::printf("iterations: %ld with old contacts, %ld with new ones\n", old_contacts, new_contacts);
  EXPECT_LT(new_contacts, old_contacts);
}

// The Hessian is indefinite here, so that attempts can be counted: each doubles the directions until the next one.
TEST(Multilevel, CutStepsAskForTheExactHessian) {
  const auto attempts = [](double alpha) {
    Bent bent([](SolverSetup&) {}, 1e3);
    const auto direction = make_multilevel(bent.system);
    direction->begin_step(bent.context, *bent.potential);
    std::vector<int> tried;
    for (int i = 0; i < 10; ++i)
      if (next(bent, *direction, alpha).levels.rejections > 0) tried.push_back(i);
    return tried;
  };
  EXPECT_EQ(attempts(0.2), (std::vector<int>{1, 3, 6}));
  EXPECT_TRUE(attempts(0.7).empty());
}

// The parts of the time for linear solves, of which an attempt with an indefinite exact Hessian is one.
TEST(Multilevel, SecondsAddUp) {
  Bent bent;
  bent.x.row(0) = 0.2 * bent.x.row(0);  // about to buckle
  bent.potential->set_contacts(bent.x, bent.plane_states());
  const auto direction = make_multilevel(bent.system);
  direction->begin_step(bent.context, *bent.potential);
  LevelReport sum;
  double seconds = 0;
  for (int i = 0; i < 6; ++i) {  // full steps that change nothing: slow, so that the exact Hessian is tried
    const DirectionResult result = next(bent, *direction, 1);
    const LevelReport& l = result.levels;
    EXPECT_NEAR(l.subspace + l.refinement + l.rejected + l.other, result.linear_solve_seconds, 1e-12);
    EXPECT_EQ(l.rejected > 0, l.rejections > 0);
    for (const double part : {l.refinement, l.other}) EXPECT_GT(part, 0);
    EXPECT_EQ(l.subspace > 0, l.reduced_updates > l.rejections);
    EXPECT_LE(l.galerkin, l.subspace);
    sum.add(l);
    seconds += result.linear_solve_seconds;
  }
  EXPECT_GT(sum.rejections, 0);
  EXPECT_EQ(sum.hessian_updates, 6 + sum.rejections);
  EXPECT_NEAR(sum.subspace + sum.refinement + sum.rejected + sum.other, seconds, 1e-12);
  EXPECT_LT(sum.other, 0.5 * seconds) << "what the time went to is not told";
}

// In the energy norm directions leave about the forcing of the direction that solves the system.
TEST(Multilevel, ForcingBoundsTheError) {
  for (const double range : {1.0, 1e6}) {
    const auto solved = [&](double forcing) {
      Bent bent([&](SolverSetup& s) { s.multilevel.forcing = forcing; }, range);
      return inexact(bent).d;
    };
    Bent bent([](SolverSetup& s) { s.linear_tolerance = 1e-10; }, range);
    const Points whole = exact(bent).d;
    for (const double forcing : {0.3, 0.1, 0.01}) {
      const double error = energy_norm(bent, solved(forcing) - whole) / energy_norm(bent, whole);
      std::printf("range %g, forcing %g: error %.3g\n", range, forcing, error);
      EXPECT_LT(error, 3 * forcing);
    }
  }
}

// A direction that ended by one estimate of its error does not confirm the end of a step; within the tolerance the next
// one then meets all, and does. Steps far above the tolerance stay cheap.
TEST(Multilevel, OnlyGoodDirectionsConfirmTheEnd) {
  for (const bool within : {true, false}) {
    Bent bent(
        [&](SolverSetup& s) {
          s.multilevel.reduced_lag = 0;
          s.tolerance = within ? 1e3 : 1e-9;
        },
        1e6);
    const auto direction = make_multilevel(bent.system);
    direction->begin_step(bent.context, *bent.potential);
    const auto find = [&] {
      Points g, d = Points::Zero(3, bent.system->vertex_count());
      EXPECT_TRUE(direction->direction(bent.x, Points(), g, d).ok);
      return d;
    };
    const Points rough = find();
    EXPECT_FALSE(direction->confirm());
    const Points good = find();
    EXPECT_EQ(direction->confirm(), within);
    EXPECT_EQ(same(rough, good), !within);
    Bent exactly([](SolverSetup& s) { s.linear_tolerance = 1e-10; }, 1e6);
    const Points whole = exact(exactly).d;
    if (within) {
      EXPECT_LT(energy_norm(bent, good - whole), energy_norm(bent, rough - whole));
    }
    // The next step starts afresh.
    direction->begin_step(bent.context, *bent.potential);
    EXPECT_TRUE(same(find(), rough));
  }
}

}  // namespace
}  // namespace sinew
