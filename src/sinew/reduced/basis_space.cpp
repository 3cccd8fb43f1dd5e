#include "sinew/reduced/basis_space.h"

namespace sinew {

void BasisSpace::go(double part) {
  if (contact_) contact_->go(part);
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
