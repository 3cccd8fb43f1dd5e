#include "sinew/bench/machine_limits.h"

#include <vector>

#include "sinew/bench/bench.h"
#include "sinew/core/parallel.h"
#include "sinew/material/lanes.h"

namespace sinew {
namespace {

volatile double unused_sum = 0;  // keeps the loop from being optimised away

}  // namespace

double peak_flops() {
  constexpr int rounds = 1'000'000, chains = 12;
  const auto chain = [] {
    Lanes a[chains];
    for (int k = 0; k < chains; ++k) a[k] = Lanes(1.0 + k);
    const Lanes factor(0.999), addend(0.001);
    for (int r = 0; r < rounds; ++r)
      for (int k = 0; k < chains; ++k) a[k] = a[k] * factor + addend;
    for (int k = 1; k < chains; ++k) a[0] += a[k];
    return static_cast<double>(a[0][0]);
  };
  const int threads = thread_count();
  std::vector<double> sums(static_cast<std::size_t>(threads));
  const double seconds = shortest_seconds({[&] {
                                            parallel_for(
                                                threads, [&](std::size_t t) { sums[t] = chain(); }, 1);
                                            unused_sum = sums[0];
                                          }},
                                          5)[0];
  return 2.0 * lane_count * chains * rounds * threads / seconds;
}

double triad_bandwidth() {
  const std::size_t n = 16'000'000;
  std::vector<double> a(n), b(n, 1.0), c(n, 2.0);
  const double seconds = shortest_seconds({[&] {
                                            parallel_for(
                                                n, [&](std::size_t i) { a[i] = b[i] + 3.0 * c[i]; }, 1 << 16);
                                          }},
                                          5)[0];
  unused_sum = a[n / 2];
  return 24.0 * static_cast<double>(n) / seconds;
}

}  // namespace sinew
