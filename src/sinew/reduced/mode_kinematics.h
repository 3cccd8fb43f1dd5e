// Moves vertices by dense modes of substructures, with a frame for each floating substructure (theory, section 9).
// Between two frames of output, no operation has a cost of the size of the mesh.
//
// frame_coordinates.h defines y and the unknowns.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/kinematics/kinematics.h"
#include "sinew/linalg/block_cholesky.h"
#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/potential/quadratic_terms.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/frame_inertia.h"
#include "sinew/reduced/mass_clusters.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/substructure_lift.h"
#include "sinew/reduced/substructure_points.h"

namespace sinew {

class ModeKinematics final : public Kinematics {
 public:
  // The system must outlive this.
  ModeKinematics(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points);

  const ReducedBasis* basis() const override { return basis_.get(); }
  Index rows() const override { return frames_.rows(); }
  Index columns() const override { return 1; }
  Index unknown_rows() const override { return frames_.unknowns(); }
  Index unknown_columns() const override { return 1; }
  bool is_curved() const override { return frames_.any_floats() || is_warped_; }

  void prescribe(double time, MatX& y) const override;
  void move(const MatX& y, const MatX& d, double t, MatX& moved) override;
  void pull_back(const MatX& y, const MatX& G, MatX& g) override;
  void add_curvature(const MatX& y, const MatX& G, CoordinateHessian& H) override;
  Displacement displacement(const MatX& y, const MatX& d) override;
  Displacement distance(const MatX& from, const MatX& to) override;
  double farthest(const MatX& y) override;
  void lift(const MatX& y, Points& u) const override { lift_.displacements(y, u); }
  void lift_motion(const MatX& at, const MatX& v, Points& u) const override { lift_.motions(at, v, u); }
  void lift_at(const MatX& y, std::span<const Index> vertices, Points& u) const override {
    lift_.displacements(y, u, vertices);
  }
  void lift_motion_at(const MatX& at, const MatX& v, std::span<const Index> vertices, Points& u) const override {
    lift_.motions(at, v, u, vertices);
  }
  void project(const Points& u, MatX& y) const override { lift_.project(u, y); }
  void project_velocity(const MatX& at, const Points& v, MatX& y) const override { lift_.project_velocity(at, v, y); }
  void keep_on(const MatX& y, MatX& v, MatX& a) override;
  MatX restrict_to(const MatX& y, const Points& g) const override { return lift_.restricted(y, g); }
  double inverse_mass_square(const MatX& y, const MatX& r) const override { return lift_.inverse_mass_square(y, r); }
  void accelerate(const MatX& y, const MatX& r, MatX& a) const override { lift_.accelerate(y, r, a); }
  VecX coordinates(const MatX& y) const override;
  void set_coordinates(const VecX& q, MatX& y) const override;

  std::unique_ptr<PointSet> make_points(const std::vector<PointRow>& rows,
                                        std::vector<PointSpring>* springs) const override;
  std::unique_ptr<CoordinateHessian> make_hessian() const override;
  // Makes the energies of inertia, mass damping, gravity, dead loads, and the springs between the parts of a body. With
  // warping, loads are a separate term, and elasticity is added. This must outlive the energies.
  std::vector<std::unique_ptr<CoordinateEnergy>> make_energies(double time);

  const std::vector<Substructure>& parts() const { return basis_->parts; }
  const FrameCoordinates& frames() const { return frames_; }

 private:
  Displacement measure() const;
  void project_tangent(MatX& v);

  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  FrameCoordinates frames_;
  bool is_warped_ = false;
  QuadraticTerms quadratic_;  // by substructure, and
  std::vector<FrameInertia> inertia_;
  SubstructureLift lift_;
  SubstructurePointMaker point_maker_;
  std::vector<MassCluster> clusters_;  // with warping
  std::optional<MaterialPoints> probes_;
  VecX probe_weight_;
  BlockCholesky mass_;
  // Work space.
  Placement at_;
  MatX difference_, bent_, unknowns_;
  Points moved_;
};

}  // namespace sinew
