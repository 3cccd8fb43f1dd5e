// Contact by penalty forces (Liu, Bouaziz and Kavan 2017, section 4.3): fast and approximate. Bodies overlap a little,
// and a body's contact with itself is ignored.
#pragma once

#include <vector>

#include "sinew/contact/surface_distance.h"
#include "sinew/potential/contact_model.h"
#include "sinew/potential/penalty_energy.h"

namespace sinew {

// Contacts are surface vertices of one body or obstacle that are inside another, or nearer to its surface than the
// contact distance. Vertices near or behind a plane are contacts, too. An open surface counts only if it is an
// obstacle's, from the side of its normals. The pressure is kappa (d - gap) / l with the contact distance d and the
// mean edge length l of the bodies' surfaces. A body then presses about as stiffly as its outermost layer of tets.
class PenaltyContact final : public ContactModel {
 public:
  explicit PenaltyContact(const System& system);

  Energy& normal() override { return energy_; }
  // Does not shorten steps.
  double max_step(const Points&, const Points&, const std::vector<PlaneState>&,
                  const std::vector<PlaneState>&) override {
    return 1;
  }
  bool filters() const override { return false; }
  bool held_in_search() const override { return true; }
  bool may_touch() const override { return enabled_; }
  const std::vector<ContactStencil>& contacts() const override { return stencils_; }
  double min_distance() const override { return min_distance_; }
  double stiffness() const override { return energy_.stiffness(); }
  void set_stiffness(double stiffness) override { energy_.set(stiffness, system_.contact_distance); }
  double total_force(const Points& x) const override;

 private:
  struct Near {
    PenaltyStencil stencil;
    double gap;
  };
  void search(const Points& x) override;
  void set_glue(std::span<const char> held) override;
  bool is_tied_to(Index vertex, Index owner) const;
  void search_vertex(const Points& x, std::size_t at, std::vector<Near>& found);
  void lag_friction(const Points& x, const PredictedForces* predicted, FrictionEnergy& friction) const override;
  void append_forces(const Points& x, std::vector<ContactForce>& forces) const override {
    energy_.append_forces(x, forces);
  }
  void append_rows(const Points& x, std::vector<ContactRow>& rows) const override;
  void set_planes(const std::vector<PlaneState>& planes) override { energy_.set_planes(planes); }
  void add_softened(const Points& x, double scale, Projection projection, std::span<const double> stiffness,
                    Points& unused_gradient, SymBlockMatrix& H) const override;
  void set_normal_radius(double radius) override { energy_.set_radius(radius); }
  bool normal_softens(const Points& x, double radius, std::span<const double> mass, double scale) const override;

  bool enabled_;
  PenaltyEnergy energy_;
  SurfaceDistance surfaces_;
  std::vector<Index> surface_owners_;  // owners whose surfaces are searched
  double length_ = 0;                  // l [m]
  std::vector<ContactStencil> stencils_;
  double min_distance_;
  // `clearance_` is a vertex's distance from all surfaces at its last search. The vertex need not be searched again
  // until the motion since then uses up this distance.
  std::vector<double> clearance_, travel_at_;  // by surface vertex [m]
  std::vector<char> held_;                     // by tie: whether it holds
  Points looked_at_;                           // by surface vertex: position at its last search
  Points last_;                                // positions x of the last search
  double travel_ = 0;                          // sum of the largest motions between searches [m]
  std::vector<PenaltyStencil> next_;           // work space
  std::vector<std::vector<Near>> found_;       // by chunk of vertices
};

}  // namespace sinew
