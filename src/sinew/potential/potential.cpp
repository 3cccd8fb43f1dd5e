#include "sinew/potential/potential.h"

#include <cmath>

#include "sinew/contact/kinematics.h"

namespace sinew {

double PotentialValue::total() const {
  double sum = 0;
  for (const double value : kinds) sum += value;
  return sum;
}

double PotentialValue::magnitude() const {
  double sum = 0;
  for (const double value : kinds) sum += std::abs(value);
  return sum;
}

// Planes that differ from their targets in no digit need no motion.
bool planes_have_to_move(std::vector<PlaneState>& planes, const std::vector<PlaneState>& targets) {
  for (std::size_t p = 0; p < planes.size(); ++p)
    if (planes[p].point != targets[p].point || planes[p].normal != targets[p].normal) return true;
  planes = targets;
  return false;
}

std::vector<PlaneState> interpolate_all(const std::vector<PlaneState>& from, const std::vector<PlaneState>& to,
                                        double alpha) {
  if (alpha == 1) return to;
  std::vector<PlaneState> planes = from;
  for (std::size_t p = 0; p < planes.size(); ++p) planes[p] = interpolate(from[p], to[p], alpha);
  return planes;
}

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
