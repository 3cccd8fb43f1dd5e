// What build_system derives from a setup: numbering, masses, groups, constraints, collision mesh, contact scales.
#include <numeric>
#include <set>

#include "support/bodies.h"
#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface.h"
#include "sinew/model/numbering.h"
#include "sinew/model/system.h"

namespace sinew {
namespace {

using test::body;
using test::floor_plane;
using test::material;
using test::select_vertices;

BodySetup cube(const std::string& name, Vec3 offset = Vec3::Zero(), Index cells = 3) {
  return body(name, make_box(Vec3(1, 1, 1), {cells, cells, cells}), material("neo_hookean", 1e6, 0.4), offset);
}

Setup one_cube() {
  sinew::Setup setup;
  setup.bodies.push_back(cube("cube"));
  return setup;
}

// Two bodies, one of two materials with fibers, an unused node, a plane and a mesh obstacle.
Setup rich_setup() {
  sinew::Setup setup = one_cube();
  BodySetup second = cube("second", Vec3(2, 0, 0), 4);
  second.materials = {material("neo_hookean", 2e6, 0.3, 500, "soft"), material("stvk", 4e6, 0.2, 2000, "hard")};
  second.materials[1].fiber_stiffness = {1e5};
  second.materials[1].fiber_direction.setZero(3, 1);
  second.materials[1].fiber_direction(1, 0) = 2;
  for (Index t = 0; t < second.mesh.tet_count(); ++t) {
    const bool low = second.mesh.vertices(1, second.mesh.tets(0, t)) < 0;
    second.materials[low ? 0 : 1].tets.push_back(t);
  }
  // An unused node in front of the others.
  TetMesh& mesh = second.mesh;
  Points vertices(3, mesh.vertex_count() + 1);
  vertices << Vec3(9, 9, 9), mesh.vertices;
  mesh.vertices = vertices;
  mesh.tets.array() += 1;
  setup.bodies.push_back(std::move(second));
  setup.obstacles.push_back(floor_plane(-1));
  ObstacleSetup wall;
  wall.name = "wall";
  const TetMesh box = make_box(Vec3(1, 4, 4), {1, 2, 2});
  wall.mesh = TriMesh{box.vertices, boundary_triangles(box.tets)};
  wall.mesh->vertices.row(0).array() -= 3;
  wall.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, 1, 0, 0, 0, 0).finished()};
  setup.obstacles.push_back(std::move(wall));
  return setup;
}

std::string error_of(const Setup& setup) {
  try {
    build_system(setup);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Build, MapsBetweenNumberingsAreInverse) {
  const sinew::Setup setup = rich_setup();
  const auto s = build_system(setup);
  ASSERT_EQ(s->dynamic_count, setup.bodies[0].mesh.vertex_count() + setup.bodies[1].mesh.vertex_count() - 1);
  EXPECT_EQ(s->user_vertex_count, s->dynamic_count + 1);
  const std::set<Index> distinct(s->vertex_to_user.begin(), s->vertex_to_user.end());
  EXPECT_EQ(static_cast<Index>(distinct.size()), s->dynamic_count);
  EXPECT_FALSE(distinct.contains(setup.bodies[0].mesh.vertex_count()));  // the unused node
  const Points user = s->to_user(s->rest, &s->user_rest);
  EXPECT_EQ(user, s->user_rest);
  EXPECT_EQ(s->from_user(user), s->rest.leftCols(s->dynamic_count));
  EXPECT_EQ(Vec3(s->to_user(s->rest).col(setup.bodies[0].mesh.vertex_count())), Vec3(Vec3::Zero()));
  EXPECT_EQ(s->user_rest.rightCols(setup.bodies[1].mesh.vertex_count()), setup.bodies[1].mesh.vertices);
  for (Index i = 0; i < s->dynamic_count; ++i) {
    const SystemBody& owner = s->bodies[s->vertex_body[i]];
    EXPECT_GE(s->vertex_to_user[i], owner.user_begin);
    EXPECT_LT(s->vertex_to_user[i], owner.user_begin + owner.vertex_count);
  }
}

TEST(Build, TetsKeepTheirVerticesAndWinding) {
  const auto s = build_system(rich_setup());
  std::vector<char> seen(s->user_tet_count, 0);
  for (Index t = 0; t < s->tet_count(); ++t) {
    const Index user = s->tet_to_user[t];
    EXPECT_FALSE(seen[user]++);
    for (int k = 0; k < 4; ++k) ASSERT_EQ(s->vertex_to_user[s->tets(k, t)], s->user_tets(k, user));
    EXPECT_GT(tet_volume(s->rest, s->tets, t), 0);
  }
  EXPECT_EQ(s->bodies[1].tet_user_begin + s->bodies[1].tet_count, s->user_tet_count);
}

TEST(Build, MassesSumToDensityTimesVolume) {
  const auto s = build_system(rich_setup());
  double first = 0, second = 0;
  for (Index i = 0; i < s->dynamic_count; ++i) (s->vertex_body[i] == 0 ? first : second) += s->mass[i];
  EXPECT_NEAR(first, 1000, 1e-9);
  double expected = 0;
  for (Index t = 0; t < s->tet_count(); ++t) {
    if (s->tet_body[t] == 1)
      expected += (s->material_names[s->tet_material[t]] == "soft" ? 500 : 2000) * tet_volume(s->rest, s->tets, t);
  }
  EXPECT_NEAR(second, expected, 1e-9 * expected);
  EXPECT_GT(*std::min_element(s->mass.begin(), s->mass.end()), 0);
}

SharedModel spline_of(double stiffness) {
  return shared_material_model("spline")->with_curves({{{"a", {{0.5, 1, 2}, {-stiffness, 0, stiffness}}}}, false});
}

// Instances with curves are grouped by material and data: equal instances of one material share a group over bodies.
TEST(Build, GroupsHoldOneInstanceOfAModelWithCurves) {
  sinew::Setup setup = rich_setup();
  setup.bodies.resize(1);
  setup.bodies[0].loads.clear(), setup.bodies[0].springs.clear();
  setup.bodies.push_back(setup.bodies[0]);
  setup.bodies[1].name = "copy";
  setup.bodies.push_back(setup.bodies[0]);
  setup.bodies[2].name = "other";
  setup.contact.enabled = false;
  for (BodySetup& body : setup.bodies) {
    body.materials.resize(1);
    body.materials[0].tets.clear();
    body.materials[0].fiber_stiffness.clear();
    body.materials[0].parameters.clear();
    body.materials[0].density = {1000};
    body.materials[0].name = body.name == "other" ? "other" : "foam";
    body.materials[0].model = spline_of(1e5);
  }
  const auto s = build_system(setup);
  ASSERT_EQ(s->groups.size(), 2u);
  EXPECT_EQ(s->groups[0].tet_end, 2 * s->bodies[0].tet_count);
  setup.bodies[1].materials[0].model = spline_of(2e5);
  EXPECT_EQ(build_system(setup)->groups.size(), 3u);
}

TEST(Build, GroupsHoldOneModelEach) {
  const auto s = build_system(rich_setup());
  ASSERT_EQ(s->groups.size(), 2u);
  EXPECT_EQ(s->groups[0].model->name(), "neo_hookean");
  EXPECT_EQ(s->groups[0].tet_begin, 0);
  EXPECT_EQ(s->groups[1].model->name(), "stvk");
  EXPECT_EQ(s->groups[1].tet_begin, s->groups[0].tet_end);
  EXPECT_EQ(s->groups[1].tet_end, s->tet_count());
  const ElasticGroup& mixed = s->groups[0];
  ASSERT_EQ(mixed.parameters[1].size(), static_cast<std::size_t>(mixed.tet_end));
  for (Index t = 0; t < mixed.tet_end; ++t) {
    const double young = s->material_names[s->tet_material[t]] == "soft" ? 2e6 : 1e6;
    const double poisson = young == 2e6 ? 0.3 : 0.4;
    ASSERT_DOUBLE_EQ(mixed.parameters[1][t], young / (2 * (1 + poisson)));
  }
  const ElasticGroup& constant = s->groups[1];
  EXPECT_EQ(constant.parameters[0].size(), 1u);
  EXPECT_THAT(constant.fiber_stiffness, testing::ElementsAre(1e5));
  ASSERT_EQ(constant.fiber_direction.cols(), 1);
  EXPECT_EQ(Vec3(constant.fiber_direction.col(0)), Vec3(0, 1, 0));
  EXPECT_TRUE(mixed.fiber_stiffness.empty());
}

TEST(Build, PerTetParametersFollowTheirTets) {
  sinew::Setup setup = one_cube();
  MaterialAssignment& m = setup.bodies[0].materials[0];
  const Index tets = setup.bodies[0].mesh.tet_count();
  m.parameters[1].resize(tets);
  m.density.resize(tets);
  for (Index t = 0; t < tets; ++t) {
    m.parameters[1][t] = 1000 + t;
    m.density[t] = 1 + t;
  }
  const auto s = build_system(setup);
  double mass = 0;
  for (Index t = 0; t < tets; ++t) {
    ASSERT_EQ(s->groups[0].parameters[1][t], 1000 + s->tet_to_user[t]);
    mass += (1 + s->tet_to_user[t]) * tet_volume(s->rest, s->tets, t);
  }
  EXPECT_NEAR(std::accumulate(s->mass.begin(), s->mass.end(), 0.0), mass, 1e-12 * mass);
}

TEST(Build, SurfaceAreasAddUp) {
  const auto s = build_system(rich_setup());
  const CollisionMesh& c = s->collision;
  double triangles = 0;
  for (Index f = 0; f < c.triangles.cols(); ++f) {
    const Vec3 a = s->rest.col(c.triangles(0, f)), b = s->rest.col(c.triangles(1, f)),
               d = s->rest.col(c.triangles(2, f));
    triangles += (b - a).cross(d - a).norm() / 2;
  }
  EXPECT_NEAR(triangles, 6 + 6 + 2 * 16 + 4 * 4, 1e-10);
  EXPECT_NEAR(std::accumulate(c.vertex_area.begin(), c.vertex_area.end(), 0.0), triangles, 1e-10);
  EXPECT_NEAR(std::accumulate(c.edge_area.begin(), c.edge_area.end(), 0.0), triangles, 1e-10);
  EXPECT_TRUE(std::is_sorted(c.vertices.begin(), c.vertices.end()));
  // Closed surfaces of three boxes: V - E + F = 2 each.
  EXPECT_EQ(static_cast<Index>(c.vertices.size()) - c.edges.cols() + c.triangles.cols(), 6);
  for (Index e = 0; e < c.edges.cols(); ++e) {
    ASSERT_LT(c.edges(0, e), c.edges(1, e));
    ASSERT_EQ(c.edge_rest_length2[e], (s->rest.col(c.edges(1, e)) - s->rest.col(c.edges(0, e))).squaredNorm());
    ASSERT_GT(c.edge_area[e], 0);
  }
}

TEST(Build, SurfaceIsOutward) {
  const auto s = build_system(one_cube());
  double volume = 0;
  for (Index f = 0; f < s->collision.triangles.cols(); ++f) {
    const auto t = s->collision.triangles.col(f);
    volume += s->rest.col(t[0]).dot(s->rest.col(t[1]).cross(s->rest.col(t[2]))) / 6;
  }
  EXPECT_NEAR(volume, 1, 1e-12);
}

TEST(Build, ObstaclesFollowTheBodies) {
  const auto s = build_system(rich_setup());
  const CollisionMesh& c = s->collision;
  EXPECT_THAT(c.owner_names, testing::ElementsAre("cube", "second", "floor", "wall"));
  EXPECT_EQ(s->vertex_count() - s->dynamic_count, 18);
  for (Index i = s->dynamic_count; i < s->vertex_count(); ++i) {
    EXPECT_EQ(c.vertex_owner[i], 3);
    EXPECT_TRUE(c.kinematic(i));
    EXPECT_EQ(s->motions[s->obstacle_vertex_motion[i - s->dynamic_count]].apply(Vec3::Zero(), 1), Vec3(1, 0, 0));
  }
  ASSERT_EQ(c.planes.size(), 1u);
  EXPECT_EQ(c.planes[0].owner, 2);
  ASSERT_EQ(s->plane_motion.size(), 1u);
  EXPECT_TRUE(s->motions[s->plane_motion[0]].empty());
}

TEST(Build, WhoMayTouch) {
  sinew::Setup setup = rich_setup();
  setup.contact.ignore = {{"cube", "floor"}, {"second", "second"}};
  const auto s = build_system(setup);
  const CollisionMesh& c = s->collision;
  const char expected[4][4] = {{1, 1, 0, 1}, {1, 0, 1, 1}, {0, 1, 0, 0}, {1, 1, 0, 0}};
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) EXPECT_EQ(c.owners_may_touch(a, b), expected[a][b] != 0) << a << " " << b;
  }
  setup.contact.self = false;
  EXPECT_FALSE(build_system(setup)->collision.owners_may_touch(0, 0));
  setup.contact.enabled = false;
  const auto off = build_system(setup);
  EXPECT_EQ(std::count(off->collision.may_touch.begin(), off->collision.may_touch.end(), 0), 16);
}

TEST(Build, FrictionTable) {
  sinew::Setup setup = rich_setup();
  setup.obstacles[1].material = "hard";
  setup.contact.friction = 0.5;
  setup.contact.pairs = {{"soft", "hard", 0.1}, {"floor", "material", 0.2}};
  const auto s = build_system(setup);
  const CollisionMesh& c = s->collision;
  EXPECT_THAT(s->material_names, testing::ElementsAre("material", "soft", "hard"));
  ASSERT_EQ(c.material_count, 4);  // and the floor's own
  EXPECT_EQ(c.planes[0].material, 3);
  EXPECT_EQ(c.vertex_material.back(), 2);
  const auto mu = [&](int a, int b) { return c.friction[4 * a + b]; };
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) EXPECT_EQ(mu(a, b), mu(b, a));
  }
  EXPECT_EQ(mu(1, 2), 0.1);
  EXPECT_EQ(mu(0, 3), 0.2);
  EXPECT_EQ(mu(0, 0), 0.5);
  EXPECT_EQ(mu(2, 3), 0.5);
}

TEST(Build, VertexTakesTheMaterialOfMostArea) {
  const auto s = build_system(rich_setup());
  for (std::size_t i = 0; i < s->collision.vertices.size(); ++i) {
    const Index v = s->collision.vertices[i];
    if (s->collision.kinematic(v) || s->vertex_body[v] == 0) continue;
    const double y = s->rest(1, v);
    const std::string& name = s->material_names[s->collision.vertex_material[v]];
    if (std::abs(y) > 0.3) {
      EXPECT_EQ(name, y < 0 ? "soft" : "hard");
    }
  }
}

TEST(Build, PrescribedVerticesMergeWhatAgrees) {
  sinew::Setup setup = one_cube();
  BodySetup& b = setup.bodies[0];
  FixSetup left, low;
  left.vertices = select_vertices(b.mesh, [](const Vec3& x) { return x[0] < -0.49; });
  left.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, -1, 0, 0, 0, 0).finished()};
  left.until = 5;
  low.vertices = select_vertices(b.mesh, [](const Vec3& x) { return x[1] < -0.49; });
  low.axes = {false, true, false};
  b.fixes = {left, low};
  const auto s = build_system(setup);
  // 16 vertices each, four shared: on those y is held for ever, x and z until 5.
  EXPECT_EQ(s->prescribed.size(), 16u + 16u);
  int shared = 0;
  for (const PrescribedVertex& p : s->prescribed) {
    const Vec3 x = s->rest.col(p.vertex);
    const bool both = x[0] < -0.49 && x[1] < -0.49;
    shared += both;
    if (p.until == forever) {
      EXPECT_EQ(p.axes, (std::array{false, true, false}));
      EXPECT_EQ(s->motions[p.motion].apply(x, 1), x);
    } else {
      EXPECT_EQ(p.axes, (std::array{true, !both, true}));
      EXPECT_EQ(s->motions[p.motion].apply(x, 1), Vec3(x - Vec3(1, 0, 0)));
    }
  }
  EXPECT_EQ(shared, 8);
}

TEST(Build, LoadsKeepAreaAndOrder) {
  sinew::Setup setup = one_cube();
  LoadSetup load;
  const Triangles boundary = boundary_triangles(setup.bodies[0].mesh.tets);
  std::vector<Index> top;
  for (Index f = 0; f < boundary.cols(); ++f) {
    if (setup.bodies[0].mesh.vertices(1, boundary.col(f)).minCoeff() > 0.49) top.push_back(f);
  }
  load.faces = boundary(Eigen::all, top);
  load.kind = LoadKind::force;
  load.vector = Vec3(0, -3, 0);
  setup.bodies[0].loads.push_back(load);
  const auto s = build_system(setup);
  ASSERT_EQ(s->loads.size(), 1u);
  EXPECT_NEAR(s->loads[0].total_area, 1, 1e-12);
  EXPECT_EQ(s->loads[0].faces.cols(), 18);
  for (Index f = 0; f < 18; ++f) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(s->vertex_to_user[s->loads[0].faces(k, f)], load.faces(k, f));
  }
}

TEST(Build, Springs) {
  sinew::Setup setup = one_cube();
  setup.bodies.push_back(cube("other", Vec3(3, 0, 0)));
  SpringSetup to_point, to_body;
  to_point.vertices = {0, 5};
  to_point.point = Vec3(0, 4, 0);
  to_point.stiffness = 10;
  to_point.motion.translation = Keyframes{{0}, Vec3(1, 2, 3)};
  to_body.vertices = {1};
  to_body.other_body = 1;
  to_body.other_vertices = {3, 4};
  to_body.stiffness = 20;
  setup.bodies[0].springs = {to_point, to_body};
  const auto s = build_system(setup);
  ASSERT_EQ(s->springs.size(), 3u);
  EXPECT_EQ(s->vertex_to_user[s->springs[1].vertex], 5);
  EXPECT_EQ(s->motions[s->springs[0].motion].apply(s->springs[0].point, 0), Vec3(1, 6, 3));
  EXPECT_EQ(s->springs[2].motion, -1);
  ASSERT_EQ(s->springs[2].others.size(), 2u);
  EXPECT_EQ(s->vertex_to_user[s->springs[2].others[0]], setup.bodies[0].mesh.vertex_count() + 3);
}

TEST(Build, InitialVelocityTurnsAboutTheCentreOfMass) {
  sinew::Setup setup;
  setup.bodies.push_back(cube("cube", Vec3(5, 6, 7)));
  setup.bodies[0].velocity = Vec3(1, 2, 3);
  setup.bodies[0].angular_velocity = Vec3(0, 0, 2);
  const auto s = build_system(setup);
  for (Index i = 0; i < s->dynamic_count; ++i) {
    const Vec3 arm = s->rest.col(i) - Vec3(5, 6, 7);
    EXPECT_LT((s->initial_velocity.col(i) - (Vec3(1, 2, 3) + Vec3(0, 0, 2).cross(arm))).norm(), 1e-12);
  }
}

TEST(Build, ContactScales) {
  sinew::Setup setup = rich_setup();
  auto s = build_system(setup);
  EXPECT_NEAR(s->diagonal, std::sqrt(9.0 + 1 + 1), 1e-12);
  EXPECT_DOUBLE_EQ(s->contact_distance, 1e-3 * std::sqrt(3.0));  // of one cube
  EXPECT_NEAR(s->contact_stiffness, 1e5, 1e-7);                  // the softer body is the first
  EXPECT_TRUE(s->adaptive_stiffness);
  setup.bodies[0].mesh = make_box(Vec3(1, 1, 1e-3), {4, 4, 1});
  EXPECT_DOUBLE_EQ(build_system(setup)->contact_distance, 2.5e-4);  // a quarter of the shortest edge
  setup.contact.distance = 0.01;
  setup.contact.stiffness = 7;
  s = build_system(setup);
  EXPECT_EQ(s->contact_distance, 0.01);
  EXPECT_EQ(s->contact_stiffness, 7);
  EXPECT_FALSE(s->adaptive_stiffness);
}

TEST(Build, PowersOfTwoScaleExactly) {
  for (const double scale : {1.0 / 1024, 4096.0}) {
    sinew::Setup setup = rich_setup(), scaled = rich_setup();
    setup.bodies.push_back(
        body("ball", make_sphere(0.3, 0.1), material("arap", 1e5, 0.3, 1000, "ball"), Vec3(0.1, 5.3, 0.7)));
    scaled.bodies.push_back(setup.bodies.back());
    for (BodySetup& b : scaled.bodies) b.mesh.vertices *= scale;
    scaled.obstacles[1].mesh->vertices *= scale;
    const auto a = build_system(setup), b = build_system(scaled);
    EXPECT_EQ(a->vertex_to_user, b->vertex_to_user);
    EXPECT_EQ(a->tet_to_user, b->tet_to_user);
    EXPECT_EQ(a->tets, b->tets);
    EXPECT_EQ(a->collision.triangles, b->collision.triangles);
    EXPECT_EQ(a->rest * scale, b->rest);
    for (Index i = 0; i < a->dynamic_count; ++i) ASSERT_EQ(a->mass[i] * scale * scale * scale, b->mass[i]);
    for (std::size_t i = 0; i < a->collision.vertex_area.size(); ++i) {
      ASSERT_EQ(a->collision.vertex_area[i] * scale * scale, b->collision.vertex_area[i]);
    }
    EXPECT_EQ(a->contact_distance * scale, b->contact_distance);
    EXPECT_EQ(a->contact_stiffness, b->contact_stiffness);
    EXPECT_EQ(a->diagonal * scale, b->diagonal);
  }
}

TEST(Build, HilbertOrderVisitsNeighbours) {
  Points grid(3, 16 * 16 * 16);
  std::vector<Index> all(grid.cols());
  std::iota(all.begin(), all.end(), 0);
  for (Index i = 0; i < grid.cols(); ++i) grid.col(i) << i % 16, i / 16 % 16, i / 256;
  const std::vector<Index> order = hilbert_order(grid, all);
  EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), order.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    ASSERT_EQ((grid.col(order[i]) - grid.col(order[i - 1])).norm(), 1) << i;
  }
}

TEST(Build, SetupIsKeptWithoutMeshes) {
  const auto s = build_system(rich_setup());
  EXPECT_EQ(s->setup.bodies[1].name, "second");
  EXPECT_EQ(s->setup.bodies[1].materials[1].name, "hard");
  EXPECT_EQ(s->setup.bodies[1].mesh.vertex_count(), 0);
  EXPECT_FALSE(s->setup.obstacles[1].mesh.has_value());
}

// ---- errors

TEST(BuildErrors, Bodies) {
  EXPECT_EQ(error_of(sinew::Setup{}), "bodies: the scene has none; give at least one");
  sinew::Setup setup = one_cube();
  setup.bodies[0].mesh = TetMesh{};
  EXPECT_EQ(error_of(setup), "body 'cube': its mesh has no tets; give a volume mesh");
  setup = one_cube();
  setup.bodies[0].mesh.vertices(0, 0) = NAN;
  EXPECT_EQ(error_of(setup), "body 'cube': its mesh has coordinates that are not finite; export it again");
  setup = one_cube();
  setup.bodies[0].mesh.tets(0, 0) = 64;
  EXPECT_EQ(error_of(setup), "body 'cube': its tets name vertices 0 to 64, but it has 64; export the mesh again");
  setup = one_cube();
  setup.bodies[0].mesh.vertices.row(0).setZero();
  EXPECT_EQ(error_of(setup),
            "body 'cube': tet 0 has volume 0 in the rest state, expected a positive one; check its mesh and transform");
  setup = one_cube();
  setup.bodies[0].velocity[1] = INFINITY;
  EXPECT_EQ(error_of(setup), "body 'cube': its velocity, angular velocity or acceleration is not finite");
  setup = one_cube();
  setup.bodies[0].damping_mass = -1;
  EXPECT_EQ(error_of(setup), "body 'cube': found damping -1 and 0, expected finite numbers of at least 0");
}

TEST(BuildErrors, Materials) {
  sinew::Setup setup = one_cube();
  auto& materials = setup.bodies[0].materials;
  materials[0].tets = {0, 1, 1};
  EXPECT_EQ(error_of(setup), "body 'cube': tet 1 has two materials; give it one");
  materials[0].tets = {0, 1, 3};
  EXPECT_EQ(error_of(setup), "body 'cube': tet 2 has no material; assign one to every region");
  materials[0].tets = {1000};
  EXPECT_EQ(error_of(setup), "body 'cube': a material names tet 1000, but the body has 135");
  materials[0].tets.clear();
  materials[0].density = {1, 2};
  EXPECT_EQ(error_of(setup),
            "body 'cube': material 'material' has 2 values of density, expected 1 or 135, one for each tet");
  materials[0].density = {0};
  EXPECT_EQ(error_of(setup), "body 'cube': material 'material' has density 0, expected a finite number greater than 0");
  materials[0].density = {1};
  materials[0].parameters.pop_back();
  EXPECT_EQ(error_of(setup), "body 'cube': material 'material' has 1 parameters, expected the 2 of model neo_hookean");
  materials[0].model = shared_material_model("spline");
  EXPECT_EQ(error_of(setup),
            "body 'cube': material 'material' has model spline without its curves; make an instance with them");
  materials[0].model = nullptr;
  EXPECT_EQ(error_of(setup), "body 'cube': material 'material' has no model");
  materials.clear();
  EXPECT_EQ(error_of(setup), "body 'cube': it has no material; give it one");
}

TEST(BuildErrors, Constraints) {
  sinew::Setup setup = one_cube();
  BodySetup& b = setup.bodies[0];
  FixSetup still, moving;
  still.vertices = {3};
  moving.vertices = {2, 3};
  moving.axes = {false, true, true};
  moving.motion.translation = Keyframes{{0, 1}, (MatX(3, 2) << 0, 0, 0, 1, 0, 0).finished()};
  b.fixes = {still, moving};
  EXPECT_EQ(error_of(setup),
            "body 'cube': fix[0] and fix[1] move vertex 3 at (0.5, -0.5, -0.5) differently along y; separate their "
            "selections, or prescribe different axes");
  b.fixes[1].axes = {true, false, true};  // there both stand still
  EXPECT_EQ(error_of(setup), "no error");
  b.fixes = {still};
  b.fixes[0].vertices = {64};
  EXPECT_EQ(error_of(setup), "body 'cube': fix[0] names vertex 64, but the body has 64");
  b.fixes = {moving};
  b.fixes[0].motion.translation->times = {1, 0};
  EXPECT_EQ(error_of(setup),
            "body 'cube': fix[0]: motion.translate must have finite values and times that ascend strictly");
  b.fixes[0].motion.translation->times = {1};
  EXPECT_EQ(error_of(setup),
            "body 'cube': fix[0]: motion.translate has 1 times and 3 x 2 values; give a value for each time");
  b.fixes = {still};
  b.fixes[0].until = 0;
  EXPECT_EQ(error_of(setup), "body 'cube': fix[0]: found until 0, expected a time greater than 0 [s]");
  b.fixes.clear();
  b.loads.emplace_back();
  EXPECT_EQ(error_of(setup), "body 'cube': loads[0] acts on no face; select some of the boundary");
  b.loads.clear();
  SpringSetup spring;
  spring.vertices = {3};
  b.springs = {spring};
  EXPECT_EQ(error_of(setup),
            "body 'cube': springs[0]: found stiffness 0, expected a finite number greater than 0 [N/m]");
  b.springs[0].stiffness = 1;
  EXPECT_EQ(error_of(setup), "body 'cube': springs[0] ends at no point and no body; give one of them");
  b.springs[0].other_body = 0;
  EXPECT_EQ(error_of(setup), "body 'cube': springs[0]: selects no vertex at the other end; select some");
  b.springs[0].other_vertices = {2, 3};
  EXPECT_EQ(error_of(setup),
            "body 'cube': springs[0]: vertex 3 is at both ends of a spring; select different vertices");
}

TEST(BuildErrors, ObstaclesAndContact) {
  sinew::Setup setup = one_cube();
  setup.obstacles.emplace_back();
  setup.obstacles[0].name = "wall";
  EXPECT_EQ(error_of(setup), "obstacle 'wall': give either a mesh or a plane");
  setup.obstacles[0].plane = PlaneSetup{Vec3::Zero(), Vec3(0, 2, 0)};
  EXPECT_EQ(error_of(setup), "obstacle 'wall': its point must be finite and its normal of length 1, found length 2");
  setup.obstacles[0].plane.reset();
  setup.obstacles[0].mesh = TriMesh{};
  EXPECT_EQ(error_of(setup), "obstacle 'wall': its mesh has no triangles; give a surface");
  setup.obstacles[0].mesh = TriMesh{Points::Zero(3, 3), Triangles(Eigen::Vector3i(0, 1, 2))};
  EXPECT_EQ(error_of(setup),
            "obstacle 'wall': triangle 0 (vertices 0 1 2) has zero area; remove it or export the mesh again");
  setup.obstacles[0].mesh->triangles(0, 0) = 3;
  EXPECT_EQ(error_of(setup),
            "obstacle 'wall': its triangles name vertices 1 to 3, but it has 3; export the mesh again");
  setup.obstacles.clear();
  setup.contact.ignore = {{"cube", "wall"}};
  EXPECT_EQ(error_of(setup), "contact.ignore: \"wall\" is neither a body nor an obstacle of the scene");
  setup.contact.ignore.clear();
  setup.contact.pairs = {{"material", "ice", 0.1}};
  EXPECT_EQ(error_of(setup), "contact.friction.pairs: \"ice\" is neither a material nor an obstacle of the scene");
  setup.contact.pairs = {{"material", "material", -0.1}};
  EXPECT_EQ(error_of(setup), "contact.friction.pairs: found -0.1, expected a finite number of at least 0");
  setup.contact.pairs.clear();
  setup.time.steps = 0;
  EXPECT_EQ(error_of(setup), "time.steps: found 0, expected a finite number of at least 1");
  setup.time.steps = 1;
  setup.time.step = 0;
  EXPECT_EQ(error_of(setup), "time.step: found 0, expected a finite number greater than 0");
}

}  // namespace
}  // namespace sinew
