// Lagged friction D(x) = sum over lagged contacts of mu lambda f0(|u|) (theory, section 3; contact/friction.h).
#pragma once

#include <span>

#include "sinew/contact/friction.h"
#include "sinew/core/index_set.h"
#include "sinew/potential/contact_force.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/predicted_forces.h"
#include "sinew/potential/stencil_sum.h"

namespace sinew {

// Friction at each vertex [N], summed over its stencils, each times the share |c| with which it acts on the vertex.
// Entries are zero except at `vertices`.
struct FrictionUse {
  IndexSet vertices;
  std::vector<double> limit, used, slipping;  // sums of mu lambda; of mu lambda f1(|u|); of mu lambda if |u| >= eps
};

// Normal forces, tangents and closest points stay as the last lag_contacts() found them. No concurrent calls on one
// object.
class FrictionEnergy : public Energy {
 public:
  explicit FrictionEnergy(Index dynamic_count) : rows_(dynamic_count) {}

  // Sets the positions x^ (3 x n_all, kept by reference) from which slip is measured, and the displacement eps = eps_v
  // h^ [m] below which contacts stick. Throws InputError unless eps > 0.
  void set_reference(const Points& reference, double eps);

  // Fixes normal forces, tangents and closest points of the contacts at positions x and planes. Contacts without
  // friction are left out. Planes count as at rest until set_plane_motion(). predicted: replaces the normal forces at x
  // of the contacts that it contains; may be null.
  void lag_contacts(std::span<const ContactStencil> contacts, const Points& x, std::span<const PlaneState> planes,
                    const BarrierParameters& barrier, const CollisionMesh& mesh,
                    const PredictedForces* predicted = nullptr);

  // Sets the motion of planes from `reference` (the states that belong to x^) to `now`.
  void set_plane_motion(std::span<const PlaneState> reference, std::span<const PlaneState> now);

  // Call when the step alpha d (3 x n_all) was taken from x, where add_derivatives() was called. Updates the dual
  // variables w of the stencils (friction_dual), which enter the Hessians. lag_contacts() sets them to zero.
  void took(const Points& x, const Points& d, double alpha);
  // radius > 0 [m]: Hessians are lower bounds of the exact Hessians over all slips within this radius; 0: exact.
  void set_radius(double radius) { radius_ = radius; }
  // Swaps the stencils with those of `anew`. Stencils that both have keep their dual variables; others get zero. With
  // share < 1 normal forces become the mean of both, with this weight of those of `anew`.
  void adopt(FrictionEnergy& anew, double share = 1);
  void clear() { set_stencils({}); }

  // Computes the friction at x; the vectors of `use` get `rows` entries.
  void use(const Points& x, FrictionUse& use) const;
  // Whether the lower bound of set_radius() is below half of the exact Hessian for a stencil that matters beside
  // inertia. A stencil matters if its stiffness times `scale` exceeds a tenth of the mass of its lightest vertex.
  bool softens(const Points& x, double radius, std::span<const double> mass, double scale) const;

  // The gradient of stencil s by its relative displacement [N].
  Vec3 slope(std::size_t s, const Points& x) const { return friction_gradient(stencils_[s], x, *reference_, eps_); }
  // Appends the friction of each contact on its vertices.
  void append_forces(const Points& x, std::vector<ContactForce>& forces) const;

  bool empty() const override { return stencils_.empty(); }
  std::span<const FrictionStencil> stencils() const { return stencils_; }
  void set_stencils(std::vector<FrictionStencil> stencils);  // replaces lag_contacts()

  std::string_view name() const override { return "friction"; }
  EnergyKind kind() const override { return EnergyKind::friction; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  // H += scale * Hessian of stencils in series with springs of their vertices (SoftenedStencils in stencil_sum.h).
  // stiffness: of these springs, `rows` entries in units of H. unused_gradient: 3 x rows, left unchanged.
  void add_softened(const Points& x, double scale, Projection projection, std::span<const double> stiffness,
                    Points& unused_gradient, SymBlockMatrix& H) const;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

  // Sums over the stencils ids[k], each times weights[k] (same length).
  double value(const Points& x, std::span<const Index> ids, std::span<const double> weights) const;
  void add_gradient(const Points& x, std::span<const Index> ids, std::span<const double> weights, double scale,
                    Points& g) const;
  void add_derivatives(const Points& x, std::span<const Index> ids, std::span<const double> weights, double scale,
                       Projection projection, Points& g, SymBlockMatrix& H) const;

  // Energy of one stencil [J].
  double stencil_value(const Points& x, Index id) const { return friction_energy(stencils_[id], x, *reference_, eps_); }

 private:
  struct PlaneContact {
    std::size_t stencil;
    Index plane;
    Vec3 point;  // contact point when friction was lagged [m]
  };

  void take_others(const FrictionEnergy& from, std::span<const char> kept, double share);

  Index rows_;
  const Points* reference_ = nullptr;
  double eps_ = 0;  // [m]
  double radius_ = 0;
  std::vector<FrictionStencil> stencils_;
  std::vector<Eigen::Vector2d> dual_;  // dual variable w of each stencil
  std::vector<PlaneContact> plane_contacts_;
  mutable StencilSum all_, listed_;  // assembly plans and buffers
};

}  // namespace sinew
