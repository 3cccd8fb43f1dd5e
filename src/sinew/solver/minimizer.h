// Minimises the incremental potential of one time step by filtered steps along descent directions with backtracking.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sinew/solver/contact_stiffening.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/diagnosis.h"
#include "sinew/solver/elimination.h"
#include "sinew/solver/line_search.h"
#include "sinew/solver/outcome.h"
#include "sinew/solver/prescribed_motion.h"
#include "sinew/solver/reach_homotopy.h"
#include "sinew/solver/step_history.h"
#include "sinew/solver/stop_test.h"

namespace sinew {

struct MinimizerSettings {
  double tolerance = 1e-3;        // for the stop measure [m/s], in statics [m]
  bool mean_norm = false;         // the stop measure is sum |d_i| / (n h) instead of |d|_inf / h
  double force_tolerance = 1e-3;  // in statics: largest unbalanced force over largest force (force_balance.h)
  int max_iterations = 200;
  int budget = 0;  // iterations after which a step ends unconverged; 0: none
  LineSearchSettings line_search = {};
  bool adaptive_stiffness = true;
  double max_stiffness = 0;       // bound of the adaptive contact stiffness [Pa]
  int friction_rounds = 1;        // friction updates in a minimisation, including the one at its start
  double friction_tolerance = 0;  // friction error above which another update follows
};

// Returns the scene's settings that are common to all methods.
MinimizerSettings common_settings(const System& system);

struct MinimizeReport {
  bool converged = false;              // the stop test passed
  bool budget = false;                 // the stop test had not passed after settings.budget iterations
  bool at_rounding_floor = false;      // converged because of the rounding of E
  std::string reason;                  // why it did not converge
  Cause cause = Cause::oscillation;    // why it did not converge, as a code
  std::optional<Diagnosis> diagnosis;  // if it failed
  PotentialValue value;                // E at the result
  double residual = 0;                 // |d|_inf / h of the last direction
  double measure = 0;                  // |d| / h of the last direction in the norm of the tolerance
  double position_rounding = 0;        // change of position by rounding alone, as a speed [m/s]
  StepHistory history;
  int friction_rounds = 1;
  double friction_error = 0;        // after the last friction update, if the minimisation may update friction
  double stiffness_before = 0;      // contact stiffness at the start [Pa]
  std::optional<StateError> error;  // only of directions with an estimate
  double remaining_to_target = 0;   // largest distance of a prescribed coordinate from its target [m]
  int iterations = 0;
  long linear_iterations = 0;
  EliminationReport local;  // of few vertices between iterations
  int line_search_steps = 0;
  int factorizations = 0, projected_factorizations = 0;
  double linear_solve_seconds = 0, symbolic_seconds = 0;  // the second is part of the first [s]
  double line_search_seconds = 0;                         // without collision detection [s]
  LevelReport levels;
  std::optional<AdaptiveReport> adaptive;

  void add(const DirectionResult& result);
  void add(const LineSearchResult& search);
  bool failed() const { return outcome_of(converged, budget) == Outcome::failed; }
};

class Minimizer {
 public:
  explicit Minimizer(const MinimizerSettings& settings)
      : settings_(settings),
        line_search_(settings.line_search),
        stop_test_(settings.tolerance, settings.mean_norm, settings.force_tolerance) {}

  void set(const MinimizerSettings& settings) {
    settings_ = settings;
    line_search_.set(settings.line_search);
  }

  // Minimises from x (3 x n_all) and planes, which must be free of intersections, and replaces both by the result. The
  // contacts of `potential` must be set at the start and are set at the result. Throws whatever `check_interrupt`
  // throws.
  MinimizeReport minimize(Potential& potential, DescentDirection& direction, Points& x, std::vector<PlaneState>& planes,
                          const std::function<void()>& check_interrupt);

  // Takes measures against slow iterations in contact: `elimination` between iterations (kept by reference), and longer
  // barriers (solver/reach_homotopy.h). Null: neither.
  void set(Elimination* elimination) { elimination_ = elimination; }

  // The last direction of the last minimisation, 3 x n_all.
  const Points& last_direction() const { return d_; }
  const MinimizerSettings& settings() const { return settings_; }

 private:
  void iterate(Potential& potential, DescentDirection& direction, Points& x, std::vector<PlaneState>& planes,
               const std::function<void()>& check_interrupt, MinimizeReport& report);
  bool lag_friction(Potential& potential, DescentDirection& direction, const Points& x, bool early,
                    MinimizeReport& report);
  bool friction_follows(const DescentDirection& direction, const MinimizeReport& report) const;
  bool accept(Potential& potential, DescentDirection& direction, const Aim& aim, Points& x,
              std::vector<PlaneState>& planes, bool& moved, MinimizeReport& report);
  bool ends(Potential& potential, DescentDirection& direction, const Aim& aim, bool last, Points& x,
            std::vector<PlaneState>& planes, MinimizeReport& report);
  bool change_reach(Potential& potential, const LineSearchResult& search, bool ends, const Points& x,
                    const std::vector<PlaneState>& planes, MinimizeReport& report);
  void eliminate(Potential& potential, Points& x, const std::vector<PlaneState>& planes, MinimizeReport& report) const;
  void stiffen(Potential& potential, const Aim& aim, bool rests, const Points& x, MinimizeReport& report);
  void give_up(const Potential& potential, const Aim& aim, const LineSearchResult& search, bool small,
               const DirectionResult& result, MinimizeReport& report) const;

  void settle(const Potential& potential, const Points& x, const std::vector<PlaneState>& planes,
              const MinimizeReport& report);
  bool go_back(Potential& potential, DescentDirection& direction, Points& x, std::vector<PlaneState>& planes,
               MinimizeReport& report);

  // A state at which the iterations converged, before friction is lagged again.
  struct Settled {
    bool known = false;
    Points x;
    std::vector<PlaneState> planes;
    double stiffness = 0;  // contact stiffness at that state [Pa]
    double residual = 0, measure = 0, friction_error = 0;
    bool at_rounding_floor = false;
  };

  MinimizerSettings settings_;
  Settled settled_;
  double last_error_ = 0;  // of friction, in the round before
  PrescribedMotion motion_;
  LineSearch line_search_;
  ContactStiffening stiffening_;
  StopTest stop_test_;
  Elimination* elimination_ = nullptr;
  ReachHomotopy reach_;
  // Work arrays, kept between steps.
  Points d_, g_, drift_;
  const Points zero_drift_;
};

}  // namespace sinew
