#include "sinew/potential/free_islands.h"

#include <functional>

#include "support/bodies.h"
#include <gtest/gtest.h>

#include "sinew/potential/incremental_potential.h"

namespace sinew {
namespace {

// Three boxes in a row. The first two are closer than dhat. What `hold` does keeps the second from being free.
struct Row {
  explicit Row(const std::function<void(sinew::Setup&)>& hold) {
    sinew::Setup setup;
    setup.contact.distance = 2e-3;
    for (const double x : {0.0, 0.101, 0.3}) {
      setup.bodies.push_back(test::body("box" + std::to_string(setup.bodies.size()),
                                        make_box(Vec3::Constant(0.1), {2, 2, 2}),
                                        test::material("neo_hookean", 1e5, 0.4), Vec3(x, 0.2, 0)));
    }
    hold(setup);
    system = build_system(std::move(setup));
    context = test::resting_context(*system);
    for (const PrescribedVertex& vertex : system->prescribed)
      for (int k = 0; k < 3; ++k) context.prescribed[3 * static_cast<std::size_t>(vertex.vertex) + k] = prescribed_flag;
    for (const PlaneSetup& plane : system->planes) planes.push_back({plane.point, plane.normal});
    context.plane_start = context.plane_reference = context.plane_end = planes;
    potential = std::make_unique<IncrementalPotential>(system);
    potential->begin_step(context, system->contact_stiffness);
    potential->set_contacts(context.start, planes);
    std::srand(3);
    const Index n = system->dynamic_count;
    g = Points::Random(3, n);
    d = before = Points::Random(3, system->vertex_count());
    potential->translate_free(g, d);
  }

  // |sum (g + m d)| of the bodies [first, last), over sum m |d|.
  double defect(Index first, Index last) const {
    Vec3 sum = Vec3::Zero();
    double size = 0;
    for (Index i = 0; i < system->dynamic_count; ++i) {
      if (system->vertex_body[i] < first || system->vertex_body[i] >= last) continue;
      sum += g.col(i) + system->mass[i] * d.col(i);
      size += g.col(i).norm();
    }
    return sum.norm() / size;
  }
  // Whether the body moves by the same translation everywhere; `shift` receives it.
  bool translated(Index body, Vec3& shift) const {
    bool first = true, same = true;
    for (Index i = 0; i < system->dynamic_count; ++i) {
      if (system->vertex_body[i] != body) continue;
      const Vec3 moved = d.col(i) - before.col(i);
      if (first) shift = moved;
      first = false;
      same = same && (moved - shift).norm() <= 1e-13 * (1 + shift.norm());
    }
    return same;
  }

  std::shared_ptr<const System> system;
  StepContext context;
  std::vector<PlaneState> planes;
  std::unique_ptr<IncrementalPotential> potential;
  Points g, d, before;
};

TEST(FreeIslands, MomentumOfEachIslandIsExact) {
  const Row row([](sinew::Setup&) {});
  ASSERT_FALSE(row.potential->contact().contacts().empty());
  EXPECT_LT(row.defect(0, 2), 1e-14);  // two boxes in contact: together, with one translation
  EXPECT_GT(row.defect(0, 1), 1e-3);
  EXPECT_LT(row.defect(2, 3), 1e-14);
  Vec3 first, second, third;
  EXPECT_TRUE(row.translated(0, first));
  EXPECT_TRUE(row.translated(1, second));
  EXPECT_TRUE(row.translated(2, third));
  EXPECT_LT((first - second).norm(), 1e-13 * first.norm());
  EXPECT_GT((first - third).norm(), 0.1 * first.norm());
}

// What holds one body holds its island, and no other.
TEST(FreeIslands, BodiesThatSomethingHoldsStay) {
  const std::vector<std::function<void(sinew::Setup&)>> holds{
      [](sinew::Setup& setup) { setup.bodies[1].damping_mass = 1; },
      [](sinew::Setup& setup) {
        FixSetup fix;
        fix.vertices = {0};
        setup.bodies[1].fixes = {fix};
      },
      [](sinew::Setup& setup) {
        SpringSetup spring;
        spring.vertices = {0};
        spring.stiffness = 10;
        spring.point = Vec3(0, 1, 0);
        setup.bodies[1].springs = {spring};
      },
      [](sinew::Setup& setup) {
        setup.obstacles.push_back(test::floor_plane(0.149));
        for (const int b : {0, 2}) setup.bodies[b].mesh.vertices.row(1).array() += 0.01;
      }};
  for (std::size_t k = 0; k < holds.size(); ++k) {
    const Row row(holds[k]);
    Vec3 shift = Vec3::Zero();
    for (const Index body : {0, 1}) {
      EXPECT_TRUE(row.translated(body, shift)) << k;
      EXPECT_EQ(shift, Vec3::Zero()) << k;
    }
    EXPECT_LT(row.defect(2, 3), 1e-14) << k;
  }
}

}  // namespace
}  // namespace sinew
