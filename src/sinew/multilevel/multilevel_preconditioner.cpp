#include "sinew/multilevel/multilevel_preconditioner.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/timer.h"
#include "sinew/model/step_context.h"

namespace sinew {
namespace {

// Largest h^2 K / m of a handle for which single precision is allowed. Its rounding of K, 6e-8, is then below a
// percent of m.
constexpr double most_rounded = 1e5;

// Whether A may be rounded to single precision. A free body resists rigid motions by its inertia m alone, and A holds
// m + h^2 K: if rounding of h^2 K hides m, a small stiff body seems to be at rest.
//
//   stiffness_over_inertia = max_i h^2 K_ii / m_i   over single vertices.
//
// Stiffness over inertia falls with the square of the size of what moves, and a handle is larger than a vertex by
// (vertices / handles)^(1/3).
bool may_round(double stiffness_over_inertia, Index vertices, Index handles) {
  const double coarsening = std::pow(static_cast<double>(vertices) / std::max<Index>(1, handles), 2.0 / 3);
  return stiffness_over_inertia < most_rounded * std::max(1.0, coarsening);
}

}  // namespace

MultilevelPreconditioner::MultilevelPreconditioner(std::shared_ptr<const System> system, std::optional<int> handles,
                                                   const Preparation& prepared,
                                                   std::shared_ptr<Shared<EstimatorLevels>> levels)
    : system_(std::move(system)),
      wanted_handles_(handles),
      levels_(std::move(levels)),
      hierarchy_(prepared.hierarchy),
      fixed_vertices_(prepared.fixed),
      policy_(system_->setup.solver.multilevel.reduced_lag) {
  if (hierarchy_)
    make_level();
  else
    build(prescribed_at_start(*system_));
}

void MultilevelPreconditioner::share(Preparation& prepared) const {
  prepared.hierarchy = hierarchy_;
  prepared.fixed = fixed_vertices_;
}

// Basis U of the handles and of the affine motions of stiff pieces. Its functions vanish at vertices whose three axes
// are prescribed (SMS, section 3.5.1). Vertices with one or two prescribed axes keep their weights, and U is masked
// there.
void MultilevelPreconditioner::build(std::span<const char> fixed) {
  const Index n = system_->dynamic_count;
  std::vector<char> fixed_vertices(n);
  for (Index i = 0; i < n; ++i) fixed_vertices[i] = all_prescribed(fixed, i);
  if (hierarchy_ && fixed_vertices == fixed_vertices_) return;
  const std::shared_ptr<const EstimatorLevels> known = levels_ ? levels_->get() : nullptr;
  if (known && known->fixed_vertices == fixed_vertices)
    hierarchy_ = known->hierarchy;
  else
    hierarchy_ = make_hierarchy(*system_, {fixed.begin(), fixed.end()}, wanted_handles_);
  if (levels_ && !known) levels_->offer(std::make_shared<EstimatorLevels>(EstimatorLevels{fixed_vertices, hierarchy_}));
  fixed_vertices_ = std::move(fixed_vertices);
  make_level();
}

void MultilevelPreconditioner::make_level() {
  level_.reset();
  const HandleBasis basis = joined_handles({&hierarchy_->subspace, &hierarchy_->pieces});
  handles_ = basis.handle_count();
  if (handles_ > 0) level_ = std::make_unique<SubspaceLevel>(basis, system_->rest, SubspaceLevel::Solver::factor, 0.0);
}

// Whatever earlier steps left behind must not change bits: a run resumed here has none of it.
void MultilevelPreconditioner::begin_step(const NewtonStructure& step) {
  build(step.fixed);
  if (level_) level_->reset(may_round(step.stiffness_over_inertia, system_->dynamic_count, handles_));
  elimination_.reset();
  policy_ = RenewalPolicy(system_->setup.solver.multilevel.reduced_lag);
}

// What the assembly is to give beside H: H without contacts if A is formed anew, and softened contacts
//
//   C = H_c / (1 + trace(K^{-1} H_c)),   K ten times the stiffness of the contact's vertices at rest,
//
// unless A is kept as it is.
NewtonParts MultilevelPreconditioner::parts(bool has_contacts) const {
  if (!level_ || !has_contacts || !system_->setup.solver.multilevel.eliminate_contacts) return {};
  const Renewal renewal = policy_.choose(true);
  return {.bodies = renewal == Renewal::all, .soft_contacts = renewal != Renewal::none};
}

// A = U^T (H_bodies + C_soft) U, or what of it is due. False where it is indefinite but has to be definite.
bool MultilevelPreconditioner::renew(Renewal renewal, const NewtonSystem& system) {
  if (renewal == Renewal::none) return true;
  const Stopwatch watch;
  level_->galerkin_seconds = level_->factor_seconds = level_->solve_seconds = 0;
  const bool definite = renewal == Renewal::contacts ? level_->renew_contacts(*system.soft_contacts, system.fixed)
                                                     : level_->compute(system.bodies ? *system.bodies : system.H,
                                                                       system.soft_contacts, system.fixed);
  work_.renewed = true;
  work_.contacts = renewal == Renewal::contacts;
  work_.galerkin = level_->galerkin_seconds;
  work_.seconds = watch.seconds();
  return definite || !system.exact;
}

bool MultilevelPreconditioner::compute(const NewtonSystem& system) {
  const MultilevelSetup& settings = system_->setup.solver.multilevel;
  work_ = {.any = level_ != nullptr};
  if (level_) {
    renewal_ = policy_.choose(system.has_contacts && settings.eliminate_contacts);
    // An exact H may be indefinite on the coarse functions. Conjugate gradients would then have no preconditioner,
    // and the caller assembles the projected H.
    if (!renew(renewal_, system)) {
      policy_.drop();
      return false;
    }
  }
  jacobi_.compute(system);
  elimination_.compute(system.H, settings.eliminate_contacts ? system.touching : std::span<const Index>());
  t_.resize(3 * static_cast<std::size_t>(system.H.rows()));
  return true;
}

// z = M^{-1} r in three stages, symmetric as CG needs:
//
// 1. t_R = r_R - H_RJ H_JJ^{-1} r_J               eliminate the vertices in contact,
// 2. z_R = (D^{-1} + U A^{-1} U^T) t_R            block diagonal and coarse correction, added,
// 3. z_J = H_JJ^{-1} (r_J - H_JR z_R)             substitute back.
//
// The corrections of stage 2 are added. A V-cycle takes fewer iterations, but multiplies by H between its corrections.
void MultilevelPreconditioner::apply(const double* r, double* z) const {
  const bool eliminate = !elimination_.empty();
  if (eliminate) elimination_.forward(r, t_.data());
  const double* rest = eliminate ? t_.data() : r;
  jacobi_.apply(rest, z);
  if (level_) level_->add_correction(rest, z);
  if (eliminate) elimination_.backward(r, z);
}

// Iterations for each decade of the residual measure how good a kept A still is, whatever the tolerance of the solve.
void MultilevelPreconditioner::solved(const LinearSolveReport& report, double decades) {
  if (!level_) return;
  // A may be as indefinite as H.
  if (report.indefinite && renewal_ != Renewal::none) return policy_.drop();
  policy_.served(renewal_, decades > 0 ? report.iterations / decades : report.iterations);
}

}  // namespace sinew
