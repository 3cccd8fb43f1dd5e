// Penalty forces between surface vertices and the surfaces that they enter or come too near to (theory, section 3):
//
//   sum over contacts of k/2 min(0, n . (x_i - t(x)) - xi - d)^2.
//
// Surfaces touch at the distance xi of their meshes.
// The unit normal n and the barycentric coordinates of t stay as they were found, so every term is a half-space.
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/stencil.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/potential/contact_force.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/stencil_sum.h"

namespace sinew {

struct PenaltyStencil {
  std::array<Index, 4> v{-1, -1, -1, -1};       // the vertex, then the triangle's vertices; -1 for a plane
  Eigen::Vector4d c = Eigen::Vector4d::Zero();  // weights: 1, then minus the barycentric coordinates of t
  Vec3 normal = Vec3::Zero();                   // unit
  Index plane = -1;                             // its state gives normal and point; -1: none
  double stiffness = 0;                         // k over kappa [m]: an area over a length
  double offset = 0;                            // xi [m]
};

class PenaltyEnergy : public Energy {
 public:
  explicit PenaltyEnergy(Index dynamic_count) : rows_(dynamic_count) {}

  // Sets the stiffness kappa [Pa], and the distance d [m] below which contacts push.
  void set(double stiffness, double distance);
  double stiffness() const { return stiffness_; }

  // Sets new contacts and returns the previous ones in `contacts`. The planes are kept by reference.
  void swap_contacts(std::vector<PenaltyStencil>& contacts, std::span<const PlaneState> planes);
  void set_planes(std::span<const PlaneState> planes) { planes_ = planes; }  // kept by reference
  const std::vector<PenaltyStencil>& contacts() const { return contacts_; }

  double gap(const PenaltyStencil& contact, const Points& x) const;  // [m], negative inside
  // Normal force of a contact [N].
  double force(const PenaltyStencil& contact, const Points& x) const;

  // Appends the forces of each contact on its vertices.
  void append_forces(const Points& x, std::vector<ContactForce>& forces) const;

  // radius > 0 [m]: contacts that open within this distance have no Hessian.
  void set_radius(double radius) { radius_ = radius; }
  bool softens(const Points& x, double radius, std::span<const double> mass, double scale) const;

  std::string_view name() const override { return "contact"; }
  EnergyKind kind() const override { return EnergyKind::barrier; }
  bool empty() const override { return contacts_.empty(); }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void add_softened(const Points& x, double scale, Projection projection, std::span<const double> stiffness,
                    Points& unused_gradient, SymBlockMatrix& H) const;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

 private:
  struct Kernel;

  Index rows_;
  double stiffness_ = 0, distance_ = 0, radius_ = 0;
  std::vector<PenaltyStencil> contacts_;
  std::span<const PlaneState> planes_;
  mutable StencilSum all_;  // assembly plan and buffers
};

}  // namespace sinew
