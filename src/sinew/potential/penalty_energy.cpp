#include "sinew/potential/penalty_energy.h"

#include <algorithm>
#include <utility>

namespace sinew {

// k/2 depth^2 with depth = max(0, d - gap): one contact, as StencilSum sums it.
struct PenaltyEnergy::Kernel {
  const PenaltyEnergy& energy;
  const Points& x;

  std::size_t size() const { return energy.contacts_.size(); }
  StencilAssembly::Vertices vertices(std::size_t s) const { return energy.contacts_[s].v; }
  double depth(const PenaltyStencil& contact) const { return std::max(0.0, energy.distance_ - energy.gap(contact, x)); }
  double k(const PenaltyStencil& contact) const { return energy.stiffness_ * contact.stiffness; }
  double value(std::size_t s) const {
    const PenaltyStencil& contact = energy.contacts_[s];
    const double depth = this->depth(contact);
    return 0.5 * k(contact) * depth * depth;
  }
  Vec3 normal(const PenaltyStencil& contact) const {
    return contact.plane < 0 ? contact.normal : energy.planes_[contact.plane].normal;
  }
  // -k depth c_a n
  void gradient(std::size_t s, Vec12& g) const {
    const PenaltyStencil& contact = energy.contacts_[s];
    const Vec3 push = -k(contact) * depth(contact) * normal(contact);
    for (int a = 0; a < 4; ++a) g.segment<3>(3 * a) = contact.c[a] * push;
  }
  // k c_a c_b n n^T, positive semidefinite with or without projection.
  void derivatives(std::size_t s, bool, Vec12& g, Mat12& H) const {
    gradient(s, g);
    const PenaltyStencil& contact = energy.contacts_[s];
    if (depth(contact) <= energy.radius_) {
      H.setZero();
      return;
    }
    const Vec3 n = normal(contact);
    const Mat3 K = k(contact) * n * n.transpose();
    for (int b = 0; b < 4; ++b)
      for (int a = 0; a < 4; ++a) H.block<3, 3>(3 * a, 3 * b) = (contact.c[a] * contact.c[b]) * K;
  }
};

// kappa [Pa] and the distance d [m] at which contacts begin to push.
void PenaltyEnergy::set(double stiffness, double distance) {
  stiffness_ = stiffness;
  distance_ = distance;
}

// The energy refers to this list until the next search.
void PenaltyEnergy::swap_contacts(std::vector<PenaltyStencil>& contacts, std::span<const PlaneState> planes) {
  contacts_.swap(contacts);
  planes_ = planes;
  all_.invalidate();
}

// The signed distance along the contact's normal, n . sum_a c_a x_a, or the height over its plane, each less the
// offset; negative inside.
double PenaltyEnergy::gap(const PenaltyStencil& contact, const Points& x) const {
  if (contact.plane >= 0) {
    const PlaneState& plane = planes_[contact.plane];
    return plane.normal.dot(x.col(contact.v[0]) - plane.point) - contact.offset;
  }
  // Differences first: positions may be large.
  Vec3 offset = Vec3::Zero();
  for (int a = 1; a < 4; ++a) offset -= contact.c[a] * (x.col(contact.v[0]) - x.col(contact.v[a]));
  return contact.normal.dot(offset) - contact.offset;
}

void PenaltyEnergy::append_forces(const Points& x, std::vector<ContactForce>& forces) const {
  const Kernel kernel{*this, x};
  Vec12 g;
  for (std::size_t s = 0; s < contacts_.size(); ++s) {
    kernel.gradient(s, g);
    ContactForce& force = forces.emplace_back();
    force.v = contacts_[s].v;
    force.plane = contacts_[s].plane;
    for (int a = 0; a < 4; ++a) force.force[a] = -g.segment<3>(3 * a);
  }
}

// k depth [N].
double PenaltyEnergy::force(const PenaltyStencil& contact, const Points& x) const {
  return stiffness_ * contact.stiffness * std::max(0.0, distance_ - gap(contact, x));
}

// Whether some contact that matters beside inertia opens within a displacement `radius`: its stiffness then vanishes.
bool PenaltyEnergy::softens(const Points& x, double radius, std::span<const double> mass, double scale) const {
  return std::any_of(contacts_.begin(), contacts_.end(), [&](const PenaltyStencil& contact) {
    const double depth = distance_ - gap(contact, x);
    return depth > 0 && depth <= radius &&
           matters_beside_inertia(contact.v, scale * stiffness_ * contact.stiffness, mass);
  });
}

// sum_k k/2 max(0, d - gap)^2 (QN, section 4.3, with a one-sided term).
double PenaltyEnergy::value(const Points& x) const {
  return all_.value(Kernel{*this, x});
}

void PenaltyEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  all_.add_vertex_energies(Kernel{*this, x}, scale, values);
}

void PenaltyEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  all_.add_gradient(Kernel{*this, x}, rows_, scale, g);
}

void PenaltyEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                    SymBlockMatrix& H) const {
  all_.add_derivatives(Kernel{*this, x}, rows_, scale, projection, g, H);
}

void PenaltyEnergy::add_softened(const Points& x, double scale, Projection projection,
                                 std::span<const double> stiffness, Points& unused_gradient, SymBlockMatrix& H) const {
  const Kernel kernel{*this, x};
  all_.add_derivatives(SoftenedStencils<Kernel>{kernel, scale, stiffness}, rows_, scale, projection, unused_gradient,
                       H);
}

void PenaltyEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const PenaltyStencil& contact : contacts_) append_pairs(contact.v, rows_, pairs);
}

}  // namespace sinew
