
#include "sinew/potential/stencil_assembly.h"

#include "potential/stencil_scene.h"
#include <gtest/gtest.h>

#include "sinew/core/parallel.h"
#include "sinew/potential/barrier_energy.h"

namespace sinew {
namespace {

TEST(StencilAssembly, ScattersIntoTheUpperTriangleOfKnownRows) {
  // Two stencils of three vertices each; vertex 4 has no equations.
  const StencilAssembly::Vertices vertices[2] = {{2, 0, 4, -1}, {1, 3, 2, -1}};
  const std::vector<std::pair<Index, Index>> pairs{{0, 2}, {1, 2}, {1, 3}, {2, 3}};
  SymBlockMatrix H(make_pattern(4, pairs));
  Points g = Points::Zero(3, 4);
  StencilAssembly assembly;
  assembly.plan(2, 4, [&](std::size_t s) { return vertices[s]; });
  std::mt19937 random(1);
  Vec12 local_g[2];
  Mat12 local_H[2];
  for (int s = 0; s < 2; ++s) {
    local_g[s].setRandom();
    local_H[s].setRandom();
    local_H[s] = (local_H[s] + local_H[s].transpose()).eval();
  }
  assembly.add_derivatives(
      [&](std::size_t s, Vec12& out_g, Mat12& out_H) {
        out_g = local_g[s];
        out_H = local_H[s];
      },
      2, g, H);
  MatX expected = MatX::Zero(15, 15);
  VecX expected_g = VecX::Zero(15);
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < 3; ++i) {
      expected_g.segment<3>(3 * vertices[s][i]) += 2 * local_g[s].segment<3>(3 * i);
      for (int j = 0; j < 3; ++j)
        expected.block<3, 3>(3 * vertices[s][i], 3 * vertices[s][j]) += 2 * local_H[s].block<3, 3>(3 * i, 3 * j);
    }
  }
  EXPECT_EQ(test::dense(H), expected.topLeftCorner(12, 12));
  EXPECT_EQ(VecX(g.reshaped()), expected_g.head(12));
}

TEST(StencilAssembly, PlansAgainForFewerAndMoreStencils) {
  StencilAssembly assembly;
  for (int count : {5000, 10, 0, 7000}) {
    assembly.plan(count, 50, [](std::size_t s) {
      const Index a = static_cast<Index>(s % 40);
      return StencilAssembly::Vertices{a, a + 1, a + 5, a + 9};
    });
    Points g = Points::Zero(3, 50);
    assembly.add_gradient([](std::size_t, Vec12& local) { local.setOnes(); }, 1, g);
    EXPECT_EQ(g.sum(), 12.0 * count);
  }
}

}  // namespace
}  // namespace sinew
