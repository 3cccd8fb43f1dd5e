// Stiff affine bodies without contact, for tests against what rigid bodies do.
#pragma once

#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew::test {

inline BodySetup affine_body(TetMesh mesh, double young = 1e8, double density = 1000) {
  BodySetup affine = body("body", std::move(mesh), material("neo_hookean", young, 0.3, density));
  affine.affine = true;
  return affine;
}

inline sinew::Setup free_scene(double step, Integrator integrator = Integrator::bdf2) {
  sinew::Setup setup;
  setup.time.step = step;
  setup.time.integrator = integrator;
  setup.contact.enabled = false;
  setup.gravity.setZero();
  setup.solver.tolerance = 1e-9;
  return setup;
}

// With errors C h^p, log2(error(h) / error(h/2)) is p.
template <class Error>
double order_of(Error error, double step) {
  return std::log2(error(step) / error(step / 2));
}

}  // namespace sinew::test
