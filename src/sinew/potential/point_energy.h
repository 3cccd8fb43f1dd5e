// Uses an Energy of full space, such as that of springs, in a subspace. The energy sees a system whose vertices are
// points that move with the subspace.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/potential/energy.h"

namespace sinew {

class PointEnergy final : public CoordinateEnergy {
 public:
  // The system that the energy sees, with points in place of vertices.
  struct Model {
    System system;
    std::unique_ptr<PointSet> points;
  };
  using MakeModel = std::function<Model()>;
  using MakeEnergy = std::function<std::unique_ptr<Energy>(const System&)>;

  // The energy is made again after each of `changes`. Until the first step begins, it is the energy at `time` [s] and y
  // = `start`.
  PointEnergy(MakeModel make_model, MakeEnergy make_energy, std::vector<Change> changes, MatX start, double time);

  void adapt(Change change) override;
  void begin_step(const CoordinateStep& step, const MatX& start) override;
  void lag(const MatX& y) override;
  LaggingChange lagging_change(const MatX& y) override;
  double value(const MatX& y) override;
  void add_gradient(const MatX& y, MatX& G) override;
  void add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) override;
  double springs(const MatX& y) const override;

 private:
  void make();
  bool empty() const { return all_.empty(); }
  const Points& place(const MatX& y) const;

  MakeModel make_model_;
  MakeEnergy make_energy_;
  std::vector<Change> changes_;
  Model model_;
  std::unique_ptr<Energy> energy_;
  StepContext context_;  // context of the step, over the points
  MatX start_;           // y at the start of the step
  std::vector<Index> all_;
  // Work space.
  mutable Points x_;
  Points g_;
  SymBlockMatrix H_;
};

// Makes the energies of all terms over vertices (potential/vertex_terms.h). The arguments must outlive these.
std::vector<std::unique_ptr<CoordinateEnergy>> point_energies(const System& system, const Kinematics& kinematics,
                                                              double time);

}  // namespace sinew
