// Positions of a reduced simulation, x = X + U y: no operation between two frames is of the size of the mesh.
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
#include "sinew/reduced/quadratic_terms.h"

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
  void lag_loads(const MatX& y) override { scene_.terms->lag(y); }
  double lagging_change(const MatX& y) const override { return scene_.terms->lagging_change(y); }
  double value(const MatX& y) override;
  void gradient(const MatX& y, MatX& g) override;
  void deformation_gradients(const MatX& y, bool direction, std::span<double> F) override {
    points_.deformation_gradients(y, direction, F);
  }
  void add_forces(std::span<const double> P, MatX& g) override { points_.add_forces(P, g); }
  bool factor(std::span<const double> K) override;
  void solve(const MatX& g, MatX& d) override;
  double kinetic(const MatX& v) const override { return quadratic_.kinetic(v); }
  double gravity(const MatX& y) const override { return quadratic_.gravity(y); }
  double springs(const MatX& y) const override;
  Displacement displacement(const MatX& d) override { return probes_.measure(d); }
  void lift(const MatX& y, Points& u) const override;
  void project(const Points& u, MatX& y) const override;

  MatX restrict_to(const MatX& y, const Points& g) const override;
  double inverse_mass_square(const MatX& y, const MatX& r) const override;

  PointGradients& point_gradients() { return points_; }

 private:
  const MatX& mass(int axis) const { return quadratic_.mass(set_[axis]); }
  using Terms = TermsOver<AxisPoints>;
  Terms make_scene_terms(double time) const;
  Terms make_pulls(double time) const;

  AxisRows rows_;
  DisplacementProbes probes_;
  Terms scene_;                    // springs and pressures
  Terms pulls_;                    // springs that users pull with
  AxisPoints* samples_ = nullptr;  // of contact_
  std::array<int, 3> set_;         // of each axis, into ReducedBasis::sets
  Index free_ = 0;
  PointGradients points_;
  QuadraticTerms quadratic_;                 // by set
  std::vector<Eigen::LLT<MatX>> free_mass_;  // by set
  AxisHessian H_;                            // of the step, its factor
  // Work space.
  VecX solution_, floor_;
  HugeArray strips_;  // of the factorisation
};

}  // namespace sinew
