// Contact of a reduced simulation: the contact model of full space (potential/contact_model.h) over samples of a coarse
// surface that follows the reduced coordinates. It is approximate: between samples the fine surface may intersect where
// the coarse surface does not.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/model/system.h"
#include "sinew/potential/contact_model.h"
#include "sinew/potential/coordinate_step.h"
#include "sinew/reduced/coarse_surface.h"

namespace sinew {

// Throws InputError if the coarse surface touches anything at positions x (3 x n_all) and planes of the system.
void check_coarse_surface(const CoarseSurface& surface, const Points& x, const std::vector<PlaneState>& planes);

// Finds contacts of the samples and computes their forces by the coordinates y of the bodies. `obstacles` are always
// all obstacle vertices, the last columns of q (potential/potential.h).
class ReducedContact {
 public:
  ReducedContact(const System& system, CoarseSurface surface, std::unique_ptr<PointSet> samples);

  Index sample_count() const { return surface_.sample_count; }
  Index obstacle_vertices() const { return points_.vertex_count() - surface_.sample_count; }
  ContactModel& model() { return *contact_; }

  void adapt(Change change);

  // Throws InputError if the coarse surface touches anything at y.
  void check(const MatX& y, const Eigen::Ref<const Points>& obstacles, const std::vector<PlaneState>& planes);

  // Begins a step at y = start with the contact stiffness [Pa]. Obstacles are those of `context`, the last columns of
  // its positions. step and context must outlive the step.
  void begin_step(const CoordinateStep& step, const MatX& start, const StepContext& context, double stiffness);

  // Finds the contacts at y and obstacles. All functions except max_step() refer to these contacts until the next call.
  void find(const MatX& y, const Eigen::Ref<const Points>& obstacles, const std::vector<PlaneState>& planes);

  // Returns the largest t in [0, 1] such that moving from `from` to `from + t (to - from)` causes no contact. Obstacles
  // move by t d_obstacles.
  double max_step(const MatX& from, const MatX& to, const Eigen::Ref<const Points>& obstacles,
                  const Eigen::Ref<const Points>& d_obstacles, const std::vector<PlaneState>& planes,
                  const std::vector<PlaneState>& planes_to);

  // Energy [J], with the step's contact_factor.
  double normal_energy() const { return context_.contact_factor * contact_->normal().value(x_); }
  double friction_energy() const;
  // G += gradient by y, weighted as in E; unspecified where y is prescribed.
  void add_gradient(const MatX& y, MatX& G);
  // H += Hessian. Call H.begin() before, at the y where the contacts were found.
  void add_hessian(Projection projection, CoordinateHessian& H);
  // Adds the gradients by the positions of the sampled vertices, each 3 x dynamic_count.
  void add_full_gradient(double scale, Points& barrier, Points& friction);
  // The forces of each contact, on the sampled vertices of the system.
  std::vector<ContactForce> forces() const;
  std::vector<ContactRow> rows() const;
  // The area of a sample's cell at rest [m^2]; 0: the vertex is not sampled.
  double area(Index vertex) const;
  // Call when the step went from one y to another, and obstacles moved by d_obstacles from `obstacles`
  // (ContactModel::took).
  void took(const MatX& from, const MatX& to, const Eigen::Ref<const Points>& obstacles,
            const Eigen::Ref<const Points>& d_obstacles);
  // ContactModel::predict_forces() for a direction that leads to the coordinates `to`.
  void predict_forces(const MatX& to, const Eigen::Ref<const Points>& d_obstacles,
                      const std::vector<PlaneState>& planes_end);
  bool lag_ahead(double tolerance) { return contact_->lag_ahead(x_, tolerance); }
  void lag_friction(double share) { contact_->lag(x_, share); }
  double friction_error() { return contact_->friction_error(x_); }
  // As ContactModel::softens(), at the last contacts.
  bool softens(double radius) const;

 private:
  void place(const MatX& y, const Eigen::Ref<const Points>& obstacles);

  const System& system_;
  CoarseSurface surface_;
  std::unique_ptr<PointSet> samples_;
  System points_;  // the samples, then the vertices of obstacles
  std::unique_ptr<ContactModel> contact_;
  StepContext context_;  // context of the step, over the points
  MatX found_at_;        // y where the contacts were found
  Points x_, d_, g_;     // 3 x all points; g_ only samples
  // Work space.
  Points kept_;
  SymBlockMatrix H_;
  std::vector<std::pair<Index, Index>> pairs_, pattern_pairs_;  // pairs of the current and the previous contacts
  std::vector<Index> touched_;                                  // samples whose rows of H_ are not zero, in any order
  std::vector<char> is_touched_;                                // by sample
};

}  // namespace sinew
