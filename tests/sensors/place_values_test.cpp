// Strains, stresses and forces of given states against closed forms.
#include "sinew/sensors/place_values.h"

#include <cmath>

#include "support/bodies.h"
#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"
#include "sinew/sensors/sensors.h"

namespace sinew {
namespace {

// Gives what a test puts in.
struct GivenSource final : SensorSource {
  State given;
  Points reaction, tie{3, 0};
  std::vector<ContactForce> contacts;
  std::vector<BoltForce> bolts;
  Eigen::MatrixXd cauchy;
  std::vector<double> gradients;

  // The same F in all tets.
  void deform(const System& system, const Mat3& F) {
    given.x = F * system.rest;
    gradients.resize(std::size_t{9} * system.tet_count());
    for (Index t = 0; t < system.tet_count(); ++t) Eigen::Map<Mat3>(gradients.data() + 9 * t) = F.transpose();
  }

  const State& state() override { return given; }
  Points reactions() override { return reaction; }
  Points tie_forces() override { return tie; }
  const std::vector<BoltForce>& bolt_forces() override { return bolts; }
  std::vector<ContactForce> contact_forces() override { return contacts; }
  std::vector<const LoadEnergy*> load_terms() override { return {}; }
  double contact_area(Index) override { return 0; }
  const Eigen::MatrixXd& stress() override { return cauchy; }
  const std::vector<double>& deformation_gradients() override { return gradients; }
  std::vector<double> plastic_strain() override { return {}; }
  std::array<double, 6> energies() override { return {1, 2, 3, 4, 5, 6}; }
};

sinew::Setup cube_setup(const std::vector<std::string>& names) {
  sinew::Setup setup;
  setup.bodies.push_back(
      test::body("cube", make_box(Vec3(1, 1, 1), {2, 2, 2}), test::material("neo_hookean", 1e5, 0.3)));
  Sensor sensor;
  sensor.name = "all";
  sensor.places[0].body = 0;
  sensor.places[0].faces = boundary_triangles(setup.bodies[0].mesh.tets);
  for (const std::string& name : names) sensor.readings.push_back(parse_reading(SensorTarget::body, name));
  setup.sensors.push_back(sensor);
  return setup;
}

std::vector<double> measured(const System& system, GivenSource& source) {
  return Sensors(system).measure(source);
}

// F = R U with U = diag(2, 1/2, 1) and R a turn by 90 degrees about z: x becomes y.
TEST(SensorValues, StrainsOfTurnedStretch) {
  const auto system = build_system(cube_setup({"strain", "green_strain", "principal_strain", "jacobian"}));
  const Mat3 U = Vec3(2, 0.5, 1).asDiagonal(), R = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()).toRotationMatrix();
  GivenSource source;
  source.deform(*system, R * U);
  const std::vector<double> found = measured(*system, source);
  const double ln2 = std::log(2.0);
  const std::vector<double> right = {-ln2, ln2, 0, 0, 0, 0, 1.5, -0.375, 0, 0, 0, 0, ln2, 0, -ln2, 1};
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t k = 0; k < right.size(); ++k) EXPECT_NEAR(found[k], right[k], 1e-12) << k;
}

// Simple shear by g: Green strain xy = g/2, yy = g^2/2.
TEST(SensorValues, GreenStrainOfShear) {
  const auto system = build_system(cube_setup({"green_strain.xy", "green_strain.yy", "jacobian"}));
  Mat3 F = Mat3::Identity();
  F(0, 1) = 0.3;
  GivenSource source;
  source.deform(*system, F);
  const std::vector<double> found = measured(*system, source);
  EXPECT_NEAR(found[0], 0.15, 1e-14);
  EXPECT_NEAR(found[1], 0.045, 1e-14);
  EXPECT_NEAR(found[2], 1, 1e-14);
}

TEST(SensorValues, InvariantsOfStress) {
  const auto system =
      build_system(cube_setup({"von_mises", "pressure", "principal_stress", "stress.xy.max", "stress.zz.min"}));
  GivenSource source;
  source.given.x = system->rest;
  source.cauchy = Eigen::MatrixXd::Zero(6, system->tet_count());
  source.cauchy.row(3).setConstant(5);  // principal stresses 5, -2, -5
  source.cauchy.row(2).setConstant(-2);
  const std::vector<double> found = measured(*system, source);
  EXPECT_NEAR(found[0], std::sqrt(3 * 25.0 + 4), 1e-12);
  EXPECT_NEAR(found[1], 2.0 / 3, 1e-14);
  EXPECT_NEAR(found[2], 5, 1e-14);
  EXPECT_NEAR(found[3], -2, 1e-14);
  EXPECT_NEAR(found[4], -5, 1e-14);
  EXPECT_NEAR(found[5], 5, 0);
  EXPECT_NEAR(found[6], -2, 0);
}

// A turn about z with w = 3: momentum 0, angular momentum and energy those of a cube, up to the lumped masses.
TEST(SensorValues, MotionOfATurningCube) {
  const auto system = build_system(
      cube_setup({"mass", "momentum.norm", "angular_momentum.z", "kinetic_energy", "velocity.norm.max", "volume"}));
  GivenSource source;
  source.given.x = system->rest;
  source.given.v = 0 * system->rest;
  double inertia = 0;
  for (Index i = 0; i < system->dynamic_count; ++i) {
    source.given.v.col(i) = Vec3(0, 0, 3).cross(Vec3(system->rest.col(i)));
    inertia += system->mass[i] * system->rest.col(i).head<2>().squaredNorm();
  }
  const std::vector<double> found = measured(*system, source);
  EXPECT_NEAR(found[0], 1000, 1e-9);
  EXPECT_NEAR(found[1], 0, 1e-9);
  EXPECT_NEAR(found[2], 3 * inertia, 1e-9 * inertia);
  EXPECT_NEAR(found[3], 4.5 * inertia, 1e-9 * inertia);
  EXPECT_NEAR(found[4], 3 * std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(found[5], 1, 1e-12);
}

TEST(SensorValues, ColumnsHaveNamesAndUnits) {
  const auto system = build_system(cube_setup({"position", "von_mises.max"}));
  const std::vector<SensorColumn> columns = sensor_columns(system->sensors);
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_EQ(columns[1].name, "all.position.y");
  EXPECT_EQ(columns[1].unit, "m");
  EXPECT_EQ(columns[3].name, "all.von_mises.max");
  EXPECT_EQ(columns[3].unit, "Pa");
}

}  // namespace
}  // namespace sinew
