#include "sinew/multilevel/renewal_policy.h"

#include <algorithm>

namespace sinew {
namespace {

// Iterations beyond those with fresh matrices, in all, from which it costs less to form and factor matrices anew, or
// their contacts alone.
constexpr double worth_renewal = 20;
constexpr double worth_new_contacts = 8;
constexpr double forgetting = 0.8;  // at each renewal, of what old contacts have cost

}  // namespace

Renewal RenewalPolicy::choose(bool contacts_apart) const {
  if (age_ == 0 || age_ > most_ || extra_by_bodies_ > worth_renewal) return Renewal::all;
  if (!contacts_apart) return extra_by_contacts_ > worth_renewal ? Renewal::all : Renewal::none;
  const double cost = std::max(extra_by_contacts_, old_contacts_cost_);
  return cost > worth_new_contacts ? Renewal::contacts : Renewal::none;
}

void RenewalPolicy::served(Renewal renewal, double iterations) {
  if (renewal == Renewal::all) {
    fresh_ = iterations;
    extra_by_bodies_ = 0;
    age_ = 0;
  }
  const double extra = std::max(0.0, iterations - fresh_);
  if (renewal == Renewal::none) {
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
