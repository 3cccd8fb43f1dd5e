// Bars whose modes are found.
#pragma once

#include <memory>
#include <vector>

#include "support/bodies.h"

namespace sinew::test {

// Two bars of two materials, the first of them held as asked.
enum class Held { nowhere, at_an_end, along_one_axis };

inline std::shared_ptr<const System> bars(Held held, int count) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(1, 0.2, 0.15), {6, 2, 2});
  BodySetup soft = test::body("soft", mesh, test::material("neo_hookean", 1e5, 0.4, 900));
  FixSetup fix;
  fix.vertices = test::select_vertices(mesh, [](const Vec3& x) { return x[0] < -0.49; });
  if (held == Held::along_one_axis) fix.axes = {true, false, false};
  if (held != Held::nowhere) soft.fixes.push_back(fix);
  setup.bodies.push_back(std::move(soft));
  if (count == 2) {
    TetMesh other = mesh;
    other.vertices.row(1).array() += 1;
    setup.bodies.push_back(test::body("stiff", other, test::material("stvk", 3e6, 0.3, 2000)));
  }
  return build_system(std::move(setup));
}

inline std::shared_ptr<const System> two_bars(Held held) {
  return bars(held, 2);
}

inline std::vector<char> prescribed(const System& system) {
  std::vector<char> fixed(3 * static_cast<std::size_t>(system.dynamic_count), 0);
  for (const PrescribedVertex& p : system.prescribed)
    for (int k = 0; k < 3; ++k) fixed[3 * static_cast<std::size_t>(p.vertex) + k] |= p.axes[k];
  return fixed;
}

}  // namespace sinew::test
