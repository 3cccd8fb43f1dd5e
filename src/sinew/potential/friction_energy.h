// Lagged friction D(x) = sum over lagged contacts of mu lambda f0(|u|) (methods, section 3; contact/friction.h).
#pragma once

#include <span>

#include "sinew/contact/friction.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/stencil_sum.h"

namespace sinew {

// Normal forces, tangents and closest points are those of the last lag_contacts(). Methods are not for concurrent calls
// on one object.
class FrictionEnergy : public Energy {
 public:
  explicit FrictionEnergy(Index dynamic_count) : rows_(dynamic_count) {}

  // Positions x^ (3 x n_all, kept by reference) from which displacements count, and the displacement eps = eps_v h^ [m]
  // under which contacts stick. Throws InputError unless eps > 0.
  void set_reference(const Points& reference, double eps);

  // Lags the contacts at positions x and planes; those without friction are left out. Planes count as at rest until
  // set_plane_motion. How far lagging is from converged shows in the gradient before and after.
  void lag_contacts(std::span<const ContactStencil> contacts, const Points& x, std::span<const PlaneState> planes,
                    const BarrierParameters& barrier, const CollisionMesh& mesh);

  // Planes have moved from `reference` (where x^ was) to `now`.
  void set_plane_motion(std::span<const PlaneState> reference, std::span<const PlaneState> now);

  // After `alpha` of the displacement d (3 x n_all) from x, where add_derivatives() was: w of the stencils
  // (friction_dual), of which Hessians are. lag_contacts() starts it from zero.
  void took(const Points& x, const Points& d, double alpha);
  // > 0: Hessians are lower bounds of the exact ones within this radius of slips instead [m].
  void set_radius(double radius) { radius_ = radius; }
  // Whether some of these are less than half of it, for a stencil whose stiffness times `scale` is more than a tenth of
  // the mass of its lightest vertex (of `mass`, by vertex; empty: whatever its stiffness).
  bool softens(const Points& x, double radius, std::span<const double> mass, double scale) const;

  bool empty() const override { return stencils_.empty(); }
  std::span<const FrictionStencil> stencils() const { return stencils_; }
  void set_stencils(std::vector<FrictionStencil> stencils);  // instead of lag_contacts()

  std::string_view name() const override { return "friction"; }
  EnergyKind kind() const override { return EnergyKind::friction; }
  double value(const Points& x) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  // H += scale * Hessian of stencils in series with springs of their vertices (SoftenedStencils in stencil_sum.h).
  // stiffness: rows entries, in units of H. unused_gradient, 3 x rows, stays as it is.
  void add_softened(const Points& x, double scale, Projection projection, std::span<const double> stiffness,
                    Points& unused_gradient, SymBlockMatrix& H) const;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

  // Over the stencils `ids`, each times its weight (both of the same length).
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
    Vec3 point;  // lagged [m]
  };

  Index rows_;
  const Points* reference_ = nullptr;
  double eps_ = 0;  // [m]
  double radius_ = 0;
  std::vector<FrictionStencil> stencils_;
  std::vector<Eigen::Vector2d> dual_;  // w, of each stencil
  std::vector<PlaneContact> plane_contacts_;
  mutable StencilSum all_, listed_;  // plans and buffers
};

}  // namespace sinew
