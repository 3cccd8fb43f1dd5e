// Predicts normal forces at the end of a Newton direction from the linearised contacts.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sinew/contact/stencil_energy.h"

namespace sinew {

// Far from the end of a step, the barrier force of an iterate says little, because it changes by a multiple within
// short steps. The force that holds the bodies is known much earlier. Along a direction d that solves with the Hessian
// of contacts, the linearised force of a contact with gap g,
//
//   lambda + dlambda/dg dg,  dg = n . sum_i c_i d_i,
//
// balances the linearised forces of the bodies. It is the step of a multiplier (Nocedal and Wright 2006, section 19.3).
class PredictedForces {
 public:
  // Computes the forces of the contacts with friction at x, along d (3 x n_all), while planes move to `planes_end`.
  void find(std::span<const ContactStencil> contacts, const Points& x, const Points& d,
            std::span<const PlaneState> planes, std::span<const PlaneState> planes_end,
            const BarrierParameters& barrier, const CollisionMesh& mesh);
  void clear() { forces_.clear(); }

  // Returns the predicted force [N] of a contact; zero if find() did not have the contact.
  double of(const ContactStencil& contact) const;

 private:
  using Key = std::array<Index, 6>;  // vertices, plane, kind
  static Key key_of(const ContactStencil& contact);

  std::vector<std::pair<Key, double>> forces_;  // sorted by key
};

}  // namespace sinew
