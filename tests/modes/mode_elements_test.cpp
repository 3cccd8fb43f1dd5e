// Modes of bodies of other elements than linear tets.
#include <set>
#include <string>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/quadratic_tets.h"
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

}  // namespace
}  // namespace sinew
