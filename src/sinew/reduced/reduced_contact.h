// Contact of a reduced simulation: the contact model and friction of full space (potential/contact_model.h) over a
// system whose vertices are the samples of a coarse surface that follows the reduced coordinates. Approximate: between
// samples the fine surface may cross what the coarse one does not.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/contact_model.h"
#include "sinew/reduced/coarse_surface.h"
#include "sinew/reduced/point_motion.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

// Throws InputError where the coarse surface touches anything at the system's positions x (3 x n_all) and planes.
void check_coarse_surface(const CoarseSurface& surface, const Points& x, const std::vector<PlaneState>& planes);

class ReducedContact {
 public:
  ReducedContact(const System& system, CoarseSurface surface, std::unique_ptr<PointMotion> motion);

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
  void add_gradient(const MatX& y, double scale, MatX& g);
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

  long count() const { return static_cast<long>(contact_->contacts().size()); }  // at the y of the last value()
  // At y, whatever trials of a line search came last; none before the first step.
  SpaceContact at(const MatX& y);

 private:
  void stand(double time);
  void place(const MatX& y);
  void set_contacts(const MatX& y);
  void stay();
  Index obstacle_vertices() const { return static_cast<Index>(x_.cols()) - surface_.sample_count; }
  Energy& normal() { return contact_->normal(); }
  FrictionEnergy& friction() { return contact_->friction(); }

  const System& system_;
  CoarseSurface surface_;
  std::unique_ptr<PointMotion> motion_;
  System points_;  // the samples, then the vertices of obstacles
  std::unique_ptr<ContactModel> contact_;
  StepContext context_;        // of the step, over the points
  MatX placed_at_, found_at_;  // y of x_ and of the contacts; empty: none that would do
  double start_time_ = 0;
  Points x_, d_, g_;  // 3 x all points; g_: samples
  // Where go() counts from and goes to; 3 x obstacles' vertices.
  Points obstacle_start_, obstacle_target_;
  std::vector<PlaneState> plane_start_;
  bool placed_ = false;
  double gone_ = 0;  // the part of that way
  std::vector<PlaneState> planes_;
  // Work space.
  Points obstacle_now_;
  SymBlockMatrix H_;
  std::vector<std::pair<Index, Index>> pairs_, pattern_pairs_;  // of the present set, of the one before
  std::vector<Index> touched_;
  std::vector<char> is_touched_;  // by sample
};

}  // namespace sinew
