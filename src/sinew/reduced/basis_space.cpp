#include "sinew/reduced/basis_space.h"

#include "sinew/reduced/basis_row.h"
#include "sinew/reduced/coarse_surface.h"

namespace sinew {

// Contact acts on samples of the surface (coarse_surface.h).
BasisSpace::BasisSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
                       double time)
    : system_(system),
      basis_(std::move(basis)),
      rows_(axis_rows(*basis_, system.rest)),
      probes_(system, rows_, points),
      springs_(std::in_place, system, rows_, time) {
  pulls_.set(system, rows_);
  if (system.setup.contact.enabled && may_touch_others(system))
    contact_ =
        std::make_unique<ReducedContact>(system, make_coarse_surface(system, system.setup.contact.samples), rows_);
}

void BasisSpace::adapt(Change change) {
  if (change == Change::springs) springs_.emplace(system_, rows_, step_ ? step_->time : 0);
  if (change == Change::pulls) pulls_.set(system_, rows_);
  if (contact_) contact_->adapt(change);
}

bool BasisSpace::aim(const MatX& target, MatX& y) {
  if (contact_) return contact_->aim(target, y);
  y = target;
  return true;
}

double BasisSpace::max_step(const MatX& y, const MatX& d) {
  return contact_ ? contact_->max_step(y, d) : 1;
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

SpaceContact BasisSpace::contact(const MatX& y) {
  return contact_ ? contact_->at(y) : SpaceContact{};
}

void BasisSpace::begin_terms(const SpaceStep& step, const MatX& start) {
  step_ = &step;
  springs_->begin_step(step.time);
  if (contact_) contact_->begin_step(step, start);
}

double BasisSpace::terms(const MatX& y) {
  double value = step_->scale * springs(y);
  if (contact_) value += step_->scale * contact_->value(y);
  return value;
}

void BasisSpace::add_terms_gradient(const MatX& y, MatX& g) {
  springs_->add_gradient(y, step_->scale, g);
  pulls_.add_gradient(y, step_->scale, g);
  if (contact_) contact_->add_gradient(y, step_->scale, g);
}

void BasisSpace::add_terms_hessian(const MatX& y, AxisHessian& H) {
  springs_->add_hessian(y, step_->scale, H);
  pulls_.add_hessian(step_->scale, H);
  if (contact_) contact_->add_hessian(step_->scale, H);
}

}  // namespace sinew
