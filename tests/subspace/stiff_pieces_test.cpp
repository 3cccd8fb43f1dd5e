#include "sinew/subspace/stiff_pieces.h"

#include <algorithm>
#include <set>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/partition/domain.h"

namespace sinew {
namespace {

// A bar of 12 x 3 x 3 cells along x, soft but for stiff slabs of cells in x.
Domain slabs(const std::vector<std::pair<Index, Index>>& cells, double ratio, bool held = false) {
  sinew::Setup setup;
  const TetMesh mesh = make_box(Vec3(1.2, 0.3, 0.3), {12, 3, 3});
  setup.bodies.push_back(test::body("bar", mesh, test::material("neo_hookean", 1e5, 0.3, 1000, "soft")));
  BodySetup& body = setup.bodies[0];
  MaterialAssignment stiff = test::material("neo_hookean", ratio * 1e5, 0.3, 1000, "stiff");
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const double x = mesh.vertices(Eigen::all, mesh.tets.col(t)).row(0).mean() / 0.1 + 6;
    const bool inside =
        std::any_of(cells.begin(), cells.end(), [&](const auto& c) { return x > c.first && x < c.second; });
    (inside ? stiff : body.materials[0]).tets.push_back(t);
  }
  if (body.materials[0].tets.empty()) {
    body.materials[0] = test::material("neo_hookean", ratio * 1e5, 0.3);
  } else {
    body.materials.push_back(stiff);
  }
  if (held) {
    FixSetup fix;
    fix.vertices = test::select_vertices(mesh, [](const Vec3& p) { return p.x() < -0.599; });
    body.fixes = {fix};
  }
  const auto system = build_system(std::move(setup));
  std::vector<char> fixed(3 * static_cast<std::size_t>(system->dynamic_count), 0);
  for (const PrescribedVertex& p : system->prescribed)
    for (int k = 0; k < 3; ++k) fixed[3 * static_cast<std::size_t>(p.vertex) + k] = 1;
  return make_domain(*system, fixed);
}

// The vertices with weight 1 in each handle; no other weight is stored.
std::vector<std::set<Index>> vertices_of(const HandleBasis& basis) {
  std::vector<std::set<Index>> result(basis.handle_count());
  for (Index v = 0; v < basis.vertex_count(); ++v)
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
      EXPECT_EQ(basis.weight[e], 1);
      result[basis.handle[e]].insert(v);
    }
  return result;
}

// Two slabs of 2 cells: 3 x 4 x 4 vertices each, which lie between the planes that bound them.
TEST(StiffPieces, EachStiffPieceHasAHandle) {
  const Domain domain = slabs({{2, 4}, {7, 9}}, 1e3);
  HandleBasis basis = stiff_piece_basis(domain);
  ASSERT_EQ(basis.handle_count(), 2);
  for (const std::set<Index>& piece : vertices_of(basis)) {
    EXPECT_EQ(piece.size(), 48u);
    double low = 1e9, high = -1e9;
    for (const Index v : piece) {
      low = std::min(low, domain.vertices(0, v));
      high = std::max(high, domain.vertices(0, v));
    }
    EXPECT_NEAR(high - low, 0.2, 1e-12);
  }
}

TEST(StiffPieces, OthersHaveNone) {
  EXPECT_EQ(stiff_piece_basis(slabs({{2, 4}}, 5)).handle_count(), 0) << "hardly stiffer";
  EXPECT_EQ(stiff_piece_basis(slabs({{2, 4}}, 1e-3)).handle_count(), 2) << "the ends, beside a soft slab";
  EXPECT_EQ(stiff_piece_basis(slabs({{0, 12}}, 1e3)).handle_count(), 0) << "a body of one material";
  EXPECT_EQ(stiff_piece_basis(slabs({{0, 2}, {7, 9}}, 1e3, true)).handle_count(), 1) << "one of two is held";
}

// 13 x 4 x 4 = 208 vertices: two handles, those of the largest pieces.
TEST(StiffPieces, TheSmallestGiveWay) {
  const HandleBasis basis = stiff_piece_basis(slabs({{0, 1}, {2, 4}, {5, 6}, {7, 10}}, 1e3));
  const auto vertices = vertices_of(basis);
  ASSERT_EQ(vertices.size(), 2u);
  EXPECT_EQ(vertices[0].size(), 48u);
  EXPECT_EQ(vertices[1].size(), 64u);
}

}  // namespace
}  // namespace sinew
