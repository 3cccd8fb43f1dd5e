// A subspace of all motions gives what full space gives: every term of the potential by every integrator and method,
// against Newton's method with a direct solver. Scenes are small, tolerances tight, and the bounds those of arithmetic.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "support/bodies.h"
#include "support/folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/mesh/surface.h"
#include "sinew/modes/mode_file.h"

namespace sinew::whole_space_test {

constexpr double step_size = 0.01;  // [s]
constexpr int steps = 4;

// What a term needs to know of the integrator: statics ends at time 1.
struct Course {
  Integrator integrator;
  double end() const { return integrator == Integrator::statics ? 1 : steps * step_size; }
  bool is_static() const { return integrator == Integrator::statics; }
};

// A scene that one term acts in.
struct Term {
  std::string name;
  std::function<void(sinew::Setup&, const Course&)> add;
  std::function<void(Simulation&)> edit = nullptr;  // after the first step
  bool moves = false;                               // obstacles do
};

Keyframes keys(std::vector<double> times, std::vector<Vec3> values) {
  Keyframes result{std::move(times), MatX(3, values.size())};
  for (std::size_t k = 0; k < values.size(); ++k) result.values.col(static_cast<Index>(k)) = values[k];
  return result;
}

Keyframes factors(std::vector<double> times, std::vector<double> values) {
  Keyframes result{std::move(times), MatX(1, values.size())};
  for (std::size_t k = 0; k < values.size(); ++k) result.values(0, static_cast<Index>(k)) = values[k];
  return result;
}

const Vec3 bar_size(0.3, 0.1, 0.12);

TetMesh bar_mesh() {
  return make_box(bar_size, {3, 1, 1});
}

// A bar along x that is held at one end, and thrown where there is inertia.
BodySetup bar(const char* model = "stable_neo_hookean") {
  BodySetup body = test::body("bar", bar_mesh(), test::material(model, 2e4, 0.35));
  FixSetup fix;
  fix.vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] < -0.149; });
  body.fixes.push_back(fix);
  return body;
}

std::vector<Index> free_end(const BodySetup& body) {
  return test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] > 0.149; });
}

// The triangles of the surface whose middle is inside.
template <class Predicate>
Triangles faces(const TetMesh& mesh, Predicate inside) {
  const Triangles all = boundary_triangles(mesh.tets);
  Triangles some(3, all.cols());
  Index count = 0;
  for (Index f = 0; f < all.cols(); ++f) {
    Vec3 middle = Vec3::Zero();
    for (int k = 0; k < 3; ++k) middle += mesh.vertices.col(all(k, f)) / 3;
    if (inside(middle)) some.col(count++) = all.col(f);
  }
  return some.leftCols(count);
}

LoadSetup load(const BodySetup& body, LoadKind kind) {
  LoadSetup load;
  load.kind = kind;
  load.faces = faces(body.mesh, [](const Vec3& x) { return x[0] > 0.149; });
  if (kind == LoadKind::pressure)
    load.pressure = 800;
  else
    load.vector = kind == LoadKind::force ? Vec3(2, 3, -1) : Vec3(200, 300, -100);
  return load;
}

SpringSetup spring(const BodySetup& body) {
  SpringSetup spring;
  spring.vertices = free_end(body);
  spring.point = Vec3(0.2, 0.1, -0.05);
  spring.stiffness = 20;
  return spring;
}

// Contact stands on what all methods see: all vertices of the surfaces, one stiffness.
void touch(sinew::Setup& setup, const Course& course, double friction) {
  setup.contact.enabled = true;
  setup.contact.distance = 2e-3;
  setup.contact.stiffness = 2e4;
  setup.contact.friction = friction;
  setup.contact.slip_speed = course.is_static() ? 1e-6 : 0.05;
  setup.contact.samples = 100000;
}

ObstacleSetup plane(const sinew::Setup&) {
  ObstacleSetup plane = test::floor_plane();
  plane.plane->normal = Vec3(-0.1, 1, 0.05).normalized();
  plane.plane->point = Vec3(0, -0.069, 0);
  return plane;
}

// A tilted plate below the bar.
ObstacleSetup plate() {
  ObstacleSetup plate;
  plate.name = "plate";
  TetMesh box = make_box({0.5, 0.05, 0.5}, {1, 1, 1});
  const Mat3 turn = Eigen::AngleAxisd(0.1, Vec3(0.3, 0.2, 1).normalized()).toRotationMatrix();
  box.vertices = turn * box.vertices;
  box.vertices.row(1).array() -= 0.0925;
  plate.mesh = compacted(box.vertices, boundary_triangles(box.tets));
  return plate;
}

void fall(sinew::Setup& setup, const Course& course) {
  if (!course.is_static()) setup.bodies[0].velocity = Vec3(0.3, -0.4, 0.2);
}

Term of_model(const char* model) {
  return {model, [model](sinew::Setup& setup, const Course& course) {
            setup.bodies[0].materials[0] = test::material(model, 2e4, 0.35);
            fall(setup, course);
          }};
}

std::vector<Term> material_terms() {
  std::vector<Term> all;
  for (const char* model : {"arap", "corotated", "fixed_corotated", "neo_hookean", "stable_neo_hookean", "stvk"})
    all.push_back(of_model(model));
  all.push_back({"mooney_rivlin", [](sinew::Setup& setup, const Course& course) {
                   MaterialAssignment& material = setup.bodies[0].materials[0];
                   material.model = shared_material_model("mooney_rivlin");
                   material.parameters = material.model->resolve({{"c10", {3e3}}, {"c01", {1e3}}, {"kappa", {2e4}}});
                   fall(setup, course);
                 }});
  all.push_back({"polynomial", [](sinew::Setup& setup, const Course& course) {
                   MaterialAssignment& material = setup.bodies[0].materials[0];
                   material.model = shared_material_model("polynomial");
                   material.parameters = material.model->resolve({{"mu", {1e5}}});
                   fall(setup, course);
                 }});
  all.push_back({"spline", [](sinew::Setup& setup, const Course& course) {
                   UserCurves curves;
                   curves.points["a"] = {{0.3, 0.7, 1, 1.4, 2}, {-4e4, -6e3, 0, 6e3, 2e4}};
                   curves.points["c"] = {{0.4, 1, 2}, {-2e4, 0, 2e4}};
                   MaterialAssignment& material = setup.bodies[0].materials[0];
                   material.model = shared_material_model("spline")->with_curves(curves);
                   material.parameters.clear();
                   fall(setup, course);
                 }});
  all.push_back({"fibers", [](sinew::Setup& setup, const Course& course) {
                   MaterialAssignment& material = setup.bodies[0].materials[0];
                   material.fiber_stiffness = {3e4};
                   material.fiber_direction = Vec3(1, 1, 0.5).normalized();
                   fall(setup, course);
                 }});
  all.push_back({"two_materials", [](sinew::Setup& setup, const Course& course) {
                   MaterialAssignment stiff = test::material("neo_hookean", 2e5, 0.3, 2000, "stiff");
                   for (Index t = 10; t < setup.bodies[0].mesh.tet_count(); ++t) stiff.tets.push_back(t);
                   MaterialAssignment& soft = setup.bodies[0].materials[0];
                   for (Index t = 0; t < 10; ++t) soft.tets.push_back(t);
                   setup.bodies[0].materials.push_back(stiff);
                   fall(setup, course);
                 }});
  return all;
}

LoadSetup& add_load(sinew::Setup& setup, LoadKind kind) {
  BodySetup& body = setup.bodies[0];
  body.loads.push_back(load(body, kind));
  return body.loads.back();
}

std::vector<Term> load_terms() {
  std::vector<Term> all = {
      {"gravity", [](sinew::Setup& setup, const Course&) { setup.gravity = Vec3(1, -9.81, 3); }},
      {"acceleration", [](sinew::Setup& setup, const Course&) { setup.bodies[0].acceleration = Vec3(5, 1, -4); }},
      {"acceleration_keys",
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].acceleration_keys = keys({0, course.end()}, {Vec3(5, 1, -4), Vec3(-9, 20, 4)});
       }},
      {"no_ramp",
       [](sinew::Setup& setup, const Course&) {
         setup.time.ramp = false;
         setup.bodies[0].acceleration = Vec3(5, 1, -4);
         add_load(setup, LoadKind::pressure);
         add_load(setup, LoadKind::traction);
       }},
      {"damping_mass",
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].damping_mass = 3;
         fall(setup, course);
       }},
      {"damping_stiffness",
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].damping_stiffness = 0.02;
         fall(setup, course);
       }},
      {"damping_of_motion",
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].damping_stiffness = 0.02;
         setup.bodies[0].damping_mass = 3;
         setup.bodies[0].fixes[0].motion.translation =
             keys({0, course.end() / 2, course.end()}, {Vec3(0, 0, 0), Vec3(0.01, 0.02, 0), Vec3(0.01, 0, -0.01)});
       }},
  };
  const std::pair<const char*, LoadKind> kinds[] = {
      {"traction", LoadKind::traction}, {"force", LoadKind::force}, {"pressure", LoadKind::pressure}};
  for (const auto& [name, kind] : kinds) {
    const LoadKind k = kind;
    all.push_back({name, [k](sinew::Setup& setup, const Course&) { add_load(setup, k); }});
    all.push_back({std::string(name) + "_factor", [k](sinew::Setup& setup, const Course& course) {
                     add_load(setup, k).factor = factors({0, 0.4 * course.end(), course.end()}, {0.2, 1.5, 0.4});
                   }});
    if (k == LoadKind::pressure) continue;
    all.push_back({std::string(name) + "_keys", [k](sinew::Setup& setup, const Course& course) {
                     add_load(setup, k).vector_keys =
                         k == LoadKind::force ? keys({0, course.end()}, {Vec3(2, 1, 0), Vec3(-1, 1, 3)})
                                              : keys({0, course.end()}, {Vec3(200, 100, 0), Vec3(-100, 100, 300)});
                   }});
  }
  all.push_back({"pressure_automatic", [](sinew::Setup& setup, const Course&) {
                   add_load(setup, LoadKind::pressure);
                   setup.contact.friction_iterations = 0;
                 }});
  all.push_back({"pressure_all_over", [](sinew::Setup& setup, const Course&) {
                   LoadSetup& load = add_load(setup, LoadKind::pressure);
                   load.faces = boundary_triangles(setup.bodies[0].mesh.tets);
                   load.pressure = 2000;
                 }});
  return all;
}

SpringSetup& add_spring(sinew::Setup& setup) {
  setup.bodies[0].springs.push_back(spring(setup.bodies[0]));
  return setup.bodies[0].springs.back();
}

Motion shift(const Course& course) {
  Motion motion;
  motion.translation =
      keys({0, course.end() / 2, course.end()}, {Vec3(0, 0, 0), Vec3(0.02, 0.04, -0.01), Vec3(0.05, 0, 0.03)});
  return motion;
}

std::vector<Term> spring_terms() {
  return {
      {"together",
       [](sinew::Setup& setup, const Course& course) {
         BodySetup& body = setup.bodies[0];
         body.damping_mass = 0.5;
         body.damping_stiffness = 0.01;
         add_spring(setup).length = 0.02;
         SpringSetup& within = add_spring(setup);
         within.point.reset();
         within.other_body = 0;
         within.other_vertices = {0, 5};
         LoadSetup& pressure = add_load(setup, LoadKind::pressure);
         pressure.faces = boundary_triangles(body.mesh.tets);
         fall(setup, course);
       }},
      {"spring", [](sinew::Setup& setup, const Course&) { add_spring(setup); }},
      {"spring_length", [](sinew::Setup& setup, const Course&) { add_spring(setup).length = 0.05; }},
      {"spring_motion", [](sinew::Setup& setup, const Course& course) { add_spring(setup).motion = shift(course); }},
      {"spring_turning",
       [](sinew::Setup& setup, const Course& course) {
         SpringSetup& spring = add_spring(setup);
         spring.length = 0.03;
         spring.motion.rotation = Motion::Rotation{Vec3(0, 0, 1), Vec3(0.1, 0, 0), factors({0, course.end()}, {0, 60})};
       }},
      {"spring_until",
       [](sinew::Setup& setup, const Course& course) {
         SpringSetup& spring = add_spring(setup);
         spring.motion = shift(course);
         spring.until = course.end() / 2;
       }},
      {"spring_to_body",
       [](sinew::Setup& setup, const Course&) {
         SpringSetup& spring = add_spring(setup);
         spring.point.reset();
         spring.other_body = 1;
         spring.other_vertices = {0, 1, 2};
         spring.stiffness = 3;
       }},
      {"spring_to_body_length",
       [](sinew::Setup& setup, const Course&) {
         SpringSetup& spring = add_spring(setup);
         spring.point.reset();
         spring.other_body = 1;
         spring.other_vertices = {0, 3};
         spring.length = 4;
         spring.stiffness = 3;
       }},
      {"spring_within",
       [](sinew::Setup& setup, const Course&) {
         SpringSetup& spring = add_spring(setup);
         spring.point.reset();
         spring.other_body = 0;
         spring.other_vertices = {0, 5};
         spring.length = 0.1;
         spring.stiffness = 30;
       }},
      {"spring_ends",
       [](sinew::Setup& setup, const Course&) {
         SpringSetup& spring = add_spring(setup);
         spring.point.reset();
         for (std::size_t k = 0; k < spring.vertices.size(); ++k)
           spring.ends.push_back({1, {static_cast<Index>(k), 5, 6}, {0.2, 0.5, 0.3}});
         spring.stiffness = 3;
       }},
      {"many_springs",  // more than a body has numbers: they are merged
       [](sinew::Setup& setup, const Course& course) {
         SpringSetup& spring = add_spring(setup);
         spring.vertices = test::select_vertices(setup.bodies[0].mesh, [](const Vec3&) { return true; });
         spring.motion = shift(course);
         const SpringSetup again = spring;
         for (int k = 0; k < 3; ++k) setup.bodies[0].springs.push_back(again);
       }},
      {"held_by_springs",
       [](sinew::Setup& setup, const Course&) {
         setup.bodies[0].fixes.clear();
         add_spring(setup).vertices = {0, 1, 2, 3, 4, 5, 6};
         add_spring(setup).point = Vec3(0.4, 0.2, 0);
       }},
      {"pull", [](sinew::Setup&, const Course&) {},
       [](Simulation& simulation) {
         Index v = 0;
         while (simulation.system().rest(0, v) < 0.149) ++v;
         simulation.edit(PullEdit{{0, 1}, Pull{v, Vec3(0.3, 0.1, 0), 60}});
       }},
  };
}

FixSetup& add_fix(sinew::Setup& setup) {
  BodySetup& body = setup.bodies[0];
  FixSetup fix;
  fix.vertices = free_end(body);
  body.fixes.push_back(fix);
  return body.fixes.back();
}

std::vector<Term> fix_terms() {
  return {
      {"motion", [](sinew::Setup& setup, const Course& course) { setup.bodies[0].fixes[0].motion = shift(course); }},
      {"motion_turning",
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].fixes[0].motion.rotation =
             Motion::Rotation{Vec3(1, 0, 0), Vec3(0, 0.02, 0), factors({0, course.end()}, {0, 40})};
       }},
      {"motion_scaling",
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].fixes[0].motion.scaling =
             Motion::Scaling{Vec3(-0.15, 0.02, 0), keys({0, course.end()}, {Vec3(1, 1, 1), Vec3(1, 1.3, 0.8)})};
       }},
      {"two_motions",
       [](sinew::Setup& setup, const Course& course) {
         add_fix(setup).motion = shift(course);
         setup.bodies[0].fixes[0].motion.rotation =
             Motion::Rotation{Vec3(1, 0, 0), Vec3(0, 0.02, 0), factors({0, course.end()}, {0, 40})};
       }},
      {"motion_along_axes",
       [](sinew::Setup& setup, const Course& course) {
         FixSetup& fix = add_fix(setup);
         fix.motion = shift(course);
         fix.axes = {false, true, true};
       }},
      {"fixed_along_axis",
       [](sinew::Setup& setup, const Course&) {
         add_fix(setup).axes = {false, false, true};
       }},
      {"motion_until",
       [](sinew::Setup& setup, const Course& course) {
         FixSetup& fix = add_fix(setup);
         fix.motion = shift(course);
         fix.until = course.end() / 2;
       }},
      {"fixed_until", [](sinew::Setup& setup, const Course& course) { add_fix(setup).until = course.end() / 2; }},
      {"axis_until",
       [](sinew::Setup& setup, const Course& course) {
         FixSetup& fix = add_fix(setup);
         fix.motion = shift(course);
         fix.axes = {false, true, false};
         fix.until = course.end() / 2;
       }},
  };
}

BodySetup second_bar() {
  BodySetup body = bar();
  body.name = "second";
  const Mat3 turn = Eigen::AngleAxisd(0.12, Vec3(0.3, 0.9, 0.4).normalized()).toRotationMatrix();
  body.mesh.vertices = turn * body.mesh.vertices;
  body.mesh.vertices.colwise() += Vec3(0.05, -0.118, 0.02);
  return body;
}

// Two arms with a slot between them, both thick, the slot thin.
BodySetup slotted() {
  TetMesh mesh = make_box(Vec3(0.3, 0.3, 0.1), {2, 3, 1});
  std::vector<Index> keep;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    Vec3 middle = Vec3::Zero();
    for (int k = 0; k < 4; ++k) middle += mesh.vertices.col(mesh.tets(k, t)) / 4;
    if (middle[0] < 0 || std::abs(middle[1]) > 0.05) keep.push_back(t);
  }
  mesh.tets = Tets(mesh.tets(Eigen::all, keep));
  mesh.regions.assign(keep.size(), 0);
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    double& y = mesh.vertices(1, v);
    if (std::abs(y) < 0.1) y *= 0.04;
    if (y < -0.01) y += 0.096 / 2;
    if (y > 0.01) y -= 0.096 / 2;
    if (mesh.vertices(0, v) > 0 && y > 0) y += 0.03 * (0.15 - mesh.vertices(0, v));
  }
  return test::body("slotted", std::move(mesh), test::material("stable_neo_hookean", 2e4, 0.35));
}

std::vector<Term> contact_terms() {
  std::vector<Term> all;
  const auto add = [&](const std::string& name, const std::function<void(sinew::Setup&, const Course&)>& scene) {
    for (const double friction : {0.0, 0.4})
      all.push_back({name + (friction > 0 ? "_friction" : ""),
                     [=](sinew::Setup& setup, const Course& course) {
                       touch(setup, course, friction);
                       fall(setup, course);
                       scene(setup, course);
                     },
                     nullptr, name.starts_with("moving")});
  };
  add("plane", [](sinew::Setup& setup, const Course&) { setup.obstacles.push_back(plane(setup)); });
  add("moving_plane", [](sinew::Setup& setup, const Course& course) {
    setup.obstacles.push_back(plane(setup));
    setup.obstacles[0].motion.translation =
        keys({0, course.end() / 2, course.end()}, {Vec3(0, 0, 0), Vec3(0.01, 0.002, 0), Vec3(0, 0.006, 0.02)});
  });
  add("plate", [](sinew::Setup& setup, const Course&) { setup.obstacles.push_back(plate()); });
  add("moving_plate", [](sinew::Setup& setup, const Course& course) {
    setup.obstacles.push_back(plate());
    setup.obstacles[0].motion.translation =
        keys({0, course.end() / 2, course.end()}, {Vec3(0, 0, 0), Vec3(0.01, 0.002, 0), Vec3(0, 0.006, 0.02)});
  });
  add("body", [](sinew::Setup& setup, const Course&) { setup.bodies.push_back(second_bar()); });
  add("itself", [](sinew::Setup& setup, const Course& course) {
    BodySetup body = slotted();
    FixSetup fix;
    fix.vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[0] < -0.149; });
    body.fixes.push_back(fix);
    setup.bodies[0] = std::move(body);
    LoadSetup load;
    load.faces = faces(setup.bodies[0].mesh, [](const Vec3& x) { return x[1] > 0.09; });
    load.vector = Vec3(1500, -1500, 700);
    setup.bodies[0].loads.push_back(load);
    if (setup.contact.friction > 0) setup.contact.friction = 0.05;
    if (!course.is_static()) setup.contact.slip_speed = 1e-2;
  });
  all.push_back({"penalty", [](sinew::Setup& setup, const Course& course) {
                   touch(setup, course, 0);
                   fall(setup, course);
                   setup.obstacles.push_back(plane(setup));
                   setup.contact.model = ContactKind::penalty;
                 }});
  all.push_back({"penalty_friction", [](sinew::Setup& setup, const Course& course) {
                   touch(setup, course, 0.4);
                   fall(setup, course);
                   setup.obstacles.push_back(plane(setup));
                   setup.contact.model = ContactKind::penalty;
                 }});
  return all;
}

void spin(sinew::Setup& setup) {
  BodySetup& body = setup.bodies[0];
  body.fixes.clear();
  body.velocity = Vec3(0.3, -0.4, 0.2);
  body.angular_velocity = Vec3(3, -2, 4);
}

// Bodies that nothing holds, or that turn where they are held: frames of substructures. Stiffness damping is none of
// their terms: that of full space opposes turns of stressed bodies, K_t v = w x f for v = w x r, and that of frames
// sees no turns, so that the two differ by a share xi |w| of the forces for any step.
std::vector<Term> free_terms() {
  return {
      {"free", [](sinew::Setup& setup, const Course&) { spin(setup); }},
      {"free_damped",
       [](sinew::Setup& setup, const Course&) {
         spin(setup);
         setup.bodies[0].damping_mass = 3;
       }},
      {"free_loads",
       [](sinew::Setup& setup, const Course&) {
         spin(setup);
         add_load(setup, LoadKind::traction);
         add_load(setup, LoadKind::pressure);
         add_spring(setup).length = 0.04;
       }},
      {"free_on_plane",
       [](sinew::Setup& setup, const Course& course) {
         touch(setup, course, 0);
         spin(setup);
         setup.obstacles.push_back(plane(setup));
       }},
      {"free_on_plane_friction",
       [](sinew::Setup& setup, const Course& course) {
         touch(setup, course, 0.4);
         spin(setup);
         setup.obstacles.push_back(plane(setup));
       }},
      {"hinged",
       [](sinew::Setup& setup, const Course&) {
         setup.bodies[0].fixes[0].vertices =
             test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.149 && x[1] < 0; });
         setup.bodies[0].angular_velocity = Vec3(0, 0, 4);
       }},
      {"pivoted",
       [](sinew::Setup& setup, const Course&) {
         setup.bodies[0].fixes[0].vertices = {0};
         setup.bodies[0].angular_velocity = Vec3(2, 1, 4);
       }},
      {"guided",
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].fixes[0].axes = {false, true, true};
         fall(setup, course);
       }},
      {"turning",  // held on two lines that belong to no frame
       [](sinew::Setup& setup, const Course& course) {
         setup.bodies[0].fixes[0].vertices =
             test::select_vertices(setup.bodies[0].mesh, [](const Vec3& x) { return x[0] < -0.149 && x[1] < 0; });
         setup.bodies[0].fixes[0].motion.rotation =
             Motion::Rotation{Vec3(0, 0, 1), Vec3(0, 0.02, 0), factors({0, course.end()}, {0, 20})};
       }},
  };
}

// ---- methods

enum class Kind { full_space, all_vertices, modes };

struct Method {
  const char* name;
  const char* method;
  const char* subspace;
  Kind kind;

  bool is(const char* other) const { return std::string(method) == other; }
  bool is_reduced() const { return kind != Kind::full_space; }
};

// The points of the unknowns themselves, in a basis of modes or not; and methods of full space.
const std::vector<Method> reduced_methods = {
    {"reduced_full", "reduced", "full", Kind::all_vertices},
    {"mixed_full", "mixed", "full", Kind::all_vertices},
    {"reduced_linear", "reduced", "linear", Kind::modes},
    {"mixed_linear", "mixed", "linear", Kind::modes},
};
const std::vector<Method> full_methods = {
    {"newton_pcg", "newton-pcg", "", Kind::full_space},
    {"newton_multilevel", "newton-multilevel", "", Kind::full_space},
    {"multilevel", "multilevel", "", Kind::full_space},
    {"adaptive", "adaptive", "", Kind::full_space},
    {"quasi_newton", "quasi_newton", "", Kind::full_space},
};

// A second body has it that each body has the modes that it can have, however many are asked for.
void add_second_body(sinew::Setup& setup) {
  BodySetup body = test::body("weight", make_box(Vec3(0.1, 0.1, 0.1), {1, 1, 1}),
                              test::material("stable_neo_hookean", 2e4, 0.3), Vec3(0, 1, 0));
  FixSetup fix;
  fix.vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[1] > 1.049; });
  body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
}

sinew::Setup scene(const Term& term, const Course& course) {
  sinew::Setup setup;
  setup.bodies.push_back(bar());
  add_second_body(setup);
  setup.time.integrator = course.integrator;
  setup.time.step = step_size;
  setup.time.steps = steps;
  if (!course.is_static()) setup.time.substeps = 0;  // parts are steps of another size
  setup.contact.enabled = false;
  // Lagged forces are those of the end of the step.
  setup.contact.friction_iterations = 200;
  setup.contact.friction_tolerance = 1e-11;
  setup.solver.tolerance = course.is_static() ? 1e-13 : 1e-11;
  setup.solver.force_tolerance = 1e-11;
  setup.solver.max_iterations = 3000;
  term.add(setup, course);
  return setup;
}

void choose(const Method& method, sinew::Setup& setup) {
  SolverSetup& solver = setup.solver;
  const bool is_static = setup.time.integrator == Integrator::statics;
  solver.method = method.method;
  solver.iterations = 0;
  solver.linear_tolerance = 1e-12;
  if (!is_static) solver.adaptive.accuracy = 1e-12;
  // Methods of first order come no nearer to stiff contacts, and mixed elements in statics to where the change of E is
  // hidden by its rounding: their matrix has no part of the stress.
  if (method.is("quasi_newton") && setup.contact.enabled) solver.tolerance = 1e-7;
  if (method.is("mixed") && is_static) solver.tolerance = 1e-6;
  if (!method.is_reduced()) return;
  solver.subspace = method.subspace;
  solver.cubature_rule = "all";
  solver.handles = 100000;
}

// ---- what is compared

struct Sample {
  Points x, v;
  NodalForces forces;
  Energies energies;
};

// failure: of the first step that did not converge.
std::vector<Sample> run(const Term& term, sinew::Setup setup, std::string& failure) {
  std::vector<Sample> samples;
  const auto system = build_system(std::move(setup));
  Simulation simulation(system);
  simulation.allow_changes(system);
  for (int step = 0; step < steps; ++step) {
    const StepReport report = simulation.step();
    if (!report.converged && failure.empty()) failure = "step " + std::to_string(report.step) + ": " + report.reason;
    const Index n = system->dynamic_count;
    samples.push_back(
        {simulation.state().x.leftCols(n), simulation.state().v.leftCols(n), simulation.forces(), report.energies});
    if (step == 0 && term.edit) term.edit(simulation);
  }
  return samples;
}

double largest(const Points& a) {
  return a.size() == 0 ? 0 : a.colwise().norm().maxCoeff();
}

// The worst difference of each quantity, over the largest of its kind in the reference.
std::map<std::string, double> differences(const std::vector<Sample>& found, const std::vector<Sample>& expected,
                                          const Points& rest) {
  double motion = 0, speed = 0, force = 0, energy = 0;
  const auto energies = [](const Energies& e) {
    return std::map<std::string, double>{{"E kinetic", e.kinetic},   {"E elastic", e.elastic},
                                         {"E gravity", e.gravity},   {"E barrier", e.barrier},
                                         {"E friction", e.friction}, {"E springs", e.springs}};
  };
  const auto forces = [](const NodalForces& f) {
    return std::map<std::string, const Points*>{{"f elastic", &f.elastic},
                                                {"f contact", &f.contact},
                                                {"f friction", &f.friction},
                                                {"f reaction", &f.reaction},
                                                {"f mean contact", &f.mean_contact}};
  };
  for (const Sample& s : expected) {
    motion = std::max(motion, largest(s.x - rest));
    speed = std::max(speed, largest(s.v));
    for (const auto& [name, f] : forces(s.forces)) force = std::max(force, largest(*f));
    energy = std::max({energy, s.energies.kinetic, s.energies.elastic});
  }
  std::map<std::string, double> worst;
  const auto note = [&](const std::string& name, double value, double scale) {
    double& at = worst[name];
    if (value > 0) at = std::max(at, value / scale);
    if (std::isnan(value)) at = value;
  };
  for (std::size_t k = 0; k < expected.size(); ++k) {
    note("x", largest(found[k].x - expected[k].x), motion);
    note("v", largest(found[k].v - expected[k].v), speed);
    const auto f = forces(found[k].forces), g = forces(expected[k].forces);
    for (const auto& [name, values] : f) note(name, largest(*values - *g.at(name)), force);
    const auto e = energies(found[k].energies), d = energies(expected[k].energies);
    for (const auto& [name, value] : e) note(name, std::abs(value - d.at(name)), energy);
  }
  return worst;
}

// ---- what is expected

// Why a method does not take a scene; empty: it does.
std::string refusal(const sinew::Setup& setup, const Term& term, const Method& method) {
  if (!method.is_reduced()) return "";
  if (setup.contact.enabled && setup.contact.model == ContactKind::penalty)
    return std::string("contact.model: found \"penalty\", which method \"") + method.method + "\" does not have";
  if (method.kind != Kind::modes) return "";
  if (term.name == "motion_scaling") return "cannot follow prescribed vertices that are scaled";
  if (term.name == "polynomial") return "with the stiffness 0 Pa at rest";
  return "";
}

// What is not asked of a method.
bool is_left_out(const sinew::Setup& setup, const Term& term, const Method& method) {
  const bool is_static = setup.time.integrator == Integrator::statics;
  // Other equilibria lie near by, and friction is too stiff for steps of first order.
  if (method.is("quasi_newton")) return is_static && setup.contact.enabled && term.name != "plane";
  // Equilibria that it does not find, and says so: where pressure turns much, and where a load step is made in parts,
  // over which friction is another one.
  if (method.is("adaptive") && is_static)
    return term.name == "pressure_factor" || term.name == "pressure_all_over" ||
           (setup.contact.enabled && setup.contact.friction > 0);
  return false;
}

// What arithmetic leaves, unless a method leaves more.
double bound(const sinew::Setup& setup, const Term& term, const Method& method) {
  const bool is_static = setup.time.integrator == Integrator::statics;
  const bool touches = setup.contact.enabled, rubs = touches && setup.contact.friction > 0;
  if (rubs && is_static && !term.moves) return 1e-2;  // contacts that stick obey Coulomb's law with any such force
  if (method.is("quasi_newton") && touches) return setup.contact.model == ContactKind::penalty ? 1e-3 : 1e-4;
  if (is_static && method.is("mixed")) return 1e-4;
  if (is_static && method.is("adaptive")) return 1e-6;
  return rubs ? 1e-9 : 1e-10;
}

struct Group {
  const char* name;
  std::vector<Term> (*terms)();
  Integrator integrator;
};
void PrintTo(const Group& group, std::ostream* out) {
  *out << group.name;
}

const char* name_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::implicit_euler:
      return "euler";
    case Integrator::bdf2:
      return "bdf2";
    case Integrator::newmark:
      return "newmark";
    default:
      return "statics";
  }
}

std::vector<Group> groups() {
  std::vector<Group> all;
  for (const Integrator integrator :
       {Integrator::implicit_euler, Integrator::bdf2, Integrator::newmark, Integrator::statics}) {
    all.push_back({"materials", material_terms, integrator});
    all.push_back({"loads", load_terms, integrator});
    all.push_back({"springs", spring_terms, integrator});
    all.push_back({"fixes", fix_terms, integrator});
    all.push_back({"contact", contact_terms, integrator});
    if (integrator != Integrator::statics) all.push_back({"free", free_terms, integrator});
  }
  return all;
}

std::string group_name(const ::testing::TestParamInfo<Group>& info) {
  return std::string(info.param.name) + "_" + name_of(info.param.integrator);
}

class WholeSpace : public ::testing::TestWithParam<Group> {
 protected:
  void compare(const std::vector<Method>& methods) {
    const Course course{GetParam().integrator};
    for (const Term& term : GetParam().terms()) {
      if (term.name == "polynomial" && course.is_static()) continue;  // nothing holds it at rest
      SCOPED_TRACE(term.name);
      sinew::Setup newton = scene(term, course);
      newton.solver.method = "newton";
      const Points rest = [&] {
        const auto system = build_system(newton);
        return Points(system->rest.leftCols(system->dynamic_count));
      }();
      std::string failure;
      const std::vector<Sample> expected = run(term, newton, failure);
      ASSERT_EQ(failure, "");
      for (const Method& method : methods) {
        SCOPED_TRACE(method.name);
        sinew::Setup setup = scene(term, course);
        choose(method, setup);
        if (is_left_out(setup, term, method)) continue;
        const std::string refused = refusal(setup, term, method);
        if (!refused.empty()) {
          EXPECT_THAT([&] { run(term, setup, failure); },
                      testing::ThrowsMessage<InputError>(testing::HasSubstr(refused)));
          continue;
        }
        failure.clear();
        const std::vector<Sample> found = run(term, setup, failure);
        EXPECT_EQ(failure, "");
        for (const auto& [quantity, difference] : differences(found, expected, rest))
          EXPECT_LE(difference, bound(setup, term, method)) << quantity;
      }
    }
  }
};

TEST_P(WholeSpace, OfModesAndOfAllVerticesIsFullSpace) {
  compare(reduced_methods);
}
TEST_P(WholeSpace, LongOtherMethodsOfFullSpace) {
  compare(full_methods);
}

INSTANTIATE_TEST_SUITE_P(Terms, WholeSpace, ::testing::ValuesIn(groups()), group_name);

// Handles have no frames; in statics forces of their dependent coordinates do not come to balance as far.
std::vector<Group> groups_of_handles() {
  std::vector<Group> all = groups();
  std::erase_if(all, [](const Group& group) {
    return group.integrator == Integrator::statics || group.name == std::string("free");
  });
  return all;
}

class HandlesAsModes : public ::testing::TestWithParam<Group> {};

// Handles and the modes that move vertices as they do are one subspace, written in two ways.
TEST_P(HandlesAsModes, AreTheSame) {
  const Course course{GetParam().integrator};
  const test::Folder folder;
  for (const Term& term : GetParam().terms()) {
    // Without stiffness at rest there are no handles; those of what is released are others; scaled motions are refused.
    if (term.name == "polynomial" || term.name.ends_with("_until") || term.name == "motion_scaling") continue;
    SCOPED_TRACE(term.name);
    for (const char* method : {"reduced", "mixed"}) {
      SCOPED_TRACE(method);
      sinew::Setup handles = scene(term, course);
      choose({method, method, "eigenmodes", Kind::modes}, handles);
      handles.solver.handles = 3;
      if (!refusal(handles, term, {method, method, "eigenmodes", Kind::modes}).empty()) continue;
      sinew::Setup alone = handles;
      alone.contact.enabled = false;
      const auto system = build_system(std::move(alone));
      Simulation simulation(system);
      const Points rest = simulation.state().x;
      VecX q = VecX::Zero(simulation.coordinates().size());
      ModeSet columns{"handles", VecX::Zero(q.size()), MatX(3 * system->dynamic_count, q.size())};
      for (Index i = 0; i < q.size(); ++i) {
        q[i] = 1;
        simulation.set_coordinates(q);
        q[i] = 0;
        columns.vectors.col(i) = (simulation.state().x - rest).leftCols(system->dynamic_count).reshaped();
      }
      const std::string path = (folder.path / "modes.npz").string();
      write_modes(path, *system, columns);
      sinew::Setup modes = handles;
      modes.solver.subspace = path;
      modes.solver.handles = 100000;
      std::string failure;
      const std::vector<Sample> expected = run(term, handles, failure), found = run(term, modes, failure);
      EXPECT_EQ(failure, "");
      for (const auto& [quantity, difference] : differences(found, expected, rest.leftCols(system->dynamic_count)))
        EXPECT_LE(difference, 1e-9) << quantity;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, HandlesAsModes, ::testing::ValuesIn(groups_of_handles()), group_name);

}  // namespace sinew::whole_space_test
