// The potential of reduced and mixed methods as the step solver sees it.
#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/contact/kinematics.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/mesh/surface.h"
#include "sinew/reduced/reduced_direction.h"
#include "sinew/reduced/reduced_potential.h"

namespace sinew::subspace_potential_test {

struct Variant {
  const char* method;
  const char* subspace;
  const char* rule;
};
void PrintTo(const Variant& v, std::ostream* out) {
  *out << v.method << " " << v.subspace << " " << v.rule;
}

// A ball within reach of a plate, which is a mesh, with friction; it has begun to move and to deform.
class ReducedPotentialTest : public ::testing::TestWithParam<Variant> {
 protected:
  ReducedPotentialTest() {
    sinew::Setup setup;
    const TetMesh ball = make_sphere(0.1, 0.04);
    const double gap = 4e-4;
    setup.bodies.push_back(test::body("ball", ball, test::material("neo_hookean", 1e5, 0.3),
                                      Vec3(0, gap - ball.vertices.row(1).minCoeff(), 0)));
    setup.bodies[0].velocity = Vec3(0.3, -0.02, 0);
    ObstacleSetup plate;
    plate.name = "plate";
    TetMesh box = make_box({1, 0.1, 1}, {1, 1, 1});
    box.vertices.row(1).array() -= 0.05;
    plate.mesh = compacted(box.vertices, boundary_triangles(box.tets));
    setup.obstacles.push_back(plate);
    setup.contact.distance = 1e-3;
    setup.contact.friction = 0.4;
    setup.contact.surface_samples = 1000;  // all
    setup.solver.method = GetParam().method;
    setup.solver.subspace = GetParam().subspace;
    setup.solver.cubature_rule = GetParam().rule;
    setup.solver.handles = 5;
    system_ = build_system(std::move(setup));
    model_ = make_reduced_model(*system_, 0);
    const Formulation formulation =
        GetParam().method == std::string("mixed") ? Formulation::mixed : Formulation::standard;
    potential_.emplace(*system_, model_, formulation);
    direction_.emplace(*potential_);
    Kinematics& kinematics = *model_.kinematics;
    MatX y = MatX::Zero(kinematics.rows(), kinematics.columns());
    kinematics.prescribe(0, y);
    kinematics.project(Points::Zero(3, system_->dynamic_count), y);
    MatX moved = MatX::Zero(kinematics.rows(), kinematics.columns());
    kinematics.project_velocity(y, (0.01 * system_->initial_velocity).leftCols(system_->dynamic_count), moved);
    Points obstacles;
    place_obstacle_vertices(*system_, 0, obstacles);
    const Points still = 0 * obstacles;
    State state;
    potential_->pack(y, true, obstacles, state.x);
    potential_->pack(moved / 0.01, false, still, state.v);
    prepare_motion(*system_, state, 0.01, 0.01, state.x.cols() - obstacles.cols(), context_);
    context_.target = obstacles;
    potential_->begin_step(context_, 1e5);
    direction_->begin_step();
    q_ = state.x;
    potential_->set_contacts(q_, {});
  }

  std::shared_ptr<System> system_;
  ReducedModel model_;
  std::optional<ReducedPotential> potential_;
  std::optional<ReducedDirection> direction_;
  StepContext context_;
  Points q_;
};

// g . d is the derivative of E along the way that d leads, contact, friction and stretches included.
TEST_P(ReducedPotentialTest, TheSlopeIsTheDerivativeOfE) {
  ASSERT_GT(potential_->contact().contacts().size(), 0u);
  Points g, d, trial;
  std::vector<PlaneState> planes;
  for (int iteration = 0; iteration < 3; ++iteration) {
    EXPECT_EQ(potential_->displacement_to_target(q_, planes, d).remaining, 0);
    ASSERT_TRUE(direction_->direction(q_, Points(), g, d).ok);
    // Directions that do not get shorter are then tried without projections.
    for (int again = 0; again < iteration; ++again) {
      direction_->accepted(q_, 1, 0);
      direction_->lagged_anew();
      ASSERT_TRUE(direction_->direction(q_, Points(), g, d).ok);
    }
    const double slope = potential_->slope(g, d);
    ASSERT_LT(slope, 0);
    const auto at = [&](double t) {
      EXPECT_TRUE(potential_->retract(q_, d, t, planes, trial));
      potential_->set_contacts(trial, planes);
      return potential_->value(trial).total();
    };
    const double e = 1e-5;
    EXPECT_NEAR((at(e) - at(-e)) / (2 * e), slope, 1e-5 * std::abs(slope)) << iteration;
    const double t = 0.3 * potential_->max_step(q_, d, planes);
    ASSERT_GT(t, 0);
    at(t);
    q_ = trial;
  }
}

// The Hessian as it is gives the second derivatives of E, along curved sets of positions too, with contact and
// friction. Differences of friction are off in proportion to their width, which extrapolation takes out.
TEST_P(ReducedPotentialTest, TheHessianHasTheCurvatureOfE) {
  potential_->set_formulation(Formulation::standard);
  Points q, d, trial;
  potential_->pack(potential_->packed().y_of(q_), true, potential_->packed().obstacles(q_), q);
  potential_->set_contacts(q, {});
  const Kinematics& kinematics = *model_.kinematics;
  const auto H = kinematics.make_hessian();
  potential_->assemble_unprojected(q, *H);
  std::vector<PlaneState> planes;
  MatX unknowns(kinematics.unknown_rows(), kinematics.unknown_columns()), product = unknowns;
  std::srand(7);
  for (int k = 0; k < 4; ++k) {
    unknowns.setRandom();
    unknowns *= 1e-6 / model_.kinematics->displacement(potential_->packed().y_of(q), unknowns).largest;
    potential_->displacement_to_target(q, planes, d);
    potential_->packed().write_unknowns(unknowns, d);
    const auto value = [&](double t) {
      EXPECT_TRUE(potential_->retract(q, d, t, planes, trial));
      potential_->set_contacts(trial, planes);
      return potential_->value(trial).total();
    };
    const auto second = [&](double t) { return (value(t) - 2 * value(0) + value(-t)) / (t * t); };
    const double expected = 2 * second(0.5) - second(1);
    H->multiply(unknowns, product);
    EXPECT_NEAR(unknowns.cwiseProduct(product).sum(), expected, 1e-3 * std::abs(expected)) << k;
  }
}

// The stop test asks for directions that are as long as q and have no place for the way of what is prescribed.
TEST_P(ReducedPotentialTest, DirectionsWithoutAWayAreTheSame) {
  Points g, d, shorter = Points::Zero(3, q_.cols());
  std::vector<PlaneState> planes;
  potential_->displacement_to_target(q_, planes, d);
  ASSERT_TRUE(direction_->direction(q_, Points(), g, d).ok);
  ASSERT_GT(d.cols(), shorter.cols());
  direction_->begin_step();
  ASSERT_TRUE(direction_->direction(q_, Points(), g, shorter).ok);
  const Index used = potential_->columns() + (potential_->is_mixed() ? 2 * model_.points->slot_count() : 0);
  EXPECT_EQ(shorter.leftCols(used), d.leftCols(used));
  EXPECT_EQ(potential_->norms(shorter).max, potential_->norms(d).max);
}

// What is left to balance is that of free coordinates: handles that follow a clamp, whose rows lie below, have none.
TEST(ReducedPotential, ResidualsAreOfFreeCoordinates) {
  sinew::Setup setup;
  const TetMesh mesh = make_box({0.3, 0.1, 0.1}, {6, 2, 2});
  setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e5, 0.3)));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.149; });
  fix.motion.translation = Keyframes{{0, 1}, MatX{{0, 0.1}, {0, 0}, {0, 0}}};
  setup.bodies[0].fixes.push_back(fix);
  setup.contact.enabled = false;
  setup.solver.method = "reduced";
  setup.solver.handles = 4;
  const auto system = build_system(std::move(setup));
  const ReducedModel model = make_reduced_model(*system, 0);
  ReducedPotential potential(*system, model, Formulation::standard);
  const Index rows = model.kinematics->rows(), free = 16;
  ASSERT_EQ(rows, free + 4);
  MatX g = MatX::Random(rows, 3);
  Points columns(3, potential.columns());
  potential.packed().write_unknowns(g, columns);
  const double residual = potential.residual(columns, {});
  // sqrt(sum_a g_a^T M_a^-1 g_a) over the free rows; M_a by the kinetic energy of velocities e_i + e_j.
  double square = 0;
  for (int a = 0; a < 3; ++a) {
    MatX mass(free, free);
    for (Index i = 0; i < free; ++i)
      for (Index j = 0; j < free; ++j) {
        const auto kinetic = [&](double vi, double vj) {
          MatX v = MatX::Zero(rows, 3);
          v(i, a) += vi;
          v(j, a) += vj;
          return model.report(&CoordinateEnergy::kinetic, v);
        };
        mass(i, j) = kinetic(1, 1) - kinetic(1, 0) - kinetic(0, 1);
      }
    const VecX free_g = g.col(a).head(free);
    square += free_g.dot(mass.ldlt().solve(free_g));
  }
  EXPECT_NEAR(residual, std::sqrt(square), 1e-9 * residual);
  g.bottomRows(4).setConstant(1e300);
  potential.packed().write_unknowns(g, columns);
  EXPECT_EQ(potential.residual(columns, {}), residual);
}

INSTANTIATE_TEST_SUITE_P(All, ReducedPotentialTest,
                         ::testing::Values(Variant{"reduced", "eigenmodes", "stiffness"},
                                           Variant{"mixed", "eigenmodes", "stiffness"},
                                           Variant{"reduced", "inertia", "all"}, Variant{"mixed", "inertia", "all"}));

}  // namespace sinew::subspace_potential_test
