// Contacts and forces of a Simulation.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "py_simulation.h"
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include "sinew/contact/kinematics.h"
#include "sinew/core/suggest.h"
#include "sinew/sensors/contact_table.h"

namespace sinew::python {
namespace {

// A row of contacts().
struct PyContact {
  std::int32_t bodies[2];
  std::int32_t vertices[2][3];
  double weights[2][3], rest[2][3];
  double point[3], normal[3], gap, normal_force, friction_force[3], slip_velocity[3], area;
  char32_t kind[16];  // numpy's "U16"
};

py::dtype contact_type() {
  static_assert(sizeof(char32_t) == 4);
  py::list names, formats, offsets;
  const auto add = [&](const char* name, const char* format, std::size_t offset) {
    names.append(name);
    formats.append(format);
    offsets.append(offset);
  };
  add("body_a", "i4", offsetof(PyContact, bodies));
  add("body_b", "i4", offsetof(PyContact, bodies) + sizeof(std::int32_t));
  add("kind", "U16", offsetof(PyContact, kind));
  add("vertices_a", "(3,)i4", offsetof(PyContact, vertices));
  add("vertices_b", "(3,)i4", offsetof(PyContact, vertices) + 3 * sizeof(std::int32_t));
  add("weights_a", "(3,)f8", offsetof(PyContact, weights));
  add("weights_b", "(3,)f8", offsetof(PyContact, weights) + 3 * sizeof(double));
  add("point", "(3,)f8", offsetof(PyContact, point));
  add("normal", "(3,)f8", offsetof(PyContact, normal));
  add("gap", "f8", offsetof(PyContact, gap));
  add("normal_force", "f8", offsetof(PyContact, normal_force));
  add("friction_force", "(3,)f8", offsetof(PyContact, friction_force));
  add("slip_velocity", "(3,)f8", offsetof(PyContact, slip_velocity));
  add("area", "f8", offsetof(PyContact, area));
  add("rest_a", "(3,)f8", offsetof(PyContact, rest));
  add("rest_b", "(3,)f8", offsetof(PyContact, rest) + 3 * sizeof(double));
  return py::dtype(names, formats, offsets, static_cast<py::ssize_t>(sizeof(PyContact)));
}

PyContact row_of(const TableContact& contact) {
  PyContact row{};
  const ContactSide* sides[] = {&contact.a, &contact.b};
  for (int s = 0; s < 2; ++s) {
    row.bodies[s] = sides[s]->owner;
    std::ranges::copy(sides[s]->vertices, row.vertices[s]);
    std::ranges::copy(sides[s]->weights, row.weights[s]);
    std::copy_n(sides[s]->rest.data(), 3, row.rest[s]);
  }
  std::copy_n(contact.point.data(), 3, row.point);
  std::copy_n(contact.normal.data(), 3, row.normal);
  std::copy_n(contact.friction.data(), 3, row.friction_force);
  std::copy_n(contact.slip.data(), 3, row.slip_velocity);
  row.gap = contact.gap;
  row.normal_force = contact.normal_force;
  row.area = contact.area;
  const std::string kind = fmt::format("{}-{}", name_of(contact.a.feature), name_of(contact.b.feature));
  std::copy_n(kind.begin(), std::min(kind.size(), std::size(row.kind)), row.kind);
  return row;
}

std::vector<TableContact> table_of(const Simulation& s) {
  return contact_table(s.system(), planes_at(s.system(), s.time()), s.contacts());
}

OwnerPlaces places_of(const Simulation& s, Index owner) {
  if (owner >= static_cast<Index>(s.system().bodies.size())) return obstacle_places(s.system(), s.time());
  return {s.state().x, 0, {}};
}

py::array contacts(const PySimulation& self) {
  const std::vector<PyContact> rows = self.alone([](const Simulation& s) {
    std::vector<PyContact> made;
    for (const TableContact& contact : table_of(s)) made.push_back(row_of(contact));
    return made;
  });
  return py::array(contact_type(), {static_cast<py::ssize_t>(rows.size())}, {}, rows.data());
}

const std::vector<std::string>& names_of(const PySimulation& self) {
  return self.system().collision.owner_names;
}

// The number of a body or obstacle, given by its number or name.
Index owner_of(const PySimulation& self, const py::handle& which, const char* what) {
  const std::vector<std::string>& names = names_of(self);
  if (py::isinstance<py::str>(which)) {
    const auto name = py::cast<std::string>(which);
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
      fail_input(code::argument, "{}: found \"{}\", expected the name of a body or obstacle: {}{}", what, name,
                 quoted_list(names), did_you_mean(name, names));
    return static_cast<Index>(at - names.begin());
  }
  if (!PyIndex_Check(which.ptr()))
    fail_input(code::argument, "{}: found {}, expected the name or number of a body or obstacle", what, text_of(which));
  const py::int_ number = py::reinterpret_steal<py::int_>(PyNumber_Index(which.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0 || value < 0 || value >= static_cast<long long>(names.size()))
    fail_input(code::argument, "{}: found {}, expected the name or number of a body or obstacle, 0 to {}", what,
               text_of(which), static_cast<long long>(names.size()) - 1);
  return static_cast<Index>(value);
}

py::array_t<double> vector_to_numpy(const Vec3& vector) {
  return py::array_t<double>(3, vector.data());
}

py::tuple wrench(const PySimulation& self, const py::object& on, const py::object& by, const py::object& about) {
  const Index first = owner_of(self, on, "on"), second = by.is_none() ? -1 : owner_of(self, by, "by");
  std::optional<Vec3> point;
  if (!about.is_none()) {
    const DoubleArray array = real_array(about, "about");
    if (array.ndim() != 1 || array.size() != 3)
      fail_input(code::argument, "about: found shape {}, expected (3,)", shape_text(array));
    point = Vec3(array.at(0), array.at(1), array.at(2));
    if (!point->allFinite()) fail_input(code::argument, "about: found a number that is not finite");
  }
  const Wrench sum = self.alone([&](const Simulation& s) {
    const auto center = [&] {
      if (first < static_cast<Index>(s.system().bodies.size())) return s.body_place(first).center;
      return center_of(s.system(), places_of(s, first), first);
    };
    return wrench_on(table_of(s), first, second, point ? *point : center());
  });
  return py::make_tuple(vector_to_numpy(sum.force), vector_to_numpy(sum.moment));
}

constexpr std::array<const char*, 4> first_forces{"elastic", "contact", "friction", "reaction"};
constexpr std::array<const char*, 7> other_forces{"gravity", "loads", "springs", "damping", "spin", "ties", "inertia"};

// Whether there is a name that only named_forces() computes. Throws InputError for an unknown name.
bool needs_others(const std::vector<std::string>& terms) {
  bool others = false;
  for (const std::string& term : terms) {
    if (std::ranges::find(first_forces, term) != first_forces.end()) continue;
    if (std::ranges::find(other_forces, term) == other_forces.end())
      fail_input(code::argument, "terms: found \"{}\", expected some of {}, {}", term, fmt::join(first_forces, ", "),
                 fmt::join(other_forces, ", "));
    others = true;
  }
  return others;
}

py::dict forces(const PySimulation& self, const std::optional<std::vector<std::string>>& terms) {
  const bool others = !terms || needs_others(*terms);
  NodalForces forces;
  std::optional<NamedForces> named;
  self.alone([&](const Simulation& s) {
    if (others)
      std::tie(forces, named) = s.all_forces();
    else
      forces = s.forces();
  });
  const System& system = self.system();
  py::dict result;
  const auto add = [&](const char* name, const Points& values) {
    if (!terms || std::ranges::find(*terms, name) != terms->end()) result[name] = to_numpy(system.to_user(values));
  };
  add("elastic", forces.elastic);
  add("contact", forces.contact);
  add("friction", forces.friction);
  add("reaction", forces.reaction);
  if (!named) return result;
  add("gravity", named->gravity);
  add("loads", named->loads);
  add("springs", named->springs);
  add("damping", named->damping);
  add("spin", named->spin);
  add("ties", named->ties);
  add("inertia", named->inertia);
  return result;
}

py::dict forces_on_obstacles(const PySimulation& self) {
  const std::vector<ObstacleForces> all =
      self.alone([](const Simulation& s) { return obstacle_forces(s.system(), s.contact_forces()); });
  py::dict result;
  for (const ObstacleForces& one : all) {
    py::dict forces;
    forces["contact"] = to_numpy(one.contact);
    forces["friction"] = to_numpy(one.friction);
    result[py::str(names_of(self)[one.owner])] = forces;
  }
  return result;
}

// For tactile.py: points of a surface at rest and at present.
py::tuple placed(const PySimulation& self, const py::object& on) {
  const Index owner = owner_of(self, on, "on");
  const PlacedSurface surface =
      self.alone([&](const Simulation& s) { return placed_surface(s.system(), places_of(s, owner), owner); });
  return py::make_tuple(to_numpy(surface.rest), to_numpy(surface.now));
}

}  // namespace

void add_contacts(py::class_<PySimulation>& simulation) {
  simulation
      .def("contacts", &contacts,
           R"(Returns the contacts at the end of the last step, a structured array with a row for each pair that pushes.

- body_a, body_b: indices into contact_names, body_a <= body_b; an obstacle is b
- kind: the features of a and b, such as "vertex-face", "edge-edge", "vertex-plane"
- vertices_a, vertices_b (3,): of bodies as in positions, of obstacles as in their meshes; -1 for none
- weights_a, weights_b (3,): barycentric coordinates of the closest points
- point (3,): midway between the closest points [m]
- normal (3,): unit vector from b to a
- gap: distance less thickness [m]; negative where penalties overlap
- normal_force: along the normal on a, opposite on b [N]
- friction_force (3,): on a, opposite on b [N]
- slip_velocity (3,): tangential velocity of a relative to b [m/s], in statics the slip of the load step [m]
- area: weight of the pair in the integral of the pressure [m^2]
- rest_a, rest_b (3,): the closest points in the rest state [m]

Convergent contact has points inside faces as feature "sample". In a subspace, vertices are samples of the surfaces,
and faces lie between samples. Without a step, slip and friction are zero.)")
      .def_property_readonly(
          "contact_names", [](const PySimulation& self) { return py::tuple(py::cast(names_of(self))); },
          "Names of the bodies, then of the obstacles, a tuple of str.")
      .def("wrench", &wrench, py::arg("on"), py::arg("by") = py::none(), py::arg("about") = py::none(),
           R"(Returns the force (3,) [N] and moment (3,) [N m] of the contacts on a body or obstacle.

- on, by: names, or indices into contact_names. Without by, all contacts count.
- about (3,) [m]: the point of the moment. Default: the centre of mass of a body, the mean of an obstacle's vertices,
  the point of a plane)")
      .def("forces", &forces, py::arg("terms") = py::none(),
           R"(Returns nodal forces by name, each (n, 3) [N]. Together they add up to zero.

- elastic, contact, friction
- reaction: of prescribed vertices
- gravity: with accelerations of bodies
- loads: tractions, forces, pressures, moments, and forces of add_force()
- springs: pulls too
- damping
- spin: centrifugal, of a rotating frame
- ties: on tied vertices, and opposite ones on those that they follow
- inertia: minus the rate of momentum, with Coriolis and Euler forces of a rotating frame

In a subspace, and for affine bodies, the sum over a body that can translate is zero, not that at a vertex. Scenes
with a skeleton have only the first four. Reactions, ties and inertia are zero until the first step.

terms: names; without them all are computed. The first four take less time.)")
      .def("obstacle_forces", &forces_on_obstacles,
           R"(Returns forces on obstacles by name: {obstacle: {"contact": (n, 3), "friction": (n, 3)}} [N].

Rows are the vertices of the obstacle's mesh. A plane has one row, the sum.)")
      .def("_placed", &placed, py::arg("on"),
           "Returns points (n, 3) of a surface at rest and at present [m]: its vertices, or three of a plane.");
}

}  // namespace sinew::python
