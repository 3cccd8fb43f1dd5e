// Positions of a reduced simulation in a basis of dense modes, x = X + U q + U_D q_D (theory, section 9). As of handles
// (reduced_space.h), no operation between two frames is of the size of the mesh.
//
// y is one column: q, one number a mode, and q_D, twelve for each prescribed motion.
#pragma once

#include <memory>

#include "sinew/reduced/basis_space.h"
#include "sinew/reduced/mode_points.h"

namespace sinew {

class ModeSpace final : public BasisSpace {
 public:
  // time: at which springs count until a step begins.
  ModeSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points, double time);

  Index columns() const override { return 1; }
  bool has_energy() const override { return basis_->mode_weights.size() == 0; }

  void place(double time, MatX& y) const override;
  void begin_step(const SpaceStep& step, const MatX& start) override;
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
  double kinetic(const MatX& v) const override;
  double gravity(const MatX& y) const override;
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

  ModePoints points_;
  MatX mass_, damping_;              // rows x rows; damping: empty where there is none
  std::array<MatX, 3> body_moment_;  // by axis, rows x bodies: U^T of the masses of each body [kg]
  std::array<MatX, 3> load_moment_;  // by axis, rows x loads: U^T of the shares of the faces' areas [m^2]
  Eigen::LLT<MatX> free_mass_;
  Vec3 rest_moment_ = Vec3::Zero();  // sum m X [kg m]
  // Of the step.
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
