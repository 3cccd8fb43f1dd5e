// Time steps of any method: each step minimises the incremental potential, repeats the minimisation to iterate lagged
// friction, and is divided into parts if it fails.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "sinew/dynamics/bolt_rounds.h"
#include "sinew/dynamics/continuation.h"
#include "sinew/dynamics/named_forces.h"
#include "sinew/dynamics/static_hold.h"
#include "sinew/dynamics/step_model.h"
#include "sinew/dynamics/step_parts.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/model/system.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

class ErrorEstimator;  // multilevel/error_estimator.h

struct Clock {
  int step = 0;     // number of steps done
  double time = 0;  // [s]; in statics the fraction of the load
};

// How much replace() lost by projecting onto the subspace: largest change of a vertex's position [m] and velocity
// [m/s]. Zero in full space.
struct StateLoss {
  double position = 0, velocity = 0;
};

class Stepper {
 public:
  // settings: function that returns the current tolerances and limits of a step. loads: load() sets the state before
  // anything else is called, so that none is needed at the start.
  Stepper(std::shared_ptr<const System> system, std::unique_ptr<StepModel> model,
          MinimizerSettings (*settings)(const System&), bool loads = false);

  // Takes a step. If it throws, the state is unchanged.
  StepReport advance();

  // most_parts() returns the largest number of parts of a step. divide() makes the next step begin with `parts` parts,
  // a power of two up to most_parts().
  int most_parts() const;
  void divide(int parts) { first_parts_ = parts; }

  // Whether the path of equilibria has ended (time.continuation): no step follows.
  bool path_ended() const { return path_ && path_->ended(); }

  Clock clock() const { return {state_.step, state_.time}; }
  // The end of the next step; the present time if it is unknown (time.continuation).
  double next_time() const;

  // Returns the full-space state, lifted on demand for methods in a subspace. Valid until the next non-const call.
  const State& sample() const;

  // Continues from another state of the same system, of any method, projected onto this method's coordinates.
  StateLoss replace(State state);

  // Call when the system has changed: recomputes cached data as needed.
  void adapt(Change change);
  // Makes the next step independent of earlier steps. Call for a new step size.
  void drop_history();
  // Sets the number of steps done and the time of step 0 [s]; positions and history stay.
  void set_clock(int step, double start_time);
  // Sets the time of the current state [s]; positions and history stay.
  void set_time(double time);

  // Switches the formulation and keeps all other data. Returns whether the method supports it.
  bool set_formulation(Formulation formulation);

  Energies energies();
  NodalForces forces();
  // These and named_forces() by one evaluation of all terms.
  std::pair<NodalForces, std::optional<NamedForces>> all_forces();
  // For sensors (sensors/sensor_source.h). Reactions and forces of ties are zero until the first step.
  const Points& reactions();
  Points tie_forces();
  std::vector<const LoadEnergy*> load_terms();  // none until the first step
  std::vector<BoltForce> bolt_forces();
  std::vector<ContactForce> contact_forces();
  std::vector<ContactRow> contact_rows();
  // None for bodies with a skeleton, whose bones carry forces.
  std::optional<NamedForces> named_forces();
  double contact_area(Index vertex) const { return model_->contact_area(vertex); }

  // A probe of sums of vertices (see StepModel), and the positions that it reads.
  std::unique_ptr<PointProbe> make_probe(std::vector<PointRow> rows) const {
    return model_->make_probe(std::move(rows));
  }
  const Points& own_positions() const { return state_.x; }
  int set_ups() const { return model_->set_ups(); }
  // Positions and velocities of some vertices, at their cost alone: 3 x dynamic_count or more, other columns are
  // undefined. They may be in x and v. Valid until the next non-const call. Without `moves`, no velocities.
  std::pair<const Points*, const Points*> motion_of(std::span<const Index> vertices, bool moves, Points& x,
                                                    Points& v) const;

  // Computes, for each tet, Cauchy stress (6 x m, XX YY ZZ XY YZ XZ) and von Mises stress [Pa].
  void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises);
  // F of each tet, row-major, 9 numbers each.
  std::vector<double> deformation_gradients();
  // The elastic energy of each tet over its volume at rest [J/m^3]; zero in tets of springs.
  std::vector<double> energy_density();
  std::vector<double> plastic_strain() const { return model_->plastic_strain(state_); }

  // Subspace and its coordinates q (12 for each handle: its 3 x 4 matrix by columns). Null and empty for methods in
  // full space.
  const ReducedBasis* subspace() const { return model_->subspace(); }
  VecX coordinates() const { return model_->coordinates(state_); }
  // Returns the coordinates, including those of prescribed motions: a row (three axes) for each column of U, four rows
  // for each handle. Null in full space. Valid until the next non-const call.
  const MatX* reduced_positions() const { return model_->reduced_positions(state_); }
  // Sets coordinates; time and velocity stay, the history is dropped. Throws InputError if the number of coordinates
  // differs, if numbers are not finite, or if positions intersect.
  void set_coordinates(const VecX& q);

  // Full-space gradient of the last step; none for methods in full space. O(n).
  std::optional<FullGradient> full_gradient();

  // Estimated error of the last step, whose report is `report`, if solver.error_every requests one. Only for methods in
  // a subspace. O(n).
  std::optional<StateError> error(const StepReport& report);

  // Active subspace; only for method adaptive.
  std::optional<ActiveSubspace> active_subspace() const { return model_->direction().active_subspace(); }

  // Adds what copies of a simulation share, and takes it over: what the model does not.
  void share(Preparation& prepared) const {
    model_->share(prepared);
    if (!prepared.levels) prepared.levels = levels_;
  }
  void take_over(const Preparation& prepared) {
    if (prepared.levels) levels_ = prepared.levels;
  }
  // full_space: whether methods in a subspace also save positions and velocities of all vertices, O(n), for methods in
  // full space that start from the checkpoint.
  void save(ArchiveWriter& archive, bool full_space = true) const;
  void load(const ArchiveReader& archive);

  void set_interrupt(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

 private:
  // The state at the end of a minimisation.
  struct Solution {
    Points x;  // coordinates q, 3 x m
    std::vector<PlaneState> planes;
    PotentialValue value;
  };
  Potential& potential() { return model_->potential(); }
  const StepContext& context() const { return model_->context(); }
  void require_remaining_load() const;
  void forget();
  void stand();
  std::vector<TermForce> subspace_terms();
  const Points& reactions(const std::vector<TermForce>& terms);
  NodalForces forces(const std::vector<TermForce>& terms);
  void solve_step(int first, std::optional<State>& part, Solution& at, StepReport& report);
  void solve(const State& from, double end, double share, Solution& at, StepReport& report);
  void finish(const State& from, const Solution& at, StepReport& report, State& next);
  PotentialValue minimize_with_lagging(Points& x, std::vector<PlaneState>& planes, StepReport& report);
  bool change_shortening(const Points& x, StepReport& report);
  void fail_unheld(const Points& x, StepReport& report);
  void fail(Cause cause, std::string reason, const Points& x, StepReport& report);
  bool moved_from_outside(const Points& x);
  bool may_gain(const StepReport& report);
  PotentialValue without_gain(const State& from, Points& x, const std::vector<PlaneState>& planes, PotentialValue value,
                              StepReport& report);
  void check_statics(const Points& x, const StepReport& report);
  void check_advance(const StepReport& report) const;
  void check_finite(const State& next, const std::optional<Points>& reaction, const StepReport& report) const;

  // ---- steps in parts (divided_steps.cpp)
  bool may_divide(const StepReport& report) const;
  bool solve_parts(StepParts& parts, bool goes_on, State& from, Solution& at, StepReport& report);
  void solve_time_step(int first, bool far, State& from, Solution& at, StepReport& report);
  void add_mean_contact(const Points& x, double share);
  // ---- load steps (load_steps.cpp)
  void adapt_estimator(Change change);
  void follow_path(State& from, Solution& at, StepReport& report);
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
  BoltRounds bolts_;
  std::optional<Continuation> path_;  // with time.continuation
  std::shared_ptr<Shared<EstimatorLevels>> levels_ = std::make_shared<Shared<EstimatorLevels>>();
  std::shared_ptr<ErrorEstimator> estimator_;  // tests stability if the direction cannot; made when first needed
  State state_;                                // in the model's coordinates
  // Work arrays, kept between steps.
  Solution end_;
  State next_;
  mutable std::optional<State> lifted_;
  // In statics, if the last step ended above a limit point, the load at the last equilibrium; else negative.
  double limit_ = -1;
  std::optional<Points> reaction_;  // reactions of the last step [N], 3 x dynamic_count, once computed
  int first_parts_ = 1;             // number of parts with which the next step begins
  Points mean_contact_;             // NodalForces::mean_contact of the last step
  bool made_step_ = false;          // whether the state is the end of a step that this stepper took
  bool prepared_ = false;           // whether the context is that of the last or of the next step
  // Energies of state_, once computed. The potential's contacts are then those of state_.
  std::optional<Energies> energies_;
  std::function<bool()> interrupted_;
};

}  // namespace sinew
