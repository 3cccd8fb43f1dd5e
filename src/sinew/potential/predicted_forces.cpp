#include "sinew/potential/predicted_forces.h"

#include <algorithm>
#include <cmath>

#include "sinew/contact/friction.h"
#include "sinew/contact/gap.h"
#include "sinew/contact/mollifier.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// lambda+ = max(0, lambda + dlambda/dg dg) with the change dg of the gap along d (theory, section 3, "Following";
// Nocedal and Wright 2006, section 19.3): dg = n . sum_i c_i d_i, or that over a plane that moves.
double force_after(const ContactStencil& contact, const Points& x, const Points& d, std::span<const PlaneState> planes,
                   std::span<const PlaneState> planes_end, const BarrierParameters& barrier) {
  const double distance = std::sqrt(stencil_distance2(contact, x, planes)), gap = distance - contact.offset;
  double stiffness = stencil_normal_stiffness(contact, gap, barrier), change = 0;
  if (contact.kind == StencilKind::point_plane) {
    const PlaneState& end = planes_end[contact.plane];
    change = end.normal.dot(x.col(contact.v[0]) + d.col(contact.v[0]) - end.point) - distance;
  } else {
    const StencilPoints points = gather(contact, x);
    const ClosestPair pair = closest_pair(contact.kind, points);
    for (int i = 0; i < contact.vertex_count(); ++i) change += pair.c[i] * pair.r.dot(d.col(contact.v[i])) / distance;
    if (contact.kind == StencilKind::edge_edge_mollified)
      stiffness *= mollifier(edges_cross2(points), contact.mollifier_eps).value;
  }
  return std::max(0.0, stencil_normal_force(contact, x, planes, barrier) - stiffness * change);
}

}  // namespace

PredictedForces::Key PredictedForces::key_of(const ContactStencil& contact) {
  return {contact.v[0], contact.v[1], contact.v[2], contact.v[3], contact.plane, static_cast<Index>(contact.kind)};
}

// lambda+ of all contacts with friction, sorted by stencil: the next search may find them in another order.
void PredictedForces::find(std::span<const ContactStencil> contacts, const Points& x, const Points& d,
                           std::span<const PlaneState> planes, std::span<const PlaneState> planes_end,
                           const BarrierParameters& barrier, const CollisionMesh& mesh) {
  forces_.resize(contacts.size());
  parallel_for(
      contacts.size(),
      [&](std::size_t s) {
        const bool rough = friction_coefficient(mesh, contacts[s]) > 0;
        forces_[s] = {key_of(contacts[s]), rough ? force_after(contacts[s], x, d, planes, planes_end, barrier) : 0.0};
      },
      256);
  std::sort(forces_.begin(), forces_.end());
}

// Forces by stencil, found by bisection. A contact that the direction did not contain has none: it is often the one
// that cut the step, and its force at the iterate is far too large.
double PredictedForces::of(const ContactStencil& contact) const {
  const Key key = key_of(contact);
  const auto at = std::lower_bound(forces_.begin(), forces_.end(), key,
                                   [](const auto& force, const Key& wanted) { return force.first < wanted; });
  return at != forces_.end() && at->first == key ? at->second : 0;
}

}  // namespace sinew
