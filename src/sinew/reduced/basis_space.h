// What positions in a basis of handles and in one of dense modes have in common: springs, pulls and contact, which see
// rows of the basis (axis_rows.h).
#pragma once

#include <memory>
#include <optional>

#include "sinew/model/system.h"
#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/displacement_probes.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_contact.h"
#include "sinew/reduced/reduced_pulls.h"
#include "sinew/reduced/reduced_springs.h"

namespace sinew {

class BasisSpace : public PositionSpace {
 public:
  // time: at which springs count until a step begins. `points` are where displacements are measured.
  BasisSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points, double time);

  const ReducedBasis* basis() const override { return basis_.get(); }
  void adapt(Change change) override;
  Index rows() const override { return rows_.rows; }
  bool aim(const MatX& target, MatX& y) override;
  double max_step(const MatX& y, const MatX& d) override;
  void took(const MatX& before, const MatX& after) override;
  void check_start(const MatX& y, double time) override;
  void add_contact_gradient(const MatX& y, double scale, Points& barrier, Points& friction) override;
  long contact_count() const override { return contact_ ? contact_->count() : 0; }
  SpaceContact contact(const MatX& y) override;
  Displacement displacement(const MatX& d) override { return probes_.measure(d); }
  double springs(const MatX& y) const override { return springs_->value(y) + pulls_.value(y); }

 protected:
  // Springs, pulls and contact of a step that begins, and their values, gradients and Hessians times its scale.
  void begin_terms(const SpaceStep& step, const MatX& start);
  double terms(const MatX& y);
  void add_terms_gradient(const MatX& y, MatX& g);
  void add_terms_hessian(const MatX& y, AxisHessian& H);

  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  AxisRows rows_;
  const SpaceStep* step_ = nullptr;

 private:
  DisplacementProbes probes_;
  std::optional<ReducedSprings> springs_;  // of the scene
  ReducedPulls pulls_;
  std::unique_ptr<ReducedContact> contact_;  // null: nothing may touch
};

}  // namespace sinew
