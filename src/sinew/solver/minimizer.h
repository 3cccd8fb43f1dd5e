// Minimises the incremental potential of one time step: filtered steps along descent directions with backtracking.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sinew/solver/body_arcs.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/diagnosis.h"
#include "sinew/solver/step_history.h"
#include "sinew/solver/stop_test.h"

namespace sinew {

struct MinimizerSettings {
  double tolerance = 1e-3;  // of the norm below [m/s]; in statics m
  bool mean_norm = false;   // sum |d_i| / (n h) instead of |d|_inf / h
  int max_iterations = 200;
  int budget = 0;         // iterations after which a step ends as it is; 0: none
  double armijo = 1e-4;   // share of the decrease that the slope promises
  bool line_search = true;  // false: steps are taken as far as filters let them
  bool adaptive_stiffness = true;
  double max_stiffness = 0;  // of the adaptive contact stiffness [Pa]
};

struct MinimizeReport {
  bool converged = false;
  bool budget = false;                 // ended after settings.budget, above the tolerance
  bool at_rounding_floor = false;      // converged because E can no longer tell steps apart
  std::string reason;                  // why not converged
  Cause cause = Cause::oscillation;    // the same in a word
  std::optional<Diagnosis> diagnosis;  // when not converged
  PotentialValue value;                // E at the result
  double residual = 0;                 // |d|_inf / h of the last direction
  double measure = 0;                  // the same in the chosen norm
  double position_rounding = 0;        // change of position by rounding alone, as a speed [m/s]
  StepHistory history;
  double stiffness_before = 0;  // of contact [Pa]
  double targets_left = 0;      // largest distance of a prescribed coordinate from its target [m]
  int iterations = 0;
  long linear_iterations = 0;
  int line_search_steps = 0;
  int factorizations = 0, projected_factorizations = 0;
  double linear_solve_seconds = 0, symbolic_seconds = 0;  // the second is part of the first
  double line_search_seconds = 0;                         // without the collision detection in it
  LevelReport levels;

  void add(const DirectionResult& result);
};

class Minimizer {
 public:
  explicit Minimizer(MinimizerSettings settings)
      : settings_(settings), stop_test_(settings.tolerance, settings.mean_norm) {}

  void set(MinimizerSettings settings) { settings_ = settings; }

  // x (3 x n_all) and planes: start (free of intersections) and result. The contacts of `potential` are set at the
  // result. Throws whatever `interrupted` throws.
  MinimizeReport minimize(IncrementalPotential& potential, DescentDirection& direction, Points& x,
                          std::vector<PlaneState>& planes, const std::function<void()>& check_interrupt);

 private:
  struct Iteration;
  void iterate(IncrementalPotential& potential, DescentDirection& direction, Points& x, std::vector<PlaneState>& planes,
               const std::function<void()>& check_interrupt, MinimizeReport& report);
  void give_up(const IncrementalPotential& potential, const Iteration& it, const DirectionResult& result,
               MinimizeReport& report) const;
  void aim(IncrementalPotential& potential, const Points& x, std::vector<PlaneState>& planes, Iteration& it);
  void prescribed_displacement(const IncrementalPotential& potential, const Points& x);
  void kinematic_drift(IncrementalPotential& potential, const Points& x, const std::vector<PlaneState>& planes);
  bool place_trial(IncrementalPotential& potential, const Points& x, const std::vector<PlaneState>& planes_trial,
                   double alpha, bool open);
  void search(IncrementalPotential& potential, Points& x, std::vector<PlaneState>& planes, PotentialValue& E,
              Iteration& it, MinimizeReport& report);
  bool decreases(IncrementalPotential& potential, const PotentialValue& E, const PotentialValue& E_trial,
                 const Iteration& it);
  bool at_rounding(const Iteration& it, const MinimizeReport& report) const;
  bool blocked(const IncrementalPotential& potential, const Iteration& it);
  void stiffen(IncrementalPotential& potential, const Points& x, PotentialValue& E);

  MinimizerSettings settings_;
  StopTest stop_test_;
  std::optional<BodyArcs> arcs_;
  // Work arrays, kept between steps.
  Points d_, g_, g_trial_, x_trial_, drift_, zero_drift_, motion_;
  // Of the present call.
  bool targets_open_ = false;  // some prescribed coordinate or obstacle is not where it should be
  bool kinematic_moving_ = false;
  double targets_left_ = 0;  // [m]
  bool relax_next_ = false;  // the filter has cut prescribed motion short: let bodies give way before it goes on
  int blocked_count_ = 0;    // iterations in a row without room
  bool doubted_ = false;     // blocked once, which better directions were to show, without a full step since
  double last_gap_ = 0;      // [m]
};

}  // namespace sinew
