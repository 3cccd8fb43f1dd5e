// Small scenes of method reduced for models that are cut and packed.
#pragma once

#include "support/bodies.h"

#include "sinew/mesh/primitives.h"
#include "sinew/model/setup.h"

namespace sinew::test {

// A bar of 1.2 m that hangs from one end, or falls onto a floor with friction.
inline sinew::Setup cut_bar(bool falls, Integrator integrator) {
  sinew::Setup setup;
  setup.bodies.push_back(body("bar", make_box(Vec3(1.2, 0.3, 0.3), {12, 3, 3}), material("neo_hookean", 2e5, 0.4),
                              Vec3(0, falls ? 0.25 : 0, 0)));
  BodySetup& bar = setup.bodies[0];
  bar.damping_mass = 0.1;
  bar.damping_stiffness = 0.001;
  setup.time.step = 0.01;
  setup.time.steps = 100;
  setup.time.integrator = integrator;
  setup.solver.method = "reduced";
  setup.solver.handles = 6;
  setup.solver.error_every = 0;
  setup.contact.enabled = falls;
  if (falls) {
    bar.velocity = Vec3(0.5, 0, 0);
    bar.angular_velocity = Vec3(0, 0, 1);
    setup.contact.friction = 0.3;
    setup.contact.surface_samples = 60;
    setup.obstacles.push_back(floor_plane());
  } else {
    FixSetup fix;
    for (Eigen::Index v = 0; v < bar.mesh.vertices.cols(); ++v)
      if (bar.mesh.vertices(0, v) < -0.599) fix.vertices.push_back(static_cast<Index>(v));
    bar.fixes.push_back(fix);
  }
  return setup;
}

}  // namespace sinew::test
