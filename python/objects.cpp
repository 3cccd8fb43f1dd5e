// What sim.bodies, sim.obstacles and their like (sinew/objects.py) read of a Simulation.
#include "module.h"
#include "py_simulation.h"
#include <pybind11/stl.h>

#include "sinew/mesh/surface.h"
#include "sinew/potential/gas.h"

namespace sinew::python {
namespace {

template <int rows>
py::array numbers(const Eigen::Matrix<Index, rows, Eigen::Dynamic>& columns, Index begin, Index count, Index less) {
  py::array_t<Index> array({static_cast<py::ssize_t>(count), py::ssize_t{rows}});
  Index* out = array.mutable_data();
  for (Index c = begin; c < begin + count; ++c)
    for (int k = 0; k < rows; ++k) *out++ = columns(k, c) - less;
  return read_only(array);
}

py::list bodies(const System& s) {
  py::list list;
  for (const SystemBody& body : s.bodies) {
    py::dict one;
    one["name"] = body.name;
    one["begin"] = body.user_begin;
    one["count"] = body.vertex_count;
    one["tet_begin"] = body.tet_user_begin;
    one["tet_count"] = body.tet_count;
    list.append(one);
  }
  return list;
}

py::list obstacles(const System& s) {
  py::list list;
  const std::size_t first = s.bodies.size();
  for (std::size_t owner = first; owner < s.collision.owner_names.size(); ++owner) {
    py::dict one;
    one["name"] = s.collision.owner_names[owner];
    Index count = 0;
    for (Index v = s.body_vertex_count(); v < s.vertex_count(); ++v)
      count += s.collision.vertex_owner[v] == static_cast<Index>(owner);
    one["count"] = count;
    one["plane"] = std::ranges::any_of(
        s.collision.planes, [&](const CollisionMesh::Plane& p) { return p.owner == static_cast<Index>(owner); });
    list.append(one);
  }
  return list;
}

// Entries of the bodies' lists, in the order of the bodies: {"body", "entry", ...}.
class Entries {
 public:
  explicit Entries(const System& s) : s_(s) {}

  py::list fixes() const {
    py::list list;
    for (std::size_t b = 0; b < s_.bodies.size(); ++b)
      for (std::size_t k = 0; k < s_.bodies[b].fixes.size(); ++k) {
        const FixEntry& fix = s_.bodies[b].fixes[k];
        if (fix.symmetry) continue;
        std::vector<Index> ids = fix.vertices;
        for (Index& id : ids) id += s_.bodies[b].user_begin;
        list.append(entry(static_cast<Index>(b), static_cast<Index>(k), "vertices", ids, fix.name));
      }
    return list;
  }

  py::list loads() const {
    py::list list;
    for (std::size_t k = 0; k < s_.loads.size(); ++k)
      list.append(entry(s_.loads[k].body, s_.loads[k].entry, "numbers", {static_cast<Index>(k)},
                        name_at(s_.bodies[s_.loads[k].body].load_names, s_.loads[k].entry)));
    return list;
  }

  py::list springs() const {
    std::map<std::pair<Index, Index>, std::vector<Index>> numbers;
    for (std::size_t k = 0; k < s_.scene_spring_count(); ++k)
      if (s_.springs[k].entry >= 0) numbers[{s_.springs[k].body, s_.springs[k].entry}].push_back(static_cast<Index>(k));
    py::list list;
    for (const auto& [key, ids] : numbers)
      list.append(entry(key.first, key.second, "numbers", ids, name_at(s_.bodies[key.first].spring_names, key.second)));
    return list;
  }

 private:
  static std::string name_at(const std::vector<std::string>& names, Index entry) {
    return entry >= 0 && entry < static_cast<Index>(names.size()) ? names[entry] : "";
  }

  py::dict entry(Index body, Index number, const char* key, const std::vector<Index>& ids,
                 const std::string& name) const {
    py::dict one;
    one["name"] = name;
    one["body"] = s_.bodies[body].name;
    one["entry"] = number;
    one[key] = read_only(py::array_t<Index>(static_cast<py::ssize_t>(ids.size()), ids.data()));
    return one;
  }

  const System& s_;
};

py::dict outline(const PySimulation& self) {
  const System& s = self.system();
  py::dict result;
  result["bodies"] = bodies(s);
  result["obstacles"] = obstacles(s);
  const Entries entries(s);
  result["fixes"] = entries.fixes();
  result["loads"] = entries.loads();
  result["springs"] = entries.springs();
  py::list ties;
  for (const Tie& tie : s.ties) ties.append(py::make_tuple(s.bodies[tie.body].name, s.bodies[tie.to].name, tie.name));
  result["ties"] = ties;
  py::list sensors;
  for (const Sensor& sensor : s.sensors) sensors.append(sensor.name);
  result["sensors"] = sensors;
  py::list materials;
  for (const std::string& name : s.material_names) materials.append(name);
  result["materials"] = materials;
  result["steps"] = s.setup.time.steps;
  result["static"] = s.setup.time.integrator == Integrator::statics;
  return result;
}

const SystemBody& body_at(const System& s, int number) {
  if (number < 0 || number >= static_cast<int>(s.bodies.size()))
    fail_input(code::argument, "bodies: found {}, expected 0 to {}", number, s.bodies.size() - 1);
  return s.bodies[number];
}

// Constant arrays of a body, in the numbering of its mesh.
py::dict body_mesh(const PySimulation& self, int number) {
  const System& s = self.system();
  const SystemBody& body = body_at(s, number);
  Points mass = Points::Zero(3, s.body_vertex_count());
  for (Index v = 0; v < s.dynamic_count; ++v) mass(0, v) = s.mass[v];
  const Points by_user = s.to_user(mass);
  py::array_t<double> masses(body.vertex_count);
  for (Index i = 0; i < body.vertex_count; ++i) masses.mutable_at(i) = by_user(0, body.user_begin + i);
  Triangles surface = s.user_triangles.middleCols(body.triangle_begin, body.triangle_count);
  if (body.triangle_count == 0)
    surface = boundary_triangles(s.user_tets.middleCols(body.tet_user_begin, body.tet_count));
  py::dict result;
  result["rest"] = read_only(to_numpy(s.user_rest.middleCols(body.user_begin, body.vertex_count)));
  result["mass"] = read_only(masses);
  result["tets"] = numbers<4>(s.user_tets, body.tet_user_begin, body.tet_count, body.user_begin);
  result["surface"] = numbers<3>(surface, 0, static_cast<Index>(surface.cols()), body.user_begin);
  return result;
}

// Values of the body's vertices, in the numbering of its mesh.
Points of_body(const System& s, const SystemBody& body, const Points& values, bool at_rest) {
  Points result = at_rest ? Points(s.user_rest.middleCols(body.user_begin, body.vertex_count))
                          : Points(Points::Zero(3, body.vertex_count));
  for (Index v = 0; v < s.body_vertex_count(); ++v) {
    const Index user = s.vertex_to_user[v] - body.user_begin;
    if (s.vertex_to_user[v] >= 0 && user >= 0 && user < body.vertex_count) result.col(user) = values.col(v);
  }
  return result;
}

py::array body_positions(const PySimulation& self, int number) {
  return read_only(to_numpy(self.alone([&](const Simulation& sim) -> Points {
    return of_body(sim.system(), body_at(sim.system(), number), sim.state().x, true);
  })));
}

py::array body_velocities(const PySimulation& self, int number) {
  return read_only(to_numpy(self.alone([&](const Simulation& sim) -> Points {
    return of_body(sim.system(), body_at(sim.system(), number), sim.state().v, false);
  })));
}

py::array_t<double> three(const Vec3& v) {
  return py::array_t<double>(py::ssize_t{3}, v.data());
}

double body_mass(const PySimulation& self, int number) {
  body_at(self.system(), number);
  return self.alone([&](const Simulation& sim) { return sim.body_mass(number); });
}

// Centres of mass now and at rest, and the moments sum m (x - c)(X - C)^T.
py::tuple body_place(const PySimulation& self, int number) {
  body_at(self.system(), number);
  const BodyPlace place = self.alone([&](const Simulation& sim) { return sim.body_place(number); });
  py::array_t<double> moments({py::ssize_t{3}, py::ssize_t{3}});
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) moments.mutable_at(i, k) = place.moments(i, k);
  return py::make_tuple(three(place.center), three(place.rest_center), moments);
}

// Linear momentum, angular momentum about the centre of mass, and kinetic energy.
py::tuple body_momenta(const PySimulation& self, int number) {
  body_at(self.system(), number);
  const BodyMomenta sum = self.alone([&](const Simulation& sim) { return sim.body_momenta(number); });
  return py::make_tuple(three(sum.linear), three(sum.angular), sum.kinetic);
}

// Volume, pressure above the ambient one, amount and energy of a gas, counted over all loads.
py::tuple gas_now(const PySimulation& self, std::size_t number) {
  const GasState gas = self.alone([&](const Simulation& sim) {
    const System& s = sim.system();
    if (number >= s.loads.size() || s.loads[number].kind != LoadKind::gas)
      fail_input(code::argument, "loads: load {} is no gas; volume, pressure, amount and energy are those of a gas",
                 number);
    return gas_state(s, s.loads[number], sim.state().x, sim.time());
  });
  return py::make_tuple(gas.volume, gas.pressure, gas.amount, gas.energy);
}

// Vertices of a mesh in its own numbering, or the plane's point and normal.
py::object obstacle_now(const PySimulation& self, int number) {
  const System& s = self.system();
  const Index owner = static_cast<Index>(s.bodies.size()) + number;
  if (number < 0 || owner >= s.collision.owner_count)
    fail_input(code::argument, "obstacles: found {}, expected 0 to {}", number,
               s.collision.owner_names.size() - s.bodies.size() - 1);
  for (std::size_t p = 0; p < s.collision.planes.size(); ++p) {
    if (s.collision.planes[p].owner != owner) continue;
    const PlaneState plane = self.alone([&](const Simulation& sim) { return sim.state().planes[p]; });
    return py::make_tuple(py::array_t<double>(py::ssize_t{3}, plane.point.data()),
                          py::array_t<double>(py::ssize_t{3}, plane.normal.data()));
  }
  const Points x = self.alone([&](const Simulation& sim) -> Points {
    Index count = 0;
    for (Index v = s.body_vertex_count(); v < s.vertex_count(); ++v)
      if (s.collision.vertex_owner[v] == owner)
        count = std::max(count, s.obstacle_vertex_to_own[v - s.body_vertex_count()] + 1);
    Points own = Points::Zero(3, count);
    for (Index v = s.body_vertex_count(); v < s.vertex_count(); ++v)
      if (s.collision.vertex_owner[v] == owner)
        own.col(s.obstacle_vertex_to_own[v - s.body_vertex_count()]) = sim.state().x.col(v);
    return own;
  });
  return read_only(to_numpy(x));
}

py::dict settings(const PySimulation& self) {
  const Json json = self.alone([&](const Simulation&) { return self.controls().settings(); });
  py::dict result;
  for (const auto& [key, setting] : json.items()) result[py::str(key)] = to_python(setting["value"]);
  return result;
}

void set(PySimulation& self, const std::string& key, const py::object& value) {
  LiveEvent event;
  event.action = LiveAction::set;
  event.key = key;
  event.value = from_python(value);
  self.alone([&](Simulation&) { self.controls().apply(event); });
}

}  // namespace

void add_objects(py::class_<PySimulation>& simulation) {
  simulation
      .def("settings", &settings,
           R"(Returns the numbers that can change between steps, by their keys in the scene file: {"gravity": [...],
"materials.rubber.young": ...}. Parameters that vary over tets are not in it.)")
      .def("set", &set, py::arg("key"), py::arg("value"),
           "Sets one of settings() by its key between steps. Raises InputError naming the known keys.")
      .def("_outline", &outline)
      .def("_gas", &gas_now, py::arg("number"))
      .def("_body_mesh", &body_mesh, py::arg("body"))
      .def("_body_positions", &body_positions, py::arg("body"))
      .def("_body_velocities", &body_velocities, py::arg("body"))
      .def("_body_mass", &body_mass, py::arg("body"))
      .def("_body_place", &body_place, py::arg("body"))
      .def("_body_momenta", &body_momenta, py::arg("body"))
      .def("_obstacle", &obstacle_now, py::arg("obstacle"));
}

}  // namespace sinew::python
