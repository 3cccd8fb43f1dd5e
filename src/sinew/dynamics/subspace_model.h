// Methods with elastic energy at points, in a subspace or in full space, with standard or mixed finite elements.
// Standard elements use projected Newton. Mixed elements have separate stretches and use sequential quadratic
// programming, condensed to positions (theory, section 6).
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/dynamics/step_model.h"
#include "sinew/model/system.h"
#include "sinew/potential/linear_tet_energy.h"
#include "sinew/reduced/reduced_direction.h"
#include "sinew/reduced/reduced_model.h"
#include "sinew/reduced/reduced_potential.h"

namespace sinew {

class FullSpaceError;     // dynamics/full_space_error.h
class FullSpaceGradient;  // dynamics/full_space_gradient.h
struct ReducedStep;

// The state has q as in ReducedPotential. Without contact, q contains neither obstacles nor planes.
class SubspaceModel final : public StepModel {
 public:
  SubspaceModel(std::shared_ptr<const System> system, Formulation formulation, const Preparation& prepared = {});

  ReducedPotential& potential() override { return *potential_; }
  ReducedDirection& direction() override { return *direction_; }
  bool is_curved() const override { return model_.kinematics->is_curved(); }
  void adapt(Change change) override;

  State lift(const State& state) override;
  State project(State full) override;
  void follow_releases(State& state, double end) override;
  void lift_at(const State& state, std::span<const Index> vertices, Points& x, Points* v) override;

  void prepare(const State& from, double end, double step) override;
  const StepContext& context() const override { return context_; }
  void start(Points& q, const std::vector<PlaneState>& planes) override;
  void finish(const State& from, const Points& q, const std::vector<PlaneState>& planes, State& next) override;
  void leave_out_residual(State& next) override;

  Energies energies(const State& state, const PotentialValue& E) override;
  double min_jacobian(const State& state) override;
  Points contact_force(const Points& q) override;
  NodalForces forces(const State& state, const std::vector<TermForce>& terms) override;
  std::vector<ContactForce> contact_forces(const State& state) override;
  std::vector<ContactRow> contact_rows(const State& state) override;
  std::vector<TermForce> term_forces(const State& state) override;
  double contact_area(Index vertex) const override;
  std::vector<const LoadEnergy*> load_terms() override;
  Points reactions(const State& state, const std::vector<TermForce>& terms) override;
  Diagnosis diagnose(const Points& q, const Points& d, const MinimizerSettings& settings,
                     const MinimizeReport& end) override;
  std::optional<StateError> error(const State& state, const StepReport& report) override;
  void stress(const State& state, Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) override;
  void deformation_gradients(const State& state, std::span<double> out) override;
  void energy_density(const State& state, std::span<double> out) override;
  std::unique_ptr<PointProbe> make_probe(std::vector<PointRow> rows) const override {
    return make_subspace_probe(*potential_, std::move(rows));
  }
  int set_ups() const override { return releases_; }

  const ReducedBasis* subspace() const override { return model_.kinematics->basis(); }
  VecX coordinates(const State& state) const override;
  const MatX* reduced_positions(const State& state) const override;
  void set_coordinates(const VecX& values, State& state) override;
  bool set_formulation(Formulation formulation, State& state) override;
  std::optional<FullGradient> full_gradient(const State& state) override;

  void share(Preparation& prepared) const override;
  void save(ArchiveWriter& archive, const State& state) const override;
  State load(const ArchiveReader& archive) override;

 private:
  Kinematics& kinematics() const { return *model_.kinematics; }
  void set_up(double time, std::shared_ptr<const ReducedBasis> basis = {});
  State project_onto_space(const State& full);
  Points obstacles_of(const Points& full) const;
  void check(const Points& q, const std::vector<PlaneState>& planes);
  const MatX& y_of(const Points& q) const { return y_ = potential_->packed().y_of(q); }
  double elastic_energy(const MatX& y) const;
  void lift_positions(const Points& q, double time, Points& x) const;
  // v: a velocity, or an acceleration, which skins leave in the rest pose.
  Points lift_motion(const Points& at, const Points& v, double time, bool is_velocity = true) const;
  Points kick(const Points& q);
  FullSpaceGradient& full_space_gradient();
  const ElasticEnergy& elastic_at(const State& state);

  // The last step, or part of a step, with positions x at its end q.
  struct End {
    MatX start, y;
    Points x;
  };
  End end_at(const Points& q) const;
  ReducedStep step_to(const End& end) const;

  std::shared_ptr<const System> system_;
  Formulation formulation_;
  ReducedModel model_;
  double set_up_at_ = 0;  // time at which the basis was made [s]
  int releases_ = 0;      // number of releases of prescribed vertices before set_up_at_
  bool told_instability_ = false;
  std::shared_ptr<Shared<EstimatorLevels>> levels_;  // of full_space_error_
  std::optional<ReducedPotential> potential_;
  std::optional<ReducedDirection> direction_;
  StepContext context_;
  State before_;  // at the start of the step
  // Made when first needed, by reports (subspace_reports.cpp).
  std::shared_ptr<FullSpaceGradient> full_space_gradient_;
  std::shared_ptr<FullSpaceError> full_space_error_;
  mutable MatX y_;  // work array
  MatX v_, a_;
};

}  // namespace sinew
