#include "sinew/reduced/basis_space.h"

namespace sinew {

bool BasisSpace::aim(const MatX& target, MatX& y) {
  if (contact_) return contact_->aim(target, y);
  y = target;
  return true;
}

void BasisSpace::took(const MatX& before, const MatX& after) {
  if (contact_) contact_->took(before, after);
}

void BasisSpace::check_start(const MatX& y, double time) {
  if (contact_) contact_->check(y, time);
}

void BasisSpace::add_contact_gradient(const MatX& y, double scale, Points& barrier, Points& friction) {
  if (contact_) contact_->add_full_gradient(y, scale, barrier, friction);
}

}  // namespace sinew
