#include "sinew/newton/newton_assembly.h"

#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

// Stiffness of softened contacts over that of the vertices themselves, at most (measured: 1, 10 and 100).
constexpr double contact_share = 10;

}  // namespace

void NewtonAssembly::adapt(Change change) {
  if (change == Change::materials || change == Change::fibers) stiffness_scale_ = 0;
}

void NewtonAssembly::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  if (sees_contacts_) find_vertex_stiffness();
}

NewtonStructure NewtonAssembly::structure() const {
  // What pseudo inertia alone holds must not vanish beside stiffness, as small as it is.
  const double in_statics = potential_->pseudo_inertia().empty() ? 0.0 : std::numeric_limits<double>::max();
  return {potential_->mesh_pattern(), context_->prescribed, context_->inertia ? stiffness_over_inertia_ : in_statics};
}

bool NewtonAssembly::has_contacts() const {
  return sees_contacts_ && potential_->system().embedding.empty() && !context_->ties &&
         potential_->contact().may_touch() && potential_->contact().has_hessian();
}

// Stiffness of each vertex at rest, a constant of the mesh and the materials,
//
//   k_i = trace(K_ii) / 3,   K the elastic Hessian at rest,
//
// for two uses: max h^2 k_i / m_i tells whether factors may be rounded, and contacts enter coarse levels in series
// with springs of contact_share (k_i + m_i) (theory, section 5).
void NewtonAssembly::find_vertex_stiffness() {
  if (context_->scale == stiffness_scale_ && context_->inertia == stiffness_inertia_) return;
  stiffness_scale_ = context_->scale;
  stiffness_inertia_ = context_->inertia;
  const System& system = potential_->system();
  SymBlockMatrix K;
  potential_->elastic_hessian_at_rest(K);
  const auto& begin = K.pattern().row_begin;
  const auto elastic = [&](std::size_t i) {
    const double* D = K.block(begin[i]);
    return (D[0] + D[4] + D[8]) / 3;
  };
  stiffness_over_inertia_ = parallel_max(K.rows(), 0.0, [&](std::size_t i) { return elastic(i) / system.mass[i]; });
  vertex_stiffness_.resize(K.rows());
  parallel_for(
      K.rows(),
      [&](std::size_t i) {
        vertex_stiffness_[i] = contact_share * (elastic(i) + (context_->inertia ? system.mass[i] : 0.0));
      },
      4096);
}

// The vertices in contact that are free in some axis.
void NewtonAssembly::find_touching() {
  const Index n = H_.rows();
  const Embedding& embedding = potential_->system().embedding;
  touches_.assign(n, 0);
  for (const ContactStencil& contact : potential_->contact().contacts())
    for (const Index touching : contact.v)
      if (touching >= 0)
        embedding.for_each(touching, [&](Index v, double) {
          if (v >= n) return;
          touches_[v] = 1;
          if (!context_->ties || !context_->ties->follows(v)) return;
          for (const Embedding::Entry& entry : context_->ties->row(v)) touches_[entry.vertex] = 1;
        });
  touching_.clear();
  const auto& fixed = context_->prescribed;
  for (Index v = 0; v < n; ++v)
    if (touches_[v] && !(fixed[3 * v] && fixed[3 * v + 1] && fixed[3 * v + 2])) touching_.push_back(v);
}

// H and the right-hand side of a direction, with f the free and p the prescribed coordinates:
//
//   H_ff d_f = -g_f - H_fp d_p - drift_f,   H_pp -> diagonal.
//
// Prescribed rows stay in the matrix with the mean of the diagonal: the pattern, and with it the symbolic
// factorisation, is the same for any set of prescribed vertices. The drift is how contact forces change as obstacles
// move (theory, section 2).
NewtonSystem NewtonAssembly::assemble(const Points& x, Projection projection, const NewtonParts& parts,
                                      const Points& drift, Points& g, const Points& d, const SymBlockMatrix* elastic) {
  const auto& fixed = context_->prescribed;
  potential_->derivatives(
      x, {.projection = projection, .elastic = elastic, .bodies = parts.bodies ? &H_bodies_ : nullptr}, g, H_);
  // H_ff d_f = -g_f - H_fp d_p - drift_f, with f the free and p the prescribed coordinates.
  free_right_hand_side(H_, fixed, drift, g, d, rhs_);
  diagonal_ = mean_diagonal(H_);
  H_.constrain(fixed, diagonal_);
  NewtonSystem system(H_);
  system.exact = projection == Projection::none;
  system.has_contacts = has_contacts();
  system.fixed = fixed;
  if (!sees_contacts_) return system;
  ScopedTimer timer(potential_->assembly_seconds);
  find_touching();
  system.touching = touching_;
  if (parts.bodies) {
    H_bodies_.constrain(fixed, diagonal_);
    system.bodies = &H_bodies_;
  }
  if (parts.soft_contacts) {
    potential_->contact().softened_hessian(x, context_->contact_scale(), projection, vertex_stiffness_, H_contacts_);
    H_contacts_.constrain(fixed, 0);
    system.soft_contacts = &H_contacts_;
  }
  return system;
}

bool NewtonAssembly::finite() const {
  return finite_diagonal(H_);
}

void NewtonAssembly::add_to_diagonal(double shift) {
  const auto& begin = H_.pattern().row_begin;
  parallel_for(
      H_.rows(),
      [&](std::size_t i) {
        double* block = H_.block(begin[i]);
        for (int k = 0; k < 3; ++k) block[4 * k] += shift;
      },
      4096);
}

}  // namespace sinew
