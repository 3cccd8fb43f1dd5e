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
#include "sinew/reduced/axis_points.h"
#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/basis_space.h"
#include "sinew/reduced/displacement_probes.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/point_gradients.h"
#include "sinew/reduced/point_terms.h"

namespace sinew {

class ReducedSpace final : public BasisSpace {
 public:
  // time: at which springs count until a step begins.
  ReducedSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
               double time);

  void adapt(Change change) override;
  Index rows() const override { return rows_.rows; }
  Index free_rows() const { return free_; }  // those of q, the first

  void place(double time, MatX& y) const override;
  void begin_step(const SpaceStep& step, const MatX& start) override;
  double value(const MatX& y) override;
  void gradient(const MatX& y, MatX& g) override;
  void deformation_gradients(const MatX& y, bool direction, std::span<double> F) override {
    points_.deformation_gradients(y, direction, F);
  }
  void add_forces(std::span<const double> P, MatX& g) override { points_.add_forces(P, g); }
  bool factor(std::span<const double> K) override;
  void solve(const MatX& g, MatX& d) override;
  double kinetic(const MatX& v) const override;
  double gravity(const MatX& y) const override;
  double springs(const MatX& y) const override;
  Displacement displacement(const MatX& d) override { return probes_.measure(d); }
  void lift(const MatX& y, Points& u) const override;
  void project(const Points& u, MatX& y) const override;

  MatX restrict_to(const MatX& y, const Points& g) const override;
  double inverse_mass_square(const MatX& y, const MatX& r) const override;

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
  using Terms = TermsOver<AxisPoints>;
  Terms make_scene_terms(double time) const;
  Terms make_pulls(double time) const;

  AxisRows rows_;
  DisplacementProbes probes_;
  Terms scene_;                    // springs and pressures
  Terms pulls_;                    // springs that users pull with
  AxisPoints* samples_ = nullptr;  // of contact_
  std::array<int, 3> set_;         // of each axis, into sets_
  Index columns_ = 0, free_ = 0;
  PointGradients points_;
  std::vector<Set> sets_;
  bool mass_damping_ = false;
  Vec3 rest_moment_ = Vec3::Zero();  // sum m X [kg m]
  // Of the step.
  MatX force_;     // U^T f_ext [N], free x 3
  AxisHessian H_;  // its factor
  // Work space.
  MatX at_;  // y of the last gradient()
  MatX difference_;
  VecX solution_, floor_;
  HugeArray strips_;  // of the factorisation
};

}  // namespace sinew
