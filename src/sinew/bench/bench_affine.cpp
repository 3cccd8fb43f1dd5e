// Benchmark of affine bodies: their cost beside that of their contacts.

#include <array>
#include <map>

#include "sinew/bench/bench.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/material/registry.h"

namespace sinew {
namespace {

constexpr double ball_radius = 0.05;  // [m]
constexpr int ball_steps = 20;

// A sphere of 8 * 4^levels triangles, an octahedron whose triangles are cut in four again and again. The corners of the
// octahedron stay among the vertices: on the lowest one it touches a plane.
TetMesh octasphere(int levels) {
  std::vector<Vec3> points{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<std::array<Index, 3>> faces{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                          {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<Index, Index>, Index> middles;
    const auto middle = [&](Index a, Index b) {
      const auto [at, added] = middles.emplace(std::minmax(a, b), static_cast<Index>(points.size()));
      if (added) points.push_back((points[a] + points[b]).normalized());
      return at->second;
    };
    std::vector<std::array<Index, 3>> finer;
    for (const auto& [a, b, c] : faces) {
      const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    faces = std::move(finer);
  }
  TetMesh mesh;
  mesh.vertices.resize(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    mesh.vertices.col(static_cast<Eigen::Index>(i)) = ball_radius * points[i];
  mesh.triangles.resize(3, static_cast<Eigen::Index>(faces.size()));
  for (std::size_t f = 0; f < faces.size(); ++f)
    mesh.triangles.col(static_cast<Eigen::Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
  return mesh;
}

// A ball that falls on a plane and lies there on one vertex.
std::shared_ptr<const System> ball_on_plane(int levels) {
  MaterialAssignment material;
  material.name = "steel";
  material.model = shared_material_model("neo_hookean");
  material.parameters = material.model->resolve({{"young", {1e9}}, {"poisson", {0.3}}});
  material.density = {1000.0};
  Setup setup;
  setup.name = "a ball on a plane";
  setup.bodies.emplace_back();
  setup.bodies[0].name = "ball";
  setup.bodies[0].mesh = octasphere(levels);
  setup.bodies[0].mesh.vertices.row(1).array() += ball_radius + 5e-4;
  setup.bodies[0].materials = {std::move(material)};
  setup.bodies[0].affine = true;
  setup.obstacles.push_back({"ground", std::nullopt, PlaneSetup{Vec3::Zero(), Vec3::UnitY()}, "", {}});
  setup.contact.distance = 2e-6;  // under which of any of the balls one vertex is
  setup.contact.friction = 0.3;
  return build_system(std::move(setup));
}

}  // namespace

// One thread.
BenchResult bench_affine() {
  const ThreadLimit limit(1);
  BenchResult rows = BenchResult::array();
  double first = 0;
  for (const int levels : {3, 5, 7}) {
    Simulation simulation(ball_on_plane(levels));
    TimeSplit seconds;
    int iterations = 0;
    long contacts = 0;
    for (int s = 0; s < ball_steps; ++s) {
      const StepReport report = simulation.step();
      seconds += report.seconds;
      iterations += report.newton_iterations;
      contacts += report.contacts;
    }
    const double each = 1e3 * seconds.steps / iterations;
    if (levels == 3) first = each;
    rows.push_back({{"triangles", simulation.system().collision.triangles.cols()},
                    {"contacts_per_step", static_cast<double>(contacts) / ball_steps},
                    {"iterations", iterations},
                    {"ms_per_iteration", each},
                    {"collision", 1e3 * seconds.collision / iterations},
                    {"assembly", 1e3 * seconds.assembly / iterations},
                    {"of_the_first", each / first}});
  }
  return {{"balls", rows}};
}

}  // namespace sinew
