#include "sinew/solver/forcing_term.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double tight = 0.1;           // of the loose value, at least
constexpr double short_step = 0.05;     // that asks for a better direction
constexpr double hopeless_step = 1e-3;  // after which nothing but a better direction can help
constexpr double worth = 4;             // times longer steps are worth tight directions
constexpr double growth = 2;            // of the value from step to step
constexpr double memory = 0.6;          // of the means
constexpr int trials = 2;               // of tight directions before they are judged
constexpr int hold = 4;                 // tight directions after one that helped
constexpr int longest_wait = 64;        // directions
constexpr double least_step = 1e-6;     // that counts as different from none

}  // namespace

void ForcingTerm::Mean::add(double v) {
  value = count == 0 ? v : memory * value + (1 - memory) * v;
  ++count;
}

double ForcingTerm::value() const {
  return std::min(value_, std::max(misfit_, tight * loose_));
}

void ForcingTerm::took(double step, double misfit) {
  misfit_ = misfit;
  const double length = std::log(std::max(step, least_step));
  (is_tight() ? tight_ : loose_steps_).add(length);
  const bool judged = tight_.count >= trials;
  const bool helps = judged && loose_steps_.count > 0 && tight_.value - loose_steps_.value >= std::log(worth);
  if (step < hopeless_step) {
    value_ = tight * loose_;
    hold_ = hold;
    return;
  }
  if (judged && !helps) {
    value_ = loose_;
    if (--wait_ > 0) return;
    wait_ = next_wait_;
    next_wait_ = std::min(2 * next_wait_, longest_wait);
    tight_.count = trials - 1;  // one more trial
    return;
  }
  if (step < short_step) {
    value_ = tight * loose_;
    hold_ = hold;
  } else if (helps && hold_ > 0) {
    --hold_;
  } else {
    value_ = std::min(loose_, growth * value_);
  }
}

}  // namespace sinew
