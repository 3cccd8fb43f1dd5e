// Moves vertices by handles, x = X + U y. Between two frames of output, no operation has a cost of the size of the
// mesh.
//
// y holds q and q_D (reduced_basis.h) as a matrix with a column for each axis. Row 4 i + k is the factor of monomial k
// of handle i. Since U = W (x) I_3, one row of W gives the motion of a vertex. The gradient of a tet, dF/dy = g (x)
// I_3, is a matrix g of three columns (theory, section 6).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/potential/quadratic_terms.h"
#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/displacement_probes.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

class HandleKinematics final : public Kinematics {
 public:
  // The system must outlive this.
  HandleKinematics(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points);

  const ReducedBasis* basis() const override { return basis_.get(); }
  Index rows() const override { return rows_.rows; }
  Index free_rows() const { return rows_.free; }  // number of rows of q, the first ones

  void prescribe(double time, MatX& y) const override;
  Displacement displacement(const MatX&, const MatX& d) override { return probes_.measure(d); }
  void lift(const MatX& y, Points& u) const override;
  void lift_at(const MatX& y, std::span<const Index> vertices, Points& u) const override;
  void lift_motion_at(const MatX&, const MatX& v, std::span<const Index> vertices, Points& u) const override {
    lift_at(v, vertices, u);
  }
  void project(const Points& u, MatX& y) const override;
  MatX restrict_to(const MatX& y, const Points& g) const override;
  double inverse_mass_square(const MatX& y, const MatX& r) const override;
  void accelerate(const MatX& y, const MatX& r, MatX& a) const override;

  std::unique_ptr<PointSet> make_points(const std::vector<PointRow>& rows,
                                        std::vector<PointSpring>* springs) const override;
  std::unique_ptr<CoordinateHessian> make_hessian() const override;
  const QuadraticTerms& quadratic() const { return quadratic_; }
  // Makes the energy of inertia, mass damping, gravity and dead loads. This must outlive the result.
  std::unique_ptr<CoordinateEnergy> make_quadratic_energy();
  // Makes the energy of a rotating frame. The scene must have a spin.
  std::unique_ptr<CoordinateEnergy> make_spin_energy() const;

 private:
  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  AxisRows rows_;
  DisplacementProbes probes_;
  std::array<int, 3> set_;  // by axis: its set, index into ReducedBasis::sets
  Index free_ = 0;
  QuadraticTerms quadratic_;                 // by set of axes
  std::vector<Eigen::LLT<MatX>> free_mass_;  // by set of axes
};

}  // namespace sinew
