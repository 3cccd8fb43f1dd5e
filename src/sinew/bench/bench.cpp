#include "sinew/bench/bench.h"

#include <algorithm>

#include "sinew/core/timer.h"

namespace sinew {

std::vector<double> shortest_seconds(const std::vector<std::function<void()>>& functions, int repeats) {
  std::vector<double> shortest(functions.size(), 1e300);
  for (int repeat = -1; repeat < repeats; ++repeat) {
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const Stopwatch watch;
      functions[f]();
      if (repeat >= 0) shortest[f] = std::min(shortest[f], watch.seconds());
    }
  }
  return shortest;
}

}  // namespace sinew
