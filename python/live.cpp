#include <chrono>
#include <thread>

#include "py_live.h"
#include "py_simulation.h"
#include <pybind11/stl.h>

#include "sinew/core/log.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/methods.h"

namespace sinew::python {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr double longest_wait = 1e6;  // [s]

py::object to_python_event(const LiveEvent& event) {
  py::object result = to_python(event_json(event));
  if (event.action == LiveAction::pull) result["target"] = py::tuple(result["target"]);
  return result;
}

constexpr const char* live_text =
    R"(Shows a simulation in the browser while a script steps it.

sim.step() applies the viewers' requests and shows the new state. In a notebook the page appears inline. With
port=0, a free port is chosen. An address other than 127.0.0.1 needs a token. Recordings go to the folders
`output`_1, `output`_2, ... Raises InputError if the port is taken.)";

std::unique_ptr<PyLive> make_live(const py::object& simulation, int port, const std::string& address,
                                  const std::string& token, const std::vector<std::string>& allow_origin,
                                  const py::object& output) {
  if (!py::isinstance<PySimulation>(simulation))
    throw py::type_error("sinew.live(): found " + text_of(simulation) + ", expected a Simulation");
  if (port < 0 || port > 65535) fail_input(code::argument, "port: found {}, expected 0 to 65535", port);
  live::ServerSettings settings;
  settings.port = port;
  settings.address = address;
  settings.token = token;
  settings.origins = allow_origin;
  return std::make_unique<PyLive>(simulation, std::move(settings), path_text(output, "output"));
}

}  // namespace

PySimulation& PyLive::simulation() const {
  return owner_.cast<PySimulation&>();
}

PyLive::PyLive(py::object simulation, live::ServerSettings settings, const std::string& folder)
    : owner_(std::move(simulation)), page_(std::move(settings)) {
  PySimulation& own = this->simulation();
  own.alone([&](Simulation& s) {
    s.own_model();  // the page refers to it
    LiveOptions options;
    const System& system = s.system();
    options.record.folder = folder;
    options.record.formats = {"html", "vtu"};
    options.record.facts = {system.setup.name, resolved_method(system.setup.solver), thread_count()};
    options.record.scene = own.text();
    options.methods = offered_methods();
    options.speed = 0;
    session_ = std::make_unique<LiveSession>(s, own.controls(), std::move(options), page_);
    session_->on_event = [this](const LiveEvent& event) { events_.push_back(event); };
    page_.start(*session_);
  });
  own.attach(this);
}

PyLive::~PyLive() {
  try {
    close();
  } catch (const std::exception& error) {  // the disk refuses the end of a recording
    log::warning("{}", error.what());
  }
}

void PyLive::close() {
  if (!session_) return;
  simulation().attach(nullptr);
  simulation().alone([&](Simulation&) {
    page_.stop();
    session_->end();
    session_.reset();
  });
}

void PyLive::require_open() const {
  if (!session_) fail_input(code::python_call, "this live view is closed; make another with sinew.live(sim)");
}

void PyLive::before_step() {
  session_->handle();
}

void PyLive::after_step(const StepReport& report) {
  session_->publish(report);
}

void PyLive::pause(bool on) {
  require_open();
  simulation().alone([&](Simulation&) { session_->pause(on); });
}

void PyLive::update() {
  require_open();
  simulation().alone([&](Simulation&) { session_->show(); });
  tell();
}

void PyLive::tell() {
  std::vector<LiveEvent> events;
  simulation().alone([&](Simulation&) { events.swap(events_); });
  if (on_event.is_none()) return;
  for (const LiveEvent& event : events) on_event(to_python_event(event));
}

py::object PyLive::step() {
  for (;;) {
    require_open();  // on_event may have closed it
    bool ready = false;
    simulation().alone([&](Simulation&) {
      session_->show();
      ready = session_->take_step();
    });
    tell();
    if (ready) return simulation().step(1);
    {
      const EngineCall call;
      std::this_thread::sleep_for(10ms);
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void PyLive::run(double seconds) {
  require_open();
  const auto start = Clock::now();
  auto due = start;
  const auto after = [&](double s) {
    return start +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(s, longest_wait)));
  };
  while (session_ && (seconds < 0 || Clock::now() < after(seconds))) {
    bool ready = false;
    double h = 0;
    simulation().alone([&](Simulation& s) {
      session_->show();
      ready = session_->take_step();
      h = s.system().setup.time.step;
    });
    tell();
    if (ready) simulation().step(1);
    const std::chrono::duration<double> wait(ready ? std::min(h, longest_wait) : 0.02);
    due = std::max(due + std::chrono::duration_cast<Clock::duration>(wait), Clock::now() - 50ms);
    while (session_ && Clock::now() < due && (seconds < 0 || Clock::now() < after(seconds))) {
      {
        const EngineCall call;
        std::this_thread::sleep_for(std::min<Clock::duration>(due - Clock::now(), 20ms));
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      // A long step is waited for in the company of viewers, who may make it shorter.
      if (due - Clock::now() < 20ms) continue;
      simulation().alone([&](Simulation& s) {
        session_->show();
        if (s.system().setup.time.step != h) due = Clock::now();
      });
      tell();
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void add_live(py::module_& m) {
  py::class_<PyLive>(
      m, "Live",
      R"(A simulation that viewers watch and pull in the browser, made by sinew.live(). It is a context manager.

In a notebook the page appears inline.)")
      .def(py::init(&make_live), py::arg("simulation"), py::arg("port") = 0, py::arg("address") = "127.0.0.1",
           py::arg("token") = "", py::arg("allow_origin") = std::vector<std::string>{}, py::arg("output") = "out/live",
           "Takes the arguments of sinew.live().")
      .def_property_readonly("url", &PyLive::url, "Address of the page.")
      .def_property("paused", &PyLive::paused, &PyLive::pause,
                    "Whether a viewer has paused the simulation. sim.step() takes a step even then.")
      .def_property(
          "on_event", [](const PyLive& self) { return self.on_event; },
          [](PyLive& self, py::object call) { self.on_event = std::move(call); },
          "Function, or None. It gets a dict after each pull, release, setting, method or curve from a viewer.")
      .def("step", &PyLive::step, "Waits until the view is not paused, then calls sim.step() and returns its row.")
      .def("run", &PyLive::run, py::arg("seconds") = -1.0,
           "Takes steps in real time for `seconds` of wall-clock time. If seconds is negative, continues until Ctrl-C.")
      .def("update", &PyLive::update, "Applies the viewers' requests and shows the current state, without a step.")
      .def("close", &PyLive::close, "Ends the view. The simulation can still be used.")
      .def(
          "__enter__", [](py::object self) { return self; }, "Returns the view.")
      .def(
          "__exit__", [](PyLive& self, const py::object&, const py::object&, const py::object&) { self.close(); },
          py::arg("type"), py::arg("value"), py::arg("traceback"), "Calls close().")
      .def("_repr_html_",
           [](const PyLive& self) {
             return "<iframe src=\"" + self.url() + "\" style=\"width: 100%; height: 600px; border: 0\"></iframe>";
           })
      .def("__repr__", [](const PyLive& self) { return "<sinew.Live at " + self.url() + ">"; });
  m.def("live", &make_live, py::arg("simulation"), py::arg("port") = 0, py::arg("address") = "127.0.0.1",
        py::arg("token") = "", py::arg("allow_origin") = std::vector<std::string>{}, py::arg("output") = "out/live",
        live_text);
}

}  // namespace sinew::python
