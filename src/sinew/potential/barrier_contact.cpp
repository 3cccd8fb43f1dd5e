#include "sinew/potential/barrier_contact.h"

#include "sinew/contact/gap.h"

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

// Mollifiers turn nearly parallel edges, and add moments to the forces along the normal.
void BarrierContact::append_rows(const Points& x, std::vector<ContactRow>& rows) const {
  Vec12 g;
  for (const ContactStencil& contact : contacts()) {
    ContactRow& row = rows.emplace_back();
    row.v = contact.v;
    row.first = contact.first_count();
    if (contact.kind == StencilKind::point_plane) {
      row.plane = contact.plane;
      row.c[0] = 1;
      row.normal = planes_[contact.plane].normal;
    } else {
      const ClosestPair pair = closest_pair(contact.kind, gather(contact, x));
      row.c = pair.c;
      row.normal = pair_frame(pair).normal;
      orient_row(row);
    }
    row.gap = stencil_gap(contact, x, planes_);
    row.area = contact.weight;
    row.normal_force = stencil_normal_force(contact, x, planes_, barrier_.barrier());
    place_row(x, contact.offset, row);
    stencil_gradient(contact, x, planes_, barrier_.barrier(), g);
    std::array<Vec3, 4> force;
    for (int a = 0; a < 4; ++a) force[a] = -g.segment<3>(3 * a);
    add_couples(x, force, row);
  }
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
