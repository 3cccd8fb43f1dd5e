// The potential beside elasticity as a function of coordinates, against the terms of all vertices.
#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"
#include "sinew/model/external_force.h"
#include "sinew/model/rotating_frame.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/potential/quadratic_terms.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_model.h"

namespace sinew::energies_of_coordinates_test {

// A bar that flies and one that is held, at one end along one axis alone, with damping, accelerations, a traction, a
// force, moments and springs, in a rotating frame.
sinew::Setup two_bars(const char* subspace, int handles) {
  sinew::Setup setup;
  for (const char* name : {"free", "held"})
    setup.bodies.push_back(test::body(name, make_box(Vec3(1, 0.25, 0.2), {4, 1, 1}),
                                      test::material("stable_neo_hookean", 1e5, 0.4),
                                      Vec3(0, name[0] == 'h' ? -1.0 : 0, 0)));
  BodySetup& free = setup.bodies[0];
  BodySetup& held = setup.bodies[1];
  free.damping_mass = 0.7;
  held.damping_mass = 2;
  free.acceleration = Vec3(1, 2, 3);
  held.acceleration_keys = Keyframes{{0, 1}, MatX{{0, 4}, {1, 2}, {3, 3}}};
  for (const double end : {-1.0, 1.0}) {
    FixSetup fix;
    fix.vertices = test::select_vertices(held.mesh, [&](const Vec3& x) { return end * x[0] > 0.499; });
    if (end > 0) fix.axes = {false, true, false};
    fix.motion.translation = Keyframes{{0, 1}, MatX{{0, 0.1}, {0, 0.2}, {0, 0.3}}};
    held.fixes.push_back(fix);
  }
  for (BodySetup& body : setup.bodies) {
    LoadSetup load;
    load.faces = boundary_triangles(body.mesh.tets).leftCols(6);
    load.vector = Vec3(3, -2, 5);
    body.loads.push_back(load);
    load.kind = LoadKind::force;
    body.loads.push_back(load);
    load.kind = LoadKind::moment;
    load.follows = body.name == "free";
    body.loads.push_back(load);
    load.kind = LoadKind::remote_force;
    load.point = Vec3(1, 2, 3);
    body.loads.push_back(load);
    SpringSetup spring;
    spring.vertices = {3, 7};
    spring.point = Vec3(0.9, 0.8, 0.7);
    spring.stiffness = 30;
    spring.length = 0.2;
    body.springs.push_back(spring);
  }
  setup.spin = SpinSetup{Vec3(1, -2, 2) / 3, Vec3(0.1, 0.2, 0.3), 3, {}};
  setup.contact.enabled = false;
  setup.solver.method = "reduced";
  setup.solver.subspace = subspace;
  setup.solver.cubature_rule = "all";
  setup.solver.handles = handles;
  return setup;
}

struct Variant {
  const char* subspace;
  int handles;
  bool inertia;
};
void PrintTo(const Variant& v, std::ostream* out) {
  *out << v.subspace << (v.inertia ? "" : " static");
}

class EnergiesOfCoordinates : public ::testing::TestWithParam<Variant> {
 protected:
  EnergiesOfCoordinates()
      : system_(build_system(two_bars(GetParam().subspace, GetParam().handles))),
        model_(make_reduced_model(*system_, 0)),
        potential_(system_, {.elastic = false, .contact = false}) {
    std::srand(3);
    step_.inertia = GetParam().inertia;
    step_.step = step_.inertia ? 0.1 : 1;
    step_.reference_step = step_.inertia ? 0.07 : 1;
    step_.scale = step_.inertia ? 0.3 : 1;  // so that no term is lost beside inertia
    step_.load_factor = step_.inertia ? 1 : 0.4;
    step_.time_end = 0.5;
    start_ = place(0.3);
    step_.predictor = start_ + 0.1 * MatX::Random(start_.rows(), start_.cols());
    step_.reference = start_ + 0.1 * MatX::Random(start_.rows(), start_.cols());
    step_.spin2 = 7;
    if (step_.inertia) {
      step_.spin_up = 2;
      step_.spin_across = 0.2 * MatX::Random(start_.rows(), start_.cols());
      step_.spin_along = 0.2 * MatX::Random(start_.rows(), start_.cols());
    }
    model_.begin_step(step_, start_);

    const Index n = system_->dynamic_count;
    context_ = test::resting_context(*system_);
    static_cast<StepScalars&>(context_) = step_;
    context_.start = context_.reference = lift(start_);
    context_.reference.leftCols(n) += difference(step_.reference);
    context_.predictor = context_.start.leftCols(n) + difference(step_.predictor);
    if (step_.inertia) {
      kinematics().lift_motion(start_, step_.spin_across, context_.spin_across);
      kinematics().lift_motion(start_, step_.spin_along, context_.spin_along);
      add_spin_to_predictor(*system_, true, context_);
    }
    external_force(*system_, step_.time_end, step_.load_factor, context_.dead_force);
    for (Index v = 0; v < n && step_.inertia; ++v)
      context_.predictor.col(v) += step_.scale / system_->mass[v] * context_.dead_force.col(v);
    potential_.begin_step(context_, 0);
  }

  Kinematics& kinematics() const { return *model_.kinematics; }
  // A position far from rest by a way of a given size.
  MatX place(double size) const {
    MatX rest = MatX::Zero(kinematics().rows(), kinematics().columns()), y = rest;
    kinematics().prescribe(step_.time_end, rest);
    MatX way = size * MatX::Random(kinematics().unknown_rows(), kinematics().unknown_columns());
    if (!kinematics().is_curved() && kinematics().basis()) way.bottomRows(way.rows() - free_rows()).setZero();
    kinematics().move(rest, way, 1, y);
    kinematics().prescribe(step_.time_end, y);
    return y;
  }
  Index free_rows() const { return 4 * kinematics().basis()->handle_count(); }
  Points lift(const MatX& y) const {
    Points x = system_->rest, u;
    kinematics().lift(y, u);
    x.leftCols(u.cols()) += u;
    return x;
  }
  Points difference(const MatX& y) const {
    Points u;
    kinematics().lift_motion(start_, y - start_, u);
    return u;
  }
  double of_vertices(const MatX& y) const { return potential_.value(lift(y)).total(); }

  std::shared_ptr<System> system_;
  ReducedModel model_;
  IncrementalPotential potential_;
  CoordinateStep step_;
  StepContext context_;
  MatX start_;
};

TEST_P(EnergiesOfCoordinates, HaveTheValuesOfVertices) {
  const MatX y = place(0.4);
  const double E = model_.value(y) - model_.value(start_), expected = of_vertices(y) - of_vertices(start_);
  EXPECT_NEAR(E, expected, 1e-9 * std::abs(expected));
}

TEST_P(EnergiesOfCoordinates, HaveTheGradientOfVertices) {
  const MatX y = place(0.4);
  Points G;
  potential_.gradient(lift(y), G);
  const MatX expected = kinematics().basis() ? kinematics().restrict_to(y, G) : MatX(G.transpose());
  MatX by_y, g = MatX::Zero(kinematics().unknown_rows(), kinematics().unknown_columns());
  model_.gradient(y, by_y, g);
  EXPECT_LT((g.topRows(expected.rows()) - expected).norm(), 1e-9 * expected.norm());
}

TEST_P(EnergiesOfCoordinates, HaveTheEnergiesOfVertices) {
  const MatX y = place(0.4), v = place(0.2) - start_;
  Points moved;
  kinematics().lift_motion(y, v, moved);
  double kinetic = 0, gravity = 0;
  for (Index i = 0; i < system_->dynamic_count; ++i) {
    kinetic += 0.5 * system_->mass[i] * moved.col(i).squaredNorm();
    gravity -= system_->mass[i] * system_->setup.gravity.dot(lift(y).col(i));
  }
  EXPECT_NEAR(model_.report(&CoordinateEnergy::kinetic, v), kinetic, 1e-9 * kinetic);
  EXPECT_NEAR(model_.report(&CoordinateEnergy::gravity, y), gravity, 1e-9 * std::abs(gravity));
  EXPECT_NEAR(model_.report(&CoordinateEnergy::springs, y),
              potential_.value(lift(y))[EnergyKind::springs] / step_.scale, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Subspaces, EnergiesOfCoordinates,
                         ::testing::Values(Variant{"eigenmodes", 6, true}, Variant{"eigenmodes", 6, false},
                                           Variant{"linear", 5, true}, Variant{"linear", 5, false},
                                           Variant{"full", 0, true}, Variant{"full", 0, false}));

}  // namespace sinew::energies_of_coordinates_test
