#include "sinew/potential/inertia.h"

#include "sinew/core/parallel.h"

namespace sinew {

// 1/2 sum m_i |v_i|^2.
double kinetic_energy(const System& system, const Points& v) {
  return 0.5 *
         parallel_sum(system.dynamic_count, [&](std::size_t i) { return system.mass[i] * v.col(i).squaredNorm(); });
}

// -sum m_i g . x_i, with the origin as zero.
double gravity_energy(const System& system, const Points& x) {
  return -parallel_sum(system.dynamic_count,
                       [&](std::size_t i) { return system.mass[i] * system.setup.gravity.dot(x.col(i)); });
}

// H += M, lumped.
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

// 1/2 sum_i m_i |x_i - x~_i|^2 with the predictor x~ (theory, section 2) and lumped masses m_i [kg].
double InertiaEnergy::value(const Points& x) const {
  const Points& predictor = context_->predictor;
  return 0.5 * parallel_sum(mass_.size(),
                            [&](std::size_t i) { return mass_[i] * (x.col(i) - predictor.col(i)).squaredNorm(); });
}

void InertiaEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  const Points& predictor = context_->predictor;
  parallel_for(
      mass_.size(),
      [&](std::size_t i) { values[i] += 0.5 * scale * mass_[i] * (x.col(i) - predictor.col(i)).squaredNorm(); }, 4096);
}

// m_i (x_i - x~_i): M times the acceleration, times a h^2.
void InertiaEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  const Points& predictor = context_->predictor;
  parallel_for(
      mass_.size(), [&](std::size_t i) { g.col(i) += scale * mass_[i] * (x.col(i) - predictor.col(i)); }, 4096);
}

// The Hessian is the mass itself: scale is the weight, 1.
void InertiaEnergy::add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  add_inertia_hessian(mass_, H);
}

// -sum_i f_i . x_i [J].
double DeadLoadEnergy::value(const Points& x) const {
  const Points& force = context_->dead_force;
  return -parallel_sum(force.cols(), [&](std::size_t i) { return force.col(i).dot(x.col(i)); });
}

void DeadLoadEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  const Points& force = context_->dead_force;
  parallel_for(
      force.cols(), [&](std::size_t i) { values[i] -= scale * force.col(i).dot(x.col(i)); }, 4096);
}

// Constant forces; in dynamics they are part of x~ and this term is empty.
void DeadLoadEnergy::add_gradient(const Points&, double scale, Points& g) const {
  const Points& force = context_->dead_force;
  parallel_for(
      force.cols(), [&](std::size_t i) { g.col(i) -= scale * force.col(i); }, 4096);
}

}  // namespace sinew
