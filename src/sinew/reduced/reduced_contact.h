// Contact of a reduced simulation: the barrier, friction and step filter of full space on a coarse surface that follows
// the reduced coordinates. Approximate: between samples the fine surface may cross what the coarse one does not.
#pragma once

#include <memory>
#include <vector>

#include "sinew/contact/candidates.h"
#include "sinew/potential/barrier_energy.h"
#include "sinew/potential/coulomb_error.h"
#include "sinew/potential/friction_energy.h"
#include "sinew/reduced/coarse_surface.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/sample_motion.h"

namespace sinew {

// Throws InputError where the coarse surface touches anything at the system's positions x (3 x n_all) and planes.
void check_coarse_surface(const CoarseSurface& surface, const Points& x, const std::vector<PlaneState>& planes);

class ReducedContact {
 public:
  ReducedContact(const System& system, CoarseSurface surface, std::unique_ptr<SampleMotion> motion);

  Index sample_count() const { return surface_.sample_count; }

  void adapt(Change change);

  // Throws InputError where the coarse surface touches anything at y and time. Obstacles are at their places then, or
  // at those given.
  void check(const MatX& y, double time, const ObstaclePlaces* places = nullptr);
  // Where they are; none before they have been placed.
  std::optional<ObstaclePlaces> obstacles() const;

  void begin_step(const SpaceStep& step, const MatX& start);

  // The largest distance of obstacles and planes from their places at the end of the step [m], and go() counts from
  // where they are now. Planes that have only to turn about their normals are turned: friction alone feels it.
  double obstacles_left();
  // Obstacles and planes at this part of the rest of their way.
  void go(double part);

  // Largest part of the straight way from one y to another with no contact, obstacles going along from where go()
  // counts from to where they are.
  double max_step(const MatX& from, const MatX& to);

  // value(), add_gradient() and hessian() have contact_factor of the step, value() is without its scale.
  double value(const MatX& y);
  void add_gradient(const MatX& y, double scale, MatX& g);  // at the y of the last value() or this one
  // The Hessian by the samples' positions at the y of the last gradient, projected, and the samples whose rows are not
  // zero, in no order; null where nothing touches.
  const SymBlockMatrix* hessian(double scale);
  std::span<const Index> touched() const { return touched_; }
  // Gradients by the positions of the vertices where samples are, 3 x dynamic_count.
  void add_full_gradient(const MatX& y, double scale, Points& barrier, Points& friction);
  // The step has gone from one y to another, and obstacles along: go() counts from where they are.
  void took(const MatX& before, const MatX& after);

  // At y, in a step (PositionSpace).
  double friction_error(const MatX& y);
  void lag_friction(const MatX& y);

  long count() const { return set_ ? static_cast<long>(set_->stencils.size()) : 0; }  // at the y of the last value()
  // At y, whatever trials of a line search came last; none before the first step.
  SpaceContact at(const MatX& y);

 private:
  void stand(double time);
  void place(const MatX& y);
  void set_contacts(const MatX& y);
  void stay();
  void lag_friction(FrictionEnergy& friction);
  Index obstacle_vertices() const { return static_cast<Index>(x_.cols()) - surface_.sample_count; }

  const System& system_;
  CoarseSurface surface_;
  std::unique_ptr<SampleMotion> motion_;
  ContactDetector detector_;
  BarrierEnergy barrier_;
  FrictionEnergy friction_;
  bool has_friction_ = false;
  const SpaceStep* step_ = nullptr;
  FrictionEnergy anew_;      // work
  CoulombError coulomb_;     // work
  std::vector<Index> body_;  // of each sample
  const ContactSet* set_ = nullptr;
  MatX placed_at_, found_at_;  // y of x_ and of set_; empty: none that would do
  double start_time_ = 0;
  double factor_ = 1;             // contact_factor of the step
  Points x_, d_, reference_, g_;  // 3 x all vertices of the coarse mesh
  // Where go() counts from and goes to; 3 x obstacles' vertices.
  Points kinematic_start_, kinematic_target_;
  std::vector<PlaneState> plane_start_, plane_target_;
  bool placed_ = false;
  double gone_ = 0;  // the part of that way
  std::vector<PlaneState> planes_, plane_reference_;
  // Work space.
  Points kinematic_now_;
  SymBlockMatrix H_;
  std::vector<std::pair<Index, Index>> pairs_, pattern_pairs_;  // of the present set, of the one before
  std::vector<Index> touched_;
  std::vector<char> is_touched_;  // by sample
};

}  // namespace sinew
