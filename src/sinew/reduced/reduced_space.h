// Positions of a reduced simulation, x = X + U y, and everything of the incremental potential that is quadratic in them
// or sees deformation gradients alone: no operation between two frames is of the size of the mesh.
//
// y holds q and q_D (reduced_basis.h) as a matrix of a column for each axis: row 4 i + k is the factor of monomial k of
// handle i. U = W (x) I_3, so that one row of W (a vector of as many scalars) stands for a place, and the gradient of a
// tet, dF/dy = g (x) I_3, is a matrix g of three columns (theory, section 6).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/buffer_pool.h"
#include "sinew/model/system.h"
#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/displacement_probes.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/point_gradients.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_contact.h"
#include "sinew/reduced/reduced_pulls.h"
#include "sinew/reduced/reduced_springs.h"

namespace sinew {

class ReducedSpace final : public PositionSpace {
 public:
  // time: at which springs count until a step begins.
  ReducedSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
               double time);

  const ReducedBasis* basis() const override { return basis_.get(); }
  void adapt(Change change) override;
  Index rows() const override { return columns_; }
  Index free_rows() const { return free_; }  // those of q, the first

  void place(double time, MatX& y) const override;
  void begin_step(const SpaceStep& step, const MatX& start) override;
  bool aim(const MatX& target, MatX& y) override;
  double max_step(const MatX& y, const MatX& d) override;
  void took(const MatX& before, const MatX& after) override;
  void check_start(const MatX& y, double time) override;
  void add_contact_gradient(const MatX& y, double scale, Points& barrier, Points& friction) override;
  long contact_count() const override { return contact_ ? contact_->count() : 0; }
  SpaceContact contact(const MatX& y) override;
  double value(const MatX& y) override;
  void gradient(const MatX& y, MatX& g) override;
  void deformation_gradients(const MatX& y, bool displacement, std::span<double> F) override {
    points_.deformation_gradients(y, displacement, F);
  }
  void add_forces(std::span<const double> P, MatX& g) override { points_.add_forces(P, g); }
  bool factor(std::span<const double> K) override;
  void solve(const MatX& g, MatX& d) override;
  Displacement displacement(const MatX& d) override { return probes_.measure(d); }
  double kinetic(const MatX& v) const override;
  double gravity(const MatX& y) const override;
  double springs(const MatX& y) const override { return springs_->value(y) + pulls_.value(y); }
  void lift(const MatX& y, Points& u) const override;
  void project(const Points& u, MatX& y) const override;

  MatX restrict_to(const Points& g) const override;
  double inverse_mass_square(const MatX& r) const override;

  PointGradients& point_gradients() { return points_; }

 private:
  struct Set {
    MatX mass, damping;  // columns x columns
    MatX body_moment;    // columns x bodies: U^T of the masses of each body [kg]
    MatX load_moment;    // columns x loads: U^T of the shares of the faces' areas [m^2]
    Eigen::LLT<MatX> free_mass;
  };

  const Set& along(int axis) const { return sets_[set_[axis]]; }
  void external_force(double time, double ramp, MatX& f) const;
  MatX gram(int set, const std::vector<double>& weight) const;
  void make_quadratic(int set);

  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  std::array<int, 3> set_;  // of each axis, into sets_
  AxisRows rows_;
  Index columns_ = 0, free_ = 0;
  PointGradients points_;
  DisplacementProbes probes_;
  std::optional<ReducedSprings> springs_;  // of the scene
  ReducedPulls pulls_;
  std::vector<Set> sets_;
  bool mass_damping_ = false;
  Vec3 rest_moment_ = Vec3::Zero();          // sum m X [kg m]
  std::unique_ptr<ReducedContact> contact_;  // null: nothing may touch
  // Of the step.
  const SpaceStep* step_ = nullptr;
  MatX force_;     // U^T f_ext [N], free x 3
  AxisHessian H_;  // its factor
  // Work space.
  MatX at_;  // y of the last gradient()
  MatX difference_;
  VecX solution_, floor_;
  HugeArray strips_;  // of the factorisation
};

}  // namespace sinew
