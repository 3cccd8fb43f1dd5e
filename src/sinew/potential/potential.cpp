#include "sinew/potential/potential.h"

namespace sinew {

void Potential::direction_between(const Points& from, const Points& to, Points& d) const {
  d = to - from;
}

void Potential::go(const Points& q, const Points& d, Points& to) {
  to = q + d;
}

double Potential::distance(const Points& from, const Points& to) const {
  return (to - from).colwise().norm().maxCoeff();
}

}  // namespace sinew
