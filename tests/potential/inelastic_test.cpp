// Materials with history in the elastic energy: relaxation, cycles, flow, derivatives of the energy of a step.
#include <cmath>
#include <random>

#include "elastic_checks.h"
#include "support/bodies.h"
#include "support/derivatives.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/material/hencky_plastic.h"
#include "sinew/material/material.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/potential/elastic_energy.h"
#include "sinew/potential/inelastic_strain.h"
#include "sinew/potential/patch.h"

namespace sinew::test {
namespace {

// One box for each kind of elements, all of one material.
sinew::Setup boxes(const MaterialAssignment& material, int cells = 1) {
  sinew::Setup setup;
  for (int kind = 0; kind < 4; ++kind) {
    BodySetup own = body("body" + std::to_string(kind), make_box(Vec3(1, 1, 1), {cells, cells, cells}), material,
                         Vec3(3.0 * kind, 0, 0));
    own.elements = static_cast<Elements>(kind);
    if (is_quadratic(own.elements)) make_quadratic(own.mesh);
    setup.bodies.push_back(std::move(own));
  }
  return setup;
}

MaterialAssignment viscous_rubber() {
  MaterialAssignment result = material("neo_hookean", 4, 0.45);
  result.viscosity = {{0.1, 0.5}, {3, 1.2}};
  return result;
}

MaterialAssignment steel(double kinematic = 0) {
  MaterialAssignment result = material("hencky", 1000, 0.3);
  Plasticity law;
  law.yield_stress = 5;
  law.hardening = 30;
  law.saturation_stress = 8;
  law.saturation_rate = 20;
  law.kinematic = kinematic;
  result.model = std::make_shared<const HenckyPlastic>(law);
  result.parameters = result.model->resolve({{"young", {1000}}, {"poisson", {0.3}}});
  return result;
}

// Steps of one energy along given positions.
class Motion {
 public:
  explicit Motion(std::shared_ptr<const System> system) : system_(std::move(system)), energy_(*system_) {
    context_.start = system_->rest;
  }
  // Makes a step to x; its stress is then that of the end of the step.
  void step(const Points& x, double h) {
    begin(h);
    m_ = static_cast<std::size_t>(system_->tet_count());
    stress_.resize(6 * m_), mises_.resize(m_);
    energy_.stress(x, stress_, mises_);
    energy_.end_step(x, context_.material_history);
    context_.start = x;
  }
  void begin(double h) {
    context_.step = h;
    context_.time_end += h;
    energy_.begin_step(context_);
  }
  const System& system() const { return *system_; }
  ElasticEnergy& energy() { return energy_; }
  StepContext& context() { return context_; }
  Mat3 stress(Index tet) const {
    const double* s = stress_.data() + std::size_t{6} * tet;
    return Mat3{{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
  }

 private:
  std::shared_ptr<const System> system_;
  ElasticEnergy energy_;
  StepContext context_;
  std::size_t m_ = 0;
  std::vector<double> stress_, mises_;
};

// Held after a strain that grows in the first step h, the stress is S0 (1 + sum g_i mean_i(h) exp(-(t - h) / time_i)).
TEST(Viscosity, StressRelaxesByTheSeries) {
  const Mat3 A{{1.2, 0.1, 0}, {0, 0.9, 0.2}, {0.1, 0, 1.1}};
  for (const bool bulk_relaxes : {true, false}) {
    MaterialAssignment viscous = viscous_rubber(), elastic = viscous_rubber();
    viscous.bulk_relaxes = bulk_relaxes;
    elastic.viscosity.clear();
    Motion motion(build_system(boxes(viscous))), still(build_system(boxes(elastic)));
    const Points x = A * motion.system().rest;
    still.step(x, 1);
    // Of lambda (ln J)^2 / 2, which may not relax.
    const double lambda = elastic.parameters[0][0], J = A.determinant();
    const Mat3 kept = bulk_relaxes ? Mat3(Mat3::Zero()) : Mat3(lambda * std::log(J) / J * Mat3::Identity());
    double time = 0;
    const double first = 0.02;
    for (double h = first; time < 30; h *= 1.3) {
      motion.step(x, h);
      time += h;
      double factor = 1;
      for (const ViscousBranch& branch : viscous.viscosity)
        factor += branch.modulus * (branch.time / first) * (1 - std::exp(-first / branch.time)) *
                  std::exp(-(time - first) / branch.time);
      for (Index t = 0; t < motion.system().tet_count(); t += 5) {
        const Mat3 right = kept + factor * (still.stress(t) - kept);
        EXPECT_LT((motion.stress(t) - right).norm(), 1e-12 * right.norm()) << time;
      }
    }
  }
}

// Storage and loss moduli over six decades of frequency: 1 + sum g w^2 t^2 / (1 + w^2 t^2) and sum g w t / (1 + w^2
// t^2) times that of the material at rest. Two periods of shear; the least squares fit has the decaying terms of the
// start.
TEST(Viscosity, StorageAndLossModuli) {
  constexpr int steps_of_period = 200;
  constexpr double amplitude = 1e-4, pi = 3.14159265358979;
  sinew::Setup one;
  one.bodies.push_back(boxes(viscous_rubber()).bodies[0]);
  const auto system = build_system(std::move(one));
  const double mu = viscous_rubber().parameters[1][0];
  for (double w = 1e-3; w < 2e3; w *= std::sqrt(10.0)) {
    Motion motion(system);
    const double h = 2 * pi / w / steps_of_period;
    MatX basis(2 * steps_of_period, 5);
    VecX stress(2 * steps_of_period);
    for (int k = 0; k < 2 * steps_of_period; ++k) {
      const double time = (k + 1) * h;
      Mat3 F = Mat3::Identity();
      F(0, 1) = amplitude * std::sin(w * time);
      motion.step(F * system->rest, h);
      stress[k] = motion.stress(0)(0, 1) / (mu * amplitude);
      basis.row(k) << std::sin(w * time), std::cos(w * time), 1, std::exp(-time / 0.1), std::exp(-time / 3);
    }
    const VecX fit = basis.colPivHouseholderQr().solve(stress);
    double storage = 1, loss = 0;
    for (const ViscousBranch& branch : viscous_rubber().viscosity) {
      const double a = w * branch.time;
      storage += branch.modulus * a * a / (1 + a * a);
      loss += branch.modulus * a / (1 + a * a);
    }
    // Strains are even within steps: (w h)^2 / 12.
    EXPECT_NEAR(fit[0], storage, 2e-4 * storage) << w;
    EXPECT_NEAR(fit[1], loss, 2e-4 * storage) << w;
  }
}

// Load steps have relaxed branches, and a step of time after them starts from the stress at rest.
TEST(Viscosity, LoadStepsHaveRelaxed) {
  MaterialAssignment elastic = viscous_rubber();
  elastic.viscosity.clear();
  Motion motion(build_system(boxes(viscous_rubber()))), still(build_system(boxes(elastic)));
  const Points x = 1.1 * motion.system().rest;
  still.step(x, 1);
  motion.context().inertia = false;
  motion.step(x, 1);
  EXPECT_LT((motion.stress(0) - still.stress(0)).norm(), 1e-13 * still.stress(0).norm());
  motion.context().inertia = true;
  motion.step(x, 0.01);
  EXPECT_LT((motion.stress(0) - still.stress(0)).norm(), 1e-12 * still.stress(0).norm());
}

Points displaced(const System& system, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> move(-size, size);
  Points x = system.rest;
  for (double& value : x.reshaped()) value += move(random);
  return x;
}

// In the third step of a motion, with stress and flow from the two before.
class HistoryTest : public testing::TestWithParam<std::string> {
 protected:
  MaterialAssignment own() const {
    if (GetParam() == "viscous" || GetParam() == "viscous_shear" || GetParam() == "viscous_fibers") {
      MaterialAssignment result = viscous_rubber();
      result.bulk_relaxes = GetParam() != "viscous_shear";
      if (GetParam() != "viscous_fibers") return result;
      result.fiber_stiffness = {2};
      result.fiber_direction = Vec3(1, 2, 1).normalized();
      return result;
    }
    if (GetParam() == "viscous_families") {
      MaterialAssignment result = viscous_rubber();
      result.model = shared_material_model("holzapfel_gasser_ogden");
      result.parameters =
          result.model->resolve({{"mu", {1}}, {"bulk", {20}}, {"k1", {3}}, {"k2", {2}}, {"dispersion", {0.1}}});
      result.families = {Vec3(1, 0.3, 0.2).normalized(), Vec3(1, -0.3, 0).normalized()};
      return result;
    }
    return steel(GetParam() == "kinematic" ? 200 : 0);
  }
  sinew::Setup setup() const {
    sinew::Setup all = boxes(own());
    for (BodySetup& b : all.bodies) {
      b.heat = {heat(10)};
      b.materials[0].expansion = {1e-3};
      b.swelling.value = 0.02;
      b.materials[0].initial_strain = (MatX(6, 1) << 0.004, -0.002, 0, 0.003, 0.001, -0.002).finished();
    }
    return all;
  }
  double size() const { return own().model->plastic() ? 0.02 : 0.05; }
};

TEST_P(HistoryTest, DerivativesMatchDifferences) {
  Motion motion(build_system(setup()));
  motion.step(displaced(motion.system(), size(), 1), 0.1);
  motion.step(displaced(motion.system(), size(), 2), 0.1);
  motion.begin(0.1);
  expect_derivatives(motion.energy(), displaced(motion.system(), size(), 3), 1e-6, nullptr, 1e-6);
}

TEST_P(HistoryTest, ProjectedHessiansAreSemidefinite) {
  Motion motion(build_system(setup()));
  motion.step(displaced(motion.system(), size(), 1), 0.1);
  motion.begin(0.1);
  expect_semidefinite(motion.energy(), displaced(motion.system(), size(), 2));
}

// A rotation of all steps rotates stress and changes neither energy nor flow.
TEST_P(HistoryTest, RotationsChangeNothing) {
  const Mat3 R = Eigen::AngleAxisd(1.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  Motion motion(build_system(setup())), turned(build_system(setup()));
  for (unsigned k = 1; k <= 3; ++k) {
    const Points x = displaced(motion.system(), size(), k);
    const Mat3 turn = Eigen::AngleAxisd(0.9 * k, Vec3(1, -1, 0.3).normalized()).toRotationMatrix() * R;
    motion.step(x, 0.1);
    turned.step(turn * x, 0.1);
    EXPECT_NEAR(turned.energy().value(turn * x), motion.energy().value(x), 1e-12 * motion.energy().value(x));
    for (Index t = 0; t < motion.system().tet_count(); t += 3)
      EXPECT_LT((turned.stress(t) - turn * motion.stress(t) * turn.transpose()).norm(),
                1e-11 * motion.stress(t).norm());
  }
}

TEST_P(HistoryTest, EqualBitsForAnyNumberOfThreads) {
  std::vector<std::vector<double>> histories;
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    Motion motion(build_system(setup()));
    motion.step(displaced(motion.system(), size(), 1), 0.1);
    motion.step(displaced(motion.system(), size(), 2), 0.1);
    histories.push_back(motion.context().material_history);
  }
  EXPECT_EQ(histories[0].size(), Motion(build_system(setup())).energy().history_size());
  EXPECT_EQ(histories[1], histories[0]);
  EXPECT_EQ(histories[2], histories[0]);
}

// Weights by tet count parallel solids, too.
TEST_P(HistoryTest, WeightedDerivatives) {
  Motion motion(build_system(setup()));
  motion.step(displaced(motion.system(), size(), 1), 0.1);
  motion.begin(0.1);
  expect_weighted_derivatives(motion.energy(), motion.system().tet_count(), displaced(motion.system(), size(), 2));
}

TEST_P(HistoryTest, HaveNoPatches) {
  sinew::Setup one;
  one.bodies.push_back(setup().bodies[0]);
  EXPECT_FALSE(PatchMaker::possible(*build_system(std::move(one))));
}

INSTANTIATE_TEST_SUITE_P(Materials, HistoryTest,
                         testing::Values("viscous", "viscous_shear", "viscous_fibers", "viscous_families", "isotropic",
                                         "kinematic"),
                         [](const auto& info) { return info.param; });

// A body without heat and flow beside one with both, of the same kind of elements: its history is that of the body
// alone.
TEST(Viscosity, BodiesBesideIt) {
  const auto alone = [] {
    sinew::Setup setup;
    setup.bodies.push_back(body("rubber", make_box(Vec3(1, 1, 1), {1, 1, 1}), viscous_rubber()));
    return setup;
  };
  sinew::Setup both = alone();
  MaterialAssignment metal = steel();
  metal.name = "metal";
  metal.expansion = {1e-3};
  both.bodies.push_back(body("metal", make_box(Vec3(1, 1, 1), {1, 1, 1}), metal, Vec3(3, 0, 0)));
  both.bodies[1].heat = {heat(20)};
  Motion one(build_system(alone())), two(build_system(std::move(both)));
  for (const double l : {1.2, 0.9, 1.1}) {
    const Mat3 F = Vec3(l, 1, 1 / l).asDiagonal();
    one.step(F * one.system().rest, 0.1);
    two.step(F * two.system().rest, 0.1);
    std::vector<Index> tets;
    for (Index t = 0; t < two.system().tet_count(); ++t)
      if (two.system().tet_body[t] == 0) tets.push_back(t);
    ASSERT_EQ(static_cast<Index>(tets.size()), one.system().tet_count());
    for (Index k = 0; k < one.system().tet_count(); ++k)
      EXPECT_LT((two.stress(tets[k]) - one.stress(k)).norm(), 1e-13 * one.stress(k).norm()) << l;
  }
}

// At rest a mesh has the stress that it was given, with all kinds of elements and models.
TEST(InitialStress, IsThatOfTheMeshAtRest) {
  for (const char* model : {"neo_hookean", "fixed_corotated", "hencky", "stable_neo_hookean"}) {
    MaterialAssignment own = material(model, 10, 0.45);
    own.initial_stress = (MatX(6, 1) << 0.7, -0.4, 0.2, 0.3, -0.1, 0.25).finished();
    Motion motion(build_system(boxes(own)));
    motion.step(motion.system().rest, 0.1);
    const Mat3 expected{{0.7, 0.3, 0.25}, {0.3, -0.4, -0.1}, {0.25, -0.1, 0.2}};
    for (Index t = 0; t < motion.system().tet_count(); ++t)
      EXPECT_LT((motion.stress(t) - expected).norm(), 1e-11) << model << ' ' << t;
  }
}

TEST(InitialStress, IsRefusedBeyondTheMaterial) {
  MaterialAssignment own = material("hencky", 10, 0.3);
  own.initial_stress = (MatX(6, 1) << 1e4, 0, 0, 0, 0, 0).finished();
  EXPECT_THROW(build_system(boxes(own)), InputError);
}

// The stress of exp(strain), by tet, and none where the body is let go: it then has the shape without stress.
TEST(InitialStrain, IsTheLogarithmOfTheStretch) {
  MaterialAssignment own = material("neo_hookean", 10, 0.3);
  own.initial_strain = (MatX(6, 1) << 0.1, -0.05, 0.02, 0, 0, 0).finished();
  Motion motion(build_system(boxes(own)));
  motion.step(motion.system().rest, 0.1);
  const Material plain("neo_hookean", {{"young", {10}}, {"poisson", {0.3}}});
  const Vec3 s(std::exp(0.1), std::exp(-0.05), std::exp(0.02));
  const Mat3 F = s.asDiagonal(), expected = plain.stress(F) * F.transpose() / F.determinant();
  for (Index t = 0; t < motion.system().tet_count(); ++t) EXPECT_LT((motion.stress(t) - expected).norm(), 1e-12);
  EXPECT_NEAR(motion.energy().value(motion.system().rest), 4 * plain.energy(F) / F.determinant(), 1e-12);
  motion.step(s.cwiseInverse().asDiagonal() * motion.system().rest, 0.1);
  for (Index t = 0; t < motion.system().tet_count(); ++t) EXPECT_LT(motion.stress(t).norm(), 1e-12);
}

// A body that swells by 30 % is free of stress at 1.3 times its volume; in load steps by the ramp.
TEST(Swelling, ChangesVolumesWithoutStress) {
  sinew::Setup setup = boxes(material("neo_hookean", 10, 0.3));
  for (BodySetup& b : setup.bodies) b.swelling.value = 0.3;
  Motion motion(build_system(std::move(setup)));
  motion.step(std::cbrt(1.3) * motion.system().rest, 0.1);
  for (Index t = 0; t < motion.system().tet_count(); ++t) EXPECT_LT(motion.stress(t).norm(), 1e-12);
  motion.context().load_factor = 0.5;
  motion.step(std::cbrt(1.15) * motion.system().rest, 0.1);
  for (Index t = 0; t < motion.system().tet_count(); ++t) EXPECT_LT(motion.stress(t).norm(), 1e-12);
}

// Half of the tets of a body at one temperature, the others with a field: each tet is free at its own stretch.
TEST(FreeStretch, TemperaturesByTet) {
  sinew::Setup setup;
  MaterialAssignment own = material("neo_hookean", 10, 0.3);
  own.expansion = {0.001};
  setup.bodies.push_back(body("box", make_box(Vec3(1, 1, 1), {2, 2, 2}), own));
  BodySetup& box = setup.bodies[0];
  HeatSetup first = heat(100), second;
  for (Index t = 0; t < box.mesh.tet_count(); ++t) {
    if (t % 2 == 0) {
      first.tets.push_back(t);
    } else {
      second.tets.push_back(t);
      second.field.push_back(t);
    }
  }
  box.heat = {first, second};
  Motion motion(build_system(std::move(setup)));
  const System& system = motion.system();
  motion.step(system.rest, 0.1);
  const Material plain("neo_hookean", {{"young", {10}}, {"poisson", {0.3}}});
  for (Index t = 0; t < system.tet_count(); ++t) {
    const Index user = system.tet_to_user[t];
    const Mat3 F = std::exp(-0.001 * (user % 2 == 0 ? 100 : user)) * Mat3::Identity();
    const Mat3 expected = plain.stress(F) * F.transpose() / F.determinant();
    EXPECT_LT((motion.stress(t) - expected).norm(), 1e-12 * expected.norm()) << user;
  }
}

// Stiffness damping has the material without history. After a step with flow the state is on the yield surface, and the
// tangent jumps from the one side to the other; that of damping does not.
TEST(Plasticity, DampingSeesNoFlow) {
  Motion motion(build_system(boxes(steel(200))));
  const auto stretched = [&](double l) { return Points(Vec3(l, 1 / l, 1).asDiagonal() * motion.system().rest); };
  motion.step(stretched(1.1), 0.1);
  motion.begin(0.1);
  std::vector<std::pair<Index, Index>> pairs;
  motion.energy().collect_pairs(pairs);
  const auto pattern = make_pattern(motion.system().dynamic_count, pairs);
  const auto jump = [&](bool history) {
    motion.energy().set_history(history);
    std::vector<VecX> values;
    for (const double l : {1.1 + 1e-9, 1.1 - 1e-9}) {
      SymBlockMatrix H(pattern);
      Points g = Points::Zero(3, motion.system().dynamic_count);
      motion.energy().add_derivatives(stretched(l), 1, Projection::psd, g, H);
      values.push_back(VecX::Map(H.values().data(), static_cast<Eigen::Index>(H.values().size())));
    }
    motion.energy().set_history(true);
    return (values[0] - values[1]).norm() / values[0].norm();
  };
  EXPECT_GT(jump(true), 0.1);
  EXPECT_LT(jump(false), 1e-6);
}

TEST(Viscosity, DampingSeesNone) {
  MaterialAssignment elastic = viscous_rubber();
  elastic.viscosity.clear();
  Motion motion(build_system(boxes(viscous_rubber()))), still(build_system(boxes(elastic)));
  motion.step(displaced(motion.system(), 0.05, 1), 0.1);
  motion.begin(0.1);
  motion.energy().set_history(false);
  const Points x = displaced(motion.system(), 0.05, 2);
  Points g = Points::Zero(3, motion.system().dynamic_count), expected = g;
  motion.energy().add_gradient(x, 1, g);
  still.energy().add_gradient(x, 1, expected);
  EXPECT_LT((g - expected).norm(), 1e-13 * expected.norm());
}

// Isochoric stretch to and fro, F = diag(l, l^-1/2, l^-1/2) with e = ln l. In one dimension, with q = 3 mu (e - e_p):
// |q - H e_p| <= sigma(p), e_p the plastic strain and p the sum of its changes.
TEST(Plasticity, CyclesFollowPragersRule) {
  for (const double H : {0.0, 200.0}) {
    Motion motion(build_system(boxes(steel(H))));
    const double mu = steel().parameters[1][0];
    const Plasticity law = static_cast<const HenckyPlastic&>(*steel(H).model).plasticity();
    double plastic = 0, p = 0;
    for (const double target : {0.05, -0.03, 0.1, 0.098}) {
      const double before = motion.context().start(0, 0) / motion.system().rest(0, 0);
      const double from = std::log(before);
      for (int k = 1; k <= 4; ++k) {
        const double e = from + (target - from) * k / 4;
        const Vec3 s(std::exp(e), std::exp(-e / 2), std::exp(-e / 2));
        motion.step(s.asDiagonal() * motion.system().rest, 1);
        // The step of the reference: |q* - H e_p| = sigma(p + d) + (3 mu + H) d.
        const double trial = 3 * mu * (e - plastic) - H * plastic;
        const double d = plastic_increment(law, std::abs(trial), 3 * mu + H, p);
        plastic += trial > 0 ? d : -d;
        p += d;
        const double q = 3 * mu * (e - plastic);
        const std::vector<double> found = motion.energy().plastic_strain(motion.context().material_history);
        for (Index t = 0; t < motion.system().tet_count(); t += 3) {
          EXPECT_NEAR(motion.stress(t)(0, 0) - motion.stress(t)(1, 1), q, 1e-10 * 30) << H << ' ' << e;
          EXPECT_NEAR(found[t], p, 1e-12);
        }
      }
    }
  }
}

}  // namespace
}  // namespace sinew::test
