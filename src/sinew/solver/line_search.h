// Takes a filtered step along a direction and halves it until the incremental potential decreases sufficiently.
#pragma once

#include <vector>

#include "sinew/potential/potential.h"
#include "sinew/solver/prescribed_motion.h"

namespace sinew {

struct LineSearchSettings {
  double armijo = 1e-4;  // required share of the decrease predicted by the slope
  bool enabled = true;   // false: takes steps as long as filters allow
};

struct LineSearchResult {
  bool accepted = false;
  double alpha = 0;                   // step length taken, or tried last
  double filter = 1;                  // longest step that the filter allows
  StepLimit limit = StepLimit::none;  // why the filter shortens the step
  double slope = 0;                   // derivative of E along the direction
  double noise = 0;                   // bound of the rounding of E
  bool held = false;                  // no step taken: prescribed motion would close a gap before bodies give way
  bool at_floor = false;              // the change of E by a full step is smaller than its rounding
  bool finite = false;                // E was finite at some trial
  double model_error = 1;             // |dE - dE_model| / |dE_model| over a full step; 1: no full step
  int steps = 0;                      // number of trials
  double seconds = 0;                 // time [s], without collision detection
};

class LineSearch {
 public:
  static constexpr int max_halvings = 40;

  explicit LineSearch(LineSearchSettings settings) : settings_(settings) {}
  void set(LineSearchSettings settings) { settings_ = settings; }

  // Searches along d from x (both 3 x n_all), at most to x + longest d. E and g are value and gradient at x. Planes
  // move to aim.planes. Moves x, planes, E and the contacts of the potential, or leaves all of them unchanged.
  LineSearchResult search(Potential& potential, const Aim& aim, const Points& g, const Points& d, double longest,
                          Points& x, std::vector<PlaneState>& planes, PotentialValue& E);

 private:
  bool place_trial(Potential& potential, const Points& x, const Points& d, const std::vector<PlaneState>& planes_trial,
                   double alpha, bool open);
  bool decreases(Potential& potential, const Points& d, const PotentialValue& E, const PotentialValue& E_trial,
                 const LineSearchResult& result);

  LineSearchSettings settings_;
  Points g_trial_, x_trial_;  // work space
};

}  // namespace sinew
