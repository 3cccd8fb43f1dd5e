// Time steps of the full-space methods: one minimisation of the incremental potential a step, repeated when the lagged
// friction is iterated.
#pragma once

#include <memory>
#include <optional>

#include "sinew/dynamics/static_hold.h"
#include "sinew/dynamics/step_parts.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/solver/error_estimator.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

class FullSpaceStepper : public Stepper {
 public:
  FullSpaceStepper(std::shared_ptr<const System> system, std::unique_ptr<FullSpaceDirection> direction);

  StepReport advance() override;
  int most_parts() const override;
  void divide(int parts) override { first_parts_ = parts; }
  Clock clock() const override { return {state_.step, state_.time}; }
  const State& sample() const override { return state_; }
  StateLoss replace(State state) override;
  void adapt(Change change) override;
  void drop_history() override { sinew::drop_history(state_); }
  void set_clock(int step, double start_time) override;
  Energies energies() override;
  NodalForces forces() override;
  void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) override;
  std::optional<ActiveSubspace> active_subspace() const override { return direction_->active_subspace(); }
  std::optional<StateError> error(const StepReport& report) override;
  void save(ArchiveWriter& archive) const override;
  void load(const ArchiveReader& archive) override;

 private:
  // Where a minimisation ended.
  struct Solution {
    Points x;  // 3 x n_all
    std::vector<PlaneState> planes;
    PotentialValue value;
  };
  static MinimizerSettings minimizer_settings(const System& system);
  Solution solve(const State& from, double end, double share, StepReport& report);
  State finish(const State& from, const Solution& end, StepReport& report);
  PotentialValue minimize_with_lagging(Points& x, std::vector<PlaneState>& planes, StepReport& report);
  void fail_unheld(const Points& x, StepReport& report) const;
  void fail(Cause cause, std::string reason, const Points& x, StepReport& report) const;
  void go_to_predictor(Points& x, const std::vector<PlaneState>& planes);
  bool moved_from_outside() const;
  bool may_gain(const StepReport& report) const;
  PotentialValue without_gain(const State& from, Points& x, const std::vector<PlaneState>& planes, PotentialValue value,
                              StepReport& report);
  // Of steps in parts (divided_steps.cpp).
  bool may_divide(const StepReport& report) const;
  std::optional<Solution> solve_parts(StepParts& parts, State& from, StepReport& report);
  Solution solve_time_step(int first, State& from, StepReport& report);
  void add_mean_contact(const Points& x, double share);
  // Of load steps (load_steps.cpp).
  Solution solve_load_step(State& from, StepReport& report);
  Definiteness curvature(const Points& x, Points& z);
  void leave_unstable(Solution& at, StepReport& report);
  bool go_along(const Points& z, Solution& at);
  bool near_limit_point(const State& from, double end);
  void stay_below_limit(const State& from, Solution& end, StepReport& report);

  Energies energies_of(const State& state, const PotentialValue& value) const;
  Points kick(const Points& x) const;
  void leave_out_residual(State& next);
  Points reactions(const Points& x) const;
  void check_statics(const Points& x, const StepReport& report) const;
  void check_advance(const StepReport& report) const;
  void check_finite(const State& next, const Points& reaction, const StepReport& report) const;

  std::shared_ptr<const System> system_;
  std::unique_ptr<FullSpaceDirection> direction_;
  IncrementalPotential potential_;
  Minimizer minimizer_;
  StaticHold hold_;
  std::unique_ptr<ErrorEstimator> estimator_;  // once asked for: of stability, where the direction does not know
  State state_;
  StepContext context_;
  // In statics: the load at the last equilibrium, where the last step ended above a limit point; else negative.
  double limit_ = -1;
  Points reaction_;                   // 3 x dynamic_count [N] of the last step
  int first_parts_ = 1;               // that the next step begins with
  Points mean_contact_;               // NodalForces::mean_contact of the last step
  bool stepped_ = false;              // whether context_ is that of the last step
  std::optional<Energies> energies_;  // of state_, once known; the potential's contacts are then those of state_
};

}  // namespace sinew
