// Methods whose coordinates are the positions of all vertices.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sinew/dynamics/step_model.h"
#include "sinew/model/system.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

class FullSpaceModel final : public StepModel {
 public:
  FullSpaceModel(std::shared_ptr<const System> system, std::unique_ptr<FullSpaceDirection> direction);

  IncrementalPotential& potential() override { return potential_; }
  FullSpaceDirection& direction() override { return *direction_; }
  IncrementalPotential* full_space() override { return &potential_; }
  Elimination* elimination() override;
  void adapt(Change change) override;

  State lift(const State& state) override { return state; }
  State project(State full) override { return full; }
  void lift_at(const State& state, std::span<const Index>, Points& x, Points* v) override {
    x = state.x;
    if (v) *v = state.v;
  }

  void prepare(const State& from, double end, double step) override;
  const StepContext& context() const override { return context_; }
  void start(Points& x, const std::vector<PlaneState>& planes) override;
  void end_step() override { direction_->end_step(); }
  void finish(const State& from, const Points& x, const std::vector<PlaneState>& planes, State& next) override;
  void release(State& next, std::vector<std::string>& events) override;
  void leave_out_residual(State& next) override;

  Energies energies(const State& state, const PotentialValue& E) override;
  double min_jacobian(const State& state) override;
  Points contact_force(const Points& x) override;
  NodalForces forces(const State& state, const std::vector<TermForce>& terms) override;
  std::vector<ContactForce> contact_forces(const State& state) override { return potential_.contact().forces(state.x); }
  std::vector<ContactRow> contact_rows(const State& state) override { return potential_.contact().rows(state.x); }
  std::vector<TermForce> term_forces(const State& state) override { return potential_.forces_by_all(state.x); }
  Points tie_forces(const State& state) override { return tie_forces(state.x); }
  std::vector<BoltForce> bolt_forces(const Points& x) override {
    return sinew::bolt_forces(*system_, potential_.elastic(), x);
  }
  void set_shortening(std::vector<double> shortening) override;
  std::vector<const LoadEnergy*> load_terms() override { return potential_.load_terms(); }
  Points reactions(const State& state, const std::vector<TermForce>& terms) override;
  Diagnosis diagnose(const Points& x, const Points& d, const MinimizerSettings& settings,
                     const MinimizeReport& end) override;
  std::optional<StateError> error(const State& state, const StepReport& report) override;
  void stress(const State& state, Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) override;
  void deformation_gradients(const State& state, std::span<double> out) override {
    potential_.elastic().deformation_gradients(state.x, out);
  }
  void energy_density(const State& state, std::span<double> out) override {
    potential_.elastic().energy_density(state.x, out);
  }
  std::vector<double> plastic_strain(const State& state) const override;
  std::unique_ptr<PointProbe> make_probe(std::vector<PointRow> rows) const override {
    return make_vertex_probe(std::move(rows));
  }

  void share(Preparation& prepared) const override { direction_->share(prepared); }
  void save(ArchiveWriter& archive, const State& state) const override;
  State load(const ArchiveReader& archive) override;

 private:
  void go_to_predictor(Points& x, const std::vector<PlaneState>& planes);
  Points kick(const Points& x);
  bool may_part(const Points& x, std::span<const char> held) const;
  Points tie_forces(const Points& x) const;

  std::shared_ptr<const System> system_;
  std::unique_ptr<FullSpaceDirection> direction_;
  IncrementalPotential potential_;
  StepContext context_;
  std::unique_ptr<Elimination> elimination_;  // made when first asked for
};

}  // namespace sinew
