// The class Simulation of the module.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "module.h"
#include "warnings.h"

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/initial_state.h"
#include "sinew/io/report_rows.h"
#include "sinew/live/controls.h"
#include "sinew/scene/scene.h"

namespace sinew {
class PictureScene;
}

namespace sinew::python {

namespace fs = std::filesystem;

class PyLive;

// The state of a simulation between two steps: all on which later steps depend, except what was changed.
struct PyState {
  std::shared_ptr<const MemoryArchive> entries;
  std::string system_hash, method;
  int step = 0;
  double time = 0;
};

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
      const nlohmann::json json = scene_from_python(scene);
      interruptible([&] { build(parse_scene(json, base_dir, "scene", hooks()), fs::absolute(base_dir).string()); });
    }
  }

  // From a checkpoint of this class or of `sinew run`.
  static std::unique_ptr<PySimulation> load(const py::object& file) {
    const std::string path = path_text(file, "load");
    std::unique_ptr<PySimulation> loaded(new PySimulation);
    interruptible([&] {
      const SceneText text = checkpoint_scene(path);
      Scene scene = parse_scene(plain(text.completed), text.base_folder, path, loaded->hooks());
      if (!scene.initial.path.empty()) scene.initial = {path};  // the file it once started from is not needed any more
      loaded->build(std::move(scene), text.base_folder);
      load_checkpoint(path, *loaded->text_, *loaded->simulation_);
    });
    return loaded;
  }

  // Contents of a checkpoint, and a simulation from them: for pickle.
  std::string bytes() const;
  static std::unique_ptr<PySimulation> from_bytes(const std::string& bytes);

  // A simulation that goes on from the present state. It has no live view.
  std::unique_ptr<PySimulation> copy() const;

  // The state, without what was changed between steps. set_state() throws InputError for a state of another scene or
  // method.
  PyState state() const;
  void set_state(const PyState& state);
  // Goes back to the start of the scene and ends pulls. Other changes stay.
  void reset();

  // f(simulation) without the GIL and with no other thread inside; one that comes meanwhile waits. The GIL goes before
  // the lock is taken: a step that asks for it (signalled()) waits for no thread that waits for the step.
  template <class F>
  auto alone(F&& f) const {
    if (inside_ == std::this_thread::get_id()) {
      throw SimulationError(code::python_call,
                            "found a call during step() of the same simulation, for example from a signal handler; let "
                            "step() return first");
    }
    return call_engine([&] {
      const std::lock_guard<std::mutex> lock(mutex_);
      const Inside inside(inside_);
      return f(*simulation_);
    });
  }

  void save(const py::object& file) const {
    const std::string path = path_text(file, "save");
    require_folder_of(path);
    alone([&](const Simulation& simulation) { write_checkpoint(path, text(), simulation); });
  }

  py::object step(int count);
  // While set, steps end at once with Interrupted, from the one on that another thread is in. The state stays as before
  // that step.
  void set_stopped(bool stopped) { stopped_ = stopped; }

  // The live view of this simulation, or none; with the GIL.
  void attach(PyLive* live) {
    if (live && live_) fail_input(code::python_call, "the simulation has a live view already; close() it first");
    live_ = live;
  }
  // Made when they are first needed: many copies never are changed.
  LiveControls& controls() const {
    if (!controls_) controls_.emplace(text_->completed, *simulation_, text_->measured);
    return *controls_;
  }
  SceneText text() const {
    return {controls().completed(), text_->base_folder, text_->system_hash, "", text_->measured, text_->completed};
  }

  const System& system() const { return simulation_->system(); }

  mutable std::shared_ptr<const PictureScene> picture;  // inside alone(): of the first picture on (render.cpp)

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
    as_python_interrupt([&] { call_engine(f); });
  }

  ReadingHooks hooks() {
    return {[this] { return signalled(); }, {}};
  }

  void build(Scene scene, const std::string& base_folder) {
    SceneText text{scene.completed, base_folder, "", "", measurements_of(scene.fits)};
    const std::shared_ptr<System> system = build_system(scene);
    simulation_ = start_simulation(system, scene.initial, scene.source);
    simulation_->allow_changes(system);
    text.system_hash = system_hash(*system);  // before anything is changed
    text_ = std::make_shared<const SceneText>(std::move(text));
    start_ = std::make_shared<const Start>(Start{state_now(), simulation_->state()});
    simulation_->set_interrupt([this] { return signalled(); });
  }

  static nlohmann::json plain(const Json& json) { return nlohmann::json::parse(json.dump()); }
  PyState state_now() const;

  // Whether a signal handler of Python (Ctrl-C) wants the step to end, or the interpreter ends. The former is asked at
  // most every 50 ms: it takes the GIL.
  bool signalled() {
    constexpr double interval = 0.05;
    if (must_end() || stopped_) return true;
    if (since_check_.seconds() < interval) return false;
    since_check_.restart();
    py::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
  }

  // The start of the scene, as the method has it and in full space.
  struct Start {
    PyState state;
    State full;
  };

  std::shared_ptr<const SceneText> text_;
  std::shared_ptr<const Start> start_;
  std::unique_ptr<Simulation> simulation_;
  mutable std::optional<LiveControls> controls_;
  PyLive* live_ = nullptr;
  Stopwatch since_check_;
  mutable std::mutex mutex_;
  mutable ThreadId inside_{};
  std::atomic<bool> stopped_ = false;
};

// Vertices in the user's numbering over all bodies, as simulation ids: ids (k,), an id, or a mask with an entry for
// each vertex. Throws InputError naming `what`.
std::vector<Index> vertices_of(const System& system, const py::object& vertices, const char* what);

// set_fix_target(), add_force() and other control between steps; control.cpp.
void add_control(py::class_<PySimulation>& simulation);

// vibrations(), buckling() and response(); analyses.cpp.
void add_analyses(py::class_<PySimulation>& simulation);
// State, copies, and going back; state.cpp.
void add_state(py::module_& m, py::class_<PySimulation>& simulation);
// Pictures; render.cpp.
void add_render(py::class_<PySimulation>& simulation);
// What sinew/objects.py reads; objects.cpp.
void add_objects(py::class_<PySimulation>& simulation);
// Present values of loads, springs, obstacles and materials; part_values.cpp.
void add_part_values(py::class_<PySimulation>& simulation);
// contacts(), wrench() and forces; contacts.cpp.
void add_contacts(py::class_<PySimulation>& simulation);

}  // namespace sinew::python

template <>
struct pybind11::detail::type_caster<sinew::python::PyState>
    : sinew::python::InitialisedCaster<sinew::python::PyState> {};

template <>
struct pybind11::detail::type_caster<sinew::python::PySimulation>
    : sinew::python::InitialisedCaster<sinew::python::PySimulation> {};
