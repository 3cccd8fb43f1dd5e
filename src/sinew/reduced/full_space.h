// All vertices as positions of a condensed simulation: what reduced ones are measured against (Trusty et al. 2022).
#pragma once

#include "sinew/linalg/cholesky.h"
#include "sinew/model/system.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {

// y: displacements, n x 3. The condensed matrix is sparse and factored by SparseCholesky. `points` must hold each tet
// once, in any order of slots, and outlive this. Contact is that of the surfaces as they are.
class FullSpace final : public PositionSpace {
 public:
  FullSpace(const System& system, const ElasticPoints& points, double time);

  void adapt(Change change) override;
  Index rows() const override { return system_.dynamic_count; }
  void place(double time, MatX& y) const override;
  void begin_step(const SpaceStep& step, const MatX& start) override;
  void lag_loads(const MatX& y) override { potential_.update_lagged(positions(y)); }
  double lagging_change(const MatX& y) const override { return potential_.lagging_change(positions(y)); }
  double value(const MatX& y) override;
  void gradient(const MatX& y, MatX& g) override;
  void deformation_gradients(const MatX& y, bool displacement, std::span<double> F) override;
  void add_forces(std::span<const double> P, MatX& g) override;
  bool factor(std::span<const double> K) override;
  void solve(const MatX& g, MatX& d) override;
  ReducedContact* contact() override { return contact_.get(); }
  Displacement displacement(const MatX& d) override;
  double kinetic(const MatX& v) const override;
  double gravity(const MatX& y) const override;
  double springs(const MatX& y) const override;
  void lift(const MatX& y, Points& u) const override { u = y.transpose(); }
  void project(const Points& u, MatX& y) const override;
  MatX restrict_to(const MatX& y, const Points& g) const override;

 private:
  const Points& positions(const MatX& y) const;
  void assemble();

  const System& system_;
  std::vector<PrescribedVertex> prescribed_;  // that hold
  std::vector<char> fixed_;                   // 3 n
  std::vector<Index> slot_tet_;
  std::vector<double> shape_;               // 12 a slot: gradients of the hat functions of its tet [1/m]
  std::vector<char> used_;                  // by slot: 0 where it only fills a pack
  std::vector<std::int64_t> corner_begin_;  // by vertex, into corners_
  std::vector<Index> corners_;              // 4 slot + corner
  IncrementalPotential potential_;          // but elasticity, whose points are the caller's, and contact
  StepContext context_;
  std::unique_ptr<ReducedContact> contact_;      // null: nothing may touch
  std::shared_ptr<const BlockPattern> pattern_;  // of the step
  std::vector<std::pair<Index, Index>> pairs_;   // of contacts
  SparseCholesky cholesky_;
  SymBlockMatrix H_, bodies_;
  MatX at_;  // y of the last gradient()
  mutable Points x_, g_, rhs_, solution_;
};

}  // namespace sinew
