// What positions in all subspaces have in common: a basis, and contact of samples of the surface.
#pragma once

#include <memory>

#include "sinew/model/system.h"
#include "sinew/reduced/position_space.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {

class BasisSpace : public PositionSpace {
 public:
  BasisSpace(const System& system, std::shared_ptr<const ReducedBasis> basis)
      : system_(system), basis_(std::move(basis)) {}

  const ReducedBasis* basis() const override { return basis_.get(); }
  double obstacles_left() override { return contact_ ? contact_->obstacles_left() : 0; }
  void go(double part) override;
  double max_step(const MatX& from, const MatX& to) override { return contact_ ? contact_->max_step(from, to) : 1; }
  void took(const MatX& before, const MatX& after) override;
  std::optional<ObstaclePlaces> obstacles() const override;
  void check_start(const MatX& y, double time, const ObstaclePlaces* places) override;
  void add_contact_gradient(const MatX& y, double scale, Points& barrier, Points& friction) override;
  double friction_error(const MatX& y) override { return contact_ ? contact_->friction_error(y) : 0; }
  void lag_friction(const MatX& y) override {
    if (contact_) contact_->lag_friction(y);
  }
  long contact_count() const override { return contact_ ? contact_->count() : 0; }
  SpaceContact contact(const MatX& y) override { return contact_ ? contact_->at(y) : SpaceContact{}; }

 protected:
  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  const SpaceStep* step_ = nullptr;
  std::unique_ptr<ReducedContact> contact_;  // null: nothing may touch
};

}  // namespace sinew
