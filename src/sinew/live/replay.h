// Replays recorded actions of viewers (events.h), each before the step at which it was recorded.
#pragma once

#include <optional>
#include <string>

#include "sinew/live/controls.h"
#include "sinew/live/events.h"

namespace sinew {

class LiveReplay {
 public:
  // Reads the script at `path` and sets the simulation, which must own its System, to the script's start. Throws
  // InputError naming file and event.
  LiveReplay(const std::string& path, const Json& completed, Simulation& simulation);

  int steps() const { return script_.steps; }

  // Call before each step: applies the events of that step.
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
