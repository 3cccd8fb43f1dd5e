#include "sinew/model/spin.h"

#include <algorithm>

#include "sinew/core/cross_matrix.h"

namespace sinew {

Mat3 SpinSetup::cross() const {
  return cross_matrix(axis);
}

// The integral of a piecewise linear function, by its keys between the times.
double SpinSetup::angle(double from, double to) const {
  if (keys.empty()) return speed * (to - from);
  double sum = 0, last = from;
  const auto add = [&](double time) {
    sum += 0.5 * (at(last) + at(time)) * (time - last);
    last = time;
  };
  for (const double time : keys.times)
    if (time > from && time < to) add(time);
  add(to);
  return sum;
}

}  // namespace sinew
