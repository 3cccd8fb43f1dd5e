#include "sinew/dynamics/continuation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/path_corrector.h"
#include "sinew/dynamics/state_archive.h"

namespace sinew {
namespace {

// The length of steps is chosen so that the corrector takes this many iterations; it changes by these factors at most.
constexpr double wanted_iterations = 4;
constexpr double most_growth = 2, least_growth = 0.5;
// Cosines between two tangents: below the second one, a step is too long for the curvature of the path. Above the first
// one the angle alone tells the direction, in between the number of negative eigenvalues must agree.
constexpr double sure_cosine = 0.3, least_cosine = 0.02;
constexpr double length_rounding = 1e-6;  // relative

// The load at which dt/ds = 0 between two points: the extremum of the cubic with loads t0, t1 and slopes m0, m1 over
// the length h (Hermite). The slopes have opposite signs, so that one root of the quadratic t'(u) lies in [0, 1].
double turning_load(double t0, double m0, double t1, double m1, double h) {
  const double A = 6 * (t0 - t1) + 3 * h * (m0 + m1), B = -6 * (t0 - t1) - 4 * h * m0 - 2 * h * m1, C = h * m0;
  const double q = -(B + std::copysign(std::sqrt(std::max(0.0, B * B - 4 * A * C)), B)) / 2;
  const double first = C / q, second = q / A;
  const double u = first >= 0 && first <= 1 ? first : second;
  const double v = 1 - u;
  return v * v * (1 + 2 * u) * t0 + u * v * v * h * m0 + u * u * (3 - 2 * u) * t1 - u * u * v * h * m1;
}

// Whether a step arrives at a load, or goes on beyond it. A step that begins there does not.
bool passes(double from, double to, double load) {
  return from != load && (to == load || (from < load) != (to < load));
}

PathPoint point_of(const State& state) {
  return {state.x, state.planes, state.time};
}

}  // namespace

void Continuation::forget() {
  tangent_ = {};
  ended_ = false;
}

// At the start ds = dt. This fixes the scale of motions.
void Continuation::begin(PathSystem& system, const PathPoint& point) {
  if (point.load >= settings_.until)
    fail_input(code::initial,
               "time.continuation.until: the path starts at load {:g}, expected a load above that at which it ends, "
               "{:g}; raise until, or start from a state at a smaller load",
               point.load, settings_.until);
  if (!system.linearize(point))
    throw SimulationError(
        code::step_failed,
        "step 1 cannot be computed: the stiffness is singular at the start of the path of equilibria");
  tangent_ = system.response();
  const double motion =
      std::sqrt(parallel_sum(system_.dynamic_count, [&](std::size_t i) { return tangent_.x.col(i).squaredNorm(); }));
  if (!(motion > 0))
    fail_input(
        code::method,
        "time.continuation: no load changes from load {:g} on, expected gravity, loads or prescribed motion that "
        "grow; leave out time.ramp, or give loads keyframes",
        point.load);
  system.set_motion(motion);
  motion_ = motion;
  negative_ = system.negative_pivots();
  length_ = settings_.first;
}

// The direction of the path at the last linearisation, with an acute angle to the last one (Keller 1977).
PathVector Continuation::next_tangent(const PathSystem& system) const {
  PathVector tangent = system.response();
  const double size = system.norm(tangent), along = system.dot(tangent, tangent_);
  const double factor = (along < 0 ? -1 : 1) / size;
  tangent.x *= factor;
  tangent.load *= factor;
  return tangent;
}

// Whether the direction of the next tangent is sure. Along a path without branches, the sign of dt/ds det H stays,
// which is that of dt/ds times -1 to the number of negative eigenvalues.
bool Continuation::goes_on(const PathSystem& system) const {
  const PathVector tangent = next_tangent(system);
  const double cosine = system.dot(tangent, tangent_);
  if (cosine >= sure_cosine) return true;
  const bool flips = (system.negative_pivots() - negative_) % 2 != 0;
  return cosine >= least_cosine && flips == (tangent.load * tangent_.load < 0);
}

// A step of the present length, or up to the load at which the path ends. Returns why it failed, or nothing.
std::string Continuation::take(Run& run, const PathPoint& from, PathPoint& end, bool& ends, int& iterations) const {
  PathSystem& system = run.system;
  PathVector d{length_ * tangent_.x, length_ * tangent_.load};
  const double load = from.load + d.load;
  // Beyond the last load, motions by keyframes may end: it is tried before.
  end = {from.x + d.x, from.planes, load};
  ends = passes(from.load, load, settings_.until) && land(run, from, end);
  if (ends) return {};
  const double share = system.admissible(from, load, d);
  if (!(share * length_ >= settings_.smallest))
    return "bodies about to intersect, or tets about to invert, allow no step";
  end = system.along(from, load, d, share);
  const PathConstraint constraint{tangent_, from.x, share * length_, {}};
  const PathCorrection correction = correct(system, constraint, run.minimizer, run.check_interrupt, end, run.report);
  iterations = correction.iterations;
  if (!correction.converged) return correction.reason;
  if (!goes_on(system)) return "the path turns too far within a step";
  ends = passes(from.load, end.load, settings_.until);
  if (ends && !land(run, from, end)) return "the equilibrium at the last load is not found";
  return {};
}

// Moves the end of a step that passes the load at which the path ends to that load: from the point in between, Newton's
// iterations at a fixed load. Returns whether they lead to a point within the step.
bool Continuation::land(Run& run, const PathPoint& from, PathPoint& end) const {
  PathSystem& system = run.system;
  const double part = (settings_.until - from.load) / (end.load - from.load);
  PathVector d{part * (end.x - from.x), settings_.until - from.load};
  const double share = system.admissible(from, settings_.until, d);
  PathPoint point = system.along(from, settings_.until, d, share);
  const PathConstraint constraint{{}, {}, 0, settings_.until};
  if (!correct(system, constraint, run.minimizer, run.check_interrupt, point, run.report).converged) return false;
  if (point.load != settings_.until || !goes_on(system)) return false;
  // Iterations at a fixed load may lead to another part of the path.
  const double whole = system.dot(tangent_, {end.x - from.x, 0}), now = system.dot(tangent_, {point.x - from.x, 0});
  if (now < 0 || now > (1 + length_rounding) * whole) return false;
  end = std::move(point);
  return true;
}

// Ramm (1981): ds <- ds sqrt(wanted / taken).
void Continuation::adapt_length(int iterations) {
  const double growth = std::sqrt(wanted_iterations / std::max(1, iterations));
  length_ *= std::clamp(growth, least_growth, most_growth);
  length_ = std::clamp(length_, settings_.smallest, settings_.largest);
}

bool Continuation::moved_enough(const PathPoint& point) const {
  if (!(settings_.most_motion > 0)) return false;
  const double motion = parallel_max(system_.dynamic_count, 0.0,
                                     [&](std::size_t i) { return (point.x.col(i) - system_.rest.col(i)).norm(); });
  return motion >= settings_.most_motion;
}

PathPoint Continuation::advance(StepModel& model, const State& state, const MinimizerSettings& minimizer,
                                const std::function<void()>& check_interrupt, StepReport& report) {
  PathSystem system(system_, model, state, report);
  system.set_motion(motion_);
  const PathPoint from = point_of(state);
  if (!begun()) begin(system, from);
  Run run{system, minimizer, check_interrupt, report};
  PathReport path;
  PathPoint end;
  int iterations = 0;
  for (;; ++path.halvings) {
    const std::string reason = take(run, from, end, path.ended, iterations);
    if (reason.empty()) break;
    length_ /= 2;
    if (length_ >= settings_.smallest) continue;
    length_ = settings_.smallest;
    throw SimulationError(
        code::step_failed,
        fmt::format("step {} cannot be computed: the path of equilibria cannot be followed beyond load {:.6g}, even in "
                    "steps of {:g} (time.continuation.smallest): {}",
                    state.step + 1, state.time, settings_.smallest, reason));
  }

  const PathVector tangent = next_tangent(system);
  const PathVector chord{end.x - from.x, end.load - from.load};
  path.length = system.norm(chord);
  path.load_rate = tangent.load;
  path.negative_pivots = system.negative_pivots();
  if (tangent.load * tangent_.load < 0)
    path.limit_points.push_back(turning_load(from.load, tangent_.load, end.load, tangent.load, path.length));
  path.branch = path.limit_points.empty() && path.negative_pivots != negative_;
  path.ended = path.ended || moved_enough(end);
  if (path.branch)
    report.warnings.push_back(
        fmt::format("the number of negative eigenvalues of the stiffness changes from {} to {} without a limit point: "
                    "another path of equilibria branches off near load {:.4g}. The run stays on its path",
                    negative_, path.negative_pivots, end.load));
  tangent_ = tangent;
  negative_ = path.negative_pivots;
  ended_ = path.ended;
  adapt_length(iterations);
  report.substeps = 1;
  report.path = std::move(path);
  return end;
}

void Continuation::save(ArchiveWriter& archive) const {
  archive.write("path/tangent", tangent_.x);
  const double numbers[] = {tangent_.load, length_, motion_, static_cast<double>(negative_), ended_ ? 1.0 : 0.0};
  archive.write("path/numbers", std::span<const double>(numbers));
}

void Continuation::load(const ArchiveReader& archive) {
  forget();
  if (!archive.has("path/numbers")) return;
  const std::vector<double> numbers = archive.doubles("path/numbers");
  tangent_.x = archive.points("path/tangent");
  const bool empty = tangent_.x.cols() == 0;
  if (numbers.size() != 5 || !(empty || tangent_.x.cols() == system_.vertex_count()) || !tangent_.x.allFinite())
    refuse_damaged();
  tangent_.load = numbers[0];
  length_ = numbers[1];
  motion_ = numbers[2];
  negative_ = static_cast<Index>(numbers[3]);
  ended_ = numbers[4] != 0;
}

}  // namespace sinew
