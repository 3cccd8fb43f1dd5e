#include "sinew/potential/step_norms.h"

#include "sinew/core/parallel.h"

namespace sinew {

// Speeds of the vertices along d [m/s]: the largest, and the mean of their lengths. IPC stops by the first, SMS by a
// norm over |V| that its paper does not define (theory, section 4).
StepNorms step_norms(const Points& d, Index n, double h) {
  StepNorms norms;
  norms.max = parallel_max(n, 0, [&](std::size_t i) { return d.col(i).norm(); }) / h;
  norms.mean = parallel_sum(n, [&](std::size_t i) { return d.col(i).norm(); }) / (h * n);
  return norms;
}

}  // namespace sinew
