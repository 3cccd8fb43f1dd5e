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
  ReducedContact* contact() override { return contact_.get(); }

 protected:
  const System& system_;
  std::shared_ptr<const ReducedBasis> basis_;
  const SpaceStep* step_ = nullptr;
  std::unique_ptr<ReducedContact> contact_;  // null: nothing may touch
};

}  // namespace sinew
