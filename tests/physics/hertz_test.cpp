// Hertz: a graded quarter of a half-ball pressed on a plane, force against indentation.
#include <algorithm>
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

#include "sinew/mesh/surface.h"

namespace sinew::hertz_test {
namespace {

constexpr double radius = 1, young = 1e6, poisson = 0.3;

// An octant of the ball of `radius` (x >= 0, y <= 0, z >= 0), refined towards its pole (0, -radius, 0). Shells of cells
// about the pole have the size `inner` up to `uniform` shells, then grow geometrically to fill the octant.
TetMesh graded_octant(double inner, Index uniform, Index shells) {
  std::vector<double> reach(shells + 1);  // distance of each shell from the pole, in the cube
  double growth = 1.01;
  for (double low = 1.0001, high = 5; high - low > 1e-12;) {  // inner (uniform + sum of powers) = 1
    growth = 0.5 * (low + high);
    double sum = uniform * inner, cell = inner;
    for (Index i = uniform; i < shells; ++i) sum += cell *= growth;
    (sum > 1 ? high : low) = growth;
  }
  for (Index i = 1; i <= shells; ++i)
    reach[i] = reach[i - 1] + inner * (i <= uniform ? 1 : std::pow(growth, i - uniform));
  for (double& r : reach) r /= reach.back();

  TetMesh mesh = make_box(Vec3::Constant(shells), {shells, shells, shells});
  for (Index i = 0; i < mesh.vertex_count(); ++i) {
    // From the pole: indices 0..shells along x, upwards, and z.
    Vec3 p = mesh.vertices.col(i) + Vec3::Constant(0.5 * shells);
    const Index shell = static_cast<Index>(std::lround(p.maxCoeff()));
    if (shell > 0) p *= reach[shell] / shell;
    // Cube centred at the ball's centre, its faces at distance 1 mapped to the sphere.
    const Vec3 c(p.x(), 1 - p.y(), p.z());
    const double norm = c.norm(), largest = c.maxCoeff();
    const Vec3 b = norm > 0 ? Vec3(c * (1 + (largest / norm - 1) * largest)) : c;
    mesh.vertices.col(i) = radius * Vec3(b.x(), -b.y(), b.z());
  }
  return mesh;
}

struct Case {
  double contact_radius;  // over the ball's
  double gap;             // contact distance over the indentation
  Index elements;         // across the contact radius
  Index shells;           // of elements from the pole to the equator
};

// Force over Hertz' at the indentation of contact_radius^2 / radius. The gap at which the surfaces meet is the contact
// distance.
double force_ratio(const Case& p) {
  const double indentation = p.contact_radius * p.contact_radius * radius, distance = p.gap * indentation;
  const double inner = p.contact_radius / p.elements;
  const TetMesh mesh = graded_octant(inner, p.elements + p.elements / 4, p.shells);

  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 2;
  setup.solver.tolerance = 1e-6 * indentation;
  setup.contact.distance = distance;
  setup.contact.stiffness = young;
  setup.contact.self = false;
  setup.bodies.push_back(test::body("ball", mesh, test::material("stable_neo_hookean", young, poisson)));
  const double tiny = 1e-9;
  const auto select = [&](auto inside) { return test::select_vertices(mesh, inside); };
  FixSetup top, x_plane, z_plane;
  top.vertices = select([&](const Vec3& v) { return v.y() > -tiny; });
  top.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, 0, 0, -indentation, 0, 0).finished()};
  x_plane.vertices = select([&](const Vec3& v) { return v.x() < tiny && v.y() <= -tiny; });
  x_plane.axes = {true, false, false};
  z_plane.vertices = select([&](const Vec3& v) { return v.z() < tiny && v.y() <= -tiny; });
  z_plane.axes = {false, false, true};
  setup.bodies[0].fixes = {top, x_plane, z_plane};
  setup.obstacles.push_back(test::floor_plane(-radius - distance));
  Simulation simulation(build_system(std::move(setup)));
  StepReport last;
  test::run_checked(simulation, 2, [&](const StepReport& report) { last = report; });

  const double force = 4 * simulation.forces().contact.row(1).sum();
  const double modulus = young / (1 - poisson * poisson);
  const double hertz = 4.0 / 3 * modulus * std::sqrt(radius) * std::pow(indentation, 1.5);
  std::printf("a/R %.4f, gap %.3f, %d elements: %d tets, %ld contacts, F / Hertz %.4f\n", p.contact_radius, p.gap,
              p.elements, mesh.tet_count(), last.contacts, force / hertz);
  EXPECT_GT(last.contacts, p.elements * p.elements / 2);
  return force / hertz;
}

// Two errors remain beside the mesh's, both of which stiffen: the formula is that of a half-space, and the ball is
// clamped at a radius from the pole, where the half-space still moves by a share of order a/R of the indentation.
TEST(Hertz, ForceOfACoarseBall) {
  const double ratio = force_ratio({0.1, 0.02, 4, 12});
  EXPECT_GT(ratio, 1);
  EXPECT_LT(ratio, 1 + 0.1 + 1.0 / 32);  // a/R, and the square of half an element over a
}

TEST(Hertz, LongConvergesAsIndentationGapAndMeshShrink) {
  const double coarse = std::abs(force_ratio({0.08, 0.04, 8, 26}) - 1);
  const double middle = std::abs(force_ratio({0.04, 0.02, 8, 32}) - 1);
  const double fine = std::abs(force_ratio({0.02, 0.01, 10, 38}) - 1);
  EXPECT_LT(middle, 0.6 * coarse);
  EXPECT_LT(fine, 0.8 * middle);
  EXPECT_LT(fine, 0.02);
}

}  // namespace
}  // namespace sinew::hertz_test
