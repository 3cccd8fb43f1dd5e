#include "sinew/potential/predicted_forces.h"

#include "potential/stencil_scene.h"
#include <gtest/gtest.h>

#include "sinew/potential/friction_energy.h"

namespace sinew {
namespace {

constexpr BarrierParameters barrier{1e3, 2};

CollisionMesh rough(const test::StencilScene& scene) {
  CollisionMesh mesh;
  mesh.dynamic_count = scene.dynamic_count;
  mesh.material_count = 1;
  mesh.friction = {0.3};
  mesh.vertex_material.assign(scene.x.cols(), 0);
  mesh.planes = {{0, 0}, {0, 0}};
  return mesh;
}

// A direction along which gaps change little beside themselves, and planes that move as little.
struct Displacements {
  explicit Displacements(const test::StencilScene& scene, double size)
      : d(3, scene.x.cols()), planes_end(scene.planes) {
    std::mt19937 random(7);
    for (Index i = 0; i < d.cols(); ++i) d.col(i) = test::random_vector(random, size);
    for (PlaneState& plane : planes_end) plane.point += test::random_vector(random, size);
  }
  Points d;
  std::vector<PlaneState> planes_end;
};

// The prediction is the force at the end of the direction to first order: what it leaves falls with the square of its
// length. The mollifier's own change is left out.
TEST(PredictedForces, AreThoseAtTheEndToFirstOrder) {
  const test::StencilScene scene = test::stencil_scene(40, 200, 5);
  const CollisionMesh mesh = rough(scene);
  PredictedForces predicted;
  int kinds = 0;
  for (const ContactStencil& contact : scene.contacts) {
    if (contact.kind == StencilKind::edge_edge_mollified) continue;
    const double gap = std::sqrt(stencil_distance2(contact, scene.x, scene.planes));
    if (gap < 0.05) continue;  // curved within the shorter of the directions
    const double now = stencil_normal_force(contact, scene.x, scene.planes, barrier);
    double left[2];
    for (const int k : {0, 1}) {
      const Displacements motion(scene, (k ? 1e-5 : 1e-4) * gap);
      predicted.find(std::span(&contact, 1), scene.x, motion.d, scene.planes, motion.planes_end, barrier, mesh);
      const double end = stencil_normal_force(contact, scene.x + motion.d, motion.planes_end, barrier);
      left[k] = std::abs(predicted.of(contact) - end) / now;
    }
    EXPECT_LT(left[0], 1e-6);
    EXPECT_LT(left[1], 1e-8);
    kinds |= 1 << static_cast<int>(contact.kind);
  }
  EXPECT_EQ(kinds, 0b101111);
}

// Contacts do not pull, and one that opens all the way carries nothing.
TEST(PredictedForces, AreNeverNegative) {
  const test::StencilScene scene = test::stencil_scene(40, 200, 5);
  const Displacements motion(scene, 10);
  PredictedForces predicted;
  predicted.find(scene.contacts, scene.x, motion.d, scene.planes, motion.planes_end, barrier, rough(scene));
  int open = 0;
  for (const ContactStencil& contact : scene.contacts) {
    EXPECT_GE(predicted.of(contact), 0);
    open += predicted.of(contact) == 0;
  }
  EXPECT_GT(open, 20);
}

// A contact that the direction did not contain has no friction yet.
TEST(PredictedForces, AreZeroForNewContacts) {
  const test::StencilScene scene = test::stencil_scene(40, 200, 5);
  const CollisionMesh mesh = rough(scene);
  const Displacements motion(scene, 0.1);
  const std::span<const ContactStencil> all(scene.contacts);
  PredictedForces predicted;
  predicted.find(all.first(100), scene.x, motion.d, scene.planes, motion.planes_end, barrier, mesh);
  FrictionEnergy ahead(scene.dynamic_count);
  ahead.lag_contacts(all, scene.x, scene.planes, barrier, mesh, &predicted);
  double known = 0;  // normal forces
  for (const ContactStencil& contact : scene.contacts) known += predicted.of(contact);
  double lagged = 0;
  for (const FrictionStencil& stencil : ahead.stencils()) lagged += stencil.normal_force;
  EXPECT_GT(known, 0);
  EXPECT_NEAR(lagged, known, 1e-12 * lagged);
  predicted.clear();
  ahead.lag_contacts(all, scene.x, scene.planes, barrier, mesh, &predicted);
  EXPECT_TRUE(ahead.stencils().empty());
}

}  // namespace
}  // namespace sinew
