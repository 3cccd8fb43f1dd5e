// Positions of a reduced simulation in a basis of dense modes, x = X + U q + U_D q_D (theory, section 9). As of handles
// (reduced_space.h), no operation between two frames is of the size of the mesh.
//
// y is one column: q, one number a mode, and q_D, twelve for each prescribed motion.
#pragma once

#include <memory>
#include <optional>

#include "sinew/reduced/displacement_probes.h"
#include "sinew/reduced/mode_points.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_contact.h"
#include "sinew/reduced/reduced_pulls.h"
#include "sinew/reduced/reduced_springs.h"

namespace sinew {

class ModeSpace final : public PositionSpace {
 public:
  // time: at which springs count until a step begins.
  ModeSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points, double time);

  void adapt(Change change) override;
  Index rows() const override { return rows_.rows; }
  Index columns() const override { return 1; }
  const ReducedBasis* basis() const override { return basis_.get(); }
  bool has_energy() const override { return basis_->mode_weights.size() == 0; }

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
    points_.deformation_gradients(y.col(0), displacement, F);
  }
  void add_forces(std::span<const double> P, MatX& g) override { points_.add_forces(P, g.col(0)); }
  // The symmetric Jacobian, or the exact one (EP, equation 11) factored by rows.
  bool factor(std::span<const double> K) override;
  bool factor_exact(std::span<const double> K) override;
  double residual(const MatX& g) override;
  void solve(const MatX& g, MatX& d) override;
  Displacement displacement(const MatX& d) override { return probes_.measure(d); }
  double kinetic(const MatX& v) const override;
  double gravity(const MatX& y) const override;
  double springs(const MatX& y) const override { return springs_->value(y) + pulls_.value(y); }
  void lift(const MatX& y, Points& u) const override;
  void project(const Points& u, MatX& y) const override;
  MatX restrict_to(const Points& g) const override;
  double inverse_mass_square(const MatX& r) const override;

 private:
  Index free() const { return rows_.free; }
  MatX gram(const std::vector<double>& weight) const;
  void add_moment(Index vertex, double factor, std::array<MatX, 3>& moments, Index column) const;
  void external_force(double time, double ramp, VecX& f) const;
  void assemble();

  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  AxisRows rows_;
  ModePoints points_;
  DisplacementProbes probes_;
  std::optional<ReducedSprings> springs_;  // of the scene
  ReducedPulls pulls_;
  MatX mass_, damping_;              // rows x rows; damping: empty where there is none
  std::array<MatX, 3> body_moment_;  // by axis, rows x bodies: U^T of the masses of each body [kg]
  std::array<MatX, 3> load_moment_;  // by axis, rows x loads: U^T of the shares of the faces' areas [m^2]
  Eigen::LLT<MatX> free_mass_;
  Vec3 rest_moment_ = Vec3::Zero();          // sum m X [kg m]
  std::unique_ptr<ReducedContact> contact_;  // null: nothing may touch
  // Of the step.
  const SpaceStep* step_ = nullptr;
  VecX force_;  // U^T f_ext [N], of the unknowns
  AxisHessian H_;
  MatX factor_;                      // of H_
  Eigen::PartialPivLU<MatX> exact_;  // of the exact Jacobian
  bool is_exact_ = false;
  MatX at_;          // y of the last gradient()
  VecX difference_;  // work space
  mutable VecX product_;
};

}  // namespace sinew
