// Time steps of simulations whose positions the elastic energy sees through deformation gradients at points: standard
// finite elements (projected Newton) and mixed ones with stretches of their own (sequential quadratic programming with
// everything but the positions condensed out; theory, section 6), in a subspace or in full space.
#pragma once

#include <memory>
#include <optional>

#include "sinew/dynamics/condensed_state.h"
#include "sinew/dynamics/full_space_error.h"
#include "sinew/dynamics/full_space_gradient.h"
#include "sinew/dynamics/reduced_direction.h"
#include "sinew/dynamics/reduced_potential.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/dynamics/time_rule.h"
#include "sinew/model/system.h"
#include "sinew/potential/elastic.h"
#include "sinew/reduced/condensed_model.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

class CondensedStepper : public Stepper {
 public:
  CondensedStepper(std::shared_ptr<const System> system, Formulation formulation);

  StepReport advance() override;
  Clock clock() const override { return {state_.step, state_.time}; }
  const State& sample() const override;
  StateLoss replace(State state) override;
  void adapt(Change change) override;
  bool set_formulation(Formulation formulation) override;
  void drop_history() override;
  void set_clock(int step, double start_time) override;
  Energies energies() override;
  NodalForces forces() override;
  void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) override;
  void save(ArchiveWriter& archive) const override;
  void load(const ArchiveReader& archive) override;

  const PositionSpace& space() const { return *model_.space; }
  const ElasticPoints& points() const { return *model_.points; }
  const CondensedState& state() const { return state_; }
  const ReducedBasis* subspace() const override;
  VecX coordinates() const override;
  const MatX* reduced_positions() const override { return subspace() ? &state_.x : nullptr; }
  std::optional<FullGradient> full_gradient() override;
  std::optional<StateError> error(const StepReport& report) override;
  void set_coordinates(const VecX& q) override;

 private:
  void set_up(double time);
  StateLoss project(State full);
  void follow_releases(double time_end);
  void begin(const TimeRule& rule);
  MatX kick(const MatX& y);
  Energies energies_of(const double* F) const;
  const ElasticEnergy& all_tets();
  CondensedStep last_step() const;
  Diagnosis diagnosis(MinimizeReport end, const std::string& reason);
  MinimizerSettings settings() const;
  ObstaclePlaces obstacles_at(double time) const;
  void check_start(const MatX& y, const ObstaclePlaces& places);
  void stand();
  SpaceContact contact() const;

  std::shared_ptr<const System> system_;
  Formulation formulation_;
  CondensedModel model_;
  int releases_ = 0;  // of prescribed vertices, before the present model
  std::optional<ReducedPotential> potential_;
  std::optional<ReducedDirection> direction_;
  Minimizer minimizer_{MinimizerSettings{}};
  CondensedState state_;
  SpaceStep step_;
  Points q_;  // of the minimisation of a step
  std::vector<PlaneState> planes_;
  CondensedState end_;      // what it ended with: y, stretches and obstacles
  ObstaclePlaces targets_;  // of obstacles in the step
  MatX start_y_;            // y at the start of the last step; empty: none since the state was replaced
  mutable std::optional<State> lifted_;
  std::unique_ptr<ElasticEnergy> all_tets_;  // once asked for
  CondensedState before_;                    // the state at the start of the last step, where there is a start_y_
  std::unique_ptr<FullSpaceError> full_space_error_;
};

}  // namespace sinew
