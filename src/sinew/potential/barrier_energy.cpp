#include "sinew/potential/barrier_energy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/contact/gap.h"

namespace sinew {
namespace {

// b''(gap + radius) / b''(gap) of the normal stiffness, in [0, 1]: it falls as the gap grows.
double softening(const ContactStencil& stencil, const Points& x, std::span<const PlaneState> planes,
                 const BarrierParameters& barrier, double radius) {
  const double gap = stencil_gap(stencil, x, planes);
  const double stiffness = stencil_normal_stiffness(stencil, gap, barrier);
  return stiffness > 0 ? std::min(1.0, stencil_normal_stiffness(stencil, gap + radius, barrier) / stiffness) : 1.0;
}

// The barrier of one stencil, as StencilSum sums it (stencil_sum.h).
struct BarrierKernel {
  const Points& x;
  std::span<const ContactStencil> contacts;
  std::span<const PlaneState> planes;
  const BarrierParameters& barrier;
  double radius;

  std::size_t size() const { return contacts.size(); }
  StencilAssembly::Vertices vertices(std::size_t s) const { return contacts[s].v; }
  double value(std::size_t s) const { return stencil_energy(contacts[s], x, planes, barrier); }
  void gradient(std::size_t s, Vec12& g) const { stencil_gradient(contacts[s], x, planes, barrier, g); }
  void derivatives(std::size_t s, bool psd, Vec12& g, Mat12& H) const {
    stencil_derivatives(contacts[s], x, planes, barrier, psd, g, H);
    if (radius > 0) H *= softening(contacts[s], x, planes, barrier, radius);
  }
};

}  // namespace

// Refers to the active set until the next search; the order of sums is that of the set.
void BarrierEnergy::set_contacts(std::span<const ContactStencil> contacts, std::span<const PlaneState> planes) {
  contacts_ = contacts;
  planes_ = planes;
  all_.invalidate();
}

// B(x) = sum_k kappa w_k b(d_k^2) / dhat^3 (IPC, equation 6; Conv: weights by area), over the active stencils.
// Values, gradients and Hessians go through StencilSum, whose order of sums is that of the stencils.
double BarrierEnergy::value(const Points& x) const {
  return all_.value(BarrierKernel{x, contacts_, planes_, barrier_, radius_});
}

void BarrierEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  all_.add_vertex_energies(BarrierKernel{x, contacts_, planes_, barrier_, radius_}, scale, values);
}

void BarrierEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  all_.add_gradient(BarrierKernel{x, contacts_, planes_, barrier_, radius_}, rows_, scale, g);
}

void BarrierEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                    SymBlockMatrix& H) const {
  all_.add_derivatives(BarrierKernel{x, contacts_, planes_, barrier_, radius_}, rows_, scale, projection, g, H);
}

// H alone, each stencil in series with a spring of the given stiffness at each of its vertices (stencil_sum.h).
void BarrierEnergy::add_softened(const Points& x, double scale, Projection projection,
                                 std::span<const double> stiffness, Points& unused_gradient, SymBlockMatrix& H) const {
  const BarrierKernel kernel{x, contacts_, planes_, barrier_, radius_};
  all_.add_derivatives(SoftenedStencils<BarrierKernel>{kernel, scale, stiffness}, rows_, scale, projection,
                       unused_gradient, H);
}

// A stencil couples its up to four vertices: six blocks off the diagonal.
void BarrierEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const ContactStencil& contact : contacts_) append_pairs(contact.v, rows_, pairs);
}

double BarrierEnergy::value(const Points& x, std::span<const Index> ids, std::span<const double> weights) const {
  const BarrierKernel kernel{x, contacts_, planes_, barrier_, radius_};
  return listed_.value(ListedStencils<BarrierKernel>{kernel, ids, weights});
}

void BarrierEnergy::add_gradient(const Points& x, std::span<const Index> ids, std::span<const double> weights,
                                 double scale, Points& g) const {
  const BarrierKernel kernel{x, contacts_, planes_, barrier_, radius_};
  listed_.invalidate();
  listed_.add_gradient(ListedStencils<BarrierKernel>{kernel, ids, weights}, rows_, scale, g);
}

void BarrierEnergy::add_derivatives(const Points& x, std::span<const Index> ids, std::span<const double> weights,
                                    double scale, Projection projection, Points& g, SymBlockMatrix& H) const {
  const BarrierKernel kernel{x, contacts_, planes_, barrier_, radius_};
  listed_.invalidate();
  listed_.add_derivatives(ListedStencils<BarrierKernel>{kernel, ids, weights}, rows_, scale, projection, g, H);
}

// Whether, at some contact whose normal stiffness matters beside inertia, the stiffness falls below half while the gap
// grows by `radius`.
// At some contact whose stiffness matters beside inertia, b'' falls below half while the gap grows by `radius`.
bool BarrierEnergy::softens(const Points& x, double radius, std::span<const double> mass, double scale) const {
  return std::any_of(contacts_.begin(), contacts_.end(), [&](const ContactStencil& stencil) {
    const double gap = stencil_gap(stencil, x, planes_);
    return matters_beside_inertia(stencil.v, scale * stencil_normal_stiffness(stencil, gap, barrier_), mass) &&
           softening(stencil, x, planes_, barrier_, radius) < 0.5;
  });
}

void BarrierEnergy::append_forces(const Points& x, std::vector<ContactForce>& forces) const {
  Vec12 g;
  for (const ContactStencil& contact : contacts_) {
    stencil_gradient(contact, x, planes_, barrier_, g);
    ContactForce& force = forces.emplace_back();
    force.v = contact.v;
    force.plane = contact.kind == StencilKind::point_plane ? contact.plane : -1;
    for (int a = 0; a < contact.vertex_count(); ++a) force.force[a] = -g.segment<3>(3 * a);
  }
}

// sum_k lambda_k [N], lambda = -kappa w db/dd: a bound of the rounding of E needs it.
double BarrierEnergy::total_force(const Points& x) const {
  return parallel_sum(contacts_.size(),
                      [&](std::size_t s) { return stencil_normal_force(contacts_[s], x, planes_, barrier_); });
}

// Smallest gap [m] of the active contacts.
double BarrierEnergy::min_distance(const Points& x) const {
  return parallel_min(contacts_.size(), std::numeric_limits<double>::infinity(),
                      [&](std::size_t s) { return stencil_gap(contacts_[s], x, planes_); });
}

}  // namespace sinew
