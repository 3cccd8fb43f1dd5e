// Takes a filtered step along a direction and halves it until the incremental potential has decreased enough.
#pragma once

#include <vector>

#include "sinew/potential/potential.h"
#include "sinew/solver/prescribed_motion.h"

namespace sinew {

struct LineSearchSettings {
  double armijo = 1e-4;  // share of the decrease that the slope promises
  bool enabled = true;   // false: steps are taken as far as filters let them
};

struct LineSearchResult {
  bool accepted = false;
  double alpha = 0;                   // the step taken, or tried last
  double filter = 1;                  // the longest step that the filter let through
  StepLimit limit = StepLimit::none;  // what the filter saw
  double slope = 0;                   // of E along the direction
  double noise = 0;                   // rounding of E
  bool held = false;                  // nothing was taken: what is prescribed would close a gap before bodies give way
  bool at_floor = false;              // E cannot tell a full step from none
  bool finite = false;                // whether E was finite at some trial
  double model_error = 1;  // of E over a full step with its quadratic model, over the model's decrease; 1: none taken
  int steps = 0;           // trials
  double seconds = 0;      // without the collision detection in it
};

class LineSearch {
 public:
  static constexpr int max_halvings = 40;

  explicit LineSearch(LineSearchSettings settings) : settings_(settings) {}
  void set(LineSearchSettings settings) { settings_ = settings; }

  // Along d (3 x n_all) from x (3 x n_all), where E is the value and g its gradient, planes going to aim.planes; at
  // most to x + longest d. Moves x, planes, E and the contacts of the potential, or leaves them as they are.
  LineSearchResult search(Potential& potential, const Aim& aim, const Points& g, const Points& d, double longest,
                          Points& x, std::vector<PlaneState>& planes, PotentialValue& E);

 private:
  bool place_trial(Potential& potential, const Points& x, const Points& d, const std::vector<PlaneState>& planes_trial,
                   double alpha, bool open);
  bool decreases(Potential& potential, const Points& d, const PotentialValue& E, const PotentialValue& E_trial,
                 const LineSearchResult& result);

  LineSearchSettings settings_;
  Points g_trial_, x_trial_;  // work
};

}  // namespace sinew
