// sinew.live: viewers of a simulation that a script steps.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "module.h"

#include "sinew/live/live_page.h"

namespace sinew::python {

class PySimulation;

class PyLive {
 public:
  PyLive(py::object simulation, live::ServerSettings settings, const std::string& folder);
  ~PyLive();
  PyLive(const PyLive&) = delete;
  PyLive& operator=(const PyLive&) = delete;

  std::string url() const { return page_.url(); }
  bool paused() const { return session_->paused(); }
  void pause(bool on);
  py::object step();         // waits while viewers have paused
  void run(double seconds);  // steps in the time of the wall; negative: until Ctrl-C
  void update();             // without a step
  void close();
  bool open() const { return session_ != nullptr; }

  // Of PySimulation, with no other thread inside and without the GIL.
  void before_step();
  void after_step(const StepReport& report);

  // With the GIL: tells what viewers have done since the last call.
  void tell();

  py::object on_event = py::none();

 private:
  PySimulation& simulation() const;
  void require_open() const;

  py::object owner_;
  LivePage page_;
  std::unique_ptr<LiveSession> session_;
  std::vector<LiveEvent> events_;
};

void add_live(py::module_& m);

}  // namespace sinew::python
