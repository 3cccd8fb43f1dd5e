// Solves a few of the equations between two iterations of a minimisation, with all other vertices fixed.
#pragma once

#include "sinew/potential/potential.h"

namespace sinew {

struct EliminationReport {
  double iterations = 0;  // Newton iterations on the few, each times the share of vertices that it moves
  double seconds = 0;

  EliminationReport& operator+=(const EliminationReport& more) {
    iterations += more.iterations;
    seconds += more.seconds;
    return *this;
  }
};

class Elimination {
 public:
  virtual ~Elimination() = default;

  // Moves a few vertices of x (3 x n_all) such that E does not grow, after an iteration with gradient g (3 x
  // dynamic_count) and direction d (3 x n_all). Contacts must be set at x on entry. The report has zero iterations if
  // nothing has moved; otherwise the contacts are out of date.
  virtual EliminationReport eliminate(const Points& g, const Points& d, Points& x) = 0;
};

}  // namespace sinew
