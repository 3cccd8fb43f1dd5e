// Time steps of simulations whose positions the elastic energy sees through deformation gradients at points: standard
// finite elements (projected Newton) and mixed ones with stretches of their own (sequential quadratic programming with
// everything but the positions condensed out; theory, section 6), in a subspace or in full space.
#pragma once

#include <memory>
#include <optional>

#include "sinew/dynamics/broyden_updates.h"
#include "sinew/dynamics/condensed_state.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/dynamics/time_rule.h"
#include "sinew/model/system.h"
#include "sinew/potential/elastic.h"
#include "sinew/reduced/condensed_model.h"

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
  void set_coordinates(const VecX& q) override;

 private:
  void set_up(double time);
  void follow_releases(double time_end);
  void begin(const TimeRule& rule);
  double stiffness_damping(std::vector<double>* P, std::vector<double>* K);
  void linearize();
  double merit(const MatX& y, const std::vector<double>& s);
  bool aim();
  const ElasticEnergy& all_tets();
  Points whole_gradient();
  struct Direction {
    bool found = false;
    double longest = 0;               // |U d| of the fastest point [m]
    double largest = 0, measure = 0;  // |U d| / h: of the fastest point, in the norm of the tolerance [m/s]
    double slope = 0;                 // of the merit function
  };
  Direction direction(StepReport& report);
  double filtered(const MatX& y, double t);
  double search(double slope, double longest, StepReport& report);
  double search_by_work(double slope, double longest, StepReport& report);
  double merit_floor(double coordinates, double elastic);
  bool can_keep_factor() const;
  bool solve(StepReport& report);
  bool solve_by_differences(StepReport& report);
  const ElasticPoints& energy_points() const { return model_.energy ? *model_.energy : *model_.points; }
  void minimize(StepReport& report);

  std::shared_ptr<const System> system_;
  Formulation formulation_;
  CondensedModel model_;
  int releases_ = 0;  // of prescribed vertices, before the present model
  bool damped_ = false;
  CondensedState state_;
  SpaceStep step_;
  MatX start_y_;  // y at the start of the last step; empty: none since the state was replaced
  // Of the step: iterate, gradient, direction, trial.
  MatX y_, g_, d_, y_trial_, target_;
  MatX forces_, moved_, differenced_;              // modal cubature: elastic forces at y_, work
  BroydenUpdates updates_;                         // of the factored matrix, of dense modes
  bool exact_ = false;                             // modal cubature: the symmetric matrix converges slowly
  bool linearized_ = false;                        // whether g_, P_ and K_ are those at y_
  bool arrived_ = true;                            // what is prescribed, and obstacles
  double mass_ = 0;                                // [kg]
  double rest_size_ = 0;                           // largest coordinate at rest [m]
  double rounding_floor_ = 0;                      // of a direction's velocity, by positions at the start [m/s]
  double start_ = 0;                               // elastic part of the merit function at (y_, s_)
  std::vector<double> s_, ds_, s_trial_, l_;       // 6 a slot
  std::vector<double> F_, dF_, P_, damping_rate_;  // 9, 9, 9, 1 a slot
  std::vector<double> K_, damping_;                // 45 a slot
  std::vector<double> F_reference_, work_;
  mutable std::optional<State> lifted_;
  std::unique_ptr<ElasticEnergy> all_tets_;  // once asked for
};

}  // namespace sinew
