// Gas in cavities: its law, derivatives against finite differences, and which faces are taken for a cavity.
#include "sinew/potential/gas.h"

#include <cmath>
#include <random>

#include "support/cavities.h"
#include "support/derivatives.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/kinematics/embedded_hessian.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew::gas_test {
namespace {

using ::testing::HasSubstr;

sinew::Setup hollow_setup(double pressure, double exponent) {
  sinew::Setup setup;
  setup.bodies.push_back(test::body("ball", test::hollow_box(), test::material("neo_hookean", 1e5, 0.4)));
  setup.bodies[0].loads = {test::gas_in(setup.bodies[0].mesh, pressure, exponent)};
  return setup;
}

Points jittered(const System& system, double amount) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-amount, amount);
  Points x = system.rest;
  for (Index i = 0; i < x.size(); ++i) x.data()[i] += uniform(random);
  return x;
}

GasEnergy energy_of(const System& system, const StepContext& context) {
  GasEnergy energy(system);
  energy.begin_step(context);
  return energy;
}

TEST(Gas, DerivativesMatchDifferences) {
  for (const double exponent : {1.0, 1.4})
    for (const double pressure : {-5e4, 0.0, 8e4}) {
      const auto system = build_system(hollow_setup(pressure, exponent));
      const StepContext context = test::resting_context(*system);
      const GasEnergy energy = energy_of(*system, context);
      test::expect_derivatives(energy, jittered(*system, 0.01), 1e-5);
      test::expect_semidefinite(energy, jittered(*system, 0.01));
    }
}

// Without jitter the part of the projected Hessian by faces is known to vanish at p = p_a; what remains is g g^T.
TEST(Gas, IsATermOfRankOneAtTheAmbientPressure) {
  const auto system = build_system(hollow_setup(0, 1.4));
  const StepContext context = test::resting_context(*system);
  const GasEnergy energy = energy_of(*system, context);
  std::vector<std::pair<Index, Index>> pairs;
  energy.collect_pairs(pairs);
  SymBlockMatrix H(make_pattern(system->dynamic_count, pairs));
  Points g = Points::Zero(3, system->dynamic_count);
  energy.add_derivatives(system->rest, 1, Projection::psd, g, H);
  EXPECT_LT(g.norm(), 1e-9);
  ASSERT_EQ(H.ranks().size(), 1u);
  EXPECT_EQ(H.ranks()[0].rows.size(), 8u);
  EXPECT_NEAR(H.ranks()[0].factor, 1.4 * test::air / test::piston_volume, 1e-3);
  double blocks = 0;
  for (const double value : H.values()) blocks = std::max(blocks, std::abs(value));
  EXPECT_LT(blocks, 1e-6);
}

// A box that is stretched: p (V / V_0)^exponent is constant, and energy is the work of p - p_a.
TEST(Gas, FollowsItsLaw) {
  for (const double exponent : {1.0, 5.0 / 3}) {
    sinew::Setup setup = hollow_setup(2e4, exponent);
    setup.bodies[0].loads[0].gas.amount = 1.5;
    const auto system = build_system(std::move(setup));
    const auto at = [&](double stretch) {
      Points x = system->rest;
      x.row(1) *= stretch;
      return gas_state(*system, system->loads[0], x, 0);
    };
    const double initial = (test::air + 2e4) * std::pow(1.5, exponent);
    for (const double stretch : {0.2, 1.0, 1 + 1e-9, 3.0}) {
      const GasState gas = at(stretch);
      EXPECT_NEAR(gas.volume, stretch * 1e-3, 1e-15);
      EXPECT_NEAR((gas.pressure + test::air) * std::pow(stretch, exponent), initial, 1e-9 * initial);
      const double h = 1e-5;
      EXPECT_NEAR((at(stretch + h).energy - at(stretch - h).energy) / (2 * h * 1e-3), -gas.pressure, 1e-4 * initial);
    }
    EXPECT_EQ(at(1).energy, 0);
    EXPECT_EQ(at(-1).energy, std::numeric_limits<double>::infinity());
  }
}

TEST(Gas, ForceOnAWallIsPressureTimesArea) {
  const auto system = build_system(hollow_setup(3e4, 1));
  const StepContext context = test::resting_context(*system);
  Points g = Points::Zero(3, system->dynamic_count);
  energy_of(*system, context).add_gradient(system->rest, 1, g);
  double up = 0;
  for (Index i = 0; i < g.cols(); ++i)
    if (system->rest(1, i) > 0) up -= g(1, i);
  EXPECT_NEAR(up, 3e4 * test::piston_area, 1e-8);
}

// Volumes of curved faces are exact, too.
TEST(Gas, FacesOfSecondOrderHaveExactDerivatives) {
  sinew::Setup setup = hollow_setup(3e4, 1.4);
  BodySetup& body = setup.bodies[0];
  make_quadratic(body.mesh);
  body.elements = Elements::quadratic;
  body.loads = {test::gas_in(body.mesh, 3e4, 1.4)};
  const auto system = build_system(std::move(setup));
  ASSERT_GT(system->loads[0].quadratic_faces, 0);
  const StepContext context = test::resting_context(*system);
  const GasEnergy energy = energy_of(*system, context);
  EXPECT_NEAR(gas_state(*system, system->loads[0], system->rest, 0).volume, 1e-3, 1e-15);
  const Points x = jittered(*system, 0.002);
  Points g = Points::Zero(3, system->dynamic_count), d = Points::Random(3, system->dynamic_count), next = g;
  energy.add_gradient(x, 1, g);
  const double h = 1e-6;
  EXPECT_NEAR((energy.value(x + h * d) - energy.value(x - h * d)) / (2 * h), g.cwiseProduct(d).sum(),
              1e-6 * g.norm() * d.norm());
}

// The vertices of an affine body follow its control tet, and so do terms of rank one.
TEST(Gas, OfAnAffineBodyActsOnWhatItFollows) {
  sinew::Setup setup = hollow_setup(3e4, 1.4);
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.bodies[0].affine = true;
  const auto system = build_system(std::move(setup));
  const StepContext context = test::resting_context(*system);
  IncrementalPotential potential(*system);
  potential.begin_step(context, 0);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto direction = [&](double size) {
    Points d = Points::Zero(3, system->vertex_count());
    for (Index v = 0; v < system->dynamic_count; ++v)
      for (int k = 0; k < 3; ++k) d(k, v) = size * number(random);
    system->place_followers(d);
    return d;
  };
  const Points x = system->rest + direction(0.02);
  Points g, before, after;
  SymBlockMatrix H;
  potential.set_contacts(x, {});
  potential.derivatives(x, {.projection = Projection::none}, g, H);
  EXPECT_EQ(H.ranks().size(), 1u);
  for (int round = 0; round < 5; ++round) {
    const Points d = direction(1), own = d.leftCols(system->dynamic_count);
    const double h = 1e-6;
    const double change = (potential.value(x + h * d).total() - potential.value(x - h * d).total()) / (2 * h);
    EXPECT_NEAR(change, g.cwiseProduct(own).sum(), 1e-6 * g.norm() * own.norm());
    potential.gradient(x + h * d, after);
    potential.gradient(x - h * d, before);
    Points Hd(3, system->dynamic_count);
    H.multiply(own.data(), Hd.data());
    EXPECT_LE(((after - before) / (2 * h) - Hd).norm(), 1e-6 * Hd.norm());
  }
}

// u <- W^T u, of vertices that follow others and of some that do not.
TEST(Gas, TermsOfRankOneArePulledBack) {
  const Embedding embedding({4, 5}, {{{0, 0.25}, {2, 0.75}}, {{2, 0.5}, {3, 0.5}}});
  const RankOne term{2, {1, 2, 4, 5}, Points::Random(3, 4)};
  Points all = Points::Zero(3, 6), expected = all, found = Points::Zero(3, 4);
  for (int i = 0; i < 4; ++i) all.col(term.rows[i]) = term.u.col(i);
  expected = all;
  embedding.pull_back(all, expected);
  const RankOne pulled = pulled_back(term, embedding, 4);
  for (std::size_t i = 0; i < pulled.rows.size(); ++i) found.col(pulled.rows[i]) = pulled.u.col(static_cast<Index>(i));
  EXPECT_EQ(pulled.factor, 2);
  EXPECT_LT((found - expected.leftCols(4)).norm(), 1e-15);
}

TriMesh cube_surface(bool inside_out) {
  const TetMesh mesh = make_box(Vec3::Constant(0.1), {2, 2, 2});
  TriMesh surface = compacted(mesh.vertices, boundary_triangles(mesh.tets));
  if (inside_out) surface.triangles.row(1).swap(surface.triangles.row(2));
  return surface;
}

TEST(Gas, TurnsClothOutward) {
  for (const bool inside_out : {false, true}) {
    sinew::Setup setup;
    setup.bodies.push_back(test::cloth("bag", cube_surface(inside_out), test::springs(1e4, 1000, 1e-3)));
    setup.bodies[0].loads = {test::gas_in(setup.bodies[0].mesh)};
    const auto system = build_system(std::move(setup));
    EXPECT_NEAR(gas_state(*system, system->loads[0], system->rest, 0).volume, 1e-3, 1e-15);
  }
}

void expect_refused(sinew::Setup setup, const char* part) {
  try {
    build_system(std::move(setup));
    ADD_FAILURE() << "no error with " << part;
  } catch (const InputError& error) {
    EXPECT_EQ(error.code().id, std::string(code::load.id));
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(Gas, RefusesFacesThatEncloseNone) {
  const auto with = [](const std::function<void(BodySetup&)>& change) {
    sinew::Setup setup = hollow_setup(0, 1);
    change(setup.bodies[0]);
    return setup;
  };
  expect_refused(with([](BodySetup& b) { b.loads[0].faces = Triangles(b.loads[0].faces.leftCols(7)); }), "not closed");
  expect_refused(with([](BodySetup& b) {
                   b.mesh = make_box(Vec3::Constant(0.1), {1, 1, 1});
                   b.loads[0].faces = boundary_triangles(b.mesh.tets);
                 }),
                 "no cavity");
  sinew::Setup torn;
  TriMesh surface = cube_surface(false);
  surface.triangles.col(0).row(1).swap(surface.triangles.col(0).row(2));
  torn.bodies.push_back(test::cloth("bag", surface, test::springs(1e4, 1000, 1e-3)));
  torn.bodies[0].loads = {test::gas_in(torn.bodies[0].mesh)};
  expect_refused(std::move(torn), "against each other");
  sinew::Setup flat;
  surface = cube_surface(false);
  surface.vertices.row(2).setZero();
  flat.bodies.push_back(test::cloth("bag", surface, test::springs(1e4, 1000, 1e-3)));
  flat.bodies[0].loads = {test::gas_in(flat.bodies[0].mesh)};
  EXPECT_THROW(build_system(std::move(flat)), InputError);
}

TEST(Gas, RefusesNumbersThatNoGasHas) {
  const auto with = [](const std::function<void(LoadSetup&)>& change) {
    sinew::Setup setup = hollow_setup(0, 1);
    change(setup.bodies[0].loads[0]);
    return setup;
  };
  expect_refused(with([](LoadSetup& l) { l.pressure = -test::air; }), "gas.pressure: found -101325");
  expect_refused(with([](LoadSetup& l) { l.gas.exponent = 0.9; }), "gas.exponent: found 0.9");
  expect_refused(with([](LoadSetup& l) { l.gas.ambient = -1; }), "gas.ambient: found -1");
  expect_refused(with([](LoadSetup& l) { l.gas.amount = 0; }), "gas.amount: found 0");
  expect_refused(with([](LoadSetup& l) { l.factor = Keyframes{{0, 1}, MatX{{1, -1}}}; }), "gas.amount: found -1");
}

}  // namespace
}  // namespace sinew::gas_test
