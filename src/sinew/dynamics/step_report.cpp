#include "sinew/dynamics/step_report.h"

namespace sinew {

TimeSplit& TimeSplit::operator+=(const TimeSplit& other) {
  total += other.total;
  setup += other.setup;
  steps += other.steps;
  assembly += other.assembly;
  linear_solve += other.linear_solve;
  symbolic += other.symbolic;
  collision += other.collision;
  line_search += other.line_search;
  output += other.output;
  return *this;
}

}  // namespace sinew
