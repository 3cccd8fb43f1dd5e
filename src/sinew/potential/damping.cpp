#include "sinew/potential/damping.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sinew/core/parallel.h"

namespace sinew {

// Bodies with zeta > 0 or xi > 0.
bool has_damping(const System& system) {
  return std::any_of(system.bodies.begin(), system.bodies.end(),
                     [](const SystemBody& body) { return body.damping_mass > 0 || body.damping_stiffness > 0; });
}

// Rayleigh damping (theory, section 1): D(x) = 1/(2 h^) u^T C u, u = x - x^, C = zeta M + xi K_t, with zeta [1/s] and
// xi [s] by body. Its gradient C u / h^ is the damping force C v for the integrator's velocity v = (x - x^) / h^.
DampingEnergy::DampingEnergy(const System& system, ElasticEnergy* elastic,
                             std::shared_ptr<const BlockPattern> mesh_pattern)
    : system_(system), elastic_(elastic), mesh_pattern_(std::move(mesh_pattern)) {
  for (const SystemBody& body : system.bodies) {
    body_weight_.push_back(body.damping_stiffness);
    mass_ |= body.damping_mass > 0;
    stiffness_ |= elastic && body.damping_stiffness > 0;
  }
  if (mass_) {
    vertex_mass_rate_.resize(system.dynamic_count);
    for (Index i = 0; i < system.dynamic_count; ++i)
      vertex_mass_rate_[i] = system.bodies[system.vertex_body[i]].damping_mass * system.mass[i];
  }
  if (!stiffness_) return;
  edge_springs_ = std::make_unique<EdgeSpringEnergy>(system);
  for (Index t = 0; t < system.elastic_tet_count(); ++t) {
    const double xi = system.bodies[system.tet_body[t]].damping_stiffness;
    if (xi <= 0) continue;
    damped_tets_.push_back(t);
    tet_weight_.push_back(xi);
  }
}

// Assembles xi K_t, the projected elastic Hessian of the damped bodies at the step's start; C is constant in the step.
// K_t is that of the material without history: a viscous one damps by itself. A metal that flows starts a step on the
// yield surface, where its tangent is elastic or plastic by rounding.
void DampingEnergy::begin_step(const StepContext& context) {
  context_ = &context;
  if (empty()) return;
  u_.setZero(3, system_.dynamic_count);
  Du_.setZero(3, system_.dynamic_count);
  if (!stiffness_) return;
  if (stiffness_matrix_.rows() == 0) stiffness_matrix_.set_pattern(mesh_pattern_);
  stiffness_matrix_.set_zero();
  elastic_->set_history(false);
  elastic_->add_derivatives(context.start, damped_tets_, tet_weight_, 1.0, Projection::psd, u_, stiffness_matrix_);
  elastic_->set_history(true);
  edge_springs_->add_hessian(context.start, body_weight_, Projection::psd, stiffness_matrix_);
}

// u = x - x^ and D u = (zeta M + xi K_t) u, by vertex.
void DampingEnergy::multiply(const Points& x, Points& u, Points& Du) const {
  const Index n = system_.dynamic_count;
  u.resize(3, n);
  Du.resize(3, n);
  parallel_for(
      n, [&](std::size_t i) { u.col(i) = x.col(i) - context_->reference.col(i); }, 4096);
  if (stiffness_) {
    stiffness_matrix_.multiply(u.data(), Du.data());
  } else {
    Du.setZero();
  }
  if (mass_)
    parallel_for(
        n, [&](std::size_t i) { Du.col(i) += vertex_mass_rate_[i] * u.col(i); }, 4096);
}

// 1/(2 h^) u^T C u.
double DampingEnergy::value(const Points& x) const {
  multiply(x, u_, Du_);
  return parallel_sum(u_.cols(), [&](std::size_t i) { return u_.col(i).dot(Du_.col(i)); }) /
         (2 * context_->reference_step);
}

// Where a body moves further than it deforms, the products of u^T C u cancel. Each is rounded:
//
//   8 eps / (2 h^) sum_i tr(C_ii) |u_i|^2.
double DampingEnergy::value_rounding(const Points& x) const {
  if (!stiffness_) return 0;
  const BlockPattern& pattern = stiffness_matrix_.pattern();
  const double products = parallel_sum(u_.cols(), [&](std::size_t i) {
    const double* block = stiffness_matrix_.block(pattern.row_begin[i]);
    return (block[0] + block[4] + block[8]) * (x.col(i) - context_->reference.col(i)).squaredNorm();
  });
  return 4 * std::numeric_limits<double>::epsilon() / context_->reference_step * products;
}

// The work of the damping force at each vertex: the energy is not a sum over stencils once C is assembled.
void DampingEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  multiply(x, u_, Du_);
  const double factor = scale / (2 * context_->reference_step);
  parallel_for(
      u_.cols(), [&](std::size_t i) { values[i] += factor * u_.col(i).dot(Du_.col(i)); }, 4096);
}

// C u / h^ = C v.
void DampingEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  multiply(x, u_, Du_);
  const double factor = scale / context_->reference_step;
  parallel_for(
      Du_.cols(), [&](std::size_t i) { g.col(i) += factor * Du_.col(i); }, 4096);
}

// H += C scale / h^: the mass part on the diagonals, and the matrix of the mesh into the rows of H, whose pattern holds
// that of the mesh and more.
void DampingEnergy::add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  const double factor = scale / context_->reference_step;
  const BlockPattern& to = H.pattern();
  parallel_for(
      system_.dynamic_count,
      [&](std::size_t i) {
        if (mass_)
          for (int k = 0; k < 9; k += 4) H.block(to.row_begin[i])[k] += factor * vertex_mass_rate_[i];
        if (!stiffness_) return;
        const BlockPattern& from = stiffness_matrix_.pattern();
        std::int64_t slot = to.row_begin[i];
        for (std::int64_t s = from.row_begin[i]; s < from.row_begin[i + 1]; ++s) {
          while (to.columns[slot] != from.columns[s]) ++slot;  // both ascending, `to` holds all of `from`
          for (int k = 0; k < 9; ++k) H.block(slot)[k] += factor * stiffness_matrix_.block(s)[k];
        }
      },
      512);
}

}  // namespace sinew
