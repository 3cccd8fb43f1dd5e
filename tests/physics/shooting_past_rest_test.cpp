// Steps in which contacts come to rest: the exact Hessian of friction lets directions slip far past it, so that steps
// are cut again and again.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"

namespace sinew {
namespace {

Setup thrown_block(const std::string& method, double speed, double drop, double mu, double young, Index cells) {
  sinew::Setup setup;
  setup.time.step = 0.01;
  setup.contact.friction = mu;
  setup.contact.distance = 1e-3;
  setup.solver.method = method;
  setup.solver.tolerance = 1e-4;
  setup.solver.max_iterations = 2000;
  setup.solver.handles = 6;
  setup.solver.multilevel.cache = false;
  setup.bodies.push_back(test::body("block", make_box(Vec3(0.2, 0.1, 0.2), {2 * cells, cells, 2 * cells}),
                                    test::material("neo_hookean", young, 0.4), Vec3(0, 0.055, 0)));
  setup.bodies[0].velocity = Vec3(speed, -drop, 0);
  setup.obstacles.push_back(test::floor_plane());
  return setup;
}

TEST(DBG, Sweep) {
  for (const char* m : {"newton", "multilevel"})
  for (double speed : {0.5, 2.0, 10.0}) for (double drop : {0.3, 1.0, 5.0}) for (double young : {1e5, 1e7}) for (double mu : {0.5}) for (double slip : {1e-3, 1e-5}) {
    auto setup = thrown_block(m, speed, drop, mu, young, 2);
    setup.contact.slip_speed = slip;
    Simulation simulation(build_system(std::move(setup)));
    int it = 0, worst = 0, un = 0;
    for (int s = 0; s < 30; ++s) { auto r = simulation.step(); it += r.newton_iterations; worst = std::max(worst, r.newton_iterations); un += !r.converged; }
    printf("%s speed %g drop %g E %g slip %g: it %d worst %d un %d\n", m, speed, drop, young, slip, it, worst, un);
  }
}

}  // namespace
}  // namespace sinew
