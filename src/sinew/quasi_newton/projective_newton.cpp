#include "sinew/quasi_newton/projective_newton.h"

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

constexpr int most_conjugate_gradients = 500;  // iterations for a direction

}  // namespace

bool ProjectivePreconditioner::compute(const NewtonSystem& system) {
  elimination_.compute(system.H, system.touching);
  t_.resize(3, system.H.rows());
  return true;
}

// Eliminate the vertices in contact, solve with A, substitute back. A couples them with the others; their rows of its
// solution are replaced by the last part.
void ProjectivePreconditioner::apply(const double* r, double* z) const {
  const auto size = t_.size();
  const bool eliminate = !elimination_.empty();
  if (eliminate)
    elimination_.forward(r, t_.data());
  else
    t_ = Eigen::Map<const Points>(r, 3, t_.cols());
  matrix_.solve(t_, solved_);
  parallel_chunks(static_cast<std::size_t>(size), 1 << 14, [&](std::size_t begin, std::size_t end) {
    std::copy(solved_.data() + begin, solved_.data() + end, z + begin);
  });
  if (eliminate) elimination_.backward(r, z);
}

void ProjectiveNewton::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  assembly_.begin_step(context, potential);
  preconditioner_.begin_step(assembly_.structure());
}

// A is far stiffer than H where slender bodies bend, so that r^T A^{-1} r says little of the error there: the gains of
// the iterations have to agree.
LinearSolveReport ProjectiveNewton::solve(const NewtonSystem& system, double energy_share) {
  preconditioner_.compute(system);
  DirectionCriteria criteria;
  criteria.energy_share = energy_share;
  criteria.by_gains = true;
  DirectionStop stop(criteria);
  solution_.setZero(3, assembly_.rows());
  return iterations_.solve(MatrixOperator(system.H), preconditioner_, assembly_.rhs().data(), solution_.data(), stop,
                           most_conjugate_gradients);
}

// By the exact Hessian, or the projected one where that is not positive definite.
// H d = -grad E with the Hessian H of E and A as preconditioner:
//
// 1. H without projection; if CG meets d^T H d <= 0, once more with projection.
// 2. CG until the error is `energy_share` of d in the energy norm.
//
// A costs one solve with a factor that is there; a factor of H would cost more than all ten iterations of QN.
DirectionResult ProjectiveNewton::direction(const Points& x, const Points& drift, double energy_share, Points& g,
                                            Points& d) {
  DirectionResult result;
  for (const Projection projection : {Projection::none, Projection::psd}) {
    const NewtonSystem system = assembly_.assemble(x, projection, {}, drift, g, d);
    if (!g.allFinite() || !assembly_.finite()) {
      result.ok = false;
      result.overflow = true;
      result.reason = "the forces or the Hessian are not finite";
      return result;
    }
    const Stopwatch watch;
    const LinearSolveReport report = solve(system, energy_share);
    result.linear_solve_seconds += watch.seconds();
    result.linear_iterations += report.iterations;
    result.exact = system.exact && report.ok;
    result.may_stop = report.ok;
    result.reason = report.reason;
    if (!report.indefinite) break;
  }
  take_free(solution_, context_->prescribed, d);
  return result;
}

}  // namespace sinew
