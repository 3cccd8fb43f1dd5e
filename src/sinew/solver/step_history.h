// Records the last iterations of a minimisation, for its diagnosis.
#pragma once

#include <algorithm>
#include <array>

#include "sinew/potential/incremental_potential.h"

namespace sinew {

struct IterationRecord {
  double measure = 0;                 // length of the direction, in the norm of solver.tolerance [m/s]
  double filter = 1;                  // longest step that the filter allowed
  StepLimit limit = StepLimit::none;  // why the filter shortened the step
};

class StepHistory {
 public:
  static constexpr std::size_t window = 20;

  void add(const IterationRecord& record);

  long contact_cuts() const { return contact_cuts_; }  // number of shortened steps in the whole minimisation
  long inversion_cuts() const { return inversion_cuts_; }
  double shortest_step() const { return shortest_step_; }  // over the whole minimisation; 1: never shortened

  // The following are over the last iterations, at most `window`.
  std::size_t size() const { return std::min(count_, window); }
  double share(StepLimit limit) const;  // share of iterations whose step `limit` shortened, 0 to 1
  double typical_step() const;          // geometric mean of the filters' step lengths
  // Whether measures in the second half are well below those in the first half; false for fewer than 4 iterations.
  bool falling() const;

 private:
  const IterationRecord& recent(std::size_t i) const {
    return recent_[(count_ - size() + i) % window];
  }  // oldest first

  std::array<IterationRecord, window> recent_;  // ring buffer
  std::size_t count_ = 0;
  long contact_cuts_ = 0, inversion_cuts_ = 0;
  double shortest_step_ = 1;
};

}  // namespace sinew
