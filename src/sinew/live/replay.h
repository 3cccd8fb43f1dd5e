// Repeats a script of users' actions at the same steps.
#pragma once

#include <optional>
#include <string>

#include "sinew/live/controls.h"
#include "sinew/live/events.h"

namespace sinew {

class LiveReplay {
 public:
  // Sets the simulation, which must own its System, to the start of the script. Throws InputError naming file and
  // event.
  LiveReplay(const std::string& path, const Json& completed, Simulation& simulation);

  int steps() const { return script_.steps; }

  // Applies the events before the next step.
  void before_step();

 private:
  void apply(std::size_t event);

  std::string path_;
  LiveScript script_;
  Simulation& simulation_;
  std::optional<LiveControls> controls_;
  std::size_t next_ = 0;
};

}  // namespace sinew
