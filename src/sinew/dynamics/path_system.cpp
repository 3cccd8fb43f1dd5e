#include "sinew/dynamics/path_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/kinematics/tied_hessian.h"
#include "sinew/potential/follower_stiffness.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

// Difference of load for derivatives by it: dead loads and pressures are linear in the load, so that only rounding
// matters. A power of two. Keyframes often end at load 1: from there the difference goes back.
double load_difference(double load) {
  const double e = std::ldexp(1.0, -17);
  return load <= 1 && load + e > 1 ? -e : e;
}

}  // namespace

PathSystem::PathSystem(const System& system, StepModel& model, const State& from, StepReport& report)
    : system_(system), model_(model), potential_(*model.full_space()), report_(report), state_(from) {}

double PathSystem::dot(const PathVector& a, const PathVector& b) const {
  const double sum = parallel_sum(system_.dynamic_count, [&](std::size_t i) { return a.x.col(i).dot(b.x.col(i)); });
  return sum / (motion_ * motion_);
}

double PathSystem::norm(const PathVector& a) const {
  return std::sqrt(dot(a, a));
}

void PathSystem::prepare(const PathPoint& point, double load) {
  state_.x = point.x;
  state_.planes = point.planes;
  model_.prepare(state_, load, 1);
}

void PathSystem::stand_at(const PathPoint& point) {
  prepare(point, point.load);
}

// R = grad E(x; t). Prescribed coordinates that are not yet in place change it by H d_p, obstacles by their drift.
void PathSystem::residual(const PathPoint& point, double load, Residual& result) {
  prepare(point, load);
  potential_.gradient(point.x, result.g);
  std::vector<PlaneState> planes = point.planes;
  const DisplacementToTarget moved = potential_.displacement_to_target(point.x, planes, result.move);
  result.in_place = !(moved.remaining > 0) && !moved.of_planes;
  result.drift.setZero(3, system_.dynamic_count);
  if (moved.of_obstacles || moved.of_planes) potential_.drift(point.x, planes, result.move, result.drift);
}

// The exact Hessian of E, with the symmetric part of what follower pressure adds at the border of its patch.
void PathSystem::assemble(const Points& x) {
  Points unused;
  potential_.derivatives(x, {.projection = Projection::none}, unused, H_);
  const auto pressure = [](const FaceLoad& load) { return load.kind == LoadKind::pressure; };
  if (std::ranges::none_of(system_.loads, pressure)) return;
  SymBlockMatrix border(H_.shared_pattern());
  add_border_stiffness(system_, model_.context(), x, border);
  TiedHessian().condense(model_.context().ties, border);
  H_.add(border);
}

// H dx + R_t dt = -R at free coordinates, with
//
//   R_t = (R(x; t + e) - R(x; t)) / e  +  H dx_p/dt  +  drift by obstacles,
//
// where prescribed coordinates x_p and obstacles go to their places at t + dt (Riks 1979, Keller 1977).
bool PathSystem::linearize(const PathPoint& point, double radius) {
  const double e = load_difference(point.load);
  residual(point, point.load + e, ahead_);
  residual(point, point.load, here_);
  const Stopwatch assembly;
  potential_.contact().set_radius(radius);
  assemble(point.x);
  potential_.contact().set_radius(0);
  potential_.assembly_seconds += assembly.seconds();
  fixed_ = model_.context().prescribed;
  free_right_hand_side(H_, fixed_, here_.drift, here_.g, here_.move, rhs_);
  const Points slope = (ahead_.g - here_.g) / e, drift = (ahead_.drift - here_.drift) / e;
  const Points move = (ahead_.move - here_.move) / e;
  free_right_hand_side(H_, fixed_, drift, slope, move, response_rhs_);
  if (!rhs_.allFinite() || !response_rhs_.allFinite()) return false;
  const Stopwatch solve_time;
  constrained_ = H_;
  constrained_.constrain(fixed_, mean_diagonal(H_));
  ++report_.factorizations;
  const bool done = factor_.compute(constrained_);
  if (done) response_ = solve(response_rhs_, move);
  response_.load = 1;
  report_.seconds.linear_solve += solve_time.seconds();
  return done && response_.x.allFinite();
}

PathVector PathSystem::response() const {
  return response_;
}

// Free coordinates by the factor, the others as `move` has them.
PathVector PathSystem::solve(const Points& rhs, const Points& move) {
  solution_.setZero(3, system_.dynamic_count);
  factor_.solve(rhs.data(), solution_.data());
  PathVector d{move, 0};
  take_free(solution_, fixed_, d.x);
  potential_.complete(d.x);
  return d;
}

// The left side of the constraint for a change d of the point, and what it still lacks at a point.
double PathSystem::part(const PathVector& d, const PathConstraint& constraint) const {
  return constraint.load ? d.load : dot(constraint.tangent, d);
}

double PathSystem::lack(const PathPoint& point, const PathConstraint& constraint) const {
  if (constraint.load) return *constraint.load - point.load;
  return constraint.length - dot(constraint.tangent, {point.x - constraint.origin, 0});
}

// Block elimination (Keller 1977; Crisfield 1981): with H a = -R and H b = -R_t, the change is (a + dt b, dt), and the
// constraint gives dt.
PathVector PathSystem::bordered(PathVector a, const PathConstraint& constraint, double lack) {
  const double dt = (lack - part(a, constraint)) / part(response_, constraint);
  a.x += dt * response_.x;
  a.load = dt;
  return a;
}

// With one round of refinement: near a limit point both a and b are long, and cancel.
PathVector PathSystem::direction(const PathPoint& point, const PathConstraint& constraint) {
  const Stopwatch watch;
  const double missing = lack(point, constraint);
  PathVector d = bordered(solve(rhs_, here_.move), constraint, missing);
  Points free = Points::Zero(3, system_.dynamic_count), Hd(3, system_.dynamic_count);
  take_free(d.x.leftCols(system_.dynamic_count), fixed_, free);
  constrained_.multiply(free.data(), Hd.data());
  const Points residual = rhs_ + d.load * response_rhs_ - Hd;
  const PathVector more =
      bordered(solve(residual, Points::Zero(3, d.x.cols())), constraint, missing - part(d, constraint));
  d.x += more.x;
  d.load += more.load;
  report_.seconds.linear_solve += watch.seconds();
  return d;
}

PathVector PathSystem::simplified(const PathPoint& trial, const PathConstraint& constraint) {
  residual(trial, trial.load, ahead_);
  const Stopwatch watch;
  Points rhs;
  free_right_hand_side(H_, fixed_, ahead_.drift, ahead_.g, ahead_.move, rhs);
  PathVector d = bordered(solve(rhs, ahead_.move), constraint, lack(trial, constraint));
  report_.seconds.linear_solve += watch.seconds();
  return d;
}

double PathSystem::admissible(const PathPoint& from, double load, PathVector& d) {
  prepare(from, load);
  std::vector<PlaneState> planes = from.planes;
  Points move;
  potential_.displacement_to_target(from.x, planes, move);
  take_free(d.x.leftCols(system_.dynamic_count), model_.context().prescribed, move);
  potential_.complete(move);
  d.x = std::move(move);
  return potential_.max_step(from.x, d.x, potential_.plane_targets());
}

PathPoint PathSystem::along(const PathPoint& from, double load, const PathVector& d, double share) {
  PathPoint to{from.x + share * d.x, interpolate_all(from.planes, potential_.plane_targets(), share),
               from.load + share * (load - from.load)};
  if (share < 1) return to;
  potential_.place_prescribed(to.x);
  to.load = load;
  return to;
}

}  // namespace sinew
