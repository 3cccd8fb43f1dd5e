// The elastic energy of bodies of all kinds of elements in one scene.
#include "sinew/potential/elastic_energy.h"

#include <algorithm>
#include <random>

#include "elastic_checks.h"
#include "support/bodies.h"
#include "support/derivatives.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/element_parameters.h"
#include "sinew/potential/inversion_filter.h"
#include "sinew/potential/inverted_tets.h"
#include "sinew/potential/patch.h"
#include "sinew/potential/quadratic_barrier.h"

namespace sinew::test {
namespace {

// One box for each kind of elements; stiffnesses by tet, and fibers in the third. curve: of edges, over the cells'
// size.
Setup boxes_of_all_kinds(const std::string& model, int cells = 1, double curve = 0) {
  sinew::Setup setup;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> move(-curve / cells, curve / cells);
  for (int kind = 0; kind < 4; ++kind) {
    BodySetup own = body("body" + std::to_string(kind), make_box(Vec3(1, 1, 1), {cells, cells, cells}),
                         material(model, 4, 0.45, 10, "m" + std::to_string(kind)), Vec3(3.0 * kind, 0, 0));
    own.elements = static_cast<Elements>(kind);
    if (is_quadratic(own.elements)) {
      for (Index t = 0; t < own.mesh.tet_count(); ++t)
        for (int e = 0; e < 6; ++e) {
          const auto [a, b] = std::minmax(own.mesh.tets(e % 4, t), own.mesh.tets((e + 1) % 4, t));
          const Vec3 middle = 0.5 * (own.mesh.vertices.col(a) + own.mesh.vertices.col(b));
          own.mesh.mid_nodes.push_back({a, b, middle + Vec3(move(random), move(random), move(random))});
        }
      make_quadratic(own.mesh);
    }
    std::vector<double>& mu = own.materials[0].parameters[1];
    const double first = mu[0];
    const int parts = is_quadratic(own.elements) ? parts_of_quadratic : 1;
    mu.clear();
    for (Index t = 0; t < own.mesh.tet_count(); ++t) mu.push_back(first * (1 + 0.1 * (t / parts % 3)));
    if (kind == 2) {
      own.materials[0].fiber_stiffness = {2};
      own.materials[0].fiber_direction = Vec3(1, 2, 1).normalized();
      own.materials[0].fiber_tension = 3;
      own.materials[0].activation = 0.5;
    }
    setup.bodies.push_back(std::move(own));
  }
  return setup;
}

Points shaken(const System& system, double size, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> move(-size, size);
  Points x = system.rest;
  for (double& value : x.reshaped()) value += move(random);
  return x;
}

TEST(ElasticEnergy, DerivativesMatchDifferences) {
  for (const char* model : {"neo_hookean", "fixed_corotated"}) {
    const auto system = build_system(boxes_of_all_kinds(model, 1, 0.05));
    ASSERT_EQ(system->quadratic_tets.cols(), 10);
    expect_derivatives(ElasticEnergy(*system), shaken(*system, 0.05), 1e-6, nullptr, 1e-7);
  }
}

// Of a map that is linear in each body, all kinds of elements have W(F) V.
TEST(ElasticEnergy, LinearMapsHaveTheEnergyOfTheMaterial) {
  const auto system = build_system(boxes_of_all_kinds("neo_hookean", 2));
  const Mat3 A{{1.2, 0.1, 0}, {0, 0.9, 0.2}, {0.1, 0, 1.1}};
  const Points x = A * system->rest;
  const double all = ElasticEnergy(*system).value(x);
  sinew::Setup setup = boxes_of_all_kinds("neo_hookean", 2);
  double linear = 0;
  for (BodySetup& own : setup.bodies) {
    sinew::Setup one;
    one.bodies.push_back(own);
    if (is_quadratic(own.elements)) {  // its parts as linear tets
      one.bodies[0].elements = Elements::linear;
      one.bodies[0].mesh.quadratic.resize(10, 0);
    }
    one.bodies[0].elements = Elements::linear;
    const auto alone = build_system(std::move(one));
    linear += ElasticEnergy(*alone).value(A * alone->rest);
  }
  EXPECT_NEAR(all, linear, 1e-12 * linear);
}

// The projected Hessian has no negative eigenvalue, also where mixed elements are compressed and turned.
TEST(ElasticEnergy, ProjectedHessiansAreSemidefinite) {
  const auto system = build_system(boxes_of_all_kinds("neo_hookean"));
  expect_semidefinite(ElasticEnergy(*system), shaken(*system, 0.05));
}

// Fibers that keyframes shorten or lengthen, in all kinds of elements: with exact derivatives, also where they push,
// and with the energy k/2 (|F d| - L)^2 + a T (|F d| - L).
TEST(ElasticEnergy, MovedFibers) {
  constexpr double stiffness = 20, tension = 3, times[] = {0, 0.25, 1};
  const Vec3 d = Vec3(1, 2, 1).normalized();
  sinew::Setup plain = boxes_of_all_kinds("neo_hookean", 1, 0.05);
  for (BodySetup& own : plain.bodies) {
    own.materials[0].fiber_stiffness = {stiffness};
    own.materials[0].fiber_direction = d;
    own.materials[0].fiber_tension = 0;
    own.materials[0].activation = 0;
  }
  sinew::Setup moved = plain;
  for (BodySetup& own : moved.bodies) {
    own.materials[0].fiber_tension = tension;
    own.materials[0].activation_keys = {{0, 0.5}, MatX{{0.2, 1}}};
    own.materials[0].fiber_length_keys = {{0, 1}, MatX{{1.4, 0.6}}};
  }
  const auto system = build_system(std::move(moved)), without = build_system(std::move(plain));
  ElasticEnergy energy(*system);
  const double W = ElasticEnergy(*without).value(system->rest);
  for (const double time : times) {
    StepContext context;
    context.time_end = time;
    energy.begin_step(context);
    expect_derivatives(energy, shaken(*system, 0.05), 1e-6, nullptr, 1e-7);
    expect_semidefinite(energy, shaken(*system, 0.05));
    const double a = time < 0.5 ? 0.2 + 1.6 * time : 1, L = 1.4 - 0.8 * time;
    const double fibers = 0.5 * stiffness * (1 - L) * (1 - L) + a * tension * (1 - L);
    double volume = 0;
    for (Index t = 0; t < system->tet_count(); ++t) volume += tet_volume(system->rest, system->tets, t);
    EXPECT_NEAR(energy.value(system->rest) - W, fibers * volume, 0.02 * std::abs(fibers) * volume);  // curved edges
  }
}

TEST(ElasticEnergy, EqualBitsForAnyNumberOfThreads) {
  const auto system = build_system(boxes_of_all_kinds("neo_hookean", 3, 0.02));
  const Points x = shaken(*system, 0.005);
  const Index n = system->dynamic_count;
  std::vector<std::pair<Index, Index>> pairs;
  ElasticEnergy(*system).collect_pairs(pairs);
  const auto pattern = make_pattern(n, pairs);
  std::vector<double> values;
  std::vector<Points> gradients;
  std::vector<std::vector<double>> hessians;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    const ElasticEnergy energy(*system);
    SymBlockMatrix H(pattern);
    Points g = Points::Zero(3, n);
    energy.add_derivatives(x, 1, Projection::psd, g, H);
    values.push_back(energy.value(x));
    gradients.push_back(g);
    hessians.emplace_back(H.values().begin(), H.values().end());
  }
  EXPECT_TRUE(std::isfinite(values[0]));
  for (int k = 1; k < 3; ++k) {
    EXPECT_EQ(values[k], values[0]);
    EXPECT_TRUE(gradients[k] == gradients[0]);
    EXPECT_TRUE(hessians[k] == hessians[0]);
  }
}

TEST(ElasticEnergy, WeightedDerivatives) {
  const auto system = build_system(boxes_of_all_kinds("neo_hookean", 1));
  expect_weighted_derivatives(ElasticEnergy(*system), system->tet_count(), shaken(*system, 0.05));
}

// Masses of ten-node tets are positive and sum to that of the body, also with curved edges.
TEST(ElasticEnergy, MassesOfTenNodeTets) {
  const auto system = build_system(boxes_of_all_kinds("neo_hookean", 2, 0.05));
  double mass = 0, expected = 0;
  for (Index v = 0; v < system->dynamic_count; ++v) {
    if (!is_quadratic(static_cast<Elements>(system->vertex_body[v]))) continue;
    EXPECT_GT(system->mass[v], 0);
    mass += system->mass[v];
  }
  for (Index q = 0; q < system->quadratic_tets.cols(); ++q)
    expected += 10 * quadratic_tet_volume(system->rest, system->quadratic_tets, q);
  EXPECT_NEAR(mass, expected, 1e-12 * expected);
}

// By 100 K, at 0.001 / K.
void heat_by_100(sinew::Setup& setup) {
  for (BodySetup& own : setup.bodies) {
    own.heat = {heat(100)};
    own.materials[0].expansion = {0.001};
    own.materials[0].activation = 0;
  }
}

StepContext end_of_heating() {
  StepContext step;
  step.time_end = 0.5;
  return step;
}

// A body that is free grows by exp(a dT) without energy, forces or stress, whatever its elements.
TEST(FreeStretch, HeatedBodiesGrowWithoutStress) {
  sinew::Setup setup = boxes_of_all_kinds("neo_hookean", 2, 0.02);
  heat_by_100(setup);
  const auto system = build_system(std::move(setup));
  ElasticEnergy energy(*system);
  energy.begin_step(end_of_heating());
  const Points x = std::exp(0.1) * system->rest;
  const double size = 4.0 * 4;  // Young's modulus and volume
  EXPECT_LT(energy.value(x), 1e-28 * size);
  EXPECT_GT(energy.value(system->rest), 1e-3 * size);
  Points g = Points::Zero(3, system->dynamic_count), held = g;
  energy.add_gradient(x, 1, g);
  energy.add_gradient(system->rest, 1, held);
  EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-13 * held.cwiseAbs().maxCoeff());
}

// Held at its rest shape it has the stress of F = exp(-a dT) I.
TEST(FreeStretch, StressOfHeldBodies) {
  sinew::Setup setup = boxes_of_all_kinds("neo_hookean", 1);
  heat_by_100(setup);
  const auto system = build_system(std::move(setup));
  ElasticEnergy energy(*system);
  energy.begin_step(end_of_heating());
  const auto m = static_cast<std::size_t>(system->tet_count());
  std::vector<double> cauchy(6 * m), von_mises(m);
  energy.stress(system->rest, cauchy, von_mises);
  for (Index t = 0; t < system->tet_count(); ++t) {
    const auto group = std::ranges::upper_bound(system->groups, t, {}, &ElasticGroup::tet_end);
    if (is_mixed(group->elements) || !group->fiber_stiffness.empty()) continue;  // means, and fibers
    const ElementParameters of = element_parameters(*group, static_cast<std::size_t>(t - group->tet_begin));
    const double s = std::exp(-0.1), lambda = of.kernel[0], mu = of.kernel[1];
    const double expected = (mu * (s - 1 / s) + lambda * 3 * -0.1 / s) / (s * s);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(cauchy[6 * t + k], expected, 1e-12 * std::abs(expected));
  }
}

// Materials that change between steps keep the temperatures; at the mesh's temperature, and in det F, heat does not
// count.
TEST(FreeStretch, ChangesOfMaterialsKeepTheTemperature) {
  sinew::Setup setup = boxes_of_all_kinds("neo_hookean", 1);
  heat_by_100(setup);
  const auto system = build_system(std::move(setup));
  ElasticEnergy energy(*system);
  const Points x = shaken(*system, 0.02);
  const double cold = energy.value(x);
  energy.begin_step(end_of_heating());
  const double warm = energy.value(x);
  EXPECT_GT(std::abs(warm - cold), 1e-3 * cold);
  energy.adapt(Change::materials);
  EXPECT_EQ(energy.value(x), warm);
  energy.set_states(false);
  EXPECT_EQ(energy.value(x), cold);
  energy.set_states(true);
  EXPECT_EQ(energy.value(x), warm);
  EXPECT_NEAR(energy.min_jacobian(1.1 * system->rest), 1.331, 1e-12);
  std::vector<double> F(std::size_t{9} * system->tet_count());
  energy.deformation_gradients(1.1 * system->rest, F);
  for (std::size_t k = 0; k < F.size(); ++k) EXPECT_NEAR(F[k], k % 9 % 4 == 0 ? 1.1 : 0, 1e-13);
}

TEST(FreeStretch, DerivativesMatchDifferences) {
  sinew::Setup setup = boxes_of_all_kinds("neo_hookean", 1, 0.05);
  for (BodySetup& own : setup.bodies) {
    own.heat = {heat(0, {{0, 2}, (MatX(1, 2) << 0, 100).finished()})};
    const int parts = is_quadratic(own.elements) ? parts_of_quadratic : 1;
    for (Index t = 0; t < own.mesh.tet_count(); ++t) own.materials[0].expansion.push_back(1e-3 * (1 + t / parts % 4));
  }
  const auto system = build_system(std::move(setup));
  ElasticEnergy energy(*system);
  StepContext step;
  step.time_end = 1;  // 50 K
  energy.begin_step(step);
  expect_derivatives(energy, shaken(*system, 0.05), 1e-6, nullptr, 1e-7);
}

// A patch of a few vertices would miss tets of the means of mixed elements.
TEST(ElasticEnergy, MixedElementsHaveNoPatches) {
  for (int kind = 0; kind < 4; ++kind) {
    sinew::Setup all = boxes_of_all_kinds("neo_hookean"), one;
    one.bodies.push_back(all.bodies[kind]);
    const auto system = build_system(std::move(one));
    EXPECT_EQ(PatchMaker::possible(*system), !is_mixed(static_cast<Elements>(kind))) << kind;
  }
}

struct OneTet {
  Points rest = (Points(3, 4) << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1).finished();
  QuadraticTets tets = with_mid_nodes(rest, (Tets(4, 1) << 0, 1, 2, 3).finished());
};

// Pushes a node on an edge towards its corner, where det(dx/dxi) vanishes first.
TEST(QuadraticTetBarrier, DerivativesMatchDifferences) {
  const OneTet one;
  class Alone final : public Energy {
   public:
    explicit Alone(const OneTet& one) : barrier(one.rest, one.tets, {3.0}, 10) {}
    std::string_view name() const override { return "barrier of ten-node tets"; }
    double value(const Points& x) const override { return barrier.value(x); }
    void add_vertex_energies(const Points&, double, std::span<double>) const override {}
    void add_gradient(const Points& x, double scale, Points& g) const override {
      barrier.add_gradient(x, {}, scale, g);
    }
    void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                         SymBlockMatrix& H) const override {
      barrier.add_derivatives(x, {}, scale, projection, g, H);
    }
    void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override {
      for (Index a = 0; a < 10; ++a)
        for (Index b = a + 1; b < 10; ++b) pairs.emplace_back(a, b);
    }
    QuadraticTetBarrier barrier;
  } energy(one);
  EXPECT_EQ(energy.value(one.rest), 0);
  Points x = one.rest;
  x(0, 4) = 0.26;  // of the edge 01: det(dx/dxi) at corner 0 is 4 x - 1
  EXPECT_GT(energy.value(x), 0);
  EXPECT_LT(energy.value(x), std::numeric_limits<double>::infinity());
  std::mt19937 random(2);
  std::uniform_real_distribution<double> move(-0.002, 0.002);
  for (double& value : x.reshaped()) value += move(random);
  expect_derivatives(energy, x, 1e-7, nullptr, 1e-5);
  x = one.rest;
  x(0, 4) = 0.25;
  EXPECT_EQ(energy.value(x), std::numeric_limits<double>::infinity());
}

// The filter stops before det F vanishes between the points, and a state beyond is known as inverted.
TEST(QuadraticTetBarrier, FilterAndStatesKnowTetsThatFold) {
  sinew::Setup setup;
  setup.bodies.push_back(body("b", make_box(Vec3(1, 1, 1), {1, 1, 1}), material("neo_hookean", 1, 0.3)));
  setup.bodies[0].elements = Elements::quadratic;
  make_quadratic(setup.bodies[0].mesh);
  const auto system = build_system(std::move(setup));
  const Index corner = system->quadratic_tets(0, 0), node = system->quadratic_tets(4, 0);
  Points d = Points::Zero(3, system->rest.cols());
  d.col(node) = system->rest.col(corner) - system->rest.col(node);  // det vanishes at half of it
  const double step = inversion_step(*system, system->rest, d);
  EXPECT_LE(step, 0.5);
  EXPECT_GE(step, 0.9 * 0.5 * (1 - 2e-3));
  EXPECT_TRUE(inverted_tets(*system, system->rest + 0.49 * d).empty());
  EXPECT_FALSE(inverted_tets(*system, system->rest + 0.51 * d).empty());
}

}  // namespace
}  // namespace sinew::test
