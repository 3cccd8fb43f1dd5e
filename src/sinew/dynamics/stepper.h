// Time steps of any method: one minimisation of the incremental potential a step, repeated when the lagged friction is
// iterated, in parts where it fails.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sinew/dynamics/static_hold.h"
#include "sinew/dynamics/step_model.h"
#include "sinew/dynamics/step_parts.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/model/system.h"
#include "sinew/multilevel/error_estimator.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

struct Clock {
  int step = 0;     // steps done
  double time = 0;  // [s]; in statics the share of the load, 0 to 1
};

// Of a state that a method cannot hold: the largest distance of a vertex from where it was to be [m], and difference of
// its velocity [m/s]. Zero in full space.
struct StateLoss {
  double position = 0, velocity = 0;
};

class Stepper {
 public:
  // settings: the tolerances and bounds of a step, as the system has them then.
  Stepper(std::shared_ptr<const System> system, std::unique_ptr<StepModel> model,
          MinimizerSettings (*settings)(const System&));

  // A step that throws leaves the state as it was.
  StepReport advance();

  // The largest number of parts of a time step. divide() has the next step made in so many parts from its start, a
  // power of two that is not larger.
  int most_parts() const;
  void divide(int parts) { first_parts_ = parts; }

  Clock clock() const { return {state_.step, state_.time}; }

  // The full-space state; of a method in a subspace it is lifted when it is asked for. Valid until the next call that
  // is not const.
  const State& sample() const;

  // Goes on from another state of the same system, by whatever method it was reached; what the method cannot hold of it
  // is projected away.
  StateLoss replace(State state);

  // The system has changed; what was computed from it and is kept over steps is made anew, as far as needed.
  void adapt(Change change);
  // The next step knows nothing of those before, as steps of another size must not.
  void drop_history();
  // From here on `step` steps are done, and step 0 was at `start_time` [s]; positions and history stay.
  void set_clock(int step, double start_time);

  // Whether the method goes on by another formulation, with all else that it has.
  bool set_formulation(Formulation formulation);

  Energies energies();
  NodalForces forces();

  // Per tet: 6 x m Cauchy stress [Pa] (XX YY ZZ XY YZ XZ) and von Mises stress [Pa].
  void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) { model_->stress(state_, cauchy, von_mises); }

  // Of methods in a subspace, null and empty otherwise: what it is, and q, 12 a handle (its 3 x 4 matrix by columns).
  const ReducedBasis* subspace() const { return model_->subspace(); }
  VecX coordinates() const { return model_->coordinates(state_); }
  // The coordinates with those that follow prescribed motions: a row of three axes for each column of U, four a handle.
  // Null for methods in full space. Valid until the next call that is not const.
  const MatX* reduced_positions() const { return model_->reduced_positions(state_); }
  // Other coordinates at the same time and velocity; without the history of others. Throws InputError where their
  // number is another, they are not finite, or what they move touches what it may not.
  void set_coordinates(const VecX& q);

  // Of the last step, of methods in a subspace; O(n).
  std::optional<FullGradient> full_gradient();

  // The estimated error of the last step, `report`, where solver.error_every wants it; of methods in a subspace, O(n).
  std::optional<StateError> error(const StepReport& report);

  // Of the method with adaptive subspaces.
  std::optional<ActiveSubspace> active_subspace() const { return model_->direction().active_subspace(); }

  void save(ArchiveWriter& archive) const;
  void load(const ArchiveReader& archive);

  void set_interrupt(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

 private:
  // Where a minimisation ended.
  struct Solution {
    Points x;  // q, 3 x m
    std::vector<PlaneState> planes;
    PotentialValue value;
  };
  Potential& potential() { return model_->potential(); }
  const StepContext& context() const { return model_->context(); }
  void require_remaining_load() const;
  void forget();
  void stand();
  void solve(const State& from, double end, double share, Solution& at, StepReport& report);
  void finish(const State& from, const Solution& at, StepReport& report, State& next);
  PotentialValue minimize_with_lagging(Points& x, std::vector<PlaneState>& planes, StepReport& report);
  void fail_unheld(const Points& x, StepReport& report);
  void fail(Cause cause, std::string reason, const Points& x, StepReport& report);
  bool moved_from_outside(const Points& x);
  bool may_gain(const StepReport& report);
  PotentialValue without_gain(const State& from, Points& x, const std::vector<PlaneState>& planes, PotentialValue value,
                              StepReport& report);
  void check_statics(const Points& x, const StepReport& report);
  void check_advance(const StepReport& report) const;
  void check_finite(const State& next, const std::optional<Points>& reaction, const StepReport& report) const;

  // Of steps in parts (divided_steps.cpp).
  bool may_divide(const StepReport& report) const;
  bool solve_parts(StepParts& parts, State& from, Solution& at, StepReport& report);
  void solve_time_step(int first, State& from, Solution& at, StepReport& report);
  void add_mean_contact(const Points& x, double share);
  // Of load steps (load_steps.cpp).
  void solve_load_step(State& from, Solution& at, StepReport& report);
  Definiteness curvature(const Points& x, Points& z);
  void leave_unstable(Solution& at, StepReport& report);
  bool go_along(const Points& z, Solution& at);
  bool near_limit_point(const State& from, double end);
  void stay_below_limit(const State& from, Solution& at, StepReport& report);

  std::shared_ptr<const System> system_;
  std::unique_ptr<StepModel> model_;
  MinimizerSettings (*settings_)(const System&);
  Minimizer minimizer_;
  StaticHold hold_;
  std::unique_ptr<ErrorEstimator> estimator_;  // once asked for: of stability, where the direction does not know
  State state_;                                // of the model's coordinates
  // Of a step, kept from one to the next.
  Solution end_;
  State next_;
  mutable std::optional<State> lifted_;
  // In statics: the load at the last equilibrium, where the last step ended above a limit point; else negative.
  double limit_ = -1;
  std::optional<Points> reaction_;    // 3 x dynamic_count [N] of the last step, once known
  int first_parts_ = 1;               // that the next step begins with
  Points mean_contact_;               // NodalForces::mean_contact of the last step
  bool made_step_ = false;            // whether the state is the end of a step of this stepper
  bool prepared_ = false;             // whether the context is that of the last step, or of the next one
  std::optional<Energies> energies_;  // of state_, once known; the potential's contacts are then those of state_
  std::function<bool()> interrupted_;
};

}  // namespace sinew
