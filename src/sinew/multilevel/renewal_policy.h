// Decides when the reduced matrices are formed and factored anew.
#pragma once

namespace sinew {

// The parts of the reduced matrices that are made anew for a direction.
enum class Renewal { none, contacts, all };

// Contacts change with each direction, the rest of a reduced matrix hardly does. A matrix is kept while it costs only a
// few more iterations of conjugate gradients than a new one. Iterations are counted per decade of the error.
class RenewalPolicy {
 public:
  // most: directions that matrices may serve after the first (solver.multilevel.reduced_lag).
  explicit RenewalPolicy(int most) : most_(most) {}

  // contacts_apart: contacts can be renewed alone.
  Renewal choose(bool contacts_apart) const;

  // Reports the iterations of a direction after this renewal.
  void served(Renewal renewal, double iterations);

  // The matrices cannot serve again; their cost is remembered.
  void drop() { age_ = 0; }

 private:
  int most_;
  int age_ = 0;           // directions that the matrices have served; 0: there are none
  int contacts_age_ = 0;  // the same of their contacts
  // Iterations of the last direction with all matrices new. Then sums of the further iterations that later directions
  // took: those with new contacts since then, and those with old contacts since contacts were new.
  double fresh_ = 0, extra_by_bodies_ = 0, extra_by_contacts_ = 0;
  double old_contacts_cost_ = 0;  // of the second direction with the same contacts, as far as is known
};

}  // namespace sinew
