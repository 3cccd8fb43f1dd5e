// Simulation: a running scene.
#include "sinew/dynamics/simulation.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "engine_call.h"
#include "module.h"
#include <pybind11/stl.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/initial_state.h"
#include "sinew/io/report_rows.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/scene/scene.h"

namespace sinew::python {
namespace {

namespace fs = std::filesystem;

// A Simulation with the scene it came from.
class PySimulation {
 public:
  PySimulation(const py::object& scene, const py::object& base) {
    const std::string base_dir = path_text(base, "base_dir");
    const bool is_path = py::isinstance<py::str>(scene) || py::hasattr(scene, "__fspath__");
    if (is_path) {
      const std::string path = path_text(scene, "scene");
      interruptible([&] { build(read_scene(path, {}, hooks()), fs::absolute(path).parent_path().string()); });
    } else {
      const nlohmann::json json = from_python(scene);
      interruptible([&] { build(parse_scene(json, base_dir, "scene", hooks()), fs::absolute(base_dir).string()); });
    }
  }

  // From a checkpoint of this class or of `sinew run`.
  static std::unique_ptr<PySimulation> load(const py::object& file) {
    const std::string path = path_text(file, "load");
    std::unique_ptr<PySimulation> loaded(new PySimulation);
    interruptible([&] {
      const SceneText text = checkpoint_scene(path);
      const nlohmann::json json = nlohmann::json::parse(text.completed.dump());
      Scene scene = parse_scene(json, text.base_folder, path, loaded->hooks());
      if (!scene.initial.path.empty()) scene.initial = {path};  // the file it once started from is not needed any more
      loaded->build(std::move(scene), text.base_folder);
      load_checkpoint(path, loaded->text_, *loaded->simulation_);
    });
    return loaded;
  }

  // f(simulation) without the GIL and with no other thread inside; one that comes meanwhile waits. The GIL goes before
  // the lock is taken: a step that asks for it (signalled()) waits for no thread that waits for the step.
  template <class F>
  auto alone(F&& f) const {
    if (inside_ == std::this_thread::get_id()) {
      throw SimulationError(
          "found a call from within step() of the same simulation, as from a signal handler; let step() return first");
    }
    const EngineCall call;
    const std::lock_guard<std::mutex> lock(mutex_);
    const Inside inside(inside_);
    return f(*simulation_);
  }

  void save(const py::object& file) const {
    const std::string path = path_text(file, "save");
    require_folder_of(path);
    alone([&](const Simulation& simulation) { write_checkpoint(path, text_, simulation); });
  }

  py::object step() {
    StepReport report;
    as_python_interrupt([&] { alone([&](Simulation& simulation) { report = simulation.step(); }); });
    return to_python(step_row(report));
  }

  const System& system() const { return simulation_->system(); }

 private:
  using ThreadId = std::atomic<std::thread::id>;

  // Marks this thread as the one inside.
  class Inside {
   public:
    explicit Inside(ThreadId& id) : id_(id) { id_ = std::this_thread::get_id(); }
    ~Inside() { id_ = std::thread::id(); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    ThreadId& id_;
  };

  PySimulation() = default;

  // Raises what a signal handler of Python raised in place of Interrupted.
  template <class F>
  static void as_python_interrupt(F&& f) {
    try {
      f();
    } catch (const Interrupted&) {
      if (PyErr_Occurred()) throw py::error_already_set();
      throw;
    }
  }

  // Long work without the GIL.
  template <class F>
  static void interruptible(F&& f) {
    as_python_interrupt([&] {
      const EngineCall call;
      f();
    });
  }

  ReadingHooks hooks() {
    return {[this] { return signalled(); }, {}};
  }

  void build(Scene scene, const std::string& base_folder) {
    text_ = {scene.completed, base_folder, "", ""};
    const std::shared_ptr<System> system = build_system(scene);
    simulation_ = start_simulation(system, scene.initial, scene.source);
    simulation_->allow_changes(system);
    simulation_->set_interrupt([this] { return signalled(); });
  }

  // Whether a signal handler of Python (Ctrl-C) wants the step to end, or the interpreter ends. The former is asked at
  // most every 50 ms: it takes the GIL.
  bool signalled() {
    constexpr double interval = 0.05;
    if (must_end()) return true;
    if (since_check_.seconds() < interval) return false;
    since_check_.restart();
    py::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
  }

  SceneText text_;
  std::unique_ptr<Simulation> simulation_;
  Stopwatch since_check_;
  mutable std::mutex mutex_;
  mutable ThreadId inside_{};
};

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
  fail_input("method \"{}\" with solver.subspace \"{}\" has no reduced coordinates; use \"mixed\" or \"reduced\" with another "
             "subspace than \"full\"", s.system().setup.solver.method, s.system().setup.solver.subspace);
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
  if (array.ndim() != 1) fail_input("reduced_coordinates: found an array of {} dimensions, expected one", array.ndim());
  VecX q(array.size());
  for (py::ssize_t i = 0; i < array.size(); ++i) q[static_cast<Eigen::Index>(i)] = array.at(i);
  self.alone([&](Simulation& s) {
    subspace_of(s);
    s.set_coordinates(q);
  });
}

// (n, k) in the user's numbering; zero at unused nodes.
py::array_t<double> dense_weights(const System& system, const HandleBasis& basis) {
  py::array_t<double> result({static_cast<py::ssize_t>(system.user_vertex_count),
                              static_cast<py::ssize_t>(basis.handle_count())});
  std::fill_n(result.mutable_data(), result.size(), 0.0);
  auto out = result.mutable_unchecked<2>();
  for (Index v = 0; v < system.dynamic_count; ++v)
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e)
      out(system.vertex_to_user[v], basis.handle[e]) = basis.weight[e];
  return result;
}

py::dict subspace(const PySimulation& self) {
  const ReducedBasis& basis = *self.alone([](const Simulation& s) { return &subspace_of(s); });
  const System& system = self.system();
  py::dict result;
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
  std::vector<Index> tets;
  for (const Index t : basis.cubature.tets) tets.push_back(system.tet_to_user[t]);
  result["tets"] = py::array_t<Index>(static_cast<py::ssize_t>(tets.size()), tets.data());
  result["tet_weights"] = py::array_t<double>(static_cast<py::ssize_t>(basis.cubature.weights.size()),
                                              basis.cubature.weights.data());
  return result;
}

py::object energies_by_name(const PySimulation& self) {
  return to_python(to_json(self.alone([](const Simulation& s) { return s.energies(); })));
}

py::dict forces(const PySimulation& self) {
  const NodalForces forces = self.alone([](const Simulation& s) { return s.forces(); });
  const System& system = self.system();
  py::dict result;
  result["elastic"] = to_numpy(system.to_user(forces.elastic));
  result["contact"] = to_numpy(system.to_user(forces.contact));
  result["friction"] = to_numpy(system.to_user(forces.friction));
  result["reaction"] = to_numpy(system.to_user(forces.reaction));
  return result;
}

}  // namespace
}  // namespace sinew::python

template <>
struct pybind11::detail::type_caster<sinew::python::PySimulation>
    : sinew::python::InitialisedCaster<sinew::python::PySimulation> {};

namespace sinew::python {

void add_simulation(py::module_& m) {
  py::class_<PySimulation>(m, "Simulation",
                           "A running scene. Vertices are those of the bodies, one after the other in "
                           "scene order, each in its file's own numbering.")
      .def(py::init<const py::object&, const py::object&>(), py::arg("scene"), py::arg("base_dir") = ".",
           "scene: a path, or a dict as a scene file holds; its relative paths start at base_dir. Raises InputError.")
      .def("step", &PySimulation::step,
           "One time step; returns a row of steps.jsonl. Does not raise when the step did not converge: see "
           "row[\"converged\"].")
      .def_property("positions", &positions, &set_positions,
                    "(n, 3) [m], a read-only copy. sim.positions = x sets them and drops the BDF2 history; start from "
                    "sim.positions.copy() to change some.")
      .def_property("velocities", &velocities, &set_velocities,
                    "(n, 3) [m/s], a read-only copy. sim.velocities = v sets them and drops the BDF2 history.")
      .def_property("reduced_coordinates", &reduced_coordinates, &set_reduced_coordinates,
                    "(r,), a read-only copy, of methods mixed and reduced: 12 a handle, the columns of the 3 x 4 matrix A "
                    "of its displacement w A [1, (X - center) / radius]. sim.reduced_coordinates = q sets them and drops "
                    "the history. Raises InputError for other methods.")
      .def_property_readonly(
          "subspace", &subspace,
          "Of methods mixed and reduced, a dict: weights (n, k), or (3, n, k) where vertices are fixed along some axes "
          "only; centers (k, 3) and radii (k,) of the handles [m]; eigenvalues (k,) of skinning eigenmodes [1/s^2], else "
          "(0,); tets (c,) and tet_weights (c,) of the cubature points, over their rest volumes.")
      .def("energies", &energies_by_name, "Energies by name [J].")
      .def("forces", &forces, "Nodal forces by name (elastic, contact, friction, reaction), each (n, 3) [N].")
      .def_property_readonly(
          "time", [](const PySimulation& self) { return self.alone([](const Simulation& s) { return s.time(); }); },
          "[s]")
      .def("save", &PySimulation::save, py::arg("path"),
           "Writes a checkpoint. Raises InputError when the folder does not exist, SimulationError when writing fails.")
      .def_static("load", &PySimulation::load, py::arg("path"),
                  "Goes on from a checkpoint, with the same bits. Raises InputError.");
}

}  // namespace sinew::python
