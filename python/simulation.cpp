// Simulation: a running scene.
#include "sinew/dynamics/simulation.h"

#include <algorithm>
#include <filesystem>

#include "module.h"
#include "py_live.h"
#include "py_simulation.h"
#include <pybind11/stl.h>

#include "sinew/model/live_scalars.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew::python {

py::object PySimulation::step(int count) {
  if (count < 1) fail_input(code::argument, "step: found {} steps, expected at least 1", count);
  StepReport report;
  std::vector<Sensor> sensors;
  for (int k = 0; k < count; ++k) {
    if (k > 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();  // a step may be over before it asks
    as_python_interrupt([&] {
      if (stopped_) throw Interrupted("the step was interrupted");
      alone([&](Simulation& simulation) {
        if (live_) live_->before_step();
        report = simulation.step();
        sensors = simulation.system().sensors;
        if (live_)
          live_->after_step(report);
        else if (!report.error)
          report.error = simulation.error(report);
      });
    });
    if (live_) live_->tell();
  }
  return to_python(step_row(report, sensors));
}

namespace {

Vec3 vector_of(const py::handle& value, const char* what) {
  const DoubleArray array = real_array(value, what);
  if (array.ndim() != 1 || array.size() != 3)
    fail_input(code::argument, "{}: found shape {}, expected (3,)", what, shape_text(array));
  return {array.at(0), array.at(1), array.at(2)};
}

void set_scalar(PySimulation& self, const LiveScalar& scalar, const py::object& value) {
  LiveEvent event;
  event.action = LiveAction::set;
  event.key = scalar.key;
  if (scalar.size > 1) {
    const Vec3 vector = vector_of(value, scalar.key);
    if (!vector.allFinite())
      fail_input(code::argument, "{}: found ({:g}, {:g}, {:g}), expected three finite numbers", scalar.key, vector[0],
                 vector[1], vector[2]);
    event.value = {vector[0], vector[1], vector[2]};
  } else {
    const DoubleArray number = real_array(value, scalar.key);
    if (number.ndim() != 0)
      fail_input(code::argument, "{}: found shape {}, expected a number", scalar.key, shape_text(number));
    event.value = *number.data();
  }
  self.alone([&](Simulation&) { self.controls().apply(event); });
}

// set_NAME of each number that can change between steps.
void add_scalars(py::class_<PySimulation>& simulation) {
  for (const LiveScalar& scalar : live_scalars()) {
    const std::string unit = *scalar.unit ? fmt::format(" [{}]", scalar.unit) : "";
    const std::string text =
        fmt::format("Sets {}{} between steps.{}{}", scalar.key, unit, *scalar.effect ? " " : "", scalar.effect);
    simulation.def(
        fmt::format("set_{}", scalar.name).c_str(),
        [&scalar](PySimulation& self, const py::object& value) { set_scalar(self, scalar, value); },
        py::arg(scalar.argument), text.c_str());
  }
}

// Numbers of any kind that numpy holds; the rest as JSON.
Json material_value(const py::handle& value, const std::string& key) {
  if (value.is_none() || py::isinstance<py::str>(value)) return from_python(value);
  if (py::isinstance<py::dict>(value)) {
    Json object = Json::object();
    for (const auto& [inner, item] : py::reinterpret_borrow<py::dict>(value)) {
      const std::string name = py::str(inner);
      object[name] = material_value(item, key + "." + name);
    }
    return object;
  }
  const DoubleArray array = real_array(value, key);
  if (array.size() == 1) return *array.data();
  return from_python(array.attr("tolist")());
}

// Python's names of keys that are no keywords, as in sinew.Material.
std::string material_key(const std::string& name) {
  if (name == "lambda_") return "lambda";
  if (name == "fiber_stiffness") return "fiber.stiffness";
  if (name == "fiber_direction") return "fiber.direction";
  return name;
}

void set_material(PySimulation& self, const std::string& name, const py::kwargs& parameters) {
  LiveEvent event;
  event.action = LiveAction::set;
  event.key = "materials." + name;
  event.value = Json::object();
  for (const auto& [key, value] : parameters) {
    const std::string own = material_key(py::cast<std::string>(key));
    event.value[own] = material_value(value, own);
  }
  self.alone([&](Simulation&) { self.controls().apply(event); });
}

// Pulls of scripts are those of viewer 0, numbered by their vertices.
void pull(PySimulation& self, int vertex, const py::object& target, std::optional<double> stiffness) {
  LiveEvent event;
  event.action = LiveAction::pull;
  event.id = event.vertex = vertex;
  event.target = vector_of(target, "target");
  if (stiffness && !(*stiffness > 0))
    fail_input(code::argument, "stiffness: found {}, expected a positive number [N/m]", *stiffness);
  event.stiffness = stiffness.value_or(0);
  self.alone([&](Simulation&) { self.controls().apply(event); });
}

void release_pulls(PySimulation& self, std::optional<int> vertex) {
  const Index count = self.system().user_vertex_count;
  if (vertex && (*vertex < 0 || *vertex >= count))
    fail_input(code::argument, "release: found vertex {}, expected 0 to {}", *vertex, count - 1);
  self.alone([&](Simulation&) {
    for (LiveEvent& event : self.controls().releases(0))
      if (!vertex || event.id == *vertex) self.controls().apply(event);
  });
}

std::pair<double, double> set_method(PySimulation& self, const std::string& name) {
  LiveEvent event;
  event.action = LiveAction::method;
  event.key = name;
  StateLoss loss;
  self.alone([&](Simulation&) {
    self.controls().apply(event);
    loss = self.controls().loss();
  });
  return {loss.position, loss.velocity};
}

void release_vertices(PySimulation& self, const py::object& vertices) {
  const std::vector<Index> own = vertices_of(self.system(), vertices, "unfix");
  self.alone([&](Simulation& s) { s.release(own); });
}

void hold_vertices(PySimulation& self, const py::object& vertices) {
  const std::vector<Index> own = vertices_of(self.system(), vertices, "fix");
  self.alone([&](Simulation& s) { s.hold(own); });
}

py::array positions(const PySimulation& self) {
  const System& system = self.system();
  return read_only(to_numpy(
      self.alone([&](const Simulation& s) -> Points { return system.to_user(s.state().x, &system.user_rest); })));
}

py::array velocities(const PySimulation& self) {
  return read_only(
      to_numpy(self.alone([&](const Simulation& s) -> Points { return self.system().to_user(s.state().v); })));
}

void set_positions(PySimulation& self, const py::object& values) {
  const Points x = self.system().from_user(
      from_numpy(real_array(values, "positions"), self.system().user_vertex_count, "positions"));
  self.alone([&](Simulation& s) { s.set_positions(x); });
}

void set_velocities(PySimulation& self, const py::object& values) {
  const Points v = self.system().from_user(
      from_numpy(real_array(values, "velocities"), self.system().user_vertex_count, "velocities"));
  self.alone([&](Simulation& s) { s.set_velocities(v); });
}

// Throws where the method has none.
const ReducedBasis& subspace_of(const Simulation& s) {
  if (const ReducedBasis* basis = s.subspace()) return *basis;
  fail_input(
      code::method,
      "method \"{}\" with solver.subspace \"{}\" has no reduced coordinates; use \"mixed\" or \"reduced\" with another "
      "subspace than \"full\"",
      s.system().setup.solver.method, s.system().setup.solver.subspace);
}

py::array reduced_coordinates(const PySimulation& self) {
  const VecX q = self.alone([](const Simulation& s) {
    subspace_of(s);
    return s.coordinates();
  });
  return read_only(py::array_t<double>(q.size(), q.data()));
}

void set_reduced_coordinates(PySimulation& self, const py::object& values) {
  const py::array_t<double> array = real_array(values, "reduced_coordinates");
  if (array.ndim() != 1)
    fail_input(code::argument, "reduced_coordinates: found an array of {} dimensions, expected one", array.ndim());
  VecX q(array.size());
  for (py::ssize_t i = 0; i < array.size(); ++i) q[static_cast<Eigen::Index>(i)] = array.at(i);
  self.alone([&](Simulation& s) {
    subspace_of(s);
    s.set_coordinates(q);
  });
}

// (n, k) in the user's numbering; zero at unused nodes.
py::array_t<double> dense_weights(const System& system, const HandleBasis& basis) {
  py::array_t<double> result(
      {static_cast<py::ssize_t>(system.user_vertex_count), static_cast<py::ssize_t>(basis.handle_count())});
  std::fill_n(result.mutable_data(), result.size(), 0.0);
  auto out = result.mutable_unchecked<2>();
  for (Index v = 0; v < system.body_vertex_count(); ++v)
    if (const Index user = system.vertex_to_user[v]; user >= 0)
      for (const auto& [handle, weight] : handle_row(basis, system.embedding, v)) out(user, handle) = weight;
  return result;
}

py::array to_array(const MatX& values) {
  const auto rows = static_cast<py::ssize_t>(values.rows()), columns = static_cast<py::ssize_t>(values.cols());
  py::array_t<double, py::array::f_style> array({rows, columns});
  std::copy_n(values.data(), values.size(), array.mutable_data());
  return values.cols() == 1 ? py::array(array.reshape({rows})) : py::array(array);
}

void add_points(const ReducedBasis& basis, const System& system, py::dict& result) {
  std::vector<Index> tets;
  for (const Index t : basis.cubature.tets) tets.push_back(system.tet_to_user[t]);
  result["tets"] = py::array_t<Index>(static_cast<py::ssize_t>(tets.size()), tets.data());
  result["tet_weights"] =
      py::array_t<double>(static_cast<py::ssize_t>(basis.cubature.weights.size()), basis.cubature.weights.data());
}

// What moves with a substructure, of the user's vertices: its own, and those that follow them.
std::vector<Index> shown_vertices(const Substructure& part, const System& system) {
  std::vector<Index> shown;
  for (const Index v : part.vertices)
    if (system.vertex_to_user[v] >= 0) shown.push_back(v);
  for (Index v = system.dynamic_count; v < system.body_vertex_count(); ++v)
    if (system.vertex_to_user[v] >= 0 && std::ranges::binary_search(part.vertices, system.embedding.row(v)[0].vertex))
      shown.push_back(v);
  return shown;
}

// A mode of a substructure over all vertices of bodies, zero elsewhere.
Points mode_of(const Substructure& part, Index mode, const System& system) {
  Points u = Points::Zero(3, system.body_vertex_count());
  for (Index v = 0; v < part.vertex_count(); ++v) u.col(part.vertices[v]) = part.modes.col(mode).segment<3>(3 * v);
  system.embedding.place(u);
  return u;
}

// Modes of all substructures as columns over the user's vertices.
py::array all_modes(const ReducedBasis& basis, const System& system) {
  py::ssize_t columns = 0;
  for (const Substructure& part : basis.parts) columns += part.mode_count();
  const auto rows = static_cast<py::ssize_t>(3) * system.user_vertex_count;
  py::array_t<double, py::array::f_style> modes({rows, columns});
  double* out = modes.mutable_data();
  for (const Substructure& part : basis.parts)
    for (Index s = 0; s < part.mode_count(); ++s, out += rows) {
      const Points user = system.to_user(mode_of(part, s, system));
      std::copy_n(user.data(), rows, out);
    }
  return modes;
}

py::dict substructure(const Substructure& part, const ReducedBasis& basis, const System& system) {
  py::dict result;
  std::vector<Index> vertices, tets;
  const std::vector<Index> shown = shown_vertices(part, system);
  for (const Index v : shown) vertices.push_back(system.vertex_to_user[v]);
  MatX modes(3 * shown.size(), part.mode_count());
  for (Index s = 0; s < part.mode_count(); ++s) {
    const Points u = mode_of(part, s, system);
    for (std::size_t i = 0; i < shown.size(); ++i) modes.col(s).segment<3>(3 * static_cast<Index>(i)) = u.col(shown[i]);
  }
  for (const Index point : part.points) tets.push_back(system.tet_to_user[basis.cubature.tets[point]]);
  result["vertices"] = py::array_t<Index>(static_cast<py::ssize_t>(vertices.size()), vertices.data());
  result["tets"] = py::array_t<Index>(static_cast<py::ssize_t>(tets.size()), tets.data());
  result["modes"] = to_array(modes);
  result["values"] = to_array(part.quotients);
  result["floats"] = part.floats;
  result["center"] = to_array(part.center);
  result["poses"] = to_array(part.poses);
  result["forces"] = to_array(part.forces);
  result["training_error"] = part.training_error;
  result["mode_weights"] = to_array(part.point_weights);
  return result;
}

py::dict subspace(const PySimulation& self) {
  const ReducedBasis& basis = *self.alone([](const Simulation& s) { return &subspace_of(s); });
  const System& system = self.system();
  py::dict result;
  if (basis.is_dense()) {
    py::list parts;
    for (const Substructure& part : basis.parts) parts.append(substructure(part, basis, system));
    result["substructures"] = parts;
    if (basis.parts.size() == 1) {
      for (const char* key : {"values", "poses", "forces", "training_error", "mode_weights"})
        result[key] = parts[0][key];
      result["modes"] = all_modes(basis, system);
    }
    add_points(basis, system, result);
    return result;
  }
  if (basis.sets.size() == 1) {
    result["weights"] = dense_weights(system, basis.sets[0].free);
  } else {
    py::list axes;
    for (const int set : basis.set) axes.append(dense_weights(system, basis.sets[set].free));
    result["weights"] = py::module_::import("numpy").attr("stack")(axes);
  }
  const HandleBasis& handles = basis.sets[0].free;
  Points centers(3, handles.handle_count());
  for (Index i = 0; i < handles.handle_count(); ++i) centers.col(i) = handles.center[i];
  result["centers"] = to_numpy(centers);
  result["radii"] = py::array_t<double>(static_cast<py::ssize_t>(handles.radius.size()), handles.radius.data());
  result["eigenvalues"] =
      py::array_t<double>(static_cast<py::ssize_t>(basis.eigenvalues.size()), basis.eigenvalues.data());
  add_points(basis, system, result);
  return result;
}

// Vectors become arrays.
py::object sensors_by_name(const PySimulation& self) {
  const Json json = self.alone([](const Simulation& s) { return sensor_json(s.system().sensors, s.sensors()); });
  py::dict result;
  for (const auto& [sensor, readings] : json.items()) {
    py::dict own;
    for (const auto& [reading, value] : readings.items())
      own[py::str(reading)] = value.is_array() ? py::object(py::array_t<double>(to_python(value))) : to_python(value);
    result[py::str(sensor)] = own;
  }
  return std::move(result);
}

py::object energies_by_name(const PySimulation& self) {
  return to_python(to_json(self.alone([](const Simulation& s) { return s.energies(); })));
}

}  // namespace
}  // namespace sinew::python

namespace sinew::python {

void add_simulation(py::module_& m) {
  py::class_<PySimulation> simulation(m, "Simulation",
                                      R"(The simulation of a scene.

Arrays over vertices list the vertices of the bodies, body by body in scene order. Within a body, vertices are
numbered as in its mesh file.)");
  add_scalars(simulation);
  add_analyses(simulation);
  add_state(m, simulation);
  add_objects(simulation);
  add_part_values(simulation);
  add_contacts(simulation);
  add_control(simulation);
  add_render(simulation);
  simulation
      .def(py::init<const py::object&, const py::object&>(), py::arg("scene"), py::arg("base_dir") = ".",
           R"(Builds a scene from the path of a scene file, a Scene, or a dict with the keys of a scene file.

A dict may hold meshes and materials as objects: {"mesh": mesh}. Relative paths in a dict start at base_dir.
Raises InputError if the scene is invalid.)")
      .def("step", &PySimulation::step, py::arg("count") = 1,
           R"(Takes time steps, or load steps in statics. Returns the row of steps.jsonl for the last one.

A step that does not converge raises no error: check row["converged"]. Ctrl-C raises KeyboardInterrupt and
restores the state before the step. Raises SimulationError if the simulation cannot continue.)")
      .def("_set_stopped", &PySimulation::set_stopped, py::arg("stopped"))  // for Batch and rollout()
      .def_property("positions", &positions, &set_positions,
                    R"(Positions of the vertices, (n, 3) [m], a read-only copy.

Assign an array to set the positions; the next step of BDF2 then starts without its history. Raises InputError
for positions that intersect, that invert a tet whose material forbids this, or that move prescribed vertices.)")
      .def_property("velocities", &velocities, &set_velocities,
                    R"(Velocities of the vertices, (n, 3) [m/s], a read-only copy.

Assign an array to set the velocities; the next step of BDF2 then starts without its history. Prescribed
vertices keep the velocities of their motions.)")
      .def_property("reduced_coordinates", &reduced_coordinates, &set_reduced_coordinates,
                    R"(Coordinates of the methods mixed and reduced, (r,), a read-only copy.

Each handle has 12 coordinates: the columns of the 3 x 4 matrix A in its displacement w A [1, (X - center) /
radius]. With modes in place of handles, each substructure has one coordinate for each mode. If it floats, the
shift [m] and rotation vector [rad] of its frame come first. Assign an array to set the coordinates; the next
step of BDF2 then starts without its history. Raises InputError for other methods.)")
      .def_property_readonly("subspace", &subspace,
                             R"(The subspace of the methods mixed and reduced, a dict.

- tets (c,), tet_weights (c,): cubature points and their weights over rest volumes

With handles:

- weights (n, k), or (3, n, k) if vertices are fixed along some axes only
- centers (k, 3) [m], radii (k,) [m]: of the handles
- eigenvalues (k,) [1/s^2]: of skinning eigenmodes; (0,) for other handles

With modes, substructures is a list of dicts, each with:

- vertices (n,), modes (3 n, k): orthonormal in the mass
- values (k,) [1/s^2]: of the modes
- floats, center (3,) [m]: whether the substructure has a frame, and the centre of this frame
- tets (c,), mode_weights (c, k): cubature points and weights
- poses, forces (k, t), training_error: training data of the weights, and the error of the weights

If there is only one substructure, its entries are in the outer dict too, with modes over all vertices. Raises
InputError for other methods.)")
      .def("energies", &energies_by_name, "Returns energies by name [J].")
      .def("sensors", &sensors_by_name,
           R"(Returns the sensors of the scene at the current state: {sensor: {quantity: value}}. Vectors are arrays.)")
      .def("set_material", &set_material, py::arg("name"),
           R"(Changes keys of a material of the scene between steps. Other keys keep their values.

A parameter is a number, such as young=2e5, or an array with a number for each tet of the material. Set fibers
by fiber={"stiffness": 1e6, "direction": [1, 0, 0]}, or change them by fiber_stiffness or fiber_direction alone.
fiber=None removes them. Set curves of the model spline by a={"x": [...], "dy": [...]}, with rest="exact" or
"mend". The density cannot change. An invalid value raises InputError and changes nothing.)")
      .def("set_method", &set_method, py::arg("name"),
           R"(Switches the method between steps; "auto" chooses as at the start of a scene.

A new subspace may not represent the present state exactly. Returns the largest changes of a position [m] and of
a velocity [m/s] that this causes, 0 in full space. If the new method cannot start from this state, raises
InputError and keeps the old method.)")
      .def("pull", &pull, py::arg("vertex"), py::arg("target"), py::arg("stiffness") = py::none(),
           R"(Pulls a vertex to target (3,) [m] by a spring, from the next step on.

Call it again to move the target. The default stiffness [N/m] suits the body's mass and the time step. Raises
InputError for an unknown vertex.)")
      .def("release", &release_pulls, py::arg("vertex") = py::none(),
           "Ends the pull of a vertex, or all pulls. Raises InputError for an unknown vertex.")
      .def("fix", &hold_vertices, py::arg("vertices"),
           R"(Fixes vertices at their present positions until unfix(). The data of the method are built again.

vertices: ids (k,), or a mask with an entry for each vertex. Raises InputError for unknown vertices. Also raises
InputError for methods in a subspace, since its basis depends on the prescribed vertices. Use pull() with these
methods.)")
      .def("unfix", &release_vertices, py::arg("vertices"),
           R"(Releases prescribed vertices: ids (k,), or a mask with an entry for each vertex.

Vertices that are not prescribed stay free. Raises InputError for unknown vertices.)")
      .def(
          "set_load",
          [](PySimulation& self, std::size_t load, const py::object& vector, std::optional<double> pressure) {
            const Vec3 v = vector.is_none() ? Vec3(Vec3::Zero()) : vector_of(vector, "vector");
            self.alone([&](Simulation& s) {
              require_load_values(s.system(), load, !vector.is_none(), pressure.has_value());
              s.edit(LoadEdit{load, v, pressure.value_or(0)});
            });
          },
          py::arg("load"), py::arg("vector") = py::none(), py::arg("pressure") = py::none(),
          R"(Changes a load between steps. `load` counts the loads of the scene from 0, in the order of its bodies.

vector (3,) is the new traction [Pa] or force [N], pressure the new pressure [Pa]. Raises InputError for a value
that does not suit the kind of this load.)")
      .def(
          "set_spring",
          [](PySimulation& self, std::size_t spring, const py::object& point, double stiffness) {
            const Vec3 p = vector_of(point, "point");
            self.alone([&](Simulation& s) { s.edit(SpringEdit{spring, p, stiffness}); });
          },
          py::arg("spring"), py::arg("point"), py::arg("stiffness"),
          R"(Changes a spring between steps. `spring` counts the springs of the scene from 0, one for each vertex.

point (3,) [m] is the new fixed end of the spring, stiffness [N/m] its new stiffness.)")
      .def_property(
          "time", [](const PySimulation& self) { return self.alone([](const Simulation& s) { return s.time(); }); },
          [](PySimulation& self, double time) { self.alone([&](Simulation& s) { s.set_time(time); }); },
          R"(Simulated time [s]. In statics, the share of the load that is applied.

Assign a number to change the time, on which motions, loads and releases of the scene depend. Targets and added
forces move along. Raises InputError in statics.)")
      .def("save", &PySimulation::save, py::arg("path"),
           R"(Writes a checkpoint with the scene, all later changes, and the state.

Raises InputError if the folder does not exist, and SimulationError if writing fails.)")
      .def_static("load", &PySimulation::load, py::arg("path"),
                  R"(Loads a checkpoint of save() or `sinew run`. The simulation continues bit for bit.

Raises InputError if the file is missing or invalid.)");
}

}  // namespace sinew::python
