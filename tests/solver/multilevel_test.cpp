// The directions of the multilevel method: they descend whatever is set, and every setting does something.
#include "sinew/solver/multilevel.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// A bar on the floor, bent and pressed into the contact distance, one end held.
struct Bent {
  std::shared_ptr<const System> system;
  StepContext context;
  std::unique_ptr<IncrementalPotential> potential;
  Points x;

  explicit Bent(
      const std::function<void(SolverSetup&)>& set = [](SolverSetup&) {}, double stiffness_range = 1) {
    sinew::Setup setup;
    setup.contact.distance = 5e-3;
    setup.contact.stiffness = 1e5;
    setup.contact.friction = 0.3;
    setup.solver.handles = 9;
    setup.solver.multilevel.cache = false;
    set(setup.solver);
    const TetMesh mesh = make_box(Vec3(0.6, 0.1, 0.1), {12, 3, 3});
    setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e4, 0.4)));
    setup.bodies[0].materials.clear();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> exponent(0, 1);
    for (const double side : {-1.0, 1.0}) {
      MaterialAssignment half = test::material("neo_hookean", 1e4, 0.4, 1000, side < 0 ? "left" : "right");
      UserParameters parameters{{"young", {}}, {"poisson", {0.4}}};
      for (Index t = 0; t < mesh.tet_count(); ++t) {
        if (side * mesh.vertices(Eigen::all, mesh.tets.col(t)).row(0).sum() < 0) continue;
        half.tets.push_back(t);
        parameters["young"].push_back(1e4 * std::pow(stiffness_range, exponent(random)));
      }
      half.parameters = half.model->resolve(parameters);
      setup.bodies[0].materials.push_back(half);
    }
    FixSetup held;
    held.vertices = test::select_vertices(mesh, [](const Vec3& p) { return p.x() < -0.299; });
    setup.bodies[0].fixes = {held};
    setup.obstacles.push_back(test::floor_plane(-0.054));
    system = build_system(std::move(setup));

    const Index n = system->dynamic_count;
    x = system->rest;
    for (Index i = 0; i < n; ++i) {
      const Vec3 X = system->rest.col(i);
      const double s = X.x() + 0.3;
      x(1, i) += 0.2 * s * s + 0.002 * std::sin(40 * X.x());
      x(2, i) += 0.1 * s * s * X.y() * 10;
    }
    context.fixed.assign(3 * n, 0);
    for (const PrescribedVertex& p : system->prescribed)
      for (int k = 0; k < 3; ++k) context.fixed[3 * p.vertex + k] = p.axes[k];
    context.step = context.reference_step = 0.01;
    context.scale = 1e-4;
    context.start = x;
    context.reference = x;
    context.predictor = x;
    context.predictor.row(1).array() -= 1e-3;
    context.target = x;
    const std::vector<PlaneState> planes = plane_states();
    context.plane_start = context.plane_reference = context.plane_end = planes;
    potential = std::make_unique<IncrementalPotential>(system);
    potential->begin_step(context, system->contact_stiffness);
    potential->set_contacts(x, planes);
  }

  std::vector<PlaneState> plane_states() const {
    std::vector<PlaneState> planes;
    for (const PlaneSetup& plane : system->planes) planes.push_back({plane.point, plane.normal});
    return planes;
  }
};

struct Found {
  Points d, g;
  DirectionResult result;
};

// The last of `count` directions at the same place, after line searches that took `alpha`.
Found direction_of(Bent& bent, int count = 1, double alpha = 0.25, Refinement refinement = Refinement::inexact) {
  MultilevelDirection direction(bent.system, refinement);
  direction.begin_step(bent.context, *bent.potential);
  Found found;
  for (int i = 0; i < count; ++i) {
    found.d.setZero(3, bent.system->vertex_count());
    found.result = direction.direction(bent.x, Points(), found.g, found.d);
    direction.accepted(bent.x, alpha, 1);
  }
  return found;
}

double slope(const Found& found) {
  return (found.g.array() * found.d.leftCols(found.g.cols()).array()).sum();
}

bool same(const Points& a, const Points& b) {
  return a.cols() == b.cols() && (a - b).isZero(0);
}

// d^T H d
double energy_norm(Bent& bent, const Points& d) {
  Points g, Hd(3, bent.system->dynamic_count);
  SymBlockMatrix H;
  bent.potential->derivatives(bent.x, {}, g, H);
  H.constrain(bent.context.fixed, 0);
  const Points inner = d.leftCols(Hd.cols());
  H.multiply(inner.data(), Hd.data());
  return std::sqrt((inner.array() * Hd.array()).sum());
}

// |g + H d| / |g| over the free coordinates, with the projected Hessian.
double relative_residual(Bent& bent, const Points& d) {
  Points g, Hd(3, bent.system->dynamic_count);
  SymBlockMatrix H;
  bent.potential->derivatives(bent.x, {}, g, H);
  H.constrain(bent.context.fixed, 0);
  const Points inner = d.leftCols(Hd.cols());
  H.multiply(inner.data(), Hd.data());
  double left = 0, all = 0;
  for (Index i = 0; i < Hd.cols(); ++i) {
    if (bent.context.fixed[3 * i]) continue;
    left += (g.col(i) + Hd.col(i)).squaredNorm();
    all += g.col(i).squaredNorm();
  }
  return std::sqrt(left / all);
}

// The direction of newton-multilevel is Newton's to solver.linear_tolerance, for any stiffnesses, preconditioner and
// number of levels, also where reduced matrices are of earlier directions.
TEST(Multilevel, ToResidualSolvesToTheLinearTolerance) {
  for (const double range : {1.0, 1e6}) {
    for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
      for (int choice = 0; choice < 8; ++choice) {
        Bent bent(
            [&](SolverSetup& s) {
              s.linear_tolerance = tolerance;
              s.multilevel.affine = choice & 1;
              s.multilevel.subspace = choice & 2;
              s.multilevel.two_level = choice & 4;
            },
            range);
        for (const int count : {1, 3}) {
          const Found found = direction_of(bent, count, 0.5, Refinement::to_residual);
          ASSERT_TRUE(found.result.ok && found.result.may_stop);
          EXPECT_LE(relative_residual(bent, found.d), tolerance * (1 + 1e-6))
              << "range " << range << ", choice " << choice;
        }
      }
    }
  }
}

TEST(Multilevel, ToResidualSaysWhereIterationsDidNotSuffice) {
  Bent bent([](SolverSetup& s) {
    s.linear_tolerance = 1e-8;
    s.linear_iterations = 3;
  });
  const Found found = direction_of(bent, 1, 1, Refinement::to_residual);
  EXPECT_TRUE(found.result.ok);
  EXPECT_FALSE(found.result.may_stop);
  EXPECT_GT(relative_residual(bent, found.d), 1e-8);
}

TEST(Multilevel, EveryDirectionDescends) {
  const double range = 1e6;
  for (const int refinement : {-1, 0, 1, 5}) {
    for (int choice = 0; choice < 128; ++choice) {
      const auto bit = [&](int k) { return (choice >> k & 1) != 0; };
      if (!bit(0) && !bit(1) && refinement == 0) continue;  // nothing at all
      if (bit(3) && !bit(2)) continue;
      Bent bent(
          [&](SolverSetup& s) {
            s.multilevel.refinement = refinement;
            s.multilevel.affine = bit(0);
            s.multilevel.subspace = bit(1);
            s.multilevel.cubature_hessian = bit(2);
            s.multilevel.cubature_residual = bit(3);
            s.multilevel.two_level = bit(4);
            s.multilevel.factorize = bit(5);
            s.multilevel.join_contacts = bit(6);
          },
          range);
      const Found found = direction_of(bent);
      ASSERT_TRUE(found.result.ok);
      ASSERT_TRUE(found.d.allFinite());
      EXPECT_LT(slope(found), 0) << "range " << range << ", refinement " << refinement << ", choice " << choice;
      for (Index i = 0; i < bent.system->dynamic_count; ++i) {
        if (bent.context.fixed[3 * i]) {
          EXPECT_EQ(found.d.col(i), Vec3::Zero());
        }
      }
    }
  }
}

// A rule that sees too little stiffness makes steps too long: what refinement starts from must decrease the model of
// all tets nevertheless.
TEST(Multilevel, CoarseRulesDecreaseTheModel) {
  for (const char* rule : {"stiffness", "modal", "polynomial"}) {
    Bent bent(
        [&](SolverSetup& s) {
          s.multilevel.cubature_hessian = true;
          s.multilevel.cubature = rule;
          s.multilevel.cubature_degree = 1;
          s.multilevel.refinement = 0;
        },
        1e6);
    const Found found = direction_of(bent);
    const double curvature = std::pow(energy_norm(bent, found.d), 2);
    std::printf("%s: slope %.3g, curvature %.3g\n", rule, slope(found), curvature);
    EXPECT_LT(slope(found) + 0.5 * curvature, 0) << rule;
  }
}

struct Setting {
  const char* name;
  void (*before)(SolverSetup&);
  void (*change)(SolverSetup&);
};

TEST(Multilevel, EverySettingDoesSomething) {
  const auto nothing = [](SolverSetup&) {};
  const auto cubature = [](SolverSetup& s) { s.multilevel.cubature_hessian = true; };
  const auto modal = [](SolverSetup& s) {
    s.multilevel.cubature_hessian = true;
    s.multilevel.cubature = "modal";
  };
  const auto pcg = [](SolverSetup& s) { s.multilevel.factorize = false; };
  const auto lag = [](SolverSetup& s) { s.multilevel.lag = 2; };
  const auto fine = [](SolverSetup& s) { s.multilevel.forcing = 0.01; };
  const Setting settings[] = {
      {"handles", nothing, [](SolverSetup& s) { s.handles = 5; }},
      {"partition heat", nothing, [](SolverSetup& s) { s.multilevel.partition = "heat"; }},
      {"partition metis", nothing, [](SolverSetup& s) { s.multilevel.partition = "metis"; }},
      {"partition euclidean", nothing, [](SolverSetup& s) { s.multilevel.partition = "euclidean"; }},
      {"contrast", nothing, [](SolverSetup& s) { s.multilevel.contrast = 1; }},
      {"jump", nothing, [](SolverSetup& s) { s.multilevel.jump = 0.001; }},
      {"basis rbf", nothing, [](SolverSetup& s) { s.multilevel.basis = "rbf"; }},
      {"basis biharmonic", nothing, [](SolverSetup& s) { s.multilevel.basis = "biharmonic"; }},
      {"basis eigenmodes", nothing, [](SolverSetup& s) { s.multilevel.basis = "eigenmodes"; }},
      {"dirichlet", nothing, [](SolverSetup& s) { s.multilevel.dirichlet = false; }},
      {"affine", nothing, [](SolverSetup& s) { s.multilevel.affine = false; }},
      {"subspace", nothing, [](SolverSetup& s) { s.multilevel.subspace = false; }},
      {"reduced_solver", nothing, pcg},
      {"reduced_tolerance", pcg, [](SolverSetup& s) { s.multilevel.reduced_tolerance = 0.1; }},
      {"hessian", nothing, cubature},
      {"residual", cubature, [](SolverSetup& s) { s.multilevel.cubature_residual = true; }},
      {"cubature", cubature, modal},
      {"cubature degree", modal, [](SolverSetup& s) { s.multilevel.cubature_degree = 1; }},
      {"preconditioner", nothing, [](SolverSetup& s) { s.multilevel.two_level = false; }},
      {"join_contacts", nothing, [](SolverSetup& s) { s.multilevel.join_contacts = false; }},
      {"forcing", fine, [](SolverSetup& s) { s.multilevel.forcing = 0.5; }},
      {"refinement", fine, [](SolverSetup& s) { s.multilevel.refinement = 0; }},
  };
  for (const Setting& setting : settings) {
    SCOPED_TRACE(setting.name);
    Bent without(setting.before, 1e3);
    Bent with([&](SolverSetup& s) { setting.before(s), setting.change(s); }, 1e3);
    EXPECT_FALSE(same(direction_of(without).d, direction_of(with).d));
    EXPECT_TRUE(same(direction_of(with).d, direction_of(with).d));
  }
  // What is kept shows in how often it is renewed.
  const auto updates = [](Bent& bent, int count, double alpha) {
    MultilevelDirection direction(bent.system);
    direction.begin_step(bent.context, *bent.potential);
    int sum = 0;
    for (int i = 0; i < count; ++i) {
      Points g, d = Points::Zero(3, bent.system->vertex_count());
      sum += direction.direction(bent.x, Points(), g, d).levels.hessian_updates;
      direction.accepted(bent.x, alpha, 1);
    }
    return sum;
  };
  Bent always, lagged(lag), patient([&](SolverSetup&s) { lag(s), s.multilevel.lag_step = 0.1; });
  EXPECT_EQ(updates(always, 6, 0.25), 6);
  EXPECT_EQ(updates(lagged, 6, 0.25), 3);
  EXPECT_EQ(updates(lagged, 6, 1), 3) << "full steps that change nothing are slow";
  EXPECT_EQ(updates(patient, 6, 0.25), 1);
}

// Reduced matrices serve several directions, which refinement makes as good as those of fresh ones; a new step makes
// them anew.
TEST(Multilevel, ReducedMatricesAreKept) {
  for (const int lag : {0, 2, 20}) {
    SCOPED_TRACE(lag);
    Bent bent([&](SolverSetup& s) { s.multilevel.reduced_lag = lag, s.multilevel.forcing = 1e-6; }, 1e3);
    MultilevelDirection direction(bent.system);
    Points first;
    int updates = 0;
    for (int i = 0; i < 6; ++i) {
      if (i == 0 || i == 3) direction.begin_step(bent.context, *bent.potential);
      Points g, d = Points::Zero(3, bent.system->vertex_count());
      updates += direction.direction(bent.x, Points(), g, d).levels.reduced_updates;
      direction.accepted(bent.x, 0.5, 1);
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
      : bent_([=](SolverSetup& s) { s.multilevel.reduced_lag = 1000, s.multilevel.forcing = forcing; }),
        direction_(bent_.system) {
    bent_.context.scale = 1;  // long steps: inertia does not hold vertices in place
    bent_.potential->contact().set_stiffness(1e9);
    direction_.begin_step(bent_.context, *bent_.potential);
    Points above = bent_.system->rest;
    above.row(1).array() += 0.05;
    next(above);
    EXPECT_EQ(bent_.potential->contact().contacts().size(), 0u);
    EXPECT_EQ(sum.reduced_updates, 1);
  }

  // Iterations of refinement on the ground.
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
    const LevelReport levels = direction_.direction(x, Points(), g, d).levels;
    direction_.accepted(x, 0.5, 1);
    sum.add(levels);
    return levels.refinement_iterations;
  }

  Bent bent_;
  MultilevelDirection direction_;
};

// Contacts that have come since are renewed alone, which refinement feels at once.
TEST(Multilevel, ContactsOfReducedMatricesAreRenewed) {
  Landing landing(1e-6);
  const long old_contacts = landing.next();
  EXPECT_EQ(landing.sum.reduced_updates, 1);
  while (landing.sum.reduced_updates == 1 && landing.sum.refinement_iterations < 1000) landing.next();
  EXPECT_EQ(landing.sum.reduced_updates, 2);
  EXPECT_EQ(landing.sum.contact_updates, 1);
  const long new_contacts = landing.next();
  std::printf("iterations: %ld with old contacts, %ld with new ones\n", old_contacts, new_contacts);
  EXPECT_LT(new_contacts, old_contacts);
}

// Where one direction takes many more iterations by old contacts they are renewed on its way.
TEST(Multilevel, ContactsAreRenewedOnTheWay) {
  Landing landing(1e-14);
  landing.next();
  EXPECT_EQ(landing.sum.reduced_updates, 2);
  EXPECT_EQ(landing.sum.contact_updates, 1);
}

// A step that was cut short asks for a better direction, one that was hardly cut does not.
TEST(Multilevel, ShortStepsMakeTheNextDirectionBetter) {
  const auto refinement = [](double alpha) {
    Bent bent([](SolverSetup& s) { s.multilevel.reduced_lag = 0; }, 1e3);
    return direction_of(bent, 2, alpha).result.levels.refinement_iterations;
  };
  const long loose = refinement(0.5), tight = refinement(0.01), tightest = refinement(1e-4);
  std::printf("iterations: %ld, %ld after a short step, %ld after a tiny one\n", loose, tight, tightest);
  EXPECT_GT(tight, loose);
  EXPECT_GE(tightest, tight);
}

// It is indefinite here, so that attempts can be counted: each doubles the directions until the next one.
TEST(Multilevel, CutStepsAskForTheExactHessian) {
  const auto attempts = [](double alpha) {
    Bent bent([](SolverSetup&) {}, 1e3);
    MultilevelDirection direction(bent.system);
    direction.begin_step(bent.context, *bent.potential);
    std::vector<int> tried;
    for (int i = 0; i < 10; ++i) {
      Points g, d = Points::Zero(3, bent.system->vertex_count());
      if (direction.direction(bent.x, Points(), g, d).levels.rejections > 0) tried.push_back(i);
      direction.accepted(bent.x, alpha, 1);
    }
    return tried;
  };
  EXPECT_EQ(attempts(0.2), (std::vector<int>{1, 3, 6}));
  EXPECT_TRUE(attempts(0.7).empty());
}

TEST(Multilevel, LevelsThatAreOffDoNotWork) {
  const auto levels = [](void (*set)(SolverSetup&)) {
    Bent bent(set);
    return direction_of(bent).result.levels;
  };
  EXPECT_EQ(levels([](SolverSetup& s) { s.multilevel.affine = false; }).affine, 0);
  const LevelReport refined = levels([](SolverSetup& s) { s.multilevel.affine = s.multilevel.subspace = false; });
  EXPECT_EQ(refined.subspace, 0);
  EXPECT_EQ(refined.subspace_mean, 0);
  EXPECT_GT(refined.refinement_iterations, 0);
  const LevelReport coarse = levels([](SolverSetup& s) { s.multilevel.refinement = 0; });
  EXPECT_EQ(coarse.refinement_iterations, 0);
  EXPECT_EQ(coarse.refinement_mean, 0);
  EXPECT_GT(coarse.subspace_mean, 0);
  const LevelReport pcg = levels([](SolverSetup& s) { s.multilevel.factorize = false; });
  EXPECT_GT(pcg.affine_iterations, 0);
  EXPECT_GT(pcg.subspace_iterations, 0);
}

// The parts of the time for linear solves, of which an attempt with an indefinite exact Hessian is one.
TEST(Multilevel, SecondsAddUp) {
  Bent bent;
  bent.x.row(0) = 0.2 * bent.x.row(0);  // about to buckle
  bent.potential->set_contacts(bent.x, bent.plane_states());
  MultilevelDirection direction(bent.system);
  direction.begin_step(bent.context, *bent.potential);
  LevelReport sum;
  double seconds = 0;
  for (int i = 0; i < 6; ++i) {  // full steps that change nothing: slow, so that the exact Hessian is tried
    Points g, d = Points::Zero(3, bent.system->vertex_count());
    const DirectionResult result = direction.direction(bent.x, Points(), g, d);
    const LevelReport& l = result.levels;
    EXPECT_NEAR(l.affine + l.subspace + l.refinement + l.rejected + l.other, result.linear_solve_seconds, 1e-12);
    EXPECT_EQ(l.rejected > 0, l.rejections > 0);
    for (const double part : {l.affine, l.subspace, l.refinement, l.other}) EXPECT_GT(part, 0);
    EXPECT_LE(l.galerkin, l.affine + l.subspace);
    sum.add(l);
    seconds += result.linear_solve_seconds;
    direction.accepted(bent.x, 1, 1);
  }
  EXPECT_GT(sum.rejections, 0);
  EXPECT_EQ(sum.hessian_updates, 6 + sum.rejections);
  EXPECT_NEAR(sum.affine + sum.subspace + sum.refinement + sum.rejected + sum.other, seconds, 1e-12);
  EXPECT_LT(sum.other, 0.5 * seconds) << "what the time went to is not told";
}

// `stop: subspace` measures the part from the levels, `full` all of the direction.
TEST(Multilevel, TheStopTestLooksAtWhatItIsTold) {
  for (const bool subspace : {false, true}) {
    Bent bent([&](SolverSetup& s) { s.multilevel.stop_by_subspace = subspace, s.multilevel.forcing = 0.01; });
    MultilevelDirection direction(bent.system);
    direction.begin_step(bent.context, *bent.potential);
    Points g, d = Points::Zero(3, bent.system->vertex_count());
    const DirectionResult result = direction.direction(bent.x, Points(), g, d);
    ASSERT_EQ(result.measured.has_value(), subspace);
    if (!subspace) continue;
    EXPECT_NEAR(result.measured->mean, result.levels.subspace_mean, 1e-12 * result.levels.subspace_mean);
    const StepNorms whole = step_norms(d, bent.system->dynamic_count, bent.context.step);
    EXPECT_NE(result.measured->mean, whole.mean);
  }
}

// In the energy norm refinement leaves about the forcing of the direction that solves the system.
TEST(Multilevel, ForcingBoundsTheError) {
  for (const double range : {1.0, 1e6}) {
    const auto solved = [&](double forcing) {
      Bent bent([&](SolverSetup& s) { s.multilevel.forcing = forcing, s.multilevel.refinement = 100000; }, range);
      return direction_of(bent).d;
    };
    Bent bent([](SolverSetup&) {}, range);
    const Points exact = solved(1e-9);
    const double whole = energy_norm(bent, exact);
    for (const double forcing : {0.3, 0.1, 0.01}) {
      const double error = energy_norm(bent, solved(forcing) - exact) / whole;
      std::printf("range %g, forcing %g: error %.3g\n", range, forcing, error);
      EXPECT_LT(error, 3 * forcing);
    }
  }
}

// A direction that ended by one of its criteria does not confirm the end of a step; within the tolerance the next one
// then meets both, and does. Steps far above the tolerance stay cheap.
TEST(Multilevel, OnlyGoodDirectionsConfirmTheEnd) {
  for (const bool within : {true, false}) {
    const auto set = [&](SolverSetup& s) {
      s.multilevel.forcing = 0.1;
      s.multilevel.reduced_lag = 0;
      s.tolerance = within ? 1e3 : 1e-9;
    };
    Bent bent(set, 1e6);
    MultilevelDirection direction(bent.system);
    direction.begin_step(bent.context, *bent.potential);
    const auto next = [&] {
      Points g, d = Points::Zero(3, bent.system->vertex_count());
      EXPECT_TRUE(direction.direction(bent.x, Points(), g, d).ok);
      return d;
    };
    const Points rough = next();
    EXPECT_FALSE(direction.confirm());
    const Points good = next();
    EXPECT_EQ(direction.confirm(), within);
    EXPECT_EQ(same(rough, good), !within);
    Bent exactly([](SolverSetup& s) { s.multilevel.forcing = 1e-9, s.multilevel.refinement = 100000; }, 1e6);
    const Points exact = direction_of(exactly).d;
    if (within) {
      EXPECT_LT(energy_norm(bent, good - exact), energy_norm(bent, rough - exact));
    }
    // The next step starts afresh.
    direction.begin_step(bent.context, *bent.potential);
    EXPECT_TRUE(same(next(), rough));
  }
}

// The reduced matrix has soft contacts, which its correction violates, so that the model with all of their stiffness
// shortens it; refinement starts from there. With `stop: "subspace"`, which looks at the correction, it has that
// stiffness.
TEST(Multilevel, TheReducedMatrixHasSoftContacts) {
  const auto length = [](bool softened) {
    Bent bent([&](SolverSetup& s) { s.multilevel.stop_by_subspace = !softened; });
    bent.potential->contact().set_stiffness(1e9);
    return direction_of(bent).result.levels.subspace_mean;
  };
  EXPECT_LT(length(true), 0.5 * length(false));
  EXPECT_GT(length(true), 0.1 * length(false));
}

}  // namespace
}  // namespace sinew
