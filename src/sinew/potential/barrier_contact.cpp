#include "sinew/potential/barrier_contact.h"

namespace sinew {

BarrierContact::BarrierContact(const System& system) : ContactModel(system), barrier_(system.body_vertex_count()) {
  if (system.setup.contact.enabled) detector_ = std::make_unique<ContactDetector>(system.collision, system.embedding);
}

// The active set and the energy over it stay apart: the detector owns the set, the energy refers to it until the next
// search (contact/candidates.h, barrier_energy.h).
void BarrierContact::search(const Points& x) {
  if (!detector_) return;
  if (context_)
    detector_->set_reach(reach_ > 1 ? reach_ * system_.contact_distance : 0, context_->start, context_->plane_start);
  set_ = &detector_->active_set(x, planes_, system_.contact_distance);
  barrier_.set_contacts(set_->stencils, planes_);
}

// Largest step without a touch (C-IPC, section 3).
double BarrierContact::max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes,
                                const std::vector<PlaneState>& planes_step) {
  return detector_ ? detector_->max_step(x, d, planes, planes_step) : 1;
}

void BarrierContact::lag_friction(const Points& x, const PredictedForces* predicted, FrictionEnergy& friction) const {
  friction.lag_contacts(contacts(), x, planes_, barrier_.barrier(), system_.collision, predicted);
}

void BarrierContact::predict(const Points& x, const Points& d, const std::vector<PlaneState>& planes_end,
                             PredictedForces& predicted) const {
  predicted.find(contacts(), x, d, planes_, planes_end, barrier_.barrier(), system_.collision);
}

void BarrierContact::add_softened(const Points& x, double scale, Projection projection,
                                  std::span<const double> stiffness, Points& unused_gradient, SymBlockMatrix& H) const {
  barrier_.add_softened(x, scale, projection, stiffness, unused_gradient, H);
}

// See BarrierEnergy::softens().
bool BarrierContact::normal_softens(const Points& x, double radius, std::span<const double> mass, double scale) const {
  return barrier_.softens(x, radius, mass, scale);
}

}  // namespace sinew
