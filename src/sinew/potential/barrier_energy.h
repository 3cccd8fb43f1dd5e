// The contact barrier B(x) = sum over active stencils of kappa w b(d2) / dhat^3 (theory, section 3).
#pragma once

#include <span>

#include "sinew/contact/stencil_energy.h"
#include "sinew/potential/contact_force.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/stencil_sum.h"

namespace sinew {

// The set of active stencils is fixed while the energy is evaluated. If the closest features change, call
// set_contacts() again, at the positions where the contacts were found. No concurrent calls on one object.
class BarrierEnergy : public Energy {
 public:
  explicit BarrierEnergy(Index dynamic_count) : rows_(dynamic_count) {}

  void set_barrier(const BarrierParameters& barrier) { barrier_ = barrier; }
  const BarrierParameters& barrier() const { return barrier_; }

  // Sets the active stencils and the states of all planes, both kept by reference until the next call.
  void set_contacts(std::span<const ContactStencil> contacts, std::span<const PlaneState> planes);
  std::span<const ContactStencil> contacts() const { return contacts_; }

  // radius > 0 [m]: scales each stencil's Hessian to the least stiffness within the radius. The factor is the ratio of
  // its normal stiffness at gap + radius to that at its gap.
  void set_radius(double radius) { radius_ = radius; }
  // Whether the factor of set_radius() is below one half for a stencil that matters beside inertia
  // (FrictionEnergy::softens).
  bool softens(const Points& x, double radius, std::span<const double> mass, double scale) const;

  // Moves the planes of the current contacts; cheaper than set_contacts(). `planes` is kept by reference.
  void set_planes(std::span<const PlaneState> planes) { planes_ = planes; }

  std::string_view name() const override { return "contact"; }
  EnergyKind kind() const override { return EnergyKind::barrier; }
  bool empty() const override { return contacts_.empty(); }
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

  // Sums over the contacts ids[k], each times weights[k] (same length).
  double value(const Points& x, std::span<const Index> ids, std::span<const double> weights) const;
  void add_gradient(const Points& x, std::span<const Index> ids, std::span<const double> weights, double scale,
                    Points& g) const;
  void add_derivatives(const Points& x, std::span<const Index> ids, std::span<const double> weights, double scale,
                       Projection projection, Points& g, SymBlockMatrix& H) const;

  // Energy of one contact [J].
  double stencil_value(const Points& x, Index id) const { return stencil_energy(contacts_[id], x, planes_, barrier_); }

  // Appends the forces of each contact on its vertices.
  void append_forces(const Points& x, std::vector<ContactForce>& forces) const;

  // Sum of the normal forces of all contacts [N].
  double total_force(const Points& x) const;

  // The smallest gap of the contacts [m]; +infinity without contacts.
  double min_distance(const Points& x) const;

 private:
  Index rows_;
  BarrierParameters barrier_;
  double radius_ = 0;
  std::span<const ContactStencil> contacts_;
  std::span<const PlaneState> planes_;
  mutable StencilSum all_, listed_;  // assembly plans and buffers
};

}  // namespace sinew
