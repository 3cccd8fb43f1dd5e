#include "sinew/potential/predicted_contacts.h"

#include <cmath>

#include "sinew/contact/distance_derivatives.h"
#include "sinew/contact/stencil_build.h"
#include "sinew/contact/stencil_energy.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double target_share = 0.9;  // of dhat: a contact of its own when the step is taken in full
// Penalties over the barrier's stiffness in the middle of its range. Stiffer ones make thin shapes bounce and CG slow
// (measured: 1); from 0.1 to 0.001 they serve alike.
constexpr double stiffness_share = 0.003;

}  // namespace

// Penalties 1/2 k (gap + grad gap . d - target)^2 at d = 0.
struct PredictedContacts::Kernel {
  const std::vector<Contact>& contacts;
  double target;

  std::size_t size() const { return contacts.size(); }
  StencilAssembly::Vertices vertices(std::size_t s) const { return contacts[s].stencil.v; }
  void gradient(std::size_t s, Vec12& g) const {
    const Contact& contact = contacts[s];
    g = contact.stiffness * (contact.gap - target) * contact.gradient;
  }
  void derivatives(std::size_t s, bool, Vec12& g, Mat12& H) const {
    const Contact& contact = contacts[s];
    g.setZero();
    H = contact.stiffness * contact.gradient * contact.gradient.transpose();
  }
};

PredictedContacts::Kernel PredictedContacts::kernel() const {
  return {contacts_, target_};
}

void PredictedContacts::clear() {
  contacts_.clear();
  sum_.invalidate();
}

void PredictedContacts::measure(Contact& contact, const Points& x, std::span<const PlaneState> planes) {
  const ContactStencil& stencil = contact.stencil;
  contact.gradient.setZero();
  if (stencil.kind == StencilKind::point_plane) {
    const PlaneState& plane = planes[stencil.plane];
    contact.gap = plane.normal.dot(x.col(stencil.v[0]) - plane.point);
    contact.gradient.head<3>() = plane.normal;
    return;
  }
  const ClosestPair pair = closest_pair(stencil.kind, gather(stencil, x));
  contact.gap = std::sqrt(pair.distance2);
  contact.gradient = distance2_gradient(pair) / (2 * contact.gap);
}

bool PredictedContacts::pushes(const Contact& contact, const Points& d) const {
  double gap = contact.gap;
  for (int i = 0; i < 4; ++i) {
    const Index v = contact.stencil.v[i];
    if (v >= 0 && v < rows_) gap += contact.gradient.segment<3>(3 * i).dot(d.col(v));
  }
  return gap < target_;
}

void PredictedContacts::update(std::span<const ContactStencil> found, const Points& x, const Points& d,
                               std::span<const PlaneState> planes, const BarrierParameters& barrier) {
  const double middle = 0.5 * barrier.distance;
  const BarrierDerivatives b = barrier_derivatives(middle * middle, barrier.distance2());
  const double full = barrier.factor() * (4 * middle * middle * b.second + 2 * b.first);  // for a weight of one
  next_.clear();
  const auto add = [&](const ContactStencil& stencil) {
    Contact contact{stencil};
    measure(contact, x, planes);
    if (!(contact.gap >= barrier.distance)) return;
    contact.stiffness = stiffness_share * stencil.weight * full;
    next_.push_back(contact);
  };
  auto old = contacts_.begin();
  const auto keep_before = [&](const ContactStencil* stencil) {
    for (; old != contacts_.end() && (!stencil || stencil_less(old->stencil, *stencil)); ++old)
      if (pushes(*old, d)) add(old->stencil);
  };
  for (const ContactStencil& stencil : found) {
    keep_before(&stencil);
    if (old != contacts_.end() && same_stencil(old->stencil, stencil)) ++old;
    add(stencil);
  }
  keep_before(nullptr);
  std::swap(contacts_, next_);
  target_ = target_share * barrier.distance;
  sum_.invalidate();
}

void PredictedContacts::move_prescribed(const Points& x, const Points& d, std::span<const PlaneState> planes) {
  for (Contact& contact : contacts_) {
    if (contact.stencil.kind == StencilKind::point_plane) measure(contact, x, planes);
    for (int i = 0; i < 4; ++i) {
      const Index v = contact.stencil.v[i];
      if (v >= rows_) contact.gap += contact.gradient.segment<3>(3 * i).dot(d.col(v));
    }
  }
}

void PredictedContacts::add_gradient(double scale, Points& g) const {
  if (!empty()) sum_.add_gradient(kernel(), rows_, scale, g);
}

void PredictedContacts::add_hessian(double scale, SymBlockMatrix& H) const {
  if (empty()) return;
  unused_gradient_.setZero(3, rows_);
  sum_.add_derivatives(kernel(), rows_, scale, Projection::none, unused_gradient_, H);
}

void PredictedContacts::add_softened(double scale, std::span<const double> stiffness, SymBlockMatrix& H) const {
  if (empty()) return;
  unused_gradient_.setZero(3, rows_);
  sum_.add_derivatives(SoftenedStencils<Kernel>{kernel(), scale, stiffness}, rows_, scale, Projection::none,
                       unused_gradient_, H);
}

void PredictedContacts::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const Contact& contact : contacts_) append_pairs(contact.stencil.v, rows_, pairs);
}

}  // namespace sinew
