#include "sinew/newton/inexactness.h"

#include <algorithm>

#include "sinew/core/parallel.h"
#include "sinew/linalg/pcg_stop.h"

namespace sinew {
namespace {

constexpr double tight = 0.1;               // of the forcing, at least
constexpr double correction_forcing = 0.3;  // of what is left after a step
// A direction that the preconditioner would change by less than this share of its length, times the forcing, is good
// enough whatever its energy.
constexpr double change_share = 0.3;

DirectionCriteria criteria(double forcing) {
  DirectionCriteria criteria;
  criteria.energy_share = forcing;
  criteria.change_share = change_share * forcing;
  return criteria;
}

double dot(const Points& a, const Points& b) {
  return parallel_sum(a.cols(), [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

double mean_length(const Points& d) {
  return parallel_sum(d.cols(), [&](std::size_t i) { return d.col(i).norm(); }) / std::max<Eigen::Index>(1, d.cols());
}

}  // namespace

Inexactness::Inexactness(double forcing, int max_iterations, int last_iterations)
    : forcing_(forcing), max_iterations_(max_iterations), last_iterations_(last_iterations), forcing_term_(forcing) {}

void Inexactness::begin_step(double length) {
  length_ = length;
  forcing_term_ = forcing_;
  rough_ = careful_ = false;
}

// Truncated Newton (Dembo, Eisenstat and Steihaug 1982; Eisenstat and Walker 1996), in two stages:
//
// 1. CG until the error of d is below eta in the energy norm, |d - d*|_H <= eta |d*|_H, as the preconditioner sees
//    it, or until M^{-1} r would change d by less than 0.3 eta of its length.
// 2. If d is then so short that it may end the step: on from there until both hold, and the gains of the iterations
//    of CG agree (Strakos and Tichy 2002).
//
// A long d is never the last. To solve it further than its quadratic model holds saves no iteration.
LinearSolveReport Inexactness::solve(LinearSolver& solver, const Points& rhs, Points& d) {
  d.setZero(3, rhs.cols());
  // Stage 1.
  DirectionCriteria wanted = criteria(forcing_term_);
  DirectionStop stop(wanted);
  LinearSolveReport report = solver.solve(rhs.data(), d.data(), stop, max_iterations_);
  rough_ = report.ok;
  if (report.indefinite) return report;
  const bool doubtful = !report.ok || careful_;
  if (!doubtful || mean_length(d) >= length_) {
    report.ok = true;  // a step that is not the last takes what there is
    return report;
  }
  // Stage 2. It starts from the energy of stage 1, d^T H d = d^T rhs, since iterates of conjugate gradients are
  // orthogonal to their residuals.
  rough_ = false;
  wanted.both = wanted.by_gains = true;
  wanted.energy_before = dot(d, rhs);
  DirectionStop all(wanted);
  const int done = report.iterations;
  report = solver.solve(rhs.data(), d.data(), all, std::max(0, last_iterations_ - done));
  report.iterations += done;
  return report;
}

// The simplified correction of the stop test is the estimate itself, so that both criteria must hold.
LinearSolveReport Inexactness::correct(LinearSolver& solver, const Points& rhs, Points& d) {
  d.setZero(3, rhs.cols());
  DirectionCriteria wanted = criteria(correction_forcing);
  wanted.both = true;
  DirectionStop stop(wanted);
  return solver.solve(rhs.data(), d.data(), stop, last_iterations_);
}

// eta for the next direction: the relative error of the quadratic model over the last full step (Eisenstat and Walker
// 1996, choice 1), kept within [tight * forcing, forcing].
void Inexactness::accepted(double alpha, double model_error) {
  if (alpha < 1) careful_ = false;  // the next direction is not the last
  forcing_term_ = std::min(forcing_, std::max(model_error, tight * forcing_));
}

bool Inexactness::confirm() {
  careful_ |= rough_;
  return !rough_;
}

}  // namespace sinew
