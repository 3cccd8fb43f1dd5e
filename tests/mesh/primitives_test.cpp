#include "sinew/mesh/primitives.h"

#include <numbers>

#include "support/mesh_files.h"

#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"

namespace sinew {
namespace {

using std::numbers::pi;
using test::error_of;

class Primitives : public test::MeshTest {
 protected:
  // Conforming, positive, one closed component; returns the statistics.
  MeshStatistics check(TetMesh mesh, int euler, double dihedral) {
    const Tets before = mesh.tets;
    validate(mesh, "primitive");
    EXPECT_EQ(mesh.tets, before);
    EXPECT_EQ(warnings.size(), 0u);
    const MeshStatistics s = statistics(mesh);
    EXPECT_EQ(s.components, 1);
    EXPECT_EQ(s.surface.components, 1);
    EXPECT_EQ(s.surface.boundary_edges + s.surface.nonmanifold_edges, 0);
    EXPECT_EQ(s.surface.euler_characteristic(), euler);
    EXPECT_GT(s.dihedral_min, dihedral);
    EXPECT_NEAR(s.surface.volume, s.volume, 1e-12 * s.volume);
    return s;
  }
};

TEST_F(Primitives, Box) {
  for (const auto& [i, j, k] : {std::array{1, 1, 1}, std::array{2, 3, 4}, std::array{7, 1, 2}}) {
    const TetMesh mesh = make_box(Vec3(i, j, k) * 0.1, {i, j, k});
    const MeshStatistics s = check(mesh, 2, 54);
    EXPECT_EQ(s.tets, 5 * i * j * k);
    EXPECT_EQ(s.vertices, (i + 1) * (j + 1) * (k + 1));
    EXPECT_NEAR(s.volume, 0.001 * i * j * k, 1e-15);
    EXPECT_EQ(s.upper, Vec3(i, j, k) * 0.1 / 2);
    EXPECT_EQ(s.lower, -s.upper);
  }
  EXPECT_EQ(make_box({1, 0.5, 0.26}, 0.25).tet_count(), 5 * 4 * 2 * 1);
  EXPECT_EQ(make_box({1, 1, 1}, 5).tet_count(), 5);
}

TEST_F(Primitives, SphereConvergesAndLiesOnTheSphere) {
  double previous = 1;
  for (const int n : {1, 2, 4, 8, 16}) {
    const double size = 1.25 / n;
    const TetMesh mesh = make_sphere(2, 2 * size);
    EXPECT_EQ(mesh.tet_count(), 20 * n * n * n);
    const MeshStatistics s = check(mesh, 2, 30);
    const double missing = 1 - s.volume / (4.0 / 3 * pi * 8);
    EXPECT_LT(missing, 0.56 / (n * n));
    EXPECT_LT(missing, n > 1 ? 0.4 * previous : 1);
    previous = missing;
    for (const Index v : used_vertices(boundary_triangles(mesh.tets)))
      EXPECT_NEAR(mesh.vertices.col(v).norm(), 2, 1e-15 * 2);
    if (n >= 4) {
      EXPECT_NEAR(s.edge_mean, 2 * size, 0.05 * 2 * size);
      EXPECT_LT(s.edge_max, 1.5 * 2 * size);
      EXPECT_GT(s.edge_min, 0.65 * 2 * size);
      EXPECT_GT(s.quality_min, 0.5);
    }
  }
}

TEST_F(Primitives, Cylinder) {
  double previous = 1;
  for (const int n : {1, 2, 4, 8}) {
    const double size = 1.0 / n;
    const TetMesh mesh = make_cylinder(1, 2, size, Axis::z);
    const MeshStatistics s = check(mesh, 2, n > 1 ? 24 : 35);
    EXPECT_EQ(s.tets, 18 * n * n * 2 * n);
    const double missing = 1 - s.volume / (2 * pi);
    EXPECT_GT(missing, 0);
    EXPECT_LT(missing, n > 1 ? 0.3 * previous : 1);
    previous = missing;
    EXPECT_EQ(s.upper[2], 1);
    EXPECT_EQ(s.lower[2], -1);
    EXPECT_EQ(s.upper[0], 1);
    EXPECT_NEAR(s.edge_mean, size, 0.3 * size);
    EXPECT_GT(s.quality_min, 0.4);
  }
}

TEST_F(Primitives, AxesAreRotations) {
  const TetMesh z = make_cylinder(1, 3, 0.5, Axis::z), x = make_cylinder(1, 3, 0.5, Axis::x),
                y = make_cylinder(1, 3, 0.5);
  EXPECT_EQ(z.tets, x.tets);
  EXPECT_EQ(z.tets, y.tets);
  EXPECT_EQ(x.vertices.row(0), z.vertices.row(2));
  EXPECT_EQ(y.vertices.row(1), z.vertices.row(2));
  EXPECT_EQ(y.vertices.row(2), z.vertices.row(0));
  const TetMesh torus = make_torus(1, 0.3, 0.1);
  EXPECT_NEAR(torus.vertices.row(1).maxCoeff(), 0.3, 0.01);
  EXPECT_NEAR(torus.vertices.row(0).maxCoeff(), 1.3, 0.01);
}

TEST_F(Primitives, Torus) {
  double previous = 1;
  for (const double size : {0.4, 0.2, 0.1}) {
    const TetMesh mesh = make_torus(1, 0.4, size, Axis::z);
    const MeshStatistics s = check(mesh, 0, 20);
    const double missing = 1 - s.volume / (2 * pi * pi * 0.16);
    EXPECT_GT(missing, 0);
    EXPECT_LT(missing, 0.35 * previous);
    previous = missing;
    for (const Index v : used_vertices(boundary_triangles(mesh.tets))) {
      const Vec3 p = mesh.vertices.col(v);
      EXPECT_NEAR(std::hypot(std::hypot(p[0], p[1]) - 1, p[2]), 0.4, 1e-15);
    }
    EXPECT_GT(s.quality_min, 0.3);
  }
}

TEST_F(Primitives, PowersOfTwoScaleEveryBit) {
  EXPECT_EQ(Points(make_sphere(0.3, 0.1).vertices * 0x1p-7), make_sphere(0.3 * 0x1p-7, 0.1 * 0x1p-7).vertices);
  EXPECT_EQ(Points(make_torus(0.3, 0.1, 0.1).vertices * 0x1p9),
            make_torus(0.3 * 0x1p9, 0.1 * 0x1p9, 0.1 * 0x1p9).vertices);
  EXPECT_EQ(make_sphere(0.3, 0.1).tets, make_sphere(0.3 * 0x1p-7, 0.1 * 0x1p-7).tets);
}

TEST_F(Primitives, Errors) {
  EXPECT_EQ(error_of([] { make_sphere(-1, 0.1); }), "sphere: found radius -1, expected a positive number [m]");
  EXPECT_EQ(error_of([] { make_sphere(1, 0); }), "sphere: found size 0, expected a positive number [m]");
  EXPECT_EQ(error_of([] { make_sphere(NAN, 1); }), "sphere: found radius nan, expected a positive number [m]");
  EXPECT_EQ(error_of([] { make_cylinder(1, INFINITY, 1); }),
            "cylinder: found height inf, expected a positive number [m]");
  EXPECT_EQ(error_of([] { make_torus(1, 2, 0.1); }),
            "torus: found tube 2, expected less than the radius 1, so that the torus does not intersect itself");
  EXPECT_EQ(error_of([] { make_box({1, -2, 1}, 0.1); }), "box: found size -2, expected a positive number [m]");
  EXPECT_EQ(error_of([] {
              make_box({1, 2, 1}, {1, 0, 1});
            }),
            "box: found cells 0, expected three integers of 1 or more");
  EXPECT_EQ(
      error_of([] {
        make_box({1, 1, 1}, {1000, 1000, 1000});
      }),
      "box: cells [1000, 1000, 1000] would make 5e+09 tets, more than the 50000000 allowed; make the elements larger");
  EXPECT_EQ(error_of([] {
              make_box({1, 1, 1}, 1e-3);
            }),
            "box: edge 0.001 would make 5e+09 tets, more than the 50000000 allowed; make the elements larger");
  EXPECT_EQ(error_of([] { make_sphere(1, 1e-300); }),
            "sphere: size 1e-300 would make inf tets, more than the 50000000 allowed; make the elements larger");
  EXPECT_EQ(error_of([] { make_cylinder(1, 1, 1e-3); }),
            "cylinder: size 0.001 would make 1.8e+10 tets, more than the 50000000 allowed; make the elements larger");
  EXPECT_EQ(error_of([] { make_torus(1, 0.5, 1e-3); }),
            "torus: size 0.001 would make 2.83e+10 tets, more than the 50000000 allowed; make the elements larger");
}

}  // namespace
}  // namespace sinew
