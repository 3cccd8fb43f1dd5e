// When the reduced matrices of a direction are worth forming and factoring anew.
#pragma once

namespace sinew {

// What of the reduced matrices is made anew for a direction.
enum class Renewal { none, contacts, all };

// Contacts change from direction to direction while reduced matrices hardly do, and conjugate gradients find what they
// lack: a kept one serves for as long as it costs few iterations more than a new one. Iterations are counted for each
// decade by which a solve makes its error smaller.
class RenewalPolicy {
 public:
  // most: directions that matrices may serve after the first (solver.multilevel.reduced_lag).
  explicit RenewalPolicy(int most) : most_(most) {}

  // contacts_apart: those can be renewed alone.
  Renewal choose(bool contacts_apart) const;

  // A direction took so many iterations with matrices that were renewed so.
  void served(Renewal renewal, double iterations);

  // There are no matrices that could serve again; what they have cost is remembered.
  void drop() { age_ = 0; }

 private:
  int most_;
  int age_ = 0;           // directions that the matrices have served; 0: there are none
  int contacts_age_ = 0;  // the same of their contacts
  // Iterations of the last direction with all new, and what others have taken beyond that, in all: since then those
  // with new contacts, and since contacts were new those without.
  double fresh_ = 0, extra_by_bodies_ = 0, extra_by_contacts_ = 0;
  double old_contacts_cost_ = 0;  // of the second direction with the same contacts, as far as is known
};

}  // namespace sinew
