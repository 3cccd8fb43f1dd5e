// Control of a Simulation between steps: targets of fixes and obstacles, added forces, springs, loads, friction of
// pairs and ties.
#include "sinew/model/control.h"

#include <cmath>

#include "py_simulation.h"
#include <pybind11/stl.h>

namespace sinew::python {
namespace {

// A part is given by its name or its number.
PartName part_of(const py::object& part, const char* what) {
  if (py::isinstance<py::str>(part)) return py::cast<std::string>(part);
  if (py::isinstance<py::bool_>(part) || !py::hasattr(part, "__index__"))
    fail_input(code::argument, "{}: found {}, expected a name or a number", what, text_of(part));
  return py::cast<std::int64_t>(part.attr("__index__")());
}

Vec3 three(const py::object& value, const char* what) {
  const DoubleArray array = real_array(value, what);
  if (array.ndim() != 1 || array.size() != 3)
    fail_input(code::argument, "{}: found shape {}, expected (3,)", what, shape_text(array));
  return {array.at(0), array.at(1), array.at(2)};
}

Course::Map map_of(const py::object& value, const char* what) {
  const DoubleArray array = real_array(value, what);
  if (array.ndim() != 2 || array.shape(0) != 4 || array.shape(1) != 4)
    fail_input(code::argument, "{}: found shape {}, expected (4, 4)", what, shape_text(array));
  for (int k = 0; k < 4; ++k)
    if (array.at(3, k) != (k == 3 ? 1 : 0))
      fail_input(code::argument, "{}: found the last row [{}, {}, {}, {}], expected [0, 0, 0, 1]", what, array.at(3, 0),
                 array.at(3, 1), array.at(3, 2), array.at(3, 3));
  Course::Map map;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k) map(i, k) = array.at(i, k);
  return map;
}

void set_fix_target(PySimulation& self, const py::object& body, const py::object& fix, const py::object& positions,
                    const py::object& transform, const py::object& velocity) {
  const PartName own = part_of(body, "body"), part = part_of(fix, "fix");
  Target target;
  if (!positions.is_none()) target.positions = from_numpy(real_array(positions, "positions"), -1, "positions");
  if (!transform.is_none()) target.transform = map_of(transform, "transform");
  if (!velocity.is_none()) target.velocity = three(velocity, "velocity");
  self.alone([&](Simulation& s) {
    const Index b = find_body(s.system(), own);
    s.edit(fix_target(s.system(), b, find_fix(s.system(), b, part), target, s.next_step()));
  });
}

void move_obstacle(PySimulation& self, const py::object& obstacle, const Target& target) {
  const PartName part = part_of(obstacle, "obstacle");
  self.alone([&](Simulation& s) {
    s.edit(obstacle_target(s.system(), find_obstacle(s.system(), part), target, s.next_step()));
  });
}

void set_obstacle_pose(PySimulation& self, const py::object& obstacle, const py::object& matrix) {
  Target target;
  target.transform = map_of(matrix, "matrix");
  move_obstacle(self, obstacle, target);
}

void set_obstacle_vertices(PySimulation& self, const py::object& obstacle, const py::object& vertices) {
  Target target;
  target.positions = from_numpy(real_array(vertices, "vertices"), -1, "vertices");
  move_obstacle(self, obstacle, target);
}

void set_obstacle_velocity(PySimulation& self, const py::object& obstacle, const py::object& velocity) {
  Target target;
  target.velocity = three(velocity, "velocity");
  move_obstacle(self, obstacle, target);
}

// One force for all vertices, or one for each.
void add_force(PySimulation& self, const py::object& vertices, const py::object& forces) {
  const System& system = self.system();
  const std::vector<Index> own = vertices_of(system, vertices, "add_force");
  const DoubleArray array = real_array(forces, "forces");
  const auto count = static_cast<py::ssize_t>(own.size());
  const bool one = array.ndim() == 1 && array.size() == 3;
  if (!one && (array.ndim() != 2 || array.shape(0) != count || array.shape(1) != 3))
    fail_input(code::argument, "forces: found shape {}, expected ({}, 3) or (3,)", shape_text(array), count);
  Points f(3, count);
  for (py::ssize_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) f(k, i) = one ? array.at(k) : array.at(i, k);
  self.alone([&](Simulation& s) { s.edit(added_force(system, own, f, s.next_step())); });
}

void change_spring(PySimulation& self, const py::object& body, const py::object& spring, const SpringChange& change) {
  const PartName own = part_of(body, "body"), part = part_of(spring, "spring");
  self.alone([&](Simulation& s) { s.edit(spring_edits(s.system(), find_body(s.system(), own), part, change)); });
}

void change_load(PySimulation& self, const py::object& body, const py::object& load, LoadKind kind, const Vec3& vector,
                 double pressure) {
  const PartName own = part_of(body, "body"), part = part_of(load, "load");
  self.alone(
      [&](Simulation& s) { s.edit(load_edit(s.system(), find_body(s.system(), own), part, kind, vector, pressure)); });
}

template <LoadKind kind>
void set_load_vector(PySimulation& self, const py::object& body, const py::object& load, const py::object& vector) {
  change_load(self, body, load, kind, three(vector, "vector"), 0);
}

void add_targets(py::class_<PySimulation>& simulation) {
  simulation
      .def("set_fix_target", &set_fix_target, py::arg("body"), py::arg("fix"), py::arg("positions") = py::none(),
           py::arg("transform") = py::none(), py::arg("velocity") = py::none(),
           R"(Moves the vertices of a fix. body and fix are names or numbers of the scene. Give one target:

- positions (k, 3) [m]: of the fix's vertices, in the order of its selection
- transform (4, 4): an affine map of the rest positions
- velocity (3,) [m/s]: from the present place on

Positions and transforms are reached at the end of the next step, linearly within it, and held until another
target. Methods in a subspace need positions that an affine map gives. A first target may set up their subspace
again.)")
      .def("set_obstacle_pose", &set_obstacle_pose, py::arg("obstacle"), py::arg("matrix"),
           R"(Moves an obstacle to a pose (4, 4), a rotation and shift [m] of its place in the scene without motion.

The pose is reached at the end of the next step, linearly within it, and held until another target.)")
      .def("set_obstacle_vertices", &set_obstacle_vertices, py::arg("obstacle"), py::arg("vertices"),
           R"(Deforms an obstacle: vertices (n, 3) [m] are the places of all vertices of its mesh.

They are reached at the end of the next step, linearly within it, and held until another target.)")
      .def("set_obstacle_velocity", &set_obstacle_velocity, py::arg("obstacle"), py::arg("velocity"),
           R"(Moves an obstacle with a velocity (3,) [m/s] from its present place on, until another target.

In statics the velocity is a displacement by load.)")
      .def("add_force", &add_force, py::arg("vertices"), py::arg("forces"),
           R"(Adds forces (k, 3) [N] to vertices (k,) in the next step. One force (3,) is for each of the vertices.

vertices may be a mask with an entry for each vertex. Several calls add up. After the step the forces are gone. In
statics the load step has them in full.)");
}

void add_parts(py::class_<PySimulation>& simulation) {
  simulation
      .def(
          "set_spring_length",
          [](PySimulation& self, const py::object& body, const py::object& spring, double length) {
            change_spring(self, body, spring, {.length = length, .stiffness = {}, .point = {}});
          },
          py::arg("body"), py::arg("spring"), py::arg("length"),
          R"(Sets the rest length [m] of all springs of an entry. body and spring are names or numbers.

A shorter length tightens a tendon. It replaces keyframes.)")
      .def(
          "set_spring_stiffness",
          [](PySimulation& self, const py::object& body, const py::object& spring, double stiffness) {
            change_spring(self, body, spring, {.length = {}, .stiffness = stiffness, .point = {}});
          },
          py::arg("body"), py::arg("spring"), py::arg("stiffness"),
          "Sets the stiffness [N/m] of each spring of an entry. body and spring are names or numbers.")
      .def(
          "set_spring_point",
          [](PySimulation& self, const py::object& body, const py::object& spring, const py::object& point) {
            change_spring(self, body, spring, {.length = {}, .stiffness = {}, .point = three(point, "point")});
          },
          py::arg("body"), py::arg("spring"), py::arg("point"),
          R"(Sets the fixed end (3,) [m] of all springs of an entry. body and spring are names or numbers.

It replaces the motion of the point. Raises InputError for springs between bodies.)")
      .def(
          "set_pressure",
          [](PySimulation& self, const py::object& body, const py::object& load, double pressure) {
            change_load(self, body, load, LoadKind::pressure, Vec3::Zero(), pressure);
          },
          py::arg("body"), py::arg("load"), py::arg("pressure"),
          R"(Sets a pressure [Pa] of a body, in place of its keyframes. body and load are names or numbers.)")
      .def(
          "set_gas_amount",
          [](PySimulation& self, const py::object& body, const py::object& load, double amount) {
            change_load(self, body, load, LoadKind::gas, Vec3::Zero(), amount);
          },
          py::arg("body"), py::arg("load"), py::arg("amount"),
          R"(Sets the amount of a gas over that at the start, in place of its keyframes: 2 pumps in as much again.

body and load are names or numbers.)")
      .def("set_traction", &set_load_vector<LoadKind::traction>, py::arg("body"), py::arg("load"), py::arg("vector"),
           R"(Sets a traction (3,) [Pa] of a body, in place of its keyframes. body and load are names or numbers.)")
      .def("set_wind", &set_load_vector<LoadKind::wind>, py::arg("body"), py::arg("load"), py::arg("velocity"),
           R"(Sets the velocity (3,) [m/s] of a wind, in place of its keyframes. body and load are names or numbers.)")
      .def("set_force", &set_load_vector<LoadKind::force>, py::arg("body"), py::arg("load"), py::arg("vector"),
           R"(Sets a force (3,) [N] of a body, in place of its keyframes. body and load are names or numbers.)")
      .def("set_moment", &set_load_vector<LoadKind::moment>, py::arg("body"), py::arg("load"), py::arg("vector"),
           R"(Sets a moment (3,) [N m] of a body, in place of its keyframes. body and load are names or numbers.)")
      .def(
          "set_activation",
          [](PySimulation& self, const std::string& material, double activation) {
            self.alone([&](Simulation& s) { s.edit(ActivationEdit{material, activation}); });
          },
          py::arg("material"), py::arg("activation"),
          R"(Sets the activation, 0 to 1, of the fibers of a material.

They then pull with that share of their active tension, `fiber.tension` in the scene. It replaces keyframes.)")
      .def(
          "set_pair_friction",
          [](PySimulation& self, const std::string& a, const std::string& b, double coefficient) {
            self.alone([&](Simulation& s) { s.edit(pair_friction(s.system(), a, b, coefficient)); });
          },
          py::arg("a"), py::arg("b"), py::arg("coefficient"),
          R"(Sets the friction of two materials, as contact.friction.pairs of a scene.

An obstacle without a material has its own name.)")
      .def(
          "release_tie",
          [](PySimulation& self, const py::object& tie) {
            const PartName part = part_of(tie, "tie");
            self.alone([&](Simulation& s) { s.edit(released_tie(s.system(), part, s.time())); });
          },
          py::arg("tie"),
          R"(Releases a tie, by name or number, before the next step.

The tie needs an end in the scene, "until" or "breaks_at": its faces then have a gap. If the faces intersect, it
holds until they separate.)");
}

// Numbers of vertices in a mask.
std::vector<std::int64_t> chosen_in(const py::array& mask, Index count, const char* what) {
  if (mask.ndim() != 1 || mask.shape(0) != count)
    fail_input(code::argument, "{}: found a mask of shape {}, expected ({},): one entry for each vertex", what,
               shape_text(mask), count);
  const auto entries = py::cast<py::array_t<bool>>(mask);
  std::vector<std::int64_t> chosen;
  for (Index v = 0; v < count; ++v)
    if (entries.at(v)) chosen.push_back(v);
  return chosen;
}

}  // namespace

std::vector<Index> vertices_of(const System& system, const py::object& vertices, const char* what) {
  const Index count = system.user_vertex_count;
  std::vector<std::int64_t> users;
  const py::array array = py::array::ensure(vertices);
  if (array && array.dtype().kind() == 'b') {
    users = chosen_in(array, count, what);
  } else {
    const IndexArray ids = index_array(vertices, fmt::format("{}: found vertices", what));
    if (ids.ndim() > 1)
      fail_input(code::argument, "{}: found vertices of shape {}, expected (k,)", what, shape_text(ids));
    users.assign(ids.data(), ids.data() + ids.size());
  }
  std::vector<Index> from(count, -1), own;
  for (Index v = 0; v < system.body_vertex_count(); ++v)
    if (system.vertex_to_user[v] >= 0) from[system.vertex_to_user[v]] = v;
  for (const std::int64_t user : users) {
    if (user < 0 || user >= count || from[user] < 0)
      fail_input(code::argument, "vertices: found {}, expected vertices of bodies, 0 to {}", user, count - 1);
    own.push_back(from[user]);
  }
  return own;
}

void add_control(py::class_<PySimulation>& simulation) {
  add_targets(simulation);
  add_parts(simulation);
}

}  // namespace sinew::python
