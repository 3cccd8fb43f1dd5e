#include "sinew/material/svd3.h"

#include <algorithm>

namespace sinew {

void svd3_batch(std::size_t count, const double* f, double* u, double* s, double* v) {
  for (std::size_t begin = 0; begin < count; begin += lane_count) {
    const std::size_t used = std::min<std::size_t>(lane_count, count - begin);
    Lanes in[9];
    for (int k = 0; k < 9; ++k) {
      in[k] = Lanes([&](auto lane) { return f[9 * (begin + std::min<std::size_t>(lane, used - 1)) + k]; });
    }
    Svd3<Lanes> out;
    svd3(in, out);
    for (std::size_t lane = 0; lane < used; ++lane) {
      for (int k = 0; k < 9; ++k) u[9 * (begin + lane) + k] = out.u[k][lane];
      for (int k = 0; k < 9; ++k) v[9 * (begin + lane) + k] = out.v[k][lane];
      for (int k = 0; k < 3; ++k) s[3 * (begin + lane) + k] = out.s[k][lane];
    }
  }
}

}  // namespace sinew
