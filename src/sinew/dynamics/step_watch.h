// What happens in a step although it converges and that a user should hear of: tets turn inside out, and bodies meet at
// several of their sizes a step.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"

namespace sinew {

// Each thing is told once, as a warning; the rows of all steps that it happens in have it.
class StepWatch {
 public:
  explicit StepWatch(const System& system);

  // Looks at the state that a step starts from.
  void before(const Stepper& stepper);
  // Adds to report.warnings.
  void after(const Stepper& stepper, StepReport& report);
  // The state is another than the last step left.
  void forget() { kinetic_.reset(); }

 private:
  // Of a body at the start of a step.
  struct Mover {
    Vec3 low, high, velocity;  // [m], [m/s] of the centre of mass
  };
  void look_for_meetings();
  bool too_slow() const;
  void tell_inversion(const Stepper& stepper, StepReport& report);
  void tell_meetings(StepReport& report);

  const System& system_;
  std::vector<double> size_, mass_;  // by body: diagonal at rest [m], [kg]
  std::optional<double> kinetic_;    // at the end of the last step [J]
  std::vector<Mover> movers_;
  struct Meeting {
    Index a, b;         // bodies, a the smaller one
    double way, sizes;  // of one to the other in a step [m], over the size of a
  };
  std::vector<Meeting> meetings_;
  std::set<std::pair<Index, Index>> told_;
  bool told_inversion_ = false;
};

}  // namespace sinew
