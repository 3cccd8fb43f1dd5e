// The state of a Simulation: to keep it, to go back to it, to copy and to pickle simulations.
#include "module.h"
#include "py_simulation.h"
#include <pybind11/stl.h>

#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/methods.h"

namespace sinew::python {

std::string PySimulation::bytes() const {
  return alone([&](const Simulation& simulation) { return checkpoint_bytes(text(), simulation); });
}

std::unique_ptr<PySimulation> PySimulation::from_bytes(const std::string& bytes) {
  std::unique_ptr<PySimulation> loaded(new PySimulation);
  interruptible([&] {
    const ArchiveReader archive = checkpoint_from_bytes(bytes, "pickle");
    const SceneText text = checkpoint_scene(archive);
    loaded->build(parse_scene(plain(text.completed), text.base_folder, "pickle", loaded->hooks()), text.base_folder);
    load_checkpoint(archive, *loaded->text_, *loaded->simulation_);
  });
  return loaded;
}

std::unique_ptr<PySimulation> PySimulation::copy() const {
  std::unique_ptr<PySimulation> result(new PySimulation);
  result->text_ = text_;
  result->start_ = start_;
  result->simulation_ = alone([&](const Simulation& simulation) {
    auto copied = simulation.copy();
    result->picture = picture;
    if (live_) copied->own_model();  // the page refers to this one's
    return copied;
  });
  result->simulation_->set_interrupt([copied = result.get()] { return copied->signalled(); });
  return result;
}

PyState PySimulation::state_now() const {
  auto entries = std::make_shared<MemoryArchive>();
  ArchiveWriter writer(*entries);
  simulation_->save_state(writer);
  const Clock clock = simulation_->clock();
  return {std::move(entries), text_->system_hash, resolved_method(simulation_->system().setup.solver), clock.step,
          clock.time};
}

PyState PySimulation::state() const {
  return alone([&](const Simulation&) { return state_now(); });
}

void PySimulation::set_state(const PyState& state) {
  if (state.system_hash != text_->system_hash)
    fail_input(code::argument,
               "set_state: found a state of other bodies or materials, expected one of this simulation or a copy");
  alone([&](Simulation& simulation) {
    const std::string method = resolved_method(simulation.system().setup.solver);
    if (state.method != method)
      fail_input(code::argument,
                 "set_state: found a state of method \"{}\", but the method is \"{}\"; call "
                 "set_method(\"{}\") first",
                 state.method, method, state.method);
    simulation.load_state(ArchiveReader(*state.entries, "state"));
  });
}

void PySimulation::reset() {
  alone([&](Simulation& simulation) {
    for (LiveEvent& event : controls().releases(0)) controls().apply(event);
    simulation.end_control();
    if (start_->state.method == resolved_method(simulation.system().setup.solver)) {
      try {
        return simulation.load_state(ArchiveReader(*start_->state.entries, "state"));
      } catch (const InputError&) {  // of another subspace than the present one
      }
    }
    simulation.replace(start_->full);
  });
}

namespace {

py::dict entries_of(const PyState& state) {
  py::dict result;
  for (const auto& [name, entry] : state.entries->entries)
    std::visit(
        [&](const auto& values) {
          using Values = std::decay_t<decltype(values)>;
          if constexpr (std::is_same_v<Values, std::string>) {
            result[py::str(name)] = py::bytes(values);
          } else {
            result[py::str(name)] =
                py::array_t<typename Values::value_type>(static_cast<py::ssize_t>(values.size()), values.data());
          }
        },
        entry);
  return result;
}

template <class Number>
std::vector<Number> numbers_of(const py::handle& value) {
  const auto array = py::array_t<Number, py::array::c_style>::ensure(value);
  return {array.data(), array.data() + array.size()};
}

PyState state_from(const py::dict& entries, std::string system_hash, std::string method, int step, double time) {
  auto result = std::make_shared<MemoryArchive>();
  for (const auto& [key, value] : entries) {
    MemoryArchive::Entry& entry = result->entries[py::str(key)];
    if (py::isinstance<py::bytes>(value)) {
      entry = value.cast<std::string>();
    } else if (py::isinstance<py::array_t<double>>(value)) {
      entry = numbers_of<double>(value);
    } else if (py::isinstance<py::array_t<std::int64_t>>(value)) {
      entry = numbers_of<std::int64_t>(value);
    } else {
      entry = numbers_of<std::int32_t>(value);
    }
  }
  return {std::move(result), std::move(system_hash), std::move(method), step, time};
}

std::size_t size_of(const PyState& state) {
  std::size_t bytes = 0;
  for (const auto& [name, entry] : state.entries->entries)
    bytes += std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, entry);
  return bytes;
}

}  // namespace

void add_state(py::module_& m, py::class_<PySimulation>& simulation) {
  py::class_<PyState>(m, "State", R"(The state of a simulation between two steps: all on which later steps depend.

These are positions, velocities, history, contact stiffness, friction and time, targets of fixes and obstacles, and
forces added for the next step. Other changes, such as set_gravity() and pulls, are not in it. A state can be pickled.)")
      .def_property_readonly(
          "time", [](const PyState& state) { return state.time; },
          "Simulated time [s]. In statics, the share of the load that is applied.")
      .def_property_readonly(
          "step", [](const PyState& state) { return state.step; }, "Number of steps since the start.")
      .def_property_readonly(
          "method", [](const PyState& state) { return state.method; }, "The method that can continue from it.")
      .def_property_readonly("nbytes", &size_of, "Size in memory [bytes].")
      .def("__repr__",
           [](const PyState& state) {
             return fmt::format("<sinew.State at step {}, time {:g}, of method {}>", state.step, state.time,
                                state.method);
           })
      .def(py::pickle(
          [](const PyState& state) {
            return py::make_tuple(entries_of(state), state.system_hash, state.method, state.step, state.time);
          },
          [](const py::tuple& t) {
            return state_from(t[0].cast<py::dict>(), t[1].cast<std::string>(), t[2].cast<std::string>(),
                              t[3].cast<int>(), t[4].cast<double>());
          }));
  simulation
      .def("state", &PySimulation::state,
           R"(Returns the present state, to which set_state() goes back. Targets and added forces are part of it.)")
      .def("set_state", &PySimulation::set_state, py::arg("state"),
           R"(Goes to a state of this simulation, or of a copy of it. Nothing is built again.

Later steps are the same, bit for bit, as those that followed the state before. Targets set since then end. Raises
InputError for a state of another scene or method.)")
      .def("reset", &PySimulation::reset,
           R"(Goes back to the start of the scene. Pulls, targets of fixes and obstacles, and added forces end.

Other changes between steps stay.)")
      .def("copy", &PySimulation::copy,
           R"(Returns a simulation that continues from the present state, bit for bit the same.

It has all changes made so far, and no live view. It shares the model, until one of the two is changed, and what the
method has computed before the first step.)")
      .def("__copy__", &PySimulation::copy)
      .def("__deepcopy__", [](const PySimulation& self, const py::object&) { return self.copy(); })
      .def(py::pickle([](const PySimulation& self) { return py::bytes(self.bytes()); },
                      [](const py::bytes& bytes) { return PySimulation::from_bytes(bytes); }));
}

}  // namespace sinew::python
