// Normal forces at the end of a Newton direction, by the linearised contacts.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sinew/contact/stencil_energy.h"

namespace sinew {

// Predicts the normal forces at the end of a step. Far from the end the barrier's force at an iterate says little: it
// changes by a multiple within short steps. The force that holds the bodies is known long before. Along a direction d
// that solves with the Hessian of contacts, the linearised force of a contact with the gap g,
//
//   lambda + dlambda/dg dg,  dg = n . sum_i c_i d_i,
//
// balances the linearised forces of the bodies: the step of a multiplier (Nocedal and Wright 2006, section 19.3).
class PredictedForces {
 public:
  // Finds the forces of the contacts with friction at x, along d (3 x n_all), planes moving to `planes_end`.
  void find(std::span<const ContactStencil> contacts, const Points& x, const Points& d,
            std::span<const PlaneState> planes, std::span<const PlaneState> planes_end,
            const BarrierParameters& barrier, const CollisionMesh& mesh);
  void clear() { forces_.clear(); }

  // The force of a contact [N] that was among those of find(); else `other`.
  double of(const ContactStencil& contact, double other) const;

 private:
  using Key = std::array<Index, 6>;  // vertices, plane, kind
  static Key key_of(const ContactStencil& contact);

  std::vector<std::pair<Key, double>> forces_;  // sorted by key
};

}  // namespace sinew
