#include "sinew/reduced/basis_space.h"

namespace sinew {

void BasisSpace::go(double part) {
  if (contact_) contact_->go(part);
}

void BasisSpace::took(const MatX& before, const MatX& after) {
  if (contact_) contact_->took(before, after);
}

std::optional<ObstaclePlaces> BasisSpace::obstacles() const {
  return contact_ ? contact_->obstacles() : std::nullopt;
}

void BasisSpace::check_start(const MatX& y, double time, const ObstaclePlaces* places) {
  if (contact_) contact_->check(y, time, places);
}

void BasisSpace::add_contact_gradient(const MatX& y, double scale, Points& barrier, Points& friction) {
  if (contact_) contact_->add_full_gradient(y, scale, barrier, friction);
}

}  // namespace sinew
