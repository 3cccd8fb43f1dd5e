#include "sinew/potential/inertia.h"

#include "sinew/core/parallel.h"

namespace sinew {

double inertia_value(std::span<const double> mass, const Points& x, const Points& predictor) {
  return 0.5 * parallel_sum(mass.size(),
                            [&](std::size_t i) { return mass[i] * (x.col(i) - predictor.col(i)).squaredNorm(); });
}

void add_inertia_gradient(std::span<const double> mass, const Points& x, const Points& predictor, Points& g) {
  parallel_for(
      mass.size(), [&](std::size_t i) { g.col(i) += mass[i] * (x.col(i) - predictor.col(i)); }, 4096);
}

void add_inertia_hessian(std::span<const double> mass, SymBlockMatrix& H) {
  const BlockPattern& pattern = H.pattern();
  parallel_for(
      mass.size(),
      [&](std::size_t i) {
        double* block = H.block(pattern.row_begin[i]);
        for (int k = 0; k < 9; k += 4) block[k] += mass[i];
      },
      4096);
}

double dead_load_value(const Points& force, const Points& x) {
  return -parallel_sum(force.cols(), [&](std::size_t i) { return force.col(i).dot(x.col(i)); });
}

void add_dead_load_gradient(const Points& force, double scale, Points& g) {
  parallel_for(
      force.cols(), [&](std::size_t i) { g.col(i) -= scale * force.col(i); }, 4096);
}

}  // namespace sinew
