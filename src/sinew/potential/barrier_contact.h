// Contact by the barrier of incremental potential contact (Li et al. 2020): nothing ever intersects.
#pragma once

#include <memory>

#include "sinew/contact/candidates.h"
#include "sinew/potential/barrier_energy.h"
#include "sinew/potential/contact_model.h"

namespace sinew {

class BarrierContact final : public ContactModel {
 public:
  explicit BarrierContact(const System& system);

  Energy& normal() override { return barrier_; }
  double max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes,
                  const std::vector<PlaneState>& planes_step) override;
  bool may_touch() const override { return detector_ != nullptr; }
  const std::vector<ContactStencil>& contacts() const override { return set_->stencils; }
  double min_distance() const override { return set_->min_distance; }
  double stiffness() const override { return barrier_.barrier().stiffness; }
  void set_stiffness(double stiffness) override { barrier_.set_barrier({stiffness, system_.contact_distance}); }
  bool has_reach() const override { return detector_ != nullptr; }
  void set_reach(double factor) override { reach_ = factor; }
  double reach() const override { return reach_; }
  double total_force(const Points& x) const override { return barrier_.total_force(x); }

 private:
  void set_glue(std::span<const char> held) override {
    if (detector_) detector_->set_glue(held);
  }
  void search(const Points& x) override;
  void predict(const Points& x, const Points& d, const std::vector<PlaneState>& planes_end,
               PredictedForces& predicted) const override;
  void lag_friction(const Points& x, const PredictedForces* predicted, FrictionEnergy& friction) const override;
  void append_forces(const Points& x, std::vector<ContactForce>& forces) const override {
    barrier_.append_forces(x, forces);
  }
  void append_rows(const Points& x, std::vector<ContactRow>& rows) const override;
  void set_planes(const std::vector<PlaneState>& planes) override { barrier_.set_planes(planes); }
  void add_softened(const Points& x, double scale, Projection projection, std::span<const double> stiffness,
                    Points& unused_gradient, SymBlockMatrix& H) const override;
  void set_normal_radius(double radius) override { barrier_.set_radius(radius); }
  bool normal_softens(const Points& x, double radius, std::span<const double> mass, double scale) const override;

  BarrierEnergy barrier_;
  double reach_ = 1;
  std::unique_ptr<ContactDetector> detector_;  // null: contact is off
  ContactSet none_;                            // used by scenes without contact
  const ContactSet* set_ = &none_;             // owned by the detector, valid until its next search
};

}  // namespace sinew
