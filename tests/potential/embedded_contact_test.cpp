// The derivatives of the whole potential where contact acts on surfaces that follow the tets.
#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew::embedded_contact_test {

TriMesh skin(const TetMesh& mesh, const Vec3& offset) {
  TriMesh surface = compacted(mesh.vertices, boundary_triangles(mesh.tets));
  surface.vertices.colwise() += offset;
  return surface;
}

// Two coarse cubes with finer skins, which alone touch, over the floor.
std::shared_ptr<const System> scene(bool affine, double friction, ContactKind model) {
  sinew::Setup setup;
  setup.contact.model = model;
  setup.contact.distance = 4e-3;
  setup.contact.stiffness = 1e5;
  setup.contact.friction = friction;
  const TetMesh cube = make_box(Vec3::Constant(0.09), {1, 1, 1}), fine = make_box(Vec3::Constant(0.1), {3, 2, 3});
  const Vec3 low(0, 0.052, 0), high(0.02, 0.1545, 0.01);
  setup.bodies.push_back(test::body("lower", cube, test::material("neo_hookean", 1e5, 0.4), low));
  setup.bodies.push_back(test::body("upper", cube, test::material("corotated", 1e5, 0.3), high));
  setup.bodies[0].collision = skin(fine, low);
  setup.bodies[1].collision = skin(fine, high);
  setup.bodies[1].affine = affine;
  setup.obstacles.push_back(test::floor_plane());
  return build_system(std::move(setup));
}

class EmbeddedContact : public testing::TestWithParam<std::tuple<bool, double, ContactKind>> {};

TEST_P(EmbeddedContact, DerivativesMatchDifferences) {
  const auto [affine, friction, model] = GetParam();
  const auto system = scene(affine, friction, model);
  StepContext context = test::resting_context(*system);
  context.dead_force = Points::Zero(3, system->dynamic_count);
  context.predictor.row(1).array() -= 1e-3;
  std::vector<PlaneState> planes;
  for (const PlaneSetup& plane : system->planes) planes.push_back({plane.point, plane.normal});
  context.plane_start = context.plane_reference = context.plane_end = planes;
  IncrementalPotential potential(system);
  potential.begin_step(context, system->contact_stiffness);
  const Index n = system->dynamic_count;
  Points x = system->rest;
  x.leftCols(n) += 2e-4 * Points::Random(3, n);
  system->embedding.place(x);
  potential.set_contacts(x, planes);
  ASSERT_FALSE(potential.contact().contacts().empty());
  ASSERT_EQ(potential.contact().has_friction(), friction > 0);
  Points g, unused;
  SymBlockMatrix H, scratch;
  HessianParts parts;
  parts.projection = Projection::none;
  potential.derivatives(x, parts, g, H);
  EXPECT_GT(potential.force(EnergyKind::barrier, x).norm(), 0);
  const double h = 1e-7;
  VecX unit = VecX::Zero(3 * n), column(3 * n);
  double hessian_error = 0, hessian_size = 0, slope_error = 0;
  for (Index k = 0; k < 3 * n; ++k) {
    Points forward = x, backward = x;
    forward.data()[k] += h;
    backward.data()[k] -= h;
    system->embedding.place(forward);
    system->embedding.place(backward);
    const double slope = (potential.value(forward).total() - potential.value(backward).total()) / (2 * h);
    slope_error = std::max(slope_error, std::abs(slope - g.data()[k]));
    Points gf, gb;
    potential.gradient(forward, gf);
    potential.gradient(backward, gb);
    unit[k] = 1;
    H.multiply(unit.data(), column.data());
    unit[k] = 0;
    hessian_error = std::max(hessian_error, ((gf - gb).reshaped() / (2 * h) - column).cwiseAbs().maxCoeff());
    hessian_size = std::max(hessian_size, column.cwiseAbs().maxCoeff());
  }
  EXPECT_LE(slope_error, 1e-5 * g.cwiseAbs().maxCoeff());
  // The Hessian of friction is that of primal and dual unknowns (contact/friction.h), which is another one.
  if (friction == 0) {
    EXPECT_LE(hessian_error, 1e-5 * hessian_size);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, EmbeddedContact,
                         testing::Combine(testing::Bool(), testing::Values(0.0, 0.3),
                                          testing::Values(ContactKind::barrier, ContactKind::convergent)));

}  // namespace sinew::embedded_contact_test
