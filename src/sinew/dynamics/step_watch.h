// Watches converged steps: warns of inverted tets, and divides steps in which bodies would meet at a large part of
// their size.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sinew/dynamics/look_ahead.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"

namespace sinew {

// Warns once of each event. The rows of all steps in which the event happens name it.
class StepWatch {
 public:
  explicit StepWatch(const System& system) : system_(system), look_ahead_(system) {}

  // Call before a step. Divides the step if bodies would meet at more than time.max_travel of their size.
  void before(Stepper& stepper);
  // Call after a step. Adds to report.warnings.
  void after(const Stepper& stepper, StepReport& report);
  // Call if the state is not the result of the last step, for example after an edit.
  void forget() { kinetic_.reset(); }

 private:
  void tell_inversion(const Stepper& stepper, StepReport& report);
  void tell_meetings(StepReport& report);
  std::string owner(Index id) const;

  const System& system_;
  LookAhead look_ahead_;
  std::optional<double> kinetic_;  // at the end of the last step [J]
  std::vector<Meeting> meetings_;
  int parts_ = 1;  // parts of the next step, because of meetings_
  std::set<std::pair<Index, Index>> told_;
  bool told_inversion_ = false;
};

}  // namespace sinew
