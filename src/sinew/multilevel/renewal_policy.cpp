#include "sinew/multilevel/renewal_policy.h"

#include <algorithm>

namespace sinew {
namespace {

// Costs in iterations of conjugate gradients, summed over the directions since the last renewal: when a kept matrix
// has cost this much more than a new one, forming and factoring a new one is cheaper (20), or its contacts alone, a
// tenth of the work (8).
constexpr double worth_renewal = 20;
constexpr double worth_new_contacts = 8;
constexpr double forgetting = 0.8;  // at each renewal, of what old contacts have cost

}  // namespace

// 1. No matrix yet, too old, or its bodies have cost too much: all anew.
// 2. Otherwise contacts are renewed if old ones have cost too much since they were new, or did so in their first
//    direction the last time.
Renewal RenewalPolicy::choose(bool contacts_apart) const {
  if (age_ == 0 || age_ > most_ || extra_by_bodies_ > worth_renewal) return Renewal::all;
  if (!contacts_apart) return extra_by_contacts_ > worth_renewal ? Renewal::all : Renewal::none;
  const double cost = std::max(extra_by_contacts_, old_contacts_cost_);
  return cost > worth_new_contacts ? Renewal::contacts : Renewal::none;
}

// Books the iterations beyond those with a fresh matrix to what was old: with new contacts to the bodies, else to the
// contacts.
void RenewalPolicy::served(Renewal renewal, double iterations) {
  if (renewal == Renewal::all) {
    fresh_ = iterations;
    extra_by_bodies_ = 0;
    age_ = 0;
  }
  const double extra = std::max(0.0, iterations - fresh_);
  if (renewal == Renewal::none) {
    // How fast contacts age is a property of the scene: the first direction with old ones predicts those of later
    // renewals.
    if (contacts_age_ == 1) old_contacts_cost_ = extra;
    extra_by_contacts_ += extra;
    ++contacts_age_;
  } else {
    old_contacts_cost_ *= forgetting;
    extra_by_contacts_ = 0;
    extra_by_bodies_ += extra;
    contacts_age_ = 1;
  }
  ++age_;
}

}  // namespace sinew
