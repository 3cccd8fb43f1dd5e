// What happens in a step although it converges: tets turn inside out, of which a user should hear, and bodies meet at a
// good part of their size or several sizes in a step, which is divided then.
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

// Each thing is told once, as a warning; the rows of all steps that it happens in have it.
class StepWatch {
 public:
  explicit StepWatch(const System& system) : system_(system), look_ahead_(system) {}

  // Looks at the state that a step starts from. Has the step divided where bodies would meet at more than
  // time.max_travel of their size.
  void before(Stepper& stepper);
  // Adds to report.warnings.
  void after(const Stepper& stepper, StepReport& report);
  // The state is another than the last step left.
  void forget() { kinetic_.reset(); }

 private:
  void tell_inversion(const Stepper& stepper, StepReport& report);
  void tell_meetings(StepReport& report);
  std::string owner(Index id) const;

  const System& system_;
  LookAhead look_ahead_;
  std::optional<double> kinetic_;  // at the end of the last step [J]
  std::vector<Meeting> meetings_;
  int parts_ = 1;  // that the step was divided into for them
  std::set<std::pair<Index, Index>> told_;
  bool told_inversion_ = false;
};

}  // namespace sinew
