#include "sinew/potential/penalty_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double unseen = std::numeric_limits<double>::infinity();
// Contacts are kept up to this multiple of the distance at which they begin to push: a line search sees them coming.
// 1, 2 and 4 are the same on through_torus, press and ball_drop; with 1 a contact of 1e12 Pa is first seen from deep
// inside and the step cut to none (Penalty.BudgetsGainNoEnergy).
constexpr double kept = 2;
constexpr std::size_t search_chunk = 256;  // vertices

// A contact as a stencil of the barrier's kind, for reports and friction coefficients.
ContactStencil stencil_of(const PenaltyStencil& contact, double area) {
  ContactStencil stencil;
  stencil.v = contact.v;
  stencil.plane = contact.plane;
  stencil.kind = contact.plane < 0 ? StencilKind::point_triangle : StencilKind::point_plane;
  stencil.weight = area;
  stencil.offset = contact.offset;
  return stencil;
}

}  // namespace

// k = kappa A_i / l: kappa [Pa] is the pressure at a depth of l, the mean rest length of the surfaces' edges.
PenaltyContact::PenaltyContact(const System& system)
    : ContactModel(system),
      enabled_(system.setup.contact.enabled),
      energy_(system.body_vertex_count()),
      surfaces_(system.collision),
      min_distance_(unseen) {
  const CollisionMesh& mesh = system.collision;
  if (!enabled_) return;
  // The length over which pressure acts is the mean rest length of the bodies' surface edges.
  double sum = 0;
  std::size_t edges = 0;
  for (Index e = 0; e < mesh.edges.cols(); ++e) {
    if (mesh.kinematic(mesh.edges(0, e))) continue;
    sum += std::sqrt(mesh.edge_rest_length2[e]);
    ++edges;
  }
  length_ = sum / static_cast<double>(edges);
  // Surfaces with an inside: closed ones of bodies, and all of obstacles, which come after the bodies.
  const auto bodies = static_cast<Index>(system.bodies.size());
  for (Index o = 0; o < mesh.owner_count; ++o)
    if (surfaces_.has_triangles(o) && (surfaces_.closed(o) || o >= bodies)) surface_owners_.push_back(o);
  clearance_.assign(mesh.vertices.size(), 0.0);
  travel_at_.assign(mesh.vertices.size(), 0.0);
  looked_at_.setZero(3, static_cast<Index>(mesh.vertices.size()));
}

// Clearances were found without the surfaces across ties.
void PenaltyContact::set_glue(std::span<const char> held) {
  if (std::ranges::equal(held_, held)) return;
  held_.assign(held.begin(), held.end());
  std::ranges::fill(clearance_, 0.0);
}

// Whether ties hold a vertex on the surface of another body.
bool PenaltyContact::is_tied_to(Index v, Index owner) const {
  if (system_.collision.glue_begin.empty()) return false;
  return std::ranges::any_of(system_.collision.glue_of(v), [&](Index side) {
    const Tie& tie = system_.ties[side / 2];
    return (held_.empty() || held_[side / 2]) && (side % 2 == 0 ? tie.to : tie.body) == owner;
  });
}

// sum_k k depth_k [N].
double PenaltyContact::total_force(const Points& x) const {
  const auto& contacts = energy_.contacts();
  return parallel_sum(contacts.size(), [&](std::size_t s) { return energy_.force(contacts[s], x); });
}

// Contacts of one surface vertex: with each plane over which its height is below `reach`, and with the nearest point of
// each other owner's surface where its signed distance, negative inside, is below `reach`. The search over surfaces is
// left out while the vertex's last clearance exceeds what it and all others have moved since.
// Contacts of one surface vertex (QN, section 4.3; theory, section 3, "Penalties"):
//
// 1. planes over which its height, less the offset of both owners, is below `reach`,
// 2. nothing more, if its last clearance exceeds what it and all others have moved since,
// 3. the nearest point of each other owner's surface, if the signed distance less the offset is below `reach`; a box
//    tells first.
void PenaltyContact::search_vertex(const Points& x, std::size_t at, std::vector<Near>& found) {
  const CollisionMesh& mesh = system_.collision;
  const Index v = mesh.vertices[at], owner = mesh.vertex_owner[v];
  const Vec3 p = x.col(v);
  const double reach = kept * system_.contact_distance;
  PenaltyStencil stencil;
  stencil.v[0] = v;
  stencil.c[0] = 1;
  stencil.stiffness = mesh.vertex_area[at] / length_;
  if (!mesh.kinematic(v)) {
    for (std::size_t k = 0; k < mesh.planes.size(); ++k) {
      if (!mesh.owners_may_touch(owner, mesh.planes[k].owner)) continue;
      const double offset = mesh.offset(owner, mesh.planes[k].owner);
      const double gap = planes_[k].normal.dot(p - planes_[k].point) - offset;
      if (gap >= reach) continue;
      PenaltyStencil one = stencil;
      one.offset = offset;
      one.plane = static_cast<Index>(k);
      one.normal = planes_[k].normal;
      found.push_back({one, gap});
    }
  }
  // travel_ sums the largest motions of all vertices between searches, so `moved` bounds the change of the distance.
  const double moved = (p - looked_at_.col(at)).norm() + travel_ - travel_at_[at];
  if (clearance_[at] - moved > reach) return;
  double clearance = unseen;
  const auto bodies = static_cast<Index>(system_.bodies.size());
  for (const Index o : surface_owners_) {
    if (o == owner || !mesh.owners_may_touch(owner, o) || (mesh.kinematic(v) && o >= bodies)) continue;
    if (is_tied_to(v, o)) continue;
    // The distance to the owner's box is a lower bound of that to its surface.
    const double offset = mesh.offset(owner, o);
    const double outside = surfaces_.box_distance(o, p) - offset;
    if (outside > reach) {
      clearance = std::min(clearance, outside);
      continue;
    }
    const NearestPoint nearest = surfaces_.nearest(o, x, p, unseen);
    if (nearest.triangle < 0) continue;
    const double gap = nearest.distance - offset;
    if (gap >= reach || nearest.on_border) {
      clearance = std::min(clearance, std::abs(nearest.distance) - offset);
      continue;
    }
    clearance = 0;
    PenaltyStencil one = stencil;
    one.offset = offset;
    for (int k = 0; k < 3; ++k) {
      one.v[k + 1] = mesh.triangles(k, nearest.triangle);
      one.c[k + 1] = -nearest.weights[k];
    }
    one.normal = nearest.normal;
    found.push_back({one, gap});
  }
  clearance_[at] = clearance;
  travel_at_[at] = travel_;
  looked_at_.col(at) = p;
}

// Searches all surface vertices in parallel, chunk by chunk, and collects the contacts in the order of the vertices.
// All contacts within kept * d take part in the energy; those within d count as active.
void PenaltyContact::search(const Points& x) {
  if (!enabled_) return;
  const CollisionMesh& mesh = system_.collision;
  const std::size_t vertices = mesh.vertices.size();
  if (!surface_owners_.empty()) {
    if (last_.cols() == x.cols()) {
      travel_ += parallel_max(vertices, 0.0, [&](std::size_t at) {
        return (x.col(mesh.vertices[at]) - last_.col(mesh.vertices[at])).norm();
      });
    }
    last_ = x;
    surfaces_.update(x);
  }
  found_.resize((vertices + search_chunk - 1) / search_chunk);
  parallel_chunks(vertices, search_chunk, [&](std::size_t begin, std::size_t end) {
    std::vector<Near>& found = found_[begin / search_chunk];
    found.clear();
    for (std::size_t at = begin; at < end; ++at) search_vertex(x, at, found);
  });
  next_.clear();
  stencils_.clear();
  min_distance_ = unseen;
  for (const std::vector<Near>& found : found_) {
    for (const Near& near : found) {
      next_.push_back(near.stencil);
      if (near.gap >= system_.contact_distance) continue;
      min_distance_ = std::min(min_distance_, near.gap);
      stencils_.push_back(stencil_of(near.stencil, near.stencil.stiffness * length_));
    }
  }
  energy_.swap_contacts(next_, planes_);
}

// Fixes normal forces and tangents of the contacts that push at x and have friction. Nothing is predicted: the forces
// are linear.
void PenaltyContact::lag_friction(const Points& x, const PredictedForces*, FrictionEnergy& friction) const {
  std::vector<FrictionStencil> lagged;
  for (const PenaltyStencil& contact : energy_.contacts()) {
    FrictionStencil one;
    one.normal_force = energy_.force(contact, x);
    if (!(one.normal_force > 0)) continue;
    one.coefficient = friction_coefficient(system_.collision, stencil_of(contact, 0));
    if (!(one.coefficient > 0)) continue;
    one.v = contact.v;
    one.plane = contact.plane;
    one.c = contact.c;
    one.T = tangent_basis(contact.normal);
    if (contact.plane >= 0)
      one.plane_displacement = plane_displacement(context_->plane_reference[contact.plane],
                                                  context_->plane_end[contact.plane], x.col(contact.v[0]));
    lagged.push_back(one);
  }
  friction.set_stencils(std::move(lagged));
}

void PenaltyContact::append_rows(const Points& x, std::vector<ContactRow>& rows) const {
  for (const PenaltyStencil& contact : energy_.contacts()) {
    ContactRow& row = rows.emplace_back();
    row.v = contact.v;
    row.plane = contact.plane;
    row.c = contact.c;
    row.normal = contact.plane < 0 ? contact.normal : planes_[contact.plane].normal;
    row.gap = energy_.gap(contact, x);
    row.area = contact.stiffness * length_;
    row.normal_force = energy_.force(contact, x);
    place_row(x, contact.offset, row);
    std::array<Vec3, 4> force;
    for (int a = 0; a < 4; ++a) force[a] = contact.c[a] * row.normal_force * row.normal;
    add_couples(x, force, row);
  }
}

void PenaltyContact::add_softened(const Points& x, double scale, Projection projection,
                                  std::span<const double> stiffness, Points& unused_gradient, SymBlockMatrix& H) const {
  energy_.add_softened(x, scale, projection, stiffness, unused_gradient, H);
}

bool PenaltyContact::normal_softens(const Points& x, double radius, std::span<const double> mass, double scale) const {
  return energy_.softens(x, radius, mass, scale);
}

}  // namespace sinew
