// Modes of bodies of other elements than linear tets.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/core/tet_topology.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/modes/linear_modes.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/modes/rest_body.h"
#include "sinew/modes/stiffness_change.h"

namespace sinew {
namespace {

// Each kind of elements has kept modes of its own. Derivatives of modes are of linear tets only.
TEST(ModeElements, HashesDifferAndDerivativesAreRefused) {
  std::set<std::string> hashes;
  for (int kind = 0; kind < 4; ++kind) {
    sinew::Setup setup;
    setup.bodies.push_back(test::body("b", make_box(Vec3(1, 1, 1), {2, 2, 2}), test::material("neo_hookean", 1, 0.4)));
    setup.bodies[0].elements = static_cast<Elements>(kind);
    if (is_quadratic(setup.bodies[0].elements)) make_quadratic(setup.bodies[0].mesh);
    const auto system = build_system(std::move(setup));
    ContentHash hash;
    add_elasticity(*system, hash);
    hashes.insert(hash.hex());
    const std::vector<char> fixed(3 * static_cast<std::size_t>(system->dynamic_count), 0);
    const std::vector<RestBody> bodies = rest_bodies(*system, fixed);
    if (kind == 0) {
      EXPECT_NO_THROW(StiffnessChange(*system, bodies[0]));
    } else {
      EXPECT_THROW(StiffnessChange(*system, bodies[0]), InputError) << kind;
    }
  }
  EXPECT_EQ(hashes.size(), 4U);
}

// A point of the unit cube around the origin goes to a twisted and tapered blade of lenses along x (`blade` of
// scripts/validation/meshes.py).
Vec3 on_blade(const Vec3& p) {
  const double s = p.x(), t = p.y(), x = p.z() + 0.5;
  const double chord = 0.06 - 0.02 * x, thickness = 0.006 - 0.003 * x, turn = 35 * std::numbers::pi / 180 * x;
  const double y = chord * s, z = thickness * t * (1 - 3 * s * s) + 0.15 * chord * (1 - 4 * s * s);
  return {0.15 * x, std::cos(turn) * y - std::sin(turn) * z, std::sin(turn) * y + std::cos(turn) * z};
}

// Frequencies [Hz] of a blade of titanium, clamped at its root, against CalculiX with 6144 C3D10 (scripts/ccx_compare
// blade). Lumped masses are too low by as much as coarse tets are too stiff.
TEST(ModeElements, BladeHasTheFrequenciesOfFinerTets) {
  const std::vector<double> right = {382.4, 1232.5, 1656.4, 2518.1, 2984.9, 4002.2, 5003.1, 6699.8};
  TetMesh mesh = make_box(Vec3(1, 1, 1), {12, 1, 24});
  TetMesh straight = mesh;
  make_quadratic(straight);
  for (const auto& tet : straight.quadratic.colwise())
    for (int edge = 0; edge < 6; ++edge) {
      const auto [a, b] = std::minmax({tet[quadratic_tet_edges[edge][0]], tet[quadratic_tet_edges[edge][1]]});
      mesh.mid_nodes.push_back({a, b, on_blade(straight.vertices.col(tet[4 + edge]))});
    }
  for (auto v : mesh.vertices.colwise()) v = on_blade(v);
  make_quadratic(mesh);
  sinew::Setup setup;
  setup.bodies.push_back(test::body("blade", mesh, test::material("neo_hookean", 1.1e11, 0.33, 4500)));
  setup.bodies[0].elements = Elements::quadratic;
  const auto system = build_system(std::move(setup));
  std::vector<char> fixed(3 * static_cast<std::size_t>(system->dynamic_count), 0);
  for (Index v = 0; v < system->dynamic_count; ++v)
    if (system->rest(0, v) < 1e-9) fixed[3 * v] = fixed[3 * v + 1] = fixed[3 * v + 2] = 1;
  const ModeSet modes = linear_modes(*system, fixed, static_cast<Index>(right.size()));
  for (std::size_t k = 0; k < right.size(); ++k)
    EXPECT_NEAR(std::sqrt(modes.values[k]) / (2 * std::numbers::pi), right[k], 0.01 * right[k]) << k;
}

}  // namespace
}  // namespace sinew
