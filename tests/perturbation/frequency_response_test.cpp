#include "sinew/perturbation/frequency_response.h"

#include <cmath>

#include "perturbation/columns.h"
#include "support/cavities.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

HarmonicResponse response_of(const System& system, const HarmonicOptions& options) {
  Tangent tangent(system, initial_state(system), ContactTangent::scene);
  return frequency_response(tangent, options);
}

TEST(FrequencyResponse, ModesAndDirectSolutionsAgree) {
  for (const bool moved : {false, true}) {
    sinew::Setup setup = test::column_setup(moved ? Vec3(0, 0, 0) : Vec3(0, -2, 0));
    setup.bodies[0].damping_mass = 0.5;
    setup.bodies[0].damping_stiffness = 1e-4;
    if (moved) {
      Keyframes shift;
      shift.times = {0, 1};
      shift.values = MatX::Zero(3, 2);
      shift.values(1, 1) = 1e-3;
      setup.bodies[0].fixes[0].motion.translation = shift;
    }
    const auto system = build_system(std::move(setup));
    const std::vector<double> frequencies = {0.5, 3, 7, 12, 40};
    for (const double loss : {0.0, 0.02}) {
      const HarmonicResponse modes = response_of(*system, {frequencies, 30, 0, loss}),
                             direct = response_of(*system, {frequencies, 0, 0, loss});
      ASSERT_EQ(modes.columns.size(), 6u);
      EXPECT_EQ(modes.columns[1].name, "tip.displacement.y");
      EXPECT_EQ(modes.columns[4].name, "clamp.force.y");
      for (const Index c : {1, 4}) {
        const double largest = direct.values.col(c).cwiseAbs().maxCoeff();
        for (Index k = 0; k < 5; ++k)
          EXPECT_LT(std::abs(modes.values(k, c) - direct.values(k, c)), 2e-3 * largest)
              << moved << " " << frequencies[static_cast<std::size_t>(k)] << " Hz, " << modes.columns[c].name;
      }
    }
  }
}

// A piston on gas: modes and direct solutions agree, and slow loads deflect it by m a V / (gamma p A^2).
TEST(FrequencyResponse, GasCarriesAPiston) {
  sinew::Setup setup = test::gas_piston(1.4);
  setup.time.integrator = Integrator::statics;
  setup.gravity = Vec3(0, -1, 0);
  Sensor cover;
  cover.name = "cover";
  cover.target = SensorTarget::body;
  cover.places[0].body = 0;
  cover.places[0].vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[1] > 0.149; });
  cover.readings = {parse_reading(SensorTarget::body, "displacement.y")};
  setup.sensors.push_back(cover);
  const auto system = build_system(std::move(setup));
  const double stiffness = 1.4 * test::air * test::piston_area * test::piston_area / test::piston_volume;
  const HarmonicResponse direct = response_of(*system, {{1e-3, 3, 8}, 0, 0, 0.01}),
                         modes = response_of(*system, {{1e-3, 3, 8}, 3, 0, 0.01});
  EXPECT_NEAR(direct.values(0, 0).real(), -test::piston_mass / stiffness, 5e-3 * test::piston_mass / stiffness);
  for (Index k = 0; k < 3; ++k)
    EXPECT_LT(std::abs(direct.values(k, 0) - modes.values(k, 0)), 1e-3 * std::abs(direct.values(k, 0))) << k;
}

// Far below the first frequency the clamp carries the weight, in the opposite direction.
TEST(FrequencyResponse, SlowLoadsAreCarriedByTheFix) {
  const auto system = test::column(Vec3(0, -2, 0));
  double mass = 0;
  for (const double m : system->mass) mass += m;
  const HarmonicResponse response = response_of(*system, {{1e-3}, 5, 0, 0});
  EXPECT_NEAR(response.values(0, 4).real(), 2 * mass, 1e-5 * mass);
  EXPECT_NEAR(std::abs(response.values(0, 3)), 0, 1e-6 * mass);
}

TEST(FrequencyResponse, LeavesOutWhatIsNotLinear) {
  sinew::Setup setup = test::column_setup(Vec3(0, -2, 0));
  setup.sensors[0].readings = {parse_reading(SensorTarget::body, "displacement.norm"),
                               parse_reading(SensorTarget::body, "displacement.x"),
                               parse_reading(SensorTarget::body, "velocity.max")};
  const auto system = build_system(std::move(setup));
  const HarmonicResponse response = response_of(*system, {{1}, 5, 0, 0});
  std::vector<std::string> names;
  for (const LinearSensors::Column& column : response.columns) names.push_back(column.name);
  EXPECT_EQ(std::ranges::count_if(names, [](const std::string& name) { return name.ends_with(".norm"); }), 0);
  EXPECT_EQ(std::ranges::count_if(names, [](const std::string& name) { return name.ends_with("displacement.x"); }), 1);
}

TEST(FrequencyResponse, RefusesWhatIsNotLinear) {
  sinew::Setup setup = test::column_setup(Vec3(0, -2, 0));
  setup.sensors.resize(1);
  setup.sensors[0].readings = {parse_reading(SensorTarget::body, "displacement.norm")};
  const auto norm = build_system(std::move(setup));
  EXPECT_THROW(response_of(*norm, {{1}, 5, 0, 0}), InputError);
  sinew::Setup none = test::column_setup(Vec3(0, -2, 0));
  none.sensors.clear();
  const auto without = build_system(std::move(none));
  EXPECT_THROW(response_of(*without, {{1}, 5, 0, 0}), InputError);
  const auto system = test::column(Vec3(0, -2, 0));
  EXPECT_THROW(response_of(*system, {{1}, 0, 0.1, 0}), InputError);
}

}  // namespace
}  // namespace sinew
