#include "sinew/solver/multilevel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

constexpr double step_memory = 0.5;         // of the moving average of line-search steps
constexpr double refinement_end = 1e-8;     // relative residual at which refinement has nothing left to do
constexpr double exact_forcing = 0.1;       // of directions with the exact Hessian after cut steps, at most
constexpr double correction_forcing = 0.3;  // of what is left after a step, which need not be known better
constexpr int most_two_level = 200;         // iterations of refinement with the basis in its preconditioner
// Of the length of the direction, over `forcing`: where refinement would change it by less, its energy does not matter.
constexpr double change_share = 0.3;
// Stiffness of contacts in the reduced matrix over that of the vertices themselves, at most (measured: 1, 10 and 100).
constexpr double contact_share = 10;
// h^2 K / m of handles from which reduced matrices are factored in double precision: single leaves a percent of m.
constexpr double most_rounded = 1e5;
// Slow directions in a row after which the preconditioner is not believed.
constexpr int most_stalls = 4;
// After which nothing but a better direction can help: it meets both criteria.
constexpr double tiny_step = 1e-3;

double dot(const Points& a, const Points& b) {
  return parallel_sum(a.cols(), [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

void axpy(double a, const Points& x, Points& y) {
  parallel_for(
      y.cols(), [&](std::size_t i) { y.col(i) += a * x.col(i); }, 4096);
}

double norm(const Points& d) {
  return std::sqrt(dot(d, d));
}

double mean_length(const Points& d) {
  return parallel_sum(d.cols(), [&](std::size_t i) { return d.col(i).norm(); }) / std::max<Eigen::Index>(1, d.cols());
}

double largest_length(const Points& d) {
  return parallel_max(d.cols(), 0.0, [&](std::size_t i) { return d.col(i).norm(); });
}

}  // namespace

MultilevelDirection::MultilevelDirection(std::shared_ptr<const System> system, Refinement refinement)
    : system_(std::move(system)),
      settings_(system_->setup.solver.multilevel),
      refinement_(refinement),
      forcing_(settings_.forcing),
      pcg_(std::make_unique<TwoLevelPreconditioner>()),
      policy_(settings_.reduced_lag) {
  preconditioner_ = &static_cast<TwoLevelPreconditioner&>(pcg_.preconditioner());
  build(prescribed_at_start(*system_));
}

// Bases vanish at vertices that are wholly fixed: they are made anew when others are.
void MultilevelDirection::build(const std::vector<char>& fixed) {
  const Index n = system_->dynamic_count;
  std::vector<char> held(n);
  for (Index i = 0; i < n; ++i) held[i] = fixed[3 * i] && fixed[3 * i + 1] && fixed[3 * i + 2];
  if (hierarchy_ && held == held_) return;
  hierarchy_ = make_hierarchy(*system_, fixed);
  held_ = std::move(held);
  const auto solver = settings_.factorize ? SubspaceLevel::Solver::factor : SubspaceLevel::Solver::pcg;
  const auto level = [&](bool wanted, const HandleBasis& basis) {
    return wanted && basis.handle_count() > 0
               ? std::make_unique<SubspaceLevel>(basis, system_->rest, solver, settings_.reduced_tolerance)
               : nullptr;
  };
  affine_ = level(settings_.affine, hierarchy_->affine);
  subspace_ = level(settings_.subspace, hierarchy_->subspace);
  const bool two_level = settings_.two_level && subspace_;
  preconditioner_->set_level(two_level ? subspace_.get() : nullptr);
  most_refinement_ = settings_.refinement >= 0                ? settings_.refinement
                     : refinement_ == Refinement::to_residual ? system_->setup.solver.linear_iterations
                     : two_level                              ? most_two_level
                     : hierarchy_->hops > 30                  ? 40
                                                              : 20;
}

// The basis is kept: it stays a basis, which knows the stiffness of the start.
void MultilevelDirection::adapt(Change change) {
  if (change == Change::materials) stiffness_scale_ = 0;
}

void MultilevelDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  build(context.fixed);
  find_vertex_stiffness();
  age_ = 0;
  mean_step_ = 1;
  last_step_ = 1;
  exact_ = rough_ = careful_ = false;
  trials_.begin_step();
  policy_ = RenewalPolicy(settings_.reduced_lag);
  forcing_ = ForcingTerm(settings_.forcing);
  const bool may_round = this->may_round();
  for (SubspaceLevel* level : {affine_.get(), subspace_.get()})
    if (level) level->reset(may_round);
  preconditioner_->reset();
}

// Whether the reduced matrix may be of softer contacts: where contacts are eliminated in refinement, and nothing looks
// at what the levels find before it.
bool MultilevelDirection::softens_contacts() const {
  return settings_.join_contacts && preconditioner_->has_level() && most_refinement_ > 0 &&
         !settings_.stop_by_subspace && potential_->contact().may_touch();
}

// Of each vertex among its neighbours at rest, times contact_share; in units of H. And the largest over its mass.
void MultilevelDirection::find_vertex_stiffness() {
  if (context_->scale == stiffness_scale_ && context_->inertia == stiffness_inertia_) return;
  stiffness_scale_ = context_->scale;
  stiffness_inertia_ = context_->inertia;
  SymBlockMatrix K;
  potential_->elastic_hessian(system_->rest, Projection::psd, K);
  vertex_stiffness_.resize(K.rows());
  const auto& begin = K.pattern().row_begin;
  const auto elastic = [&](std::size_t i) {
    const double* D = K.block(begin[i]);
    return (D[0] + D[4] + D[8]) / 3;
  };
  stiffest_ = parallel_max(K.rows(), 0.0, [&](std::size_t i) { return elastic(i) / system_->mass[i]; });
  parallel_for(
      K.rows(),
      [&](std::size_t i) {
        vertex_stiffness_[i] = contact_share * (elastic(i) + (context_->inertia ? system_->mass[i] : 0.0));
      },
      4096);
}

// Whether reduced matrices may be rounded to single precision (6e-8): a body that nothing holds moves against its
// inertia alone, which must be seen beside its stiffness, h^2 K_ii / m_i. Small stiff bodies would seem at rest.
bool MultilevelDirection::may_round() const {
  if (!context_->inertia || !subspace_) return true;
  // Handles are larger than elements, whose K_ii / m_i falls with the square of their size.
  const double coarsening =
      std::pow(static_cast<double>(system_->dynamic_count) / hierarchy_->subspace.handle_count(), 2.0 / 3);
  return stiffest_ < most_rounded * std::max(1.0, coarsening);
}

// The gradient, and the Hessian, whose elastic part may be kept from earlier directions of the step.
void MultilevelDirection::update_hessian(const Points& x, Projection projection, Points& g, LevelReport& levels) {
  SymBlockMatrix* const bodies = renewal_ == Renewal::all && has_soft_contacts() ? &H_bodies_ : nullptr;
  HessianParts parts{.projection = projection, .bodies = settings_.cubature_hessian ? nullptr : bodies};
  if (settings_.lag == 0) {
    potential_->derivatives(x, parts, g, H_);
    ++levels.hessian_updates;
  } else {
    if (age_ == 0 || (age_ >= settings_.lag && (mean_step_ < settings_.lag_step || trials_.stalls() > 0))) {
      potential_->elastic_hessian(x, Projection::psd, elastic_);
      ++levels.hessian_updates;
      age_ = 0;
      mean_step_ = 1;
    }
    ++age_;
    parts.projection = Projection::psd;
    parts.elastic = &elastic_;
    potential_->derivatives(x, parts, g, H_);
  }
  if (!settings_.cubature_hessian) return;
  const Cubature& rule = hierarchy_->cubature;
  {
    ScopedTimer timer(levels.cubature);
    parts = {.tets = rule.tets, .weights = rule.weights, .bodies = bodies};
    potential_->derivatives(x, parts, unused_gradient_, H_cubature_);
  }
  H_cubature_.constrain(context_->fixed, 0);
}

bool MultilevelDirection::has_soft_contacts() const {
  return softened_ && potential_->contact().has_hessian();
}

// Where refinement finds what kept matrices lack.
Renewal MultilevelDirection::choose_renewal() const {
  const bool may_keep = settings_.factorize && preconditioner_->has_level() && !settings_.cubature_hessian;
  return may_keep ? policy_.choose(has_soft_contacts()) : Renewal::all;
}

// False where the reduced matrix is found indefinite.
bool MultilevelDirection::renew(SubspaceLevel& level) const {
  if (renewal_ == Renewal::none) return true;
  if (renewal_ == Renewal::contacts) return level.renew_contacts(H_contacts_, context_->fixed);
  if (has_soft_contacts()) return level.compute(H_bodies_, &H_contacts_, context_->fixed);
  return level.compute(settings_.cubature_hessian ? H_cubature_ : H_, nullptr, context_->fixed);
}

// What the renewal needs besides H, in reduced matrices of softer contacts.
void MultilevelDirection::find_soft_contacts(const Points& x, Projection projection, LevelReport& levels) {
  if (affine_ || subspace_) ++levels.reduced_updates;
  if (renewal_ == Renewal::contacts) ++levels.contact_updates;
  if (!has_soft_contacts()) return;
  ScopedTimer timer(potential_->assembly_seconds);
  potential_->contact().softened_hessian(x, context_->scale, projection, vertex_stiffness_, H_contacts_);
  H_contacts_.constrain(context_->fixed, 0);
  if (renewal_ == Renewal::all) H_bodies_.constrain(context_->fixed, 0);
}

// Adds the level's correction of the residual r_ to subspace_step_. Both are of free coordinates. False, and nothing is
// added, when the reduced matrix is not positive definite but must be.
bool MultilevelDirection::correct(SubspaceLevel& level, const SymBlockMatrix& residual_from, long& iterations,
                                  double& seconds, LevelReport& levels) {
  const Stopwatch watch;
  level.galerkin_seconds = level.factor_seconds = level.solve_seconds = 0;
  if (!renew(level) && exact_) return false;
  c_.setZero(3, r_.cols());
  iterations += level.add_correction(r_.data(), c_.data());
  residual_from.multiply(c_.data(), Hd_.data());
  double scale = 1;
  if (renewal_ != Renewal::all || softened_) {  // the matrix is another: the best length along its correction
    const double curvature = dot(c_, Hd_);
    if (curvature > 0) scale = dot(r_, c_) / curvature;
  }
  axpy(scale, c_, subspace_step_);
  axpy(-scale, Hd_, r_);
  levels.galerkin += level.galerkin_seconds;
  seconds += watch.seconds();
  return true;
}

// A rule of few tets may see too little stiffness: the step that minimises the model of all of them along
// subspace_step_ decreases E, and what refinement adds decreases it further. Leaves r_ = rhs_ - H subspace_step_.
void MultilevelDirection::keep_descent() {
  H_.multiply(subspace_step_.data(), Hd_.data());
  const double curvature = dot(subspace_step_, Hd_), slope = -dot(rhs_, subspace_step_);
  double scale = 1;
  if (slope + 0.5 * curvature >= 0 && curvature > 0) scale = -slope / curvature;
  if (scale != 1) subspace_step_ *= scale;
  r_ = rhs_;
  axpy(-scale, Hd_, r_);
}

// Those in contacts, that are free to move.
std::vector<Index> MultilevelDirection::touching_vertices() {
  touching_.assign(H_.rows(), 0);
  for (const ContactStencil& contact : potential_->contact().contacts())
    for (const Index v : contact.v)
      if (v >= 0 && v < H_.rows() && !held_[v]) touching_[v] = 1;
  std::vector<Index> vertices;
  for (Index v = 0; v < H_.rows(); ++v)
    if (touching_[v]) vertices.push_back(v);
  return vertices;
}

// Whether the direction so far is within the tolerance: then it is found better, as far as it takes.
bool MultilevelDirection::may_be_last() const {
  const double length =
      parallel_sum(r_.cols(), [&](std::size_t i) { return (subspace_step_.col(i) + refinement_step_.col(i)).norm(); });
  return length < system_->setup.solver.tolerance * context_->step * static_cast<double>(r_.cols());
}

// After cut steps loose directions with the exact Hessian are worse than with the projected one.
double MultilevelDirection::forcing() const {
  return exact_ && last_step_ < 1 ? std::min(forcing_.value(), exact_forcing) : forcing_.value();
}

DirectionCriteria MultilevelDirection::direction_criteria() const {
  DirectionCriteria criteria;
  criteria.energy_share = forcing();
  criteria.change_share = change_share * forcing();
  criteria.offset = subspace_step_.data();
  criteria.both = last_step_ < tiny_step;
  criteria.by_gains = trials_.stalls() > most_stalls;
  return criteria;
}

// Over the norm of what the levels leave, so that |r| <= solver.linear_tolerance |rhs| in the end.
double MultilevelDirection::residual_tolerance() const {
  return system_->setup.solver.linear_tolerance * norm(rhs_) / norm(r_);
}

// PCG goes on from refinement_step_. first: from zero, where r_ = rhs_ - H subspace_step_ tells the energy so far.
// Without the basis in the preconditioner it ends at a residual where nothing is left to do.
MultilevelDirection::Refined MultilevelDirection::run_refinement(DirectionCriteria criteria, int max_iterations,
                                                                 bool first, LevelReport& levels) {
  if (refinement_ == Refinement::to_residual || !preconditioner_->has_level()) {
    ResidualStop stop(refinement_ == Refinement::to_residual ? residual_tolerance() : refinement_end);
    return run_refinement(stop, max_iterations, levels);
  }
  {
    ScopedTimer timer(levels.refinement);
    if (first) {
      criteria.energy_before = dot(subspace_step_, rhs_) - dot(subspace_step_, r_);
    } else {
      c_ = subspace_step_ + refinement_step_;
      criteria.energy_before = H_.multiply_dot(c_.data(), Hd_.data());
    }
  }
  DirectionStop stop(criteria);
  return run_refinement(stop, max_iterations, levels);
}

MultilevelDirection::Refined MultilevelDirection::run_refinement(PcgStop& stop, int max_iterations,
                                                                 LevelReport& levels) {
  ScopedTimer timer(levels.refinement);
  const LinearSolveReport report = pcg_.solve(r_.data(), refinement_step_.data(), stop, max_iterations);
  levels.refinement_iterations += report.iterations;
  if (report.ok) return Refined::enough;
  return report.iterations >= max_iterations ? Refined::capped : Refined::indefinite;
}

// Those of the reduced matrix, which have made a direction long. False where it is indefinite but must not be.
bool MultilevelDirection::renew_contacts(const Points& x, Projection projection, LevelReport& levels) {
  renewal_ = Renewal::contacts;
  policy_.lost_patience();
  find_soft_contacts(x, projection, levels);
  ScopedTimer timer(levels.subspace);
  subspace_->galerkin_seconds = 0;
  const bool definite = renew(*subspace_);
  levels.galerkin += subspace_->galerkin_seconds;
  return definite || !exact_;
}

// A direction that may end the step is found better where it was capped, or where an earlier one was not good enough.
MultilevelDirection::Refined MultilevelDirection::finish_last(Refined found, DirectionCriteria criteria,
                                                              long iterations, LevelReport& levels) {
  if (refinement_ == Refinement::to_residual) {
    truncated_ = found != Refined::enough;
    return found;
  }
  const bool has_level = preconditioner_->has_level();
  const bool judged_best = criteria.both && criteria.by_gains;
  rough_ = found == Refined::enough && has_level && !judged_best;
  const bool doubtful = found == Refined::capped || (careful_ && rough_);
  if (settings_.stop_by_subspace || !doubtful || !may_be_last()) return found;
  rough_ = false;
  const SolverSetup& solver = system_->setup.solver;
  const int max_iterations = static_cast<int>(std::max(0L, static_cast<long>(solver.linear_iterations) - iterations));
  if (has_level) {
    criteria.both = criteria.by_gains = true;
    found = run_refinement(criteria, max_iterations, false, levels);
  } else {
    ResidualStop stop(std::min(solver.linear_tolerance, residual_tolerance()));
    found = run_refinement(stop, max_iterations, levels);
  }
  truncated_ = found != Refined::enough;
  return found;
}

// PCG on what the levels leave. With the basis in the preconditioner it ends when the energy norm of the error, as the
// preconditioner sees it, is `forcing` of that of the whole direction, or when what is left is short; after tiny steps
// when both are so. Where direction after direction hardly gets shorter after full steps the preconditioner is not
// believed: gains of energy tell what is left. Reduced matrices whose old contacts make it long get new ones on the
// way. False where the matrix was found indefinite.
bool MultilevelDirection::refine(const Points& x, Projection projection, LevelReport& levels) {
  refinement_step_.setZero(3, r_.cols());
  rough_ = truncated_ = false;
  Refined found = Refined::enough;
  long iterations = 0;  // with the reduced matrices as they are at last
  // Over those with `forcing` as given: the logarithm of the error falls evenly.
  const bool exact = refinement_ == Refinement::to_residual;
  const double share = exact ? system_->setup.solver.linear_tolerance : forcing();
  const double tightness = std::log(share) / std::log(settings_.forcing);
  if (most_refinement_ > 0) {
    {
      ScopedTimer timer(levels.refinement);
      if (settings_.join_contacts) preconditioner_->set_joined(touching_vertices());
      pcg_.compute(H_);
    }
    const DirectionCriteria criteria = direction_criteria();
    const bool may_renew = renewal_ == Renewal::none && has_soft_contacts();
    const long begin = levels.refinement_iterations;
    const int first = may_renew ? static_cast<int>(std::min(1.0 * most_refinement_, tightness * policy_.patience()))
                                : most_refinement_;
    found = run_refinement(criteria, first, true, levels);
    iterations = levels.refinement_iterations - begin;
    if (found == Refined::capped && first < most_refinement_) {
      found = renew_contacts(x, projection, levels) ? run_refinement(criteria, most_refinement_ - first, false, levels)
                                                    : Refined::indefinite;
      iterations = levels.refinement_iterations - begin - first;
    }
    found = finish_last(found, criteria, levels.refinement_iterations - begin, levels);
  }
  if (found == Refined::indefinite && exact_) return false;
  policy_.served(renewal_, static_cast<double>(iterations) / tightness);
  return found != Refined::indefinite;
}

// subspace_step_ and refinement_step_ by the Hessian of this projection; false where it is not positive definite but
// must be, or not finite.
bool MultilevelDirection::solve(const Points& x, Projection projection, const Points& drift, Points& g, const Points& d,
                                LevelReport& levels) {
  const bool found = correct_and_refine(x, projection, drift, g, d, levels);
  if (!found && renewal_ != Renewal::none) policy_.drop();  // they may be as indefinite as H
  return found;
}

bool MultilevelDirection::correct_and_refine(const Points& x, Projection projection, const Points& drift, Points& g,
                                             const Points& d, LevelReport& levels) {
  exact_ = projection == Projection::none;
  softened_ = softens_contacts();
  renewal_ = choose_renewal();
  update_hessian(x, projection, g, levels);
  if (!finite_diagonal(H_)) return false;
  const Index n = H_.rows();
  const auto& fixed = context_->fixed;
  free_right_hand_side(H_, fixed, drift, g, d, rhs_);
  const double diagonal = mean_diagonal(H_);
  H_.constrain(fixed, 0);
  r_ = rhs_;
  Hd_.resize(3, n);
  subspace_step_.setZero(3, n);
  if (renewal_ != Renewal::none) find_soft_contacts(x, projection, levels);
  const SymBlockMatrix& residual_from = settings_.cubature_residual ? H_cubature_ : H_;
  if (affine_ && !correct(*affine_, residual_from, levels.affine_iterations, levels.affine, levels)) return false;
  if (subspace_ && !correct(*subspace_, residual_from, levels.subspace_iterations, levels.subspace, levels))
    return false;
  if (settings_.cubature_hessian && !settings_.cubature_residual) keep_descent();
  const auto& begin = H_.pattern().row_begin;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (fixed[3 * i + k]) H_.block(begin[i])[4 * k] = diagonal;
  return refine(x, projection, levels) || !exact_;
}

bool MultilevelDirection::may_be_exact() const {
  return settings_.lag == 0 && !settings_.cubature_hessian && settings_.factorize && trials_.due();
}

DirectionResult MultilevelDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  LevelReport& levels = result.levels;
  levels.any = true;
  const Stopwatch watch;
  const double assembly = potential_->assembly_seconds;
  const auto solve_seconds = [&] { return watch.seconds() - (potential_->assembly_seconds - assembly); };
  bool done = false;
  if (may_be_exact()) {
    done = solve(x, Projection::none, drift, g, d, levels);
    if (!done) levels.reject(solve_seconds());
    trials_.tried(done);
  } else {
    trials_.passed_over();
  }
  if (!done) done = solve(x, Projection::psd, drift, g, d, levels);
  result.linear_solve_seconds = solve_seconds();
  levels.other = result.linear_solve_seconds - levels.affine - levels.subspace - levels.refinement - levels.rejected;
  if (!done) {
    result.ok = false;
    result.overflow = true;
    result.reason = "the Hessian is not finite";
    return result;
  }
  const double h = context_->step;
  levels.subspace_mean = mean_length(subspace_step_) / h;
  levels.subspace_max = largest_length(subspace_step_) / h;
  levels.refinement_mean = mean_length(refinement_step_) / h;
  refinement_step_ += subspace_step_;
  trials_.found(mean_length(refinement_step_));
  result.linear_iterations = levels.affine_iterations + levels.subspace_iterations + levels.refinement_iterations;
  if (settings_.stop_by_subspace) result.measured = step_norms(subspace_step_, system_->dynamic_count, context_->step);
  if (truncated_) {
    result.may_stop = false;
    result.reason = "the refinement did not converge within solver.linear_iterations";
  }
  take_free(refinement_step_, context_->fixed, d);
  return result;
}

// By PCG with the preconditioner as the last direction left it, by both criteria.
// Without the basis in the preconditioner there is none: those variants are for comparison with the paper, which stops
// by the direction alone.
DirectionResult MultilevelDirection::correction(const Points&, const Points& g, Points& d) {
  DirectionResult result;
  const bool exact = refinement_ == Refinement::to_residual;
  result.ok = (exact || preconditioner_->has_level()) && most_refinement_ > 0 && !settings_.stop_by_subspace;
  if (!result.ok) return result;
  const Stopwatch watch;
  set_free(g, context_->fixed, r_);
  c_.setZero(3, r_.cols());
  DirectionStop by_energy(
      {.energy_share = correction_forcing, .change_share = change_share * correction_forcing, .both = true});
  ResidualStop by_residual(system_->setup.solver.linear_tolerance);
  PcgStop& stop = exact ? static_cast<PcgStop&>(by_residual) : by_energy;
  const LinearSolveReport report = pcg_.solve(r_.data(), c_.data(), stop, system_->setup.solver.linear_iterations);
  result.levels.any = true;
  result.levels.refinement_iterations = result.linear_iterations = report.iterations;
  result.levels.refinement = result.linear_solve_seconds = watch.seconds();
  result.may_stop = report.ok;
  take_free(c_, context_->fixed, d);
  return result;
}

bool MultilevelDirection::confirm() {
  careful_ |= rough_;
  return !rough_;
}

void MultilevelDirection::accepted(const Points&, double alpha, double misfit) {
  last_step_ = alpha;
  trials_.took(alpha);
  if (alpha < 1) careful_ = false;  // such a step is not the last
  forcing_.took(alpha, misfit);
  mean_step_ += step_memory * (alpha - mean_step_);
}

}  // namespace sinew
