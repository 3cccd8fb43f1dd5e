// Uses all vertices as coordinates in place of a subspace: the reference for reduced methods (Trusty et al. 2022).
#pragma once

#include <memory>
#include <vector>

#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"

namespace sinew {

// y are displacements, n x 3.
class VertexKinematics final : public Kinematics {
 public:
  // Prescribes the vertices that are prescribed at `time` [s]. pattern: of Hessians without contact. The system must
  // outlive this.
  VertexKinematics(const System& system, std::shared_ptr<const BlockPattern> pattern, double time);

  Index rows() const override { return system_.dynamic_count; }
  void prescribe(double time, MatX& y) const override;
  Displacement displacement(const MatX& y, const MatX& d) override;
  void lift(const MatX& y, Points& u) const override { u = y.transpose(); }
  void project(const Points& u, MatX& y) const override;
  MatX restrict_to(const MatX& y, const Points& g) const override;
  double inverse_mass_square(const MatX& y, const MatX& r) const override;
  void accelerate(const MatX& y, const MatX& r, MatX& a) const override;

  // Each row must be a single vertex, in ascending order.
  std::unique_ptr<PointSet> make_points(const std::vector<PointRow>& rows,
                                        std::vector<PointSpring>* springs) const override;
  std::unique_ptr<CoordinateHessian> make_hessian() const override;

 private:
  bool is_fixed(Index v, int axis) const { return fixed_[3 * static_cast<std::size_t>(v) + axis] != 0; }

  const System& system_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<PrescribedVertex> prescribed_;  // those that hold
  std::vector<char> fixed_;                   // 3 n flags
};

}  // namespace sinew
