// Obstacles whose vertices a cache moves: as a motion where it is one, contact along their way, checkpoints.
#include <cmath>

#include "support/bodies.h"
#include "support/run.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/control.h"

namespace sinew::deforming_obstacle_test {
namespace {

using ::testing::HasSubstr;

ObstacleSetup plate() {
  ObstacleSetup obstacle;
  obstacle.name = "plate";
  const TetMesh mesh = make_box(Vec3(0.6, 0.05, 0.6), {6, 1, 6});
  obstacle.mesh = compacted(mesh.vertices, boundary_triangles(mesh.tets));
  obstacle.mesh->vertices.row(1).array() -= 0.025;
  return obstacle;
}

// Positions at times 0.05 k.
template <class Place>
std::shared_ptr<const Course> cache(const ObstacleSetup& obstacle, int samples, Place&& place) {
  auto course = std::make_shared<Course>();
  for (int k = 0; k < samples; ++k) {
    const double time = 0.05 * k;
    course->times.push_back(time);
    Points& x = course->places.emplace_back(obstacle.mesh->vertices);
    for (Index v = 0; v < x.cols(); ++v) x.col(v) = place(Vec3(x.col(v)), time);
  }
  course->turns = true;
  return course;
}

sinew::Setup block_on(ObstacleSetup obstacle, const std::string& method = "newton") {
  sinew::Setup setup;
  setup.bodies.push_back(test::body("block", make_box(Vec3(0.2, 0.1, 0.2), {2, 1, 2}),
                                    test::material("stable_neo_hookean", 1e5, 0.4), Vec3(0, 0.0525, 0)));
  setup.obstacles.push_back(std::move(obstacle));
  setup.contact.distance = 2e-3;
  setup.contact.friction = 0.5;
  setup.time.step = 0.01;
  setup.solver.method = method;
  return setup;
}

Vec3 shift_at(double time) {
  return Vec3(2 * time, 0.5 * time, 0);
}

// The same motion by keyframes and by a cache: contact and friction see the same positions and velocities.
TEST(DeformingObstacle, MovesBodiesAsTheSameMotionDoes) {
  ObstacleSetup moved = plate(), cached = plate();
  moved.motion.translation = Keyframes{{0, 0.15}, MatX{{0, 0.3}, {0, 0.075}, {0, 0}}};
  cached.motion.course = cache(cached, 4, [](const Vec3& x, double time) { return Vec3(x + shift_at(time)); });
  Simulation one(build_system(block_on(moved))), other(build_system(block_on(cached)));
  for (int s = 0; s < 20; ++s) {
    test::checked_step(one);
    test::checked_step(other);
  }
  const Index n = one.system().dynamic_count;
  EXPECT_LT((one.state().x - other.state().x).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT(test::center_of_mass(one, 0).x(), 0.05);
  EXPECT_LT((one.state().x.rightCols(one.state().x.cols() - n) - other.state().x.rightCols(one.state().x.cols() - n))
                .cwiseAbs()
                .maxCoeff(),
            1e-12);
}

// The plate bulges faster than the block is high in a step; nothing passes through, by any method.
TEST(DeformingObstacle, NothingPassesThrough) {
  const auto bulge = [](const Vec3& x, double time) {
    const double height = 0.25 * std::exp(-20 * (x.x() * x.x() + x.z() * x.z())) * std::sin(20 * time);
    return Vec3(x.x(), x.y() + height, x.z());
  };
  for (const char* method : {"newton", "multilevel", "quasi_newton", "adaptive"}) {
    ObstacleSetup obstacle = plate();
    obstacle.motion.course = cache(obstacle, 6, bulge);
    sinew::Setup setup = block_on(std::move(obstacle), method);
    setup.solver.iterations = 0;
    setup.solver.max_iterations = 1000;
    Simulation simulation(build_system(std::move(setup)));
    test::run_checked(simulation, 15);
    EXPECT_GT(test::center_of_mass(simulation, 0).y(), 0.1) << method;
  }
  for (const char* method : {"reduced", "mixed"}) {
    ObstacleSetup obstacle = plate();
    obstacle.motion.course = cache(obstacle, 6, bulge);
    sinew::Setup setup = block_on(std::move(obstacle), method);
    setup.solver.handles = 4;
    Simulation simulation(build_system(std::move(setup)));
    for (int s = 0; s < 15; ++s) simulation.step();
    EXPECT_GT(test::center_of_mass(simulation, 0).y(), 0.1) << method;
  }
}

// Vertices are at the samples at their times, between them linear, and rest after the last one.
TEST(DeformingObstacle, IsWhereTheCacheSays) {
  ObstacleSetup obstacle = plate();
  const auto grow = [](const Vec3& x, double time) { return Vec3(x * (1 + time)); };
  obstacle.motion.course = cache(obstacle, 3, grow);
  const Points rest = obstacle.mesh->vertices;
  Simulation simulation(build_system(block_on(std::move(obstacle))));
  const System& system = simulation.system();
  const auto error = [&](double time) {
    double largest = 0;
    for (std::size_t i = 0; i < system.obstacle_vertex_to_own.size(); ++i) {
      const Vec3 expected = rest.col(system.obstacle_vertex_to_own[i]) * (1 + time);
      const Vec3 found = simulation.state().x.col(system.body_vertex_count() + static_cast<Index>(i));
      largest = std::max(largest, (found - expected).norm());
    }
    return largest;
  };
  EXPECT_LT(error(0), 1e-15);
  for (int s = 1; s <= 12; ++s) {
    test::checked_step(simulation);
    EXPECT_LT(error(std::min(0.01 * s, 0.1)), 1e-12) << s;
  }
}

// Targets set by a script go on from the cache, and end with it.
TEST(DeformingObstacle, ScriptsTakeOverAndCheckpointsGoOn) {
  const auto make = [] {
    ObstacleSetup obstacle = plate();
    obstacle.motion.course = cache(obstacle, 4, [](const Vec3& x, double time) { return Vec3(x + shift_at(time)); });
    return build_system(block_on(std::move(obstacle)));
  };
  auto system = make(), own = make();
  Simulation first(system), second(own);
  first.allow_changes(system);
  second.allow_changes(own);
  for (int s = 0; s < 4; ++s) first.step();
  first.edit(obstacle_target(first.system(), 0, {.positions = {}, .transform = {}, .velocity = Vec3(0, 1, 0)},
                             first.next_step()));
  first.step();
  MemoryArchive saved;
  ArchiveWriter writer(saved);
  first.save(writer);
  second.load(ArchiveReader(saved, "test"));
  for (int s = 0; s < 3; ++s) {
    first.step();
    second.step();
  }
  EXPECT_EQ(first.state().x, second.state().x);
  const Vec3 expected = Vec3(system->rest.col(system->body_vertex_count())) + shift_at(0.04) + Vec3(0, 0.04, 0);
  EXPECT_LT((first.state().x.col(system->body_vertex_count()) - expected).norm(), 1e-12);
  first.end_control();
  first.step();
  EXPECT_LT((first.state().x.col(system->body_vertex_count()) - system->rest.col(system->body_vertex_count()) -
             shift_at(0.09))
                .norm(),
            1e-12);
}

TEST(DeformingObstacle, WrongCachesAreRefused) {
  ObstacleSetup obstacle = plate();
  auto course = std::make_shared<Course>(
      *cache(obstacle, 3, [](const Vec3& x, double time) { return Vec3(x + shift_at(time)); }));
  course->places[1].conservativeResize(3, 5);
  obstacle.motion.course = course;
  EXPECT_THAT([&] { build_system(block_on(obstacle)); },
              testing::ThrowsMessage<InputError>(HasSubstr("found a sample of 5 vertices")));
  course->places.pop_back();
  EXPECT_THAT([&] { build_system(block_on(obstacle)); },
              testing::ThrowsMessage<InputError>(HasSubstr("found 3 times and 2 samples")));
}

}  // namespace
}  // namespace sinew::deforming_obstacle_test
