// Adaptive subspaces inside the time step (Trading Spaces: Trusty, Fei, Levin, Kaufman 2024; theory, section 8).
#pragma once

#include <memory>
#include <vector>

#include "sinew/adaptive/adaptive_oracle.h"
#include "sinew/adaptive/enriched_system.h"
#include "sinew/adaptive/mode_library.h"
#include "sinew/adaptive/region_hessians.h"
#include "sinew/multilevel/error_estimator.h"
#include "sinew/newton/hessian_policy.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/force_balance.h"

namespace sinew {

// Directions from a subspace that grows where it does not suffice: active modes of a library for most vertices,
// enriched vertices that move by themselves. Positions stay those of all vertices, and E, filter and line search are
// those of full space.
class AdaptiveDirection : public FullSpaceDirection {
 public:
  explicit AdaptiveDirection(std::shared_ptr<const System> system);

  void adapt(Change change) override;
  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  DirectionResult correction(const Points& x, const Points& g, Points& d) override;
  void accepted(const Points& x, double alpha, double model_error) override;
  bool retry() override;
  bool confirm() override;
  Acceptance accept(const Points& x, Points& g, Points& d) override;
  std::optional<StateError> error(const Points& x) override;
  void end_step() override;
  std::optional<AdaptiveReport> end_report() const override { return ended_; }
  std::optional<ActiveSubspace> active_subspace() const override {
    return ActiveSubspace{enriched_, library_->tet_region, static_cast<Index>(modes_.size())};
  }
  std::span<const char> balanced() const override { return enriched_; }
  Definiteness curvature(const Points& x, Points& z) override { return estimator().curvature(x, z); }
  void save(ArchiveWriter& archive) const override;
  void load(const ArchiveReader& archive) override;

 private:
  void build(const std::vector<char>& fixed);
  void collect_active();
  void collect_dense(Index first);
  void assemble(const Points& x, Points& g);
  bool needs_progress() const;
  void follow_regions(const Points& x, AdaptiveReport& report);
  bool enrich(const Points& x, const Points& g, AdaptiveReport& report);
  bool solve(Points& d, DirectionResult& result, AdaptiveReport& report);
  double try_modes(const Points& x, const VecX& q);
  bool activate();
  void add_exact(const Points& x, std::span<const Index> tets, Points& g, SymBlockMatrix& H);
  void drop_unused();
  ErrorEstimator& estimator();
  Acceptance judge(const Points& x);
  DirectionResult lead(const Points& x, Points& g, Points& d);
  bool find_levels(const Points& x, const Points& d, double factor);
  void take_in(const Points& g, const Points& d, AdaptiveReport& report);
  bool take_in_modes(const Points& g, const Points& d, AdaptiveReport& report);
  bool take_in_vertices(const Points& d, AdaptiveReport& report);

  std::shared_ptr<const System> system_;
  const AdaptiveSetup& settings_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;

  std::vector<char> fixed_;           // 3 dynamic_count, of the present step
  std::vector<char> fixed_vertices_;  // vertices that the library knows as fixed
  std::shared_ptr<const ModeLibrary> library_;
  std::vector<std::vector<Index>> region_vertices_;
  std::vector<Index> vertex_region_;
  std::unique_ptr<RegionHessians> regions_;
  std::unique_ptr<AdaptiveOracle> oracle_;
  EnrichedSystem linear_;
  HessianPolicy hessian_policy_{true};
  Projection projection_ = Projection::psd;  // of the exact part at hand

  // What is active, flags of the library's candidates and of the vertices; it outlives steps.
  std::vector<char> active_, enriched_;
  std::vector<Index> modes_;  // active candidates, ascending: handles, then dense modes
  ModeBasis basis_;           // of these
  std::vector<char> moved_;   // prescribed vertices that move in this step: their tets are never soft
  std::vector<char> rigid_;   // enriched or moved

  SymBlockMatrix H_, bodies_;  // exact part of the Hessian, and without contacts where that is wanted
  Points unused_;              // 3 x dynamic_count
  std::vector<double> ones_;
  Points rhs_, u_;
  VecX q_, step_;                // of the last direction; of the step that was taken from there, empty where none was
  std::vector<char> strayed_;    // vertices that took another step
  std::vector<double> total_q_;  // coordinates of the whole time step: 12 of each handle, 1 of each dense mode
  Points x_;                     // 3 x dynamic_count, where the last direction was found
  Points d_;                     // the last direction
  Points x_end_;                 // 3 x dynamic_count, where the last step led
  bool fresh_ = false;           // whether all of their Hessians are exact
  std::vector<double> before_, after_;
  AdaptiveReport ended_;  // what the last step dropped

  // Acceptance by estimates.
  ForceBalance balance_;                            // of all vertices, in statics
  std::unique_ptr<ErrorEstimator> estimator_;       // once asked for
  bool estimating_ = false;                         // it knows the present step
  bool leads_ = false;                              // it leads on for the rest of the step
  int unconfirmed_ = 0;                             // ends in this step that the stop test did not confirm
  bool known_ = false;                              // the last estimate is of the present x
  bool led_ = false;                                // the last direction was that of an estimate
  Points g_full_, d_full_;                          // of the last estimate
  std::vector<double> level_;                       // of each body: the largest error that is accepted [m]
  double least_level_ = 0;                          // of all bodies
  double worth_ = 0;                                // the least error that a last step is taken for [m]
  double led_length_ = 0;                           // of the last estimate, where its step was taken in full; else 0
  std::vector<char> asked_modes_, asked_vertices_;  // what acceptance took in, flags as active_ and enriched_
};

std::unique_ptr<FullSpaceDirection> make_adaptive(std::shared_ptr<const System> system);

}  // namespace sinew
