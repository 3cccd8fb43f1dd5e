#include "dynamics/whole_space_scenes.h"

#include <algorithm>
#include <cmath>

#include "support/bodies.h"
#include "support/ties.h"

#include "sinew/mesh/surface.h"

namespace sinew::whole_space_test {

namespace {

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

LoadSetup load(const BodySetup& body, LoadKind kind) {
  LoadSetup load;
  load.kind = kind;
  load.faces = test::faces_where(body.mesh, [](const Vec3& x) { return x[0] > 0.149; });
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
  setup.contact.surface_samples = 100000;
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

LoadSetup& add_load(sinew::Setup& setup, LoadKind kind) {
  BodySetup& body = setup.bodies[0];
  body.loads.push_back(load(body, kind));
  return body.loads.back();
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

FixSetup& add_fix(sinew::Setup& setup) {
  BodySetup& body = setup.bodies[0];
  FixSetup fix;
  fix.vertices = free_end(body);
  body.fixes.push_back(fix);
  return body.fixes.back();
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

void spin(sinew::Setup& setup) {
  BodySetup& body = setup.bodies[0];
  body.fixes.clear();
  body.velocity = Vec3(0.3, -0.4, 0.2);
  body.angular_velocity = Vec3(3, -2, 4);
}

// A second body has it that each body has the modes that it can have, however many are asked for.
void add_second_body(sinew::Setup& setup) {
  BodySetup body = test::body("weight", make_box(Vec3(0.1, 0.1, 0.1), {1, 1, 1}),
                              test::material("stable_neo_hookean", 2e4, 0.3), Vec3(0, 1, 0));
  FixSetup fix;
  fix.vertices = test::select_vertices(body.mesh, [](const Vec3& x) { return x[1] > 1.049; });
  body.fixes.push_back(fix);
  setup.bodies.push_back(std::move(body));
}

// A body of a rubber or foam model.
Term of_rubber(const std::string& model, const UserParameters& parameters) {
  return {model, [model, parameters](sinew::Setup& setup, const Course& course) {
            MaterialAssignment& material = setup.bodies[0].materials[0];
            material.model = shared_material_model(model);
            UserCurves data;
            data.lists = {{"mu", {6e3, 2e3}}, {"alpha", {2, -2}}};
            if (model == "hyperfoam") data.lists["poisson"] = {0.3, 0.1};
            if (material.model->needs_data()) material.model = material.model->with_curves(data);
            material.parameters = material.model->resolve(parameters);
            fall(setup, course);
          }};
}

}  // namespace

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
  all.push_back(of_rubber("yeoh", {{"c10", {4e3}}, {"c20", {-2e2}}, {"c30", {50}}, {"poisson", {0.4}}}));
  all.push_back(of_rubber("gent", {{"mu", {8e3}}, {"jm", {60}}, {"poisson", {0.4}}}));
  all.push_back(of_rubber("arruda_boyce", {{"mu", {8e3}}, {"locking", {3}}, {"poisson", {0.4}}}));
  all.push_back(of_rubber("ogden", {{"poisson", {0.4}}}));
  all.push_back(of_rubber("hyperfoam", {}));
  all.push_back(of_rubber("blatz_ko", {{"young", {2e4}}}));
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
    load.faces = test::faces_where(setup.bodies[0].mesh, [](const Vec3& x) { return x[1] > 0.09; });
    load.vector = Vec3(1500, -1500, 700);
    setup.bodies[0].loads.push_back(load);
    if (setup.contact.friction > 0) setup.contact.friction = 0.05;
    if (!course.is_static()) setup.contact.slip_speed = 1e-2;
  });
  const std::size_t barriers = all.size();
  for (std::size_t k = 0; k < barriers; ++k) {
    if (!all[k].name.starts_with("body") && !all[k].name.starts_with("itself") && !all[k].name.starts_with("plate"))
      continue;
    const auto scene = all[k].add;
    all.push_back({"convergent_" + all[k].name, [=](sinew::Setup& setup, const Course& course) {
                     scene(setup, course);
                     setup.contact.model = ContactKind::convergent;
                   }});
  }
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

// Bodies that nothing holds, or that turn where they are held: frames of substructures. Stiffness damping is none of
// their terms: that of full space opposes turns of stressed bodies, K_t v = w x f for v = w x r, and that of frames
// sees no turns, so that the two differ by a share xi |w| of the forces for any step.
namespace {

// An affine body beside the bar.
BodySetup& add_die(sinew::Setup& setup, const Course& course) {
  BodySetup die = test::body("die", make_box({0.06, 0.05, 0.08}, {1, 2, 1}), test::material("neo_hookean", 2e5, 0.3),
                             Vec3(0.19, 0.02, 0.01));
  die.affine = true;
  if (!course.is_static()) {
    die.velocity = Vec3(-0.2, 0.3, 0.1);
    die.angular_velocity = Vec3(1, 2, -3);
  }
  setup.bodies.push_back(std::move(die));
  return setup.bodies.back();
}

// Springs from a corner each to a point, so that load steps have a rest.
void hold_die(BodySetup& die) {
  for (const Index v : {0, 1, 2, 5}) {
    SpringSetup spring;
    spring.vertices = {v};
    spring.point = die.mesh.vertices.col(v) + Vec3(0.01, 0.02, -0.01);
    spring.stiffness = 40;
    die.springs.push_back(spring);
  }
}

}  // namespace

std::vector<Term> affine_terms() {
  const auto beside = [](const std::function<void(sinew::Setup&, const Course&, BodySetup&)>& scene) {
    return [scene](sinew::Setup& setup, const Course& course) {
      BodySetup& die = add_die(setup, course);
      scene(setup, course, die);
    };
  };
  return {
      {"springs", beside([](sinew::Setup&, const Course&, BodySetup& die) { hold_die(die); })},
      {"damped", beside([](sinew::Setup&, const Course&, BodySetup& die) {
         hold_die(die);
         die.damping_mass = 3;
       })},
      {"loads", beside([](sinew::Setup&, const Course&, BodySetup& die) {
         hold_die(die);
         for (const LoadKind kind : {LoadKind::traction, LoadKind::pressure}) {
           die.loads.push_back(load(die, kind));
           die.loads.back().faces = test::faces_where(die.mesh, [](const Vec3& x) { return x[0] > 0.219; });
         }
       })},
      {"tied", beside([](sinew::Setup& setup, const Course&, BodySetup& die) {
         hold_die(die);
         SpringSetup spring;
         spring.vertices = {3};
         spring.other_body = 0;
         spring.other_vertices = free_end(setup.bodies[0]);
         spring.stiffness = 30;
         die.springs.push_back(spring);
       })},
      {"prescribed", beside([](sinew::Setup&, const Course& course, BodySetup& die) {
         die.velocity = die.angular_velocity = Vec3::Zero();
         die.fixes.emplace_back().vertices = test::select_vertices(die.mesh, [](const Vec3&) { return true; });
         die.fixes[0].motion = shift(course);
       })},
      {"along_axes", beside([](sinew::Setup&, const Course&, BodySetup& die) {
         hold_die(die);
         die.fixes.emplace_back().vertices = test::select_vertices(die.mesh, [](const Vec3&) { return true; });
         die.fixes[0].axes = {true, false, true};
       })},
      {"on_plane", beside([](sinew::Setup& setup, const Course& course, BodySetup& die) {
         hold_die(die);
         touch(setup, course, 0);
         ObstacleSetup floor = plane(setup);
         floor.plane->point = Vec3(0.19, -0.0105, 0);
         setup.obstacles.push_back(floor);
         setup.contact.ignore = {{"bar", "floor"}};
       })},
      {"on_plate", beside([](sinew::Setup& setup, const Course& course, BodySetup& die) {
         hold_die(die);
         touch(setup, course, course.is_static() ? 0 : 0.4);
         ObstacleSetup ground = plate();
         ground.mesh->vertices.row(1).array() += 0.034;
         ground.motion = shift(course);
         setup.obstacles.push_back(ground);
         setup.contact.ignore = {{"bar", "plate"}};
       }),
       nullptr, true},
      {"on_bar", beside([](sinew::Setup& setup, const Course& course, BodySetup& die) {
         hold_die(die);
         touch(setup, course, course.is_static() ? 0 : 0.4);
         die.mesh.vertices.row(0).array() -= 0.0085;  // 1.5 mm from the end of the bar
         for (std::size_t k = 0; k < 4; ++k)
           die.springs[k].point = Vec3(die.mesh.vertices.col(die.springs[k].vertices[0])) + Vec3(-0.02, 0.01, 0);
       })},
  };
}

// Contact on surfaces finer than the tets that they follow, and partly outside of them.
std::vector<Term> skin_terms() {
  const auto wrap = [](BodySetup& body, const Vec3& size, const Mat3& turn, const Vec3& offset) {
    const TetMesh fine = make_box(size, {4, 2, 2});
    body.collision = compacted(fine.vertices, boundary_triangles(fine.tets));
    body.collision->vertices = (turn * body.collision->vertices).colwise() + offset;
  };
  const Vec3 size(0.25, 0.105, 0.1);
  std::vector<Term> all;
  const auto add = [&](const std::string& name, double friction,
                       const std::function<void(sinew::Setup&, const Course&)>& scene) {
    all.push_back({name,
                   [=](sinew::Setup& setup, const Course& course) {
                     touch(setup, course, friction);
                     fall(setup, course);
                     wrap(setup.bodies[0], size, Mat3::Identity(), Vec3::Zero());
                     scene(setup, course);
                   },
                   nullptr, name.starts_with("moving")});
  };
  add("plane", 0, [](sinew::Setup& setup, const Course&) { setup.obstacles.push_back(plane(setup)); });
  add("moving_plate", 0.4, [](sinew::Setup& setup, const Course& course) {
    setup.obstacles.push_back(plate());
    setup.obstacles[0].motion.translation =
        keys({0, course.end() / 2, course.end()}, {Vec3(0, 0, 0), Vec3(0.01, 0.002, 0), Vec3(0, 0.006, 0.02)});
  });
  for (const double friction : {0.0, 0.4})
    add(friction > 0 ? "body_friction" : "body", friction, [=](sinew::Setup& setup, const Course&) {
      setup.bodies.push_back(second_bar());
      const Mat3 turn = Eigen::AngleAxisd(0.12, Vec3(0.3, 0.9, 0.4).normalized()).toRotationMatrix();
      wrap(setup.bodies.back(), size, turn, Vec3(0.05, -0.118, 0.02));
    });
  add("loads", 0, [](sinew::Setup& setup, const Course&) {
    add_load(setup, LoadKind::traction);
    add_load(setup, LoadKind::pressure);
    add_spring(setup);
    setup.bodies[0].damping_mass = 3;
    setup.obstacles.push_back(plane(setup));
  });
  add("affine", 0.4, [=](sinew::Setup& setup, const Course& course) {
    BodySetup& die = add_die(setup, course);
    hold_die(die);
    wrap(die, Vec3(0.065, 0.055, 0.085), Mat3::Identity(), Vec3(0.1825, 0.02, 0.01));
  });
  return all;
}

// A block at the end of the bar, whose meshes do not match; the block follows, or the bar.
namespace {

void tie_head(sinew::Setup& setup, bool bar_follows, double gap = 0) {
  BodySetup head = test::body("head", make_box({0.1, 0.12, 0.14}, {1, 2, 3}),
                              test::material("stable_neo_hookean", 5e4, 0.3), Vec3(0.2 + gap, 0.005, -0.004));
  head.velocity = setup.bodies[0].velocity;
  const BodySetup& bar = setup.bodies[0];
  TieSetup tie;
  tie.body = 2;
  tie.faces = test::faces_where(head.mesh, [&](const Vec3& x) { return x[0] < 0.1501 + gap; });
  tie.to = 0;
  tie.to_faces = test::faces_where(bar.mesh, [](const Vec3& x) { return x[0] > 0.1499; });
  if (bar_follows) {
    std::swap(tie.body, tie.to);
    std::swap(tie.faces, tie.to_faces);
  } else {  // the larger face hangs over
    head.mesh.vertices.row(1) *= 0.9;
    head.mesh.vertices.row(2) *= 0.9;
  }
  setup.bodies.push_back(std::move(head));
  setup.ties.push_back(std::move(tie));
}

}  // namespace

std::vector<Term> tie_terms() {
  return {
      {"head",
       [](sinew::Setup& setup, const Course&) {
         tie_head(setup, false);
         setup.bodies[2].loads.push_back(load(setup.bodies[2], LoadKind::traction));
         setup.bodies[2].loads.back().faces =
             test::faces_where(setup.bodies[2].mesh, [](const Vec3& x) { return x[0] > 0.249; });
       }},
      {"bar_follows", [](sinew::Setup& setup, const Course&) { tie_head(setup, true); }},
      {"gap", [](sinew::Setup& setup, const Course&) { tie_head(setup, true, 0.004); }},
      {"damped",
       [](sinew::Setup& setup, const Course&) {
         tie_head(setup, true);
         setup.bodies[0].damping_mass = 2;
         setup.bodies[2].damping_stiffness = 0.01;
       }},
      {"springs",  // on vertices that follow
       [](sinew::Setup& setup, const Course& course) {
         tie_head(setup, true);
         SpringSetup& spring = add_spring(setup);
         spring.motion = shift(course);
         SpringSetup between = spring;
         between.point.reset();
         between.other_body = 1;
         between.other_vertices = {0, 3};
         between.stiffness = 5;
         setup.bodies[0].springs.push_back(between);
       }},
      {"pressure",
       [](sinew::Setup& setup, const Course&) {
         tie_head(setup, true);
         add_load(setup, LoadKind::pressure).faces =
             test::faces_where(setup.bodies[0].mesh, [](const Vec3& x) { return x[1] > 0.049; });
       }},
      {"motion",  // of a bar that the head follows, and that follows the head
       [](sinew::Setup& setup, const Course& course) {
         tie_head(setup, false);
         add_fix(setup).motion = shift(course);
       }},
      {"motion_of_head",
       [](sinew::Setup& setup, const Course& course) {
         tie_head(setup, true);
         FixSetup fix;
         fix.vertices = test::select_vertices(setup.bodies[2].mesh, [](const Vec3& x) { return x[0] > 0.249; });
         fix.motion = shift(course);
         fix.until = 0.6 * course.end();
         setup.bodies[2].fixes.push_back(fix);
       }},
      {"to_affine",
       [](sinew::Setup& setup, const Course&) {
         tie_head(setup, true, 0.001);
         setup.bodies[2].affine = true;
       }},
      {"on_plane",
       [](sinew::Setup& setup, const Course& course) {
         touch(setup, course, course.is_static() ? 0 : 0.4);
         if (!course.is_static()) setup.bodies[0].fixes.clear();
         fall(setup, course);
         tie_head(setup, true);
         setup.obstacles.push_back(plane(setup));
         setup.obstacles[0].plane->point[1] -= 0.0159;
       }},
      {"until",
       [](sinew::Setup& setup, const Course& course) {
         tie_head(setup, true);
         hold_die(setup.bodies[2]);
         setup.ties[0].until = course.end() / 2;
       }},
      {"breaks",
       [](sinew::Setup& setup, const Course&) {
         tie_head(setup, false);
         hold_die(setup.bodies[2]);
         setup.ties[0].breaks_at = 1;
       }},
      {"pull", [](sinew::Setup& setup, const Course&) { tie_head(setup, true); },
       [](Simulation& simulation) {
         simulation.edit(PullEdit{{0, 1}, Pull{simulation.system().ties[0].vertices[1], Vec3(0.3, 0.1, 0), 60}});
       }},
  };
}

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

}  // namespace sinew::whole_space_test
