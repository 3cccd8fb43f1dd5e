// Slender bars in statics that their weight compresses, pulls or bends.
#pragma once

#include <memory>

#include "support/bodies.h"

#include "sinew/dynamics/integrator.h"

namespace sinew::test {

// A bar of length 1 from x = -1/2 on, clamped there, with gravity in the given direction.
inline sinew::Setup column_setup(const Vec3& gravity) {
  sinew::Setup setup;
  setup.name = "column";
  setup.time.integrator = Integrator::statics;
  setup.time.steps = 1;
  setup.gravity = gravity;
  setup.contact.enabled = false;
  const TetMesh mesh = make_box(Vec3(1, 0.04, 0.05), {20, 2, 2});
  BodySetup bar = body("bar", mesh, material("neo_hookean", 1e7, 0.3));
  FixSetup fix;
  fix.vertices = select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.499; });
  bar.fixes.push_back(fix);
  setup.bodies.push_back(std::move(bar));
  Sensor tip;
  tip.name = "tip";
  tip.target = SensorTarget::body;
  tip.places[0].body = 0;
  tip.places[0].vertices = select_vertices(mesh, [](const Vec3& x) { return x[0] > 0.499; });
  tip.readings = {parse_reading(SensorTarget::body, "displacement")};
  setup.sensors.push_back(tip);
  Sensor clamp;
  clamp.name = "clamp";
  clamp.target = SensorTarget::fix;
  clamp.places[0].body = 0;
  clamp.entry = 0;
  clamp.readings = {parse_reading(SensorTarget::fix, "force")};
  setup.sensors.push_back(clamp);
  return setup;
}

inline std::shared_ptr<const System> column(const Vec3& gravity) {
  return build_system(column_setup(gravity));
}

}  // namespace sinew::test
