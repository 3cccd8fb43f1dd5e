// The potential without contact and without the elasticity of tets, as in full space, over the displacements y of all
// vertices (vertex_kinematics.h).
#pragma once

#include <memory>

#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

class VertexEnergy final : public CoordinateEnergy {
 public:
  // Until the first step begins, springs are as at `time` [s]. The system must outlive this.
  VertexEnergy(const System& system, double time);

  // The pattern of the Hessian, which has the blocks of tets too.
  const std::shared_ptr<const BlockPattern>& pattern() const { return potential_.mesh_pattern(); }

  void adapt(Change change) override { potential_.adapt(change); }
  void begin_step(const CoordinateStep& step, const MatX& start) override;
  void lag(const MatX& y) override { potential_.update_lagged(positions(y)); }
  LaggingChange lagging_change(const MatX& y) override { return potential_.lagging(positions(y)); }
  double value(const MatX& y) override { return potential_.value(positions(y)).total(); }
  void add_gradient(const MatX& y, MatX& G) override;
  // H must be a VertexHessian.
  void add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) override;
  double kinetic(const MatX& v) const override;
  double gravity(const MatX& y) const override;
  double springs(const MatX& y) const override;

 private:
  const Points& positions(const MatX& y) const;

  const System& system_;
  IncrementalPotential potential_;
  StepContext context_;  // context of the step, over the vertices
  // Work space.
  mutable Points x_;
  Points g_;
  SymBlockMatrix H_;
};

}  // namespace sinew
