// Positions of a reduced simulation in dense modes of substructures, each in its frame where nothing holds it (theory,
// section 9). As of handles (reduced_space.h), no operation between two frames of output is of the size of the mesh.
//
// y and the unknowns are those of frame_coordinates.h.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sinew/linalg/block_cholesky.h"
#include "sinew/reduced/basis_space.h"
#include "sinew/reduced/frame_inertia.h"
#include "sinew/reduced/mode_points.h"
#include "sinew/reduced/point_terms.h"
#include "sinew/reduced/quadratic_terms.h"
#include "sinew/reduced/site_points.h"
#include "sinew/reduced/substructure_lift.h"
#include "sinew/reduced/warped_elasticity.h"
#include "sinew/reduced/warped_loads.h"

namespace sinew {

class SubstructureSpace final : public BasisSpace {
 public:
  // time: at which springs count until a step begins.
  SubstructureSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
                    double time);

  void adapt(Change change) override;
  Index rows() const override { return frames_.rows(); }
  Index columns() const override { return 1; }
  Index unknown_rows() const override { return frames_.unknowns(); }
  Index unknown_columns() const override { return 1; }
  bool is_curved() const override { return frames_.any_floats() || is_warped_; }
  void move(const MatX& y, const MatX& d, double t, MatX& moved) override;
  bool has_energy() const override { return has_energy_; }

  void place(double time, MatX& y) const override;
  void begin_step(const SpaceStep& step, const MatX& start) override;
  void lag_loads(const MatX& y) override { scene_.terms->lag(y); }
  double lagging_change(const MatX& y) const override { return scene_.terms->lagging_change(y); }
  double value(const MatX& y) override;
  void gradient(const MatX& y, MatX& g) override;
  void deformation_gradients(const MatX& y, bool direction, std::span<double> F) override;
  void add_forces(std::span<const double> P, MatX& g) override;
  // The symmetric Jacobian, or the exact one (EP, equation 11).
  bool factor(std::span<const double> K) override;
  bool factor_exact(std::span<const double> K) override;
  void solve(const MatX& g, MatX& d) override;
  void scales(MatX& diagonal) const override { diagonal.col(0) = scales_; }
  Displacement displacement(const MatX& d) override;
  Displacement distance(const MatX& from, const MatX& to) override;
  double farthest(const MatX& y) override;
  double elastic(const MatX& y) const override;
  double kinetic(const MatX& v) const override { return quadratic_.kinetic(v); }
  double gravity(const MatX& y) const override;
  double springs(const MatX& y) const override;
  void lift(const MatX& y, Points& u) const override { lift_.displacements(y, u); }
  void lift_motion(const MatX& at, const MatX& v, Points& u) const override { lift_.motions(at, v, u); }
  void project(const Points& u, MatX& y) const override { lift_.project(u, y); }
  void project_velocity(const MatX& at, const Points& v, MatX& y) const override { lift_.project_velocity(at, v, y); }
  void keep_on(const MatX& y, MatX& v, MatX& a) override;
  VecX coordinates(const MatX& y) const override;
  void set_coordinates(const VecX& q, MatX& y) const override;
  MatX restrict_to(const MatX& y, const Points& g) const override { return lift_.restricted(y, g); }
  double inverse_mass_square(const MatX& y, const MatX& r) const override { return lift_.inverse_mass_square(y, r); }

 private:
  const std::vector<Substructure>& parts() const { return basis_->parts; }
  using Terms = TermsOver<SitePoints>;
  Terms make_scene_terms(double time) const;
  Terms make_pulls(double time) const;
  Displacement measure() const;
  void assemble(bool curvature);
  void add_curvature();
  void project_tangent(MatX& v);

  FrameCoordinates frames_;
  ModePoints points_;
  bool has_energy_ = true, is_warped_ = false;
  QuadraticTerms quadratic_;  // by substructure, and
  std::vector<FrameInertia> inertia_;
  SubstructureLift lift_;
  SitePoints* samples_ = nullptr;  // of contact_
  SitePointMaker point_maker_;
  Terms scene_;                                 // springs, pressures and seams
  Terms pulls_;                                 // springs that users pull with
  mutable std::optional<WarpedLoads> loads_;    // with warping
  std::optional<WarpedElasticity> elasticity_;  // with warping
  std::optional<Sites> probes_;
  VecX probe_weight_;
  // Of the step.
  BlockCholesky H_, mass_;
  bool is_exact_ = false;  // whether H_'s last factors are those of the derivative
  VecX scales_;            // its diagonal
  Placement at_, trial_;   // of the last gradient(), of any y
  MatX gradient_;          // by y, of the last gradient()
  // Work space.
  MatX difference_, bent_, unknowns_;
  std::vector<MatX> jacobian_;  // diagonal blocks
  VecX z_;
  Points moved_;
  mutable Placement placement_;
};

}  // namespace sinew
