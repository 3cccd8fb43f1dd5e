#include "sinew/mesh/validate.h"

#include "support/mesh_files.h"

#include "sinew/mesh/primitives.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

using test::error_of;
using test::two_tets;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* numbering = " (Ids count from 0 in the order of the file.)";

class Validate : public test::MeshTest {
 protected:
  std::string error(TetMesh mesh) {
    return error_of([&] { validate(mesh, "m"); });
  }
};

TEST_F(Validate, AcceptsAGoodMeshUnchanged) {
  TetMesh mesh = make_box({1, 2, 3}, {2, 3, 4});
  const Tets before = mesh.tets;
  validate(mesh, "m");
  EXPECT_EQ(mesh.tets, before);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(Validate, Errors) {
  EXPECT_EQ(error({}), "m: found no tets, expected a volume mesh");

  TetMesh mesh = two_tets();
  mesh.vertices(1, 3) = NAN;
  mesh.vertices(0, 4) = INFINITY;
  EXPECT_EQ(error(mesh),
            "m: 2 of 5 vertices have coordinates that are not finite: vertex 3 at (0, nan, 1), 4 at (inf, 1, 1). "
            "Export the mesh again." +
                std::string(numbering));
  mesh = two_tets();
  mesh.tets(3, 1) = 5;
  EXPECT_EQ(error(mesh),
            "m: 1 of 2 tets name vertices outside 0 to 4: tet 1 (vertices 4 2 1 5, at (1, 1, 1)). Export the mesh "
            "again." +
                std::string(numbering));
  mesh.tets(0, 1) = -1;
  EXPECT_THAT(error(mesh), HasSubstr("tet 1 (vertices -1 2 1 5). Export"));
  mesh = two_tets();
  mesh.tets(3, 1) = 4;
  EXPECT_EQ(error(mesh),
            "m: 1 of 2 tets have a vertex twice: tet 1 (vertices 4 2 1 4, at (1, 1, 1)). Remove them or mesh the "
            "body again." +
                std::string(numbering));
  mesh = two_tets();
  mesh.tets.col(1) << 3, 1, 0, 2;
  EXPECT_EQ(error(mesh),
            "m: 1 of 2 tets are duplicates of earlier ones: tet 1 (vertices 3 1 0 2, at (0, 0, 1)). "
            "Remove them." +
                std::string(numbering));
  mesh = two_tets();
  mesh.vertices.col(4) << 1, 0.5, -0.5;  // in the plane of the shared face
  EXPECT_EQ(error(mesh),
            "m: 1 of 2 tets have zero volume: tet 1 (vertices 4 2 1 3, at (1, 0.5, -0.5)). Remove them or mesh the "
            "body again." +
                std::string(numbering));
  mesh = two_tets();
  mesh.vertices.conservativeResize(3, 6);
  mesh.vertices.col(5) << 2, 2, 2;
  mesh.tets.conservativeResize(4, 3);
  mesh.tets.col(2) << 5, 2, 1, 3;
  EXPECT_EQ(error(mesh),
            "m: 1 faces are shared by more than two tets: face 1 2 3 at (1, 0, 0) (tets 0 1 2). The tets overlap; "
            "mesh the body again." +
                std::string(numbering));
  mesh = two_tets();
  mesh.vertices.col(4) << -0.1, 0, 0;  // on the same side of the shared face as vertex 0
  const std::string folded =
      "m: 1 of 2 tets are folded: they overlap the neighbour across a shared face: tet 1 (vertices 4 2 1 3, at (-0.1, "
      "0, 0)). Mesh the body again or untangle the mesh." +
      std::string(numbering);
  EXPECT_EQ(error(mesh), folded);
  std::swap(mesh.tets(0, 1), mesh.tets(1, 1));  // now both volumes are positive, but the fold stays
  EXPECT_THAT(error(mesh), HasSubstr("1 of 2 tets are folded"));
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(Validate, ListsTheFirstFive) {
  TetMesh mesh = make_box({1, 1, 1}, {2, 2, 2});
  for (int t = 10; t < 18; ++t) mesh.tets(0, t) = mesh.tets(1, t);
  EXPECT_THAT(error(mesh), testing::AllOf(HasSubstr("m: 8 of 40 tets"), HasSubstr("tet 14 "),
                                          HasSubstr(") and 3 more. Remove"), testing::Not(HasSubstr("tet 15 "))));
}

TEST_F(Validate, RewindsWhereOnlyTheOrderIsWrong) {
  const TetMesh good = make_box({1, 1, 1}, {2, 2, 2});
  TetMesh some = good;
  for (const int t : {0, 7, 8, 39}) std::swap(some.tets(0, t), some.tets(3, t));
  validate(some, "some");
  EXPECT_EQ(statistics(some).negative_tets, 0);
  TetMesh all = good;
  all.tets.row(1).swap(all.tets.row(2));
  validate(all, "all");
  EXPECT_EQ(statistics(all).negative_tets, 0);
  EXPECT_DOUBLE_EQ(statistics(all).volume, 1);
  EXPECT_THAT(warnings, ElementsAre("some: 4 of 40 tets had negative volume; their vertices were reordered",
                                    "all: 40 of 40 tets had negative volume; their vertices were reordered"));
}

TEST_F(Validate, ANegativeBodyWithAFoldNamesTheFoldedTet) {
  TetMesh mesh = make_box({1, 1, 1}, {3, 3, 3});
  Index inner = -1;  // a vertex inside, pushed through the opposite side of one of its tets
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    if (mesh.vertices.col(v).cwiseAbs().maxCoeff() < 0.4) inner = v;
  }
  ASSERT_GE(inner, 0);
  mesh.vertices.col(inner) *= -1.2;
  const Index folded = statistics(mesh).negative_tets;
  ASSERT_GT(folded, 0);
  mesh.tets.row(1).swap(mesh.tets.row(2));
  EXPECT_THAT(error(mesh), HasSubstr(fmt::format("m: {} of 135 tets are folded", folded)));
}

TEST_F(Validate, WarnsOfFlatTetsAndUnusedVertices) {
  TetMesh mesh = two_tets();
  mesh.vertices.conservativeResize(3, 7);
  mesh.vertices.rightCols(2).setZero();
  mesh.vertices.col(4) << 1.0 / 3, 1.0 / 3, 1.0 / 3 + 1e-6;
  validate(mesh, "m");
  EXPECT_EQ(mesh.vertex_count(), 7);
  EXPECT_THAT(warnings,
              ElementsAre("m: 1 of 2 tets are nearly flat (quality below 0.0001) and slow the solver: tet 1 "
                          "(vertices 4 2 1 3, at (0.333333, 0.333333, 0.333334))." +
                              std::string(numbering),
                          "m: 2 of 7 vertices are in no tet and stay at rest: vertex 5, 6." + std::string(numbering)));
}

// Zero volume is decided by rounding alone, so a power of two changes nothing.
TEST_F(Validate, ZeroVolumeScalesWithTheMesh) {
  for (const double height : {0.0, 1e-17, 1e-15, 1e-14, 1e-13, 1e-3}) {
    TetMesh mesh = two_tets();
    mesh.tets = mesh.tets.leftCols(1).eval();
    mesh.vertices(2, 3) = height;
    const bool small = error(mesh).empty();
    mesh.vertices *= 0x1p-60;
    EXPECT_EQ(error(mesh).empty(), small) << height;
    mesh.vertices *= 0x1p120;
    EXPECT_EQ(error(mesh).empty(), small) << height;
    // The tet stays resolved however flat it is when the coordinates are exact; coplanar ones are caught when they are
    // not.
    EXPECT_EQ(small, height != 0) << height;
  }
  TetMesh tilted = two_tets();
  tilted.tets = tilted.tets.leftCols(1).eval();
  const Vec3 u(0.3, 0.7, 0.11), w(0.9, -0.2, 0.77);
  for (int v = 0; v < 4; ++v) tilted.vertices.col(v) = (0.1 * v * v + 0.3) * u + (0.7 - 0.21 * v) * w;
  EXPECT_THAT(error(tilted), HasSubstr("zero volume"));
}

TEST_F(Validate, Surfaces) {
  TriMesh mesh;
  EXPECT_EQ(error_of([&] { validate(mesh, "s"); }), "s: found no triangles, expected a surface");
  mesh.vertices = two_tets().vertices;
  mesh.triangles.resize(3, 3);
  mesh.triangles.transpose() << 0, 1, 2, 1, 1, 2, 0, 2, 3;
  validate(mesh, "s");
  EXPECT_EQ(mesh.triangles.cols(), 2);
  EXPECT_THAT(warnings, ElementsAre("s: 1 of 3 triangles have a vertex twice and were removed",
                                    "s: 1 of 5 vertices are in no triangle and stay at rest: vertex 4." +
                                        std::string(numbering)));
  mesh.vertices.col(3) << 0, 3, 0;
  EXPECT_EQ(error_of([&] { validate(mesh, "s"); }),
            "s: 1 of 2 triangles have zero area: triangle 1 (vertices 0 2 3, at (0, 0, 0)). Remove them or export the "
            "surface "
            "again." +
                std::string(numbering));
  mesh.triangles(0, 0) = 9;
  EXPECT_EQ(error_of([&] { validate(mesh, "s"); }),
            "s: 1 of 2 triangles name vertices outside 0 to 4: triangle 0 (vertices 9 1 2). Export the mesh again." +
                std::string(numbering));
  mesh.vertices(0, 0) = NAN;
  EXPECT_THAT(error_of([&] { validate(mesh, "s"); }), HasSubstr("not finite: vertex 0 at (nan, 0, 0)"));
}

}  // namespace
}  // namespace sinew
