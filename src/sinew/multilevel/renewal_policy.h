// Decides when reduced matrices are formed and factored again.
#pragma once

namespace sinew {

// The parts of the reduced matrices that are renewed for a direction.
enum class Renewal { none, contacts, all };

// Contacts change with each direction; the rest of a reduced matrix hardly changes. A matrix is kept while it costs
// only a few more iterations of conjugate gradients than a new matrix. Iterations are counted per decade of the error.
class RenewalPolicy {
 public:
  // most: number of further directions for which matrices may be kept (solver.multilevel.reduced_lag).
  explicit RenewalPolicy(int most) : most_(most) {}

  // contacts_apart: whether contacts can be renewed alone.
  Renewal choose(bool contacts_apart) const;

  // Reports the iterations that a direction took after this renewal.
  void served(Renewal renewal, double iterations);

  // Call if the matrices cannot be used again; their cost is remembered.
  void drop() { age_ = 0; }

 private:
  int most_;
  int age_ = 0;           // number of directions that used the matrices; 0: there are none
  int contacts_age_ = 0;  // number of directions that used their contacts
  // Iterations of the last direction with all matrices new. Then the sums of the additional iterations of later
  // directions: those with new contacts since `fresh_`, and those with old contacts since the contacts were new.
  double fresh_ = 0, extra_by_bodies_ = 0, extra_by_contacts_ = 0;
  double old_contacts_cost_ = 0;  // cost of the second direction with the same contacts, if known
};

}  // namespace sinew
