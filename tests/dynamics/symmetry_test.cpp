// A quarter with symmetry planes moves as the whole body that it is a quarter of.
#include <map>

#include "support/bodies.h"
#include "support/run.h"
#include <gtest/gtest.h>

#include "sinew/mesh/surface.h"

namespace sinew::symmetry_test {
namespace {

using Place = std::array<long, 3>;
Place place_of(const Vec3& x) {
  return {std::lround(1e6 * x[0]), std::lround(1e6 * x[1]), std::lround(1e6 * x[2])};
}

TetMesh quarter_block() {
  TetMesh mesh = make_box(Vec3(0.5, 1, 0.5), {3, 4, 3});
  mesh.vertices.colwise() += Vec3(0.25, 0.5, 0.25);
  return mesh;
}

// The quarter and its mirror images at x = 0 and z = 0, with shared vertices on the planes.
TetMesh whole_block() {
  const TetMesh quarter = quarter_block();
  std::map<Place, Index> number;
  std::vector<Vec3> vertices;
  std::vector<Index> tets;
  for (const double sx : {1.0, -1.0})
    for (const double sz : {1.0, -1.0})
      for (Index t = 0; t < quarter.tet_count(); ++t) {
        std::array<Index, 4> corners{};
        for (int k = 0; k < 4; ++k) {
          const Vec3 x = Vec3(sx, 1, sz).cwiseProduct(Vec3(quarter.vertices.col(quarter.tets(k, t))));
          const auto [at, added] = number.emplace(place_of(x), static_cast<Index>(vertices.size()));
          if (added) vertices.push_back(x);
          corners[k] = at->second;
        }
        if (sx * sz < 0) std::swap(corners[0], corners[1]);
        tets.insert(tets.end(), corners.begin(), corners.end());
      }
  TetMesh mesh;
  mesh.vertices.resize(3, static_cast<Index>(vertices.size()));
  for (std::size_t v = 0; v < vertices.size(); ++v) mesh.vertices.col(static_cast<Index>(v)) = vertices[v];
  mesh.tets = Eigen::Map<const Tets>(tets.data(), 4, static_cast<Index>(tets.size() / 4));
  return mesh;
}

// Pressed down on a square in the middle of its top; `part`: the quarter x, z >= 0.
sinew::Setup pressed(const char* method, bool part, bool statics) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.time.step = 0.02;
  setup.time.steps = 3;
  if (statics) setup.time.integrator = Integrator::statics;
  setup.contact.enabled = false;
  setup.solver.method = method;
  setup.solver.subspace = "full";
  setup.solver.tolerance = 1e-9;
  setup.bodies.push_back(
      test::body("block", part ? quarter_block() : whole_block(), test::material("stable_neo_hookean", 1e5, 0.3)));
  BodySetup& body = setup.bodies[0];
  FixSetup bottom;
  bottom.vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[1] < 1e-6; });
  body.fixes = {bottom};
  for (const int axis : {0, 2}) {
    if (!part) continue;
    FixSetup plane;
    plane.symmetry = true;
    plane.axes = {axis == 0, false, axis == 2};
    plane.vertices = test::select_vertices(body.mesh, [&](const Vec3& x) { return std::abs(x[axis]) < 1e-6; });
    body.fixes.push_back(plane);
  }
  const Triangles all = boundary_triangles(body.mesh.tets);
  std::vector<Index> top;
  for (Index f = 0; f < all.cols(); ++f) {
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
      const Vec3 x = body.mesh.vertices.col(all(k, f));
      inside &= x[1] > 1 - 1e-6 && std::max(std::abs(x[0]), std::abs(x[2])) < 0.34;
    }
    if (inside) top.push_back(f);
  }
  LoadSetup load;
  load.faces = all(Eigen::all, top);
  load.vector = Vec3(0, -2e4, 0);
  body.loads = {load};
  return setup;
}

// The block under a lid that comes down by 10 %, instead of under loads.
sinew::Setup under_lid(bool part) {
  sinew::Setup setup = pressed("newton", part, true);
  setup.bodies[0].loads.clear();
  setup.contact.enabled = true;
  setup.contact.distance = 0.05;
  setup.contact.stiffness = 1e5;
  ObstacleSetup lid;
  lid.name = "lid";
  lid.plane = PlaneSetup{Vec3(0, 1.05, 0), Vec3(0, -1, 0)};
  lid.motion.translation = Keyframes{{0, 1}, MatX::Zero(3, 2)};
  lid.motion.translation->values(1, 1) = -0.15;
  setup.obstacles = {lid};
  return setup;
}

double difference(const sinew::Setup& of_part, const sinew::Setup& of_whole) {
  const std::string& method = of_part.solver.method;
  Simulation part(build_system(of_part)), whole(build_system(of_whole));
  for (int s = 0; s < 3; ++s) {
    part.step();
    whole.step();
  }
  std::map<Place, Vec3> displacements;
  const State &a = part.state(), &b = whole.state();
  for (Index v = 0; v < whole.system().dynamic_count; ++v)
    displacements[place_of(whole.system().rest.col(v))] = b.x.col(v) - whole.system().rest.col(v);
  double largest = 0, off = 0;
  for (Index v = 0; v < part.system().dynamic_count; ++v) {
    const Vec3 u = a.x.col(v) - part.system().rest.col(v);
    largest = std::max(largest, u.norm());
    off = std::max(off, (u - displacements.at(place_of(part.system().rest.col(v)))).norm());
  }
  EXPECT_GT(largest, 0.01) << method;
  return off / largest;
}

TEST(Symmetry, QuarterMovesAsTheWhole) {
  for (const bool statics : {false, true}) {
    for (const char* method : {"newton", "newton-pcg", "multilevel", "reduced", "mixed"})
      EXPECT_LT(difference(pressed(method, true, statics), pressed(method, false, statics)), 2e-3) << method << statics;
    for (const char* method : {"quasi_newton", "adaptive"})
      EXPECT_LT(difference(pressed(method, true, statics), pressed(method, false, statics)), 3e-2) << method << statics;
  }
}

// Vertices on the planes have the surface of the part, without the faces in the planes.
TEST(Symmetry, QuarterTouchesAsTheWhole) {
  EXPECT_LT(difference(under_lid(true), under_lid(false)), 1e-6);
}

}  // namespace
}  // namespace sinew::symmetry_test
