// Adaptive subspaces inside the time step (Trading Spaces: Trusty, Fei, Levin, Kaufman 2024; theory, section 8).
#pragma once

#include <memory>
#include <vector>

#include "sinew/adaptive/active_set.h"
#include "sinew/adaptive/adaptive_oracle.h"
#include "sinew/adaptive/enriched_system.h"
#include "sinew/adaptive/estimated_acceptance.h"
#include "sinew/adaptive/region_hessians.h"
#include "sinew/newton/hessian_policy.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

// Directions from a subspace that grows within the step. Active modes of a library move most vertices; enriched
// vertices have their own unknowns. Positions, E, filter and line search are those of full space.
class AdaptiveDirection : public FullSpaceDirection {
 public:
  explicit AdaptiveDirection(std::shared_ptr<const System> system, const Preparation& prepared = {});

  void adapt(Change change) override;
  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  DirectionResult correction(const Points& x, const Points& g, Points& d) override;
  void accepted(const Points& x, double alpha, double model_error) override;
  bool retry() override;
  bool confirm() override;
  Acceptance accept(const Points& x, Points& g, Points& d) override;
  std::optional<StateError> error(const Points& x) override { return acceptance_.error(x); }
  void end_step() override;
  std::optional<AdaptiveReport> end_report() const override { return ended_; }
  std::optional<ActiveSubspace> active_subspace() const override {
    return ActiveSubspace{set_.enriched(), set_.library()->tet_region, static_cast<Index>(set_.members().size())};
  }
  std::span<const char> balanced() const override { return set_.enriched(); }
  Definiteness curvature(const Points& x, Points& z) override { return acceptance_.estimator().curvature(x, z); }
  void share(Preparation& prepared) const override;
  void save(ArchiveWriter& archive) const override;
  void load(const ArchiveReader& archive) override;

 private:
  void follow(ActiveSet::Renewed renewed);
  void use_basis();
  void assemble(const Points& x, Points& g);
  bool needs_progress() const;
  void follow_regions(const Points& x, AdaptiveReport& report);
  bool enrich(const Points& x, const Points& g, AdaptiveReport& report);
  bool solve(Points& d, DirectionResult& result, AdaptiveReport& report);
  double try_modes(const Points& x, const VecX& q);
  bool activate();
  void add_exact(const Points& x, std::span<const Index> tets, Points& g, SymBlockMatrix& H);
  DirectionResult lead(const Points& x, Points& g, Points& d);
  void take_in(AdaptiveReport& report);
  bool take_in_modes(AdaptiveReport& report);
  bool take_in_vertices(AdaptiveReport& report);

  std::shared_ptr<const System> system_;
  const AdaptiveSetup& settings_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;

  ActiveSet set_;
  std::shared_ptr<Shared<TornMesh>> torn_;  // of regions_
  std::unique_ptr<RegionHessians> regions_;
  std::unique_ptr<AdaptiveOracle> oracle_;
  EnrichedSystem linear_;
  HessianPolicy hessian_policy_{true};
  Projection projection_ = Projection::psd;  // for the current exact part of the Hessian

  SymBlockMatrix H_, bodies_;  // exact part of the Hessian, with and, if needed, without contacts
  Points unused_;              // 3 x dynamic_count
  std::vector<double> ones_;
  Points rhs_, u_;
  // Coordinates of the last direction, and of the step taken along it; empty: no step.
  VecX q_, step_;
  std::vector<char> strayed_;  // flags of vertices that moved otherwise than by U step_
  Points x_;                   // 3 x dynamic_count, where the last direction was computed
  Points d_;                   // the last direction
  Points x_end_;               // 3 x dynamic_count, end of the last step
  bool fresh_ = false;         // whether the Hessians of all regions were computed exactly
  std::vector<double> before_, after_;
  AdaptiveReport ended_;  // what the last step dropped

  // After acceptance refuses to end the step, error estimates give the directions.
  EstimatedAcceptance acceptance_;
  bool leads_ = false;   // error estimates give the directions for the rest of the step
  int unconfirmed_ = 0;  // ends of this step that the stop test did not confirm
  bool known_ = false;   // the last estimate belongs to the current x
  bool led_ = false;     // the last direction came from an estimate
};

std::unique_ptr<FullSpaceDirection> make_adaptive(std::shared_ptr<const System> system,
                                                  const Preparation& prepared = {});

}  // namespace sinew
