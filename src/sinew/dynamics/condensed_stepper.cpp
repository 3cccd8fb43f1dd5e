#include "sinew/dynamics/condensed_stepper.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/timer.h"
#include "sinew/dynamics/convergence_rate.h"
#include "sinew/dynamics/integrator.h"
#include "sinew/dynamics/rigid_freedom.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/linalg/gmres.h"
#include "sinew/model/external_force.h"
#include "sinew/potential/damping.h"
#include "sinew/potential/elastic.h"
#include "sinew/potential/springs.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {
namespace {

constexpr double sufficient_decrease = 1e-4;  // of Armijo's rule (Nocedal and Wright 2006, section 3.1)
constexpr double shortest_step = 1e-10;
constexpr double farthest_reach = 1e3;   // in units of the scene's diagonal
constexpr double same_positions = 1e-9;  // of a checkpoint, over the scene's diagonal
constexpr double rounding = 1e-14;       // of a merit value, relative to the sizes of its terms

// Symbols (theory, section 6): y the coordinates (rows x 3) with x = X + U y, F_c(y) the deformation gradient at the
// point c, s_c its own stretch and l_c its multiplier (mixed), E_q(y) all of the potential but elasticity, scale = a
// h^2, H = d2E_q/dy2 + sum_c dF^T K_c dF the condensed matrix. The problem of a step is
//   standard:  min over y of E_q(y) + scale sum_c w_c W(F_c(y))
//   mixed:     min over y, s of E_q(y) + scale sum_c w_c psi(s_c)  subject to  s_c = S(F_c(y)).

// The number of different times before `time` at which vertices are released.
int releases_before(const System& system, double time) {
  std::vector<double> times;
  for (const PrescribedVertex& prescribed : system.prescribed)
    if (!prescribed.holds_at(time)) times.push_back(prescribed.until);
  std::ranges::sort(times);
  return static_cast<int>(std::unique(times.begin(), times.end()) - times.begin());
}

// y += scale A x at each slot, with symmetric 9 x 9 matrices A (45 entries, lower triangle by rows), in packs of lanes.
void multiply_points(const std::vector<double>& A, const std::vector<double>& x, double scale, std::vector<double>& y) {
  const std::size_t packs = x.size() / (9 * lane_count);
  for (std::size_t p = 0; p < packs; ++p) {
    const double* a = A.data() + p * 45 * lane_count;
    const double* in = x.data() + p * 9 * lane_count;
    double* out = y.data() + p * 9 * lane_count;
    for (int i = 0; i < 9; ++i) {
      Lanes sum(0.0);
      for (int j = 0; j < 9; ++j) {
        const int row = std::max(i, j), column = std::min(i, j);
        sum += load_lanes(a + (row * (row + 1) / 2 + column) * lane_count) * load_lanes(in + j * lane_count);
      }
      store_lanes(load_lanes(out + i * lane_count) + scale * sum, out + i * lane_count);
    }
  }
}

void add_scaled(double factor, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

}  // namespace

CondensedStepper::CondensedStepper(std::shared_ptr<const System> system, Formulation formulation)
    : system_(std::move(system)), formulation_(formulation) {
  rest_size_ = system_->rest.leftCols(system_->dynamic_count).cwiseAbs().maxCoeff();
  for (const double m : system_->mass) mass_ += m;
  const State start = initial_state(*system_);
  set_up(end_of_step(*system_, start));
  replace(start);
}

// The basis and the cubature stay those of the start, made for its stiffnesses; released vertices are followed by the
// next step (follow_releases).
void CondensedStepper::adapt(Change change) {
  if (change == Change::materials) {
    model_.points->set_parameters(*system_);
    if (all_tets_) all_tets_->set_groups(system_->groups);
  }
  model_.space->adapt(change);
}

// Goes over to the other formulation. Stretches start at those of the positions, s = S(F).
bool CondensedStepper::set_formulation(Formulation formulation) {
  model_.space->deformation_gradients(state_.x, false, F_);
  if (formulation == Formulation::standard && !(model_.points->value(F_.data(), 1) < forever))
    fail_input("{}", inverted_text);
  formulation_ = formulation;
  model_.points->stretches(F_.data(), state_.s.data());
  return true;
}

void CondensedStepper::drop_history() {
  for (MatX* m : {&state_.x_previous, &state_.v_previous, &state_.a}) m->resize(m->rows(), 0);
}

void CondensedStepper::set_clock(int step, double start_time) {
  state_.step = step;
  state_.start_time = start_time;
  lifted_.reset();
}

// Space, points and work arrays for the vertices that are prescribed at a time.
void CondensedStepper::set_up(double time) {
  releases_ = releases_before(*system_, time);
  model_ = make_condensed_model(*system_, time);
  for (MatX* m : {&y_, &y_trial_, &target_, &step_.predictor, &step_.reference})
    m->setZero(model_.space->rows(), model_.space->columns());
  for (MatX* m : {&g_, &d_, &forces_, &moved_, &differenced_})
    m->setZero(model_.space->unknown_rows(), model_.space->unknown_columns());
  updates_.prepare(model_.space->unknown_rows(), model_.space->unknown_columns());
  const auto slots = static_cast<std::size_t>(model_.points->slot_count());
  for (auto* values : {&F_, &dF_, &P_}) values->assign(9 * slots, 0);
  for (auto* values : {&s_, &ds_, &s_trial_, &l_}) values->assign(6 * slots, 0);
  K_.assign(45 * slots, 0);
  damping_rate_.clear();
  damped_ = false;
  for (Index c = 0; c < model_.points->slot_count(); ++c) {
    damping_rate_.push_back(system_->bodies[system_->tet_body[model_.points->tet(c)]].damping_stiffness);
    damped_ |= damping_rate_.back() > 0;
  }
  if (damped_) {
    damping_.assign(45 * slots, 0);
    F_reference_.assign(9 * slots, 0);
    work_.assign(9 * slots, 0);
  }
}

// Where vertices are released before the end of the step, projects the state into a space that is made without them.
void CondensedStepper::follow_releases(double time_end) {
  if (releases_before(*system_, time_end) == releases_) return;
  const State full = sample();
  set_up(time_end);
  replace(full);
}

// Projects a full-space state: y is the mass-weighted fit of x - X, with the prescribed part from the motions;
// velocities and accelerations likewise. Returns how far the lifted state is from the given one.
StateLoss CondensedStepper::replace(State full) {
  const Index n = system_->dynamic_count;
  CondensedState state;
  state.time = full.time;
  state.start_time = full.start_time;
  state.step = full.step;
  const Points rest = system_->rest.leftCols(n);
  const double h = system_->setup.time.step;
  const auto position = [&](double time, const Points& values, MatX& y) {
    y.setZero(model_.space->rows(), model_.space->columns());
    model_.space->place(time, y);
    model_.space->project(values.leftCols(n) - rest, y);
  };
  position(full.time, full.x, state.x);
  // The prescribed part of velocities is that of the motions over the last step.
  const auto velocity = [&](double time, const MatX& at, const Points& values, MatX& v) {
    MatX now = MatX::Zero(model_.space->rows(), model_.space->columns()), before = now;
    model_.space->place(time, now);
    model_.space->place(time - h, before);
    v = (now - before) / h;
    model_.space->project_velocity(at, values.leftCols(n), v);
  };
  velocity(full.time, state.x, full.v, state.v);
  if (full.x_previous.cols() == full.x.cols()) {
    position(full.time - h, full.x_previous, state.x_previous);
    velocity(full.time - h, state.x_previous, full.v_previous, state.v_previous);
  }
  if (full.a.cols() == full.x.cols()) {
    state.a.setZero(model_.space->rows(), model_.space->columns());
    model_.space->project_velocity(state.x, full.a.leftCols(n), state.a);
  }
  // Each point starts with the stretch of the projected positions, s = S(F).
  model_.space->deformation_gradients(state.x, false, F_);
  state.s.resize(s_.size());
  model_.points->stretches(F_.data(), state.s.data());
  model_.space->check_start(state.x, state.time);
  state_ = std::move(state);
  start_y_.resize(0, 0);
  lifted_.reset();
  // What the projection lost, as the largest distance of a vertex.
  StateLoss loss;
  const State& held = sample();
  for (Index i = 0; i < n; ++i) {
    loss.position = std::max(loss.position, (held.x.col(i) - full.x.col(i)).norm());
    loss.velocity = std::max(loss.velocity, (held.v.col(i) - full.v.col(i)).norm());
  }
  return loss;
}

const ReducedBasis* CondensedStepper::subspace() const {
  return model_.space->basis();
}

// The elastic energy over all tets, for reports; no step uses it.
const ElasticEnergy& CondensedStepper::all_tets() {
  if (!all_tets_)
    all_tets_ = std::make_unique<ElasticEnergy>(system_->rest, system_->tets, system_->groups, system_->dynamic_count);
  return *all_tets_;
}

// The gradient of the full-space potential of the last step at the lifted state, with all tets in place of the
// cubature:
//   g = M U (y - y~) + scale (-f + grad Psi + grad springs + grad D + grad contact).
Points CondensedStepper::whole_gradient() {
  const System& s = *system_;
  const Index n = s.dynamic_count;
  const State& full = sample();
  Points g = Points::Zero(3, n), moved, force;
  if (step_.inertia) {
    model_.space->lift_motion(state_.x, state_.x - step_.predictor, moved);
    for (Index i = 0; i < n; ++i) g.col(i) = s.mass[i] * moved.col(i);
  }
  external_force(s, step_.time, step_.load_factor, force);
  g -= step_.scale * force;
  const ElasticEnergy& elastic = all_tets();
  elastic.add_gradient(full.x, step_.scale, g);
  SpringEnergy springs(s);
  springs.set_time(step_.time);
  springs.add_gradient(full.x, step_.scale, g);
  // Damping refers to the lifted start and reference of the step.
  if (step_.inertia && has_damping(s)) {
    StepContext context;
    context.reference_step = step_.reference_step;
    const auto placed = [&](const MatX& y, Points& x) {
      x = s.rest;
      model_.space->lift(y, moved);
      x.leftCols(n) += moved;
    };
    placed(start_y_, context.start);
    placed(step_.reference, context.reference);
    std::vector<std::pair<Index, Index>> pairs;
    elastic.collect_pairs(pairs);
    DampingEnergy damping(s, elastic, make_pattern(n, pairs));
    damping.begin_step(context);
    damping.add_gradient(full.x, step_.scale, g);
  }
  model_.space->add_contact_gradient(state_.x, step_.scale, g, g);
  return g;
}

// How far the reduced solution is from one of full space: the acceleration |M^-1 g|_M / (sqrt(m) scale) that the free
// part of g would cause, with m the total mass, and that of its component in the span of U, which the solver makes
// vanish.
std::optional<FullGradient> CondensedStepper::full_gradient() {
  if (!subspace() || start_y_.size() == 0) return {};
  const System& s = *system_;
  Points g = whole_gradient();
  for (const PrescribedVertex& prescribed : s.prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(step_.time)) g(k, prescribed.vertex) = 0;

  double mass = 0, square = 0;
  for (Index i = 0; i < s.dynamic_count; ++i) {
    mass += s.mass[i];
    square += g.col(i).squaredNorm() / s.mass[i];
  }
  return FullGradient{
      std::sqrt(square / mass) / step_.scale,
      std::sqrt(model_.space->inverse_mass_square(state_.x, model_.space->restrict_to(state_.x, g)) / mass) /
          step_.scale};
}

// Of handles row 4 i + k, column a of y is entry 12 i + 3 k + a of q.
VecX CondensedStepper::coordinates() const {
  if (!subspace()) return {};
  if (subspace()->is_dense()) return model_.space->coordinates(state_.x);
  const MatX q = state_.x.topRows(subspace()->dof_count() / 3).transpose();
  return Eigen::Map<const VecX>(q.data(), q.size());
}

// Sets q and drops the history of the integrator, which would belong to other positions.
void CondensedStepper::set_coordinates(const VecX& q) {
  if (!subspace()) return;
  const Index count = subspace()->dof_count();
  if (q.size() != count)
    fail_input(
        "reduced coordinates: found {} numbers, expected {}, {}", q.size(), count,
        subspace()->is_dense()
            ? std::string("one for each mode, after a shift and a turn of three numbers each where a body floats")
            : fmt::format("12 for each of {} handles", subspace()->handle_count()));
  if (!q.allFinite()) fail_input("reduced coordinates: found a number that is not finite");
  MatX y = state_.x;
  if (subspace()->is_dense())
    model_.space->set_coordinates(q, y);
  else
    y.topRows(count / 3) = Eigen::Map<const MatX>(q.data(), 3, count / 3).transpose();
  model_.space->check_start(y, state_.time);
  state_.x = std::move(y);
  for (MatX* m : {&state_.x_previous, &state_.v_previous, &state_.a}) m->resize(0, 0);
  model_.space->deformation_gradients(state_.x, false, F_);
  model_.points->stretches(F_.data(), state_.s.data());
  lifted_.reset();
}

// The full-space state x = X + U y, lifted once for each step when it is asked for.
const State& CondensedStepper::sample() const {
  if (lifted_) return *lifted_;
  const Index n = system_->dynamic_count;
  const double h = system_->setup.time.step;
  State full = initial_state(*system_, state_.time);
  full.start_time = state_.start_time;
  full.step = state_.step;
  Points u;
  // Obstacles have their places at the given time, or the difference of two places over h as velocities.
  const auto lift = [&](const MatX& y, bool position, double time, Points& out) {
    out.setZero(3, system_->vertex_count());
    if (position)
      model_.space->lift(y, u);
    else
      model_.space->lift_motion(time < state_.time ? state_.x_previous : state_.x, y, u);
    out.leftCols(n) = u;
    if (position) {
      out.leftCols(n) += system_->rest.leftCols(n);
      place_obstacles(*system_, time, out);
    } else {
      Points now = out, before = out;
      place_obstacles(*system_, time, now);
      place_obstacles(*system_, time - h, before);
      out.rightCols(out.cols() - n) = ((now - before) / h).rightCols(out.cols() - n);
    }
  };
  lift(state_.x, true, state_.time, full.x);
  lift(state_.v, false, state_.time, full.v);
  if (state_.x_previous.size() > 0) {
    lift(state_.x_previous, true, state_.time - h, full.x_previous);
    lift(state_.v_previous, false, state_.time - h, full.v_previous);
    full.planes_previous = planes_at(*system_, state_.time - h);
  }
  if (state_.a.size() > 0) lift(state_.a, false, state_.time, full.a);
  lifted_ = std::move(full);
  return *lifted_;
}

// Starts a step: predictor y~ and reference y^ of the integrator (time_rule.h), prescribed parts moved on, and for
// stiffness damping the projected Hessian K_t at the start, times xi, and F^ at y^.
void CondensedStepper::begin(const TimeRule& rule) {
  step_.inertia = system_->setup.time.integrator != Integrator::statics;
  step_.scale = rule.scale;
  step_.step = step_.inertia ? system_->setup.time.step : 1;
  step_.start_time = state_.time;
  step_.reference_step = rule.reference_step;
  step_.load_factor = step_.inertia || !system_->setup.time.ramp ? 1 : step_.time;
  for (int a = 0; a < model_.space->columns(); ++a) {
    reference_position(rule, state_, a, step_.reference.col(a));
    free_position(rule, state_, a, step_.predictor.col(a));
  }
  // Statics has no predictor: a load step starts at the state.
  if (!step_.inertia) step_.reference = step_.predictor = state_.x;
  model_.space->begin_step(step_, state_.x);
  rounding_floor_ =
      64 * std::numeric_limits<double>::epsilon() * (rest_size_ + model_.space->farthest(state_.x)) / step_.step;
  // The iterations start at the state, not at the predictor, with prescribed parts at their new places.
  y_ = state_.x;
  linearized_ = false;
  arrived_ = aim();
  updates_.forget();
  exact_ = false;
  s_ = state_.s;
  if (!damped_ || !step_.inertia) return;
  model_.space->deformation_gradients(state_.x, false, F_);
  // K_t at the start of the step, times xi of the body of each point.
  model_.points->linearize(F_.data(), 1, P_.data(), damping_.data());
  for (std::size_t i = 0; i < damping_.size(); ++i)
    damping_[i] *= damping_rate_[i / (45 * lane_count) * lane_count + i % lane_count];
  model_.space->deformation_gradients(step_.reference, false, F_reference_);
}

// Moves the prescribed part of y and obstacles to their places at the end of the step, as far as nothing touches.
bool CondensedStepper::aim() {
  y_trial_ = y_;
  model_.space->place(step_.time, y_trial_);
  return model_.space->aim(y_trial_, y_);
}

// The value of stiffness damping, scale / (2 h^) sum_c (F - F^) : xi K_t : (F - F^); its stress and
// stiffness are added to P and K where these are given.
double CondensedStepper::stiffness_damping(std::vector<double>* P, std::vector<double>* K) {
  if (!damped_ || !step_.inertia) return 0;
  const double factor = step_.scale / step_.reference_step;
  for (std::size_t i = 0; i < F_.size(); ++i) dF_[i] = F_[i] - F_reference_[i];
  std::ranges::fill(work_, 0.0);
  multiply_points(damping_, dF_, factor, work_);
  double value = 0;
  for (std::size_t i = 0; i < dF_.size(); ++i) value += 0.5 * dF_[i] * work_[i];
  if (P) add_scaled(1, work_, *P);
  if (K) add_scaled(factor, damping_, *K);
  return value;
}

// The condensed system at (y_, s_): P_ and K_ at the points, the gradient g_ = grad E_q + sum_c dF^T P_c, and start_,
// the elastic part of the merit function there without the constraint term.
void CondensedStepper::linearize() {
  model_.space->deformation_gradients(y_, false, F_);
  start_ = formulation_ == Formulation::mixed
               ? model_.points->begin_step(F_.data(), s_.data(), step_.scale, P_.data(), K_.data())
               : model_.points->linearize(F_.data(), step_.scale, P_.data(), K_.data());
  start_ += stiffness_damping(&P_, &K_);
  model_.space->gradient(y_, g_);
  if (model_.space->has_energy()) {
    model_.space->add_forces(P_, g_);
  } else {
    forces_.setZero(g_.rows(), g_.cols());
    model_.space->add_forces(P_, forces_);
    g_ += forces_;
  }
  linearized_ = true;
}

// Matrices of few modes cost more than the rest of an iteration. Contact changes them too much to be kept.
bool CondensedStepper::can_keep_factor() const {
  return formulation_ == Formulation::standard && subspace() && subspace()->is_dense() &&
         model_.space->contact_count() == 0 && system_->setup.solver.jacobian != "free";
}

// d_ of this iteration: with the matrix of an earlier one and Broyden's updates where these converge fast, else with a
// new one. Where directions of modal cubature's symmetric matrix shrink by less than half the derivative itself takes
// its place for the rest of the step, but for directions of it that lead uphill.
bool CondensedStepper::solve(StepReport& report) {
  const auto is_descent = [&] { return g_.cwiseProduct(d_).sum() < 0; };
  const bool modal = !model_.space->has_energy();
  if (updates_.is_usable() && can_keep_factor()) {
    model_.space->solve(g_, d_);
    if (updates_.improve(d_) && is_descent()) return true;
    exact_ |= modal && updates_.is_first();
  }
  updates_.forget();
  const std::string& jacobian = system_->setup.solver.jacobian;
  const bool exact = modal && (exact_ || jacobian == "exact");
  ++report.factorizations;
  if (!(exact ? model_.space->factor_exact(K_) : model_.space->factor(K_))) return false;
  if (modal && jacobian == "free") {
    if (!solve_by_differences(report)) return false;
  } else {
    model_.space->solve(g_, d_);
  }
  if (modal && !is_descent()) {
    if (exact) {
      ++report.factorizations;
      if (!model_.space->factor(K_)) return false;
    }
    model_.space->solve(g_, d_);
  }
  if (can_keep_factor()) model_.space->scales(updates_.restart());
  return true;
}

// EP, appendix C: J d = -g by products with differences of the forces, J p ~ (g(y + e p) - g(y)) / e with
// e = 1e-6 sqrt(1 + |y|) / |p| (Pernice and Walker 1998), preconditioned by the symmetric matrix. GMRES, since J is not
// symmetric. Leaves P_ and g_ at y_.
bool CondensedStepper::solve_by_differences(StepReport& report) {
  const MatX at = y_, g = g_;
  const double size = std::sqrt(1 + at.norm());
  const auto unknowns = [&](const MatX& d) { return VecX(Eigen::Map<const VecX>(d.data(), d.size())); };
  const auto product = [&](const VecX& p, VecX& Jp) {
    const double e = 1e-6 * size / p.norm();
    moved_ = Eigen::Map<const MatX>(p.data(), g.rows(), g.cols());
    model_.space->move(at, moved_, e, y_trial_);
    model_.space->deformation_gradients(y_trial_, false, F_);
    model_.points->stress(F_.data(), step_.scale, P_.data());
    stiffness_damping(&P_, nullptr);
    model_.space->gradient(y_trial_, differenced_);
    model_.space->add_forces(P_, differenced_);
    Jp = unknowns(differenced_ - g) / e;
  };
  const auto precondition = [&](VecX& v) {
    moved_ = Eigen::Map<const MatX>(v.data(), g.rows(), g.cols());
    model_.space->solve(moved_, differenced_);
    v = -unknowns(differenced_);
  };
  const GmresResult solved = gmres(product, precondition, -unknowns(g));
  report.linear_iterations += solved.iterations;
  d_ = Eigen::Map<const MatX>(solved.x.data(), g.rows(), g.cols());
  model_.space->gradient(y_, g_);  // contacts at y again
  g_ = g;
  return solved.converged;
}

// The merit function: E(y), or the Lagrangian at (y, s) with the multipliers l of this iteration.
double CondensedStepper::merit(const MatX& y, const std::vector<double>& s) {
  model_.space->deformation_gradients(y, false, F_);
  const double elastic = formulation_ == Formulation::mixed
                             ? model_.points->mixed_value(F_.data(), s.data(), l_.data(), step_.scale)
                             : model_.points->value(F_.data(), step_.scale);
  return model_.space->value(y) + elastic + stiffness_damping(nullptr, nullptr);
}

// Solves H d = -g for the condensed direction at (y_, s_). In the mixed formulation the points then give ds and l by
// back substitution (SMFEM, section 4), and the slope of the merit function is g . d plus their part.
CondensedStepper::Direction CondensedStepper::direction(StepReport& report) {
  Direction result;
  if (!linearized_) {
    ScopedTimer timer(report.seconds.assembly);
    linearize();
  }
  {
    // Factorisation and two triangular solves.
    ScopedTimer timer(report.seconds.linear_solve);
    if (!solve(report)) return result;
  }
  ++report.newton_iterations;
  const double h = step_.step;
  // The size of the direction as a velocity, over all vertices or samples.
  const Displacement moved = model_.space->displacement(d_);
  result.longest = moved.largest;
  result.largest = moved.largest / h;
  // The mean over a body would hide a contact that still slides or settles, so contacts are measured by the maximum.
  const bool mean = system_->setup.solver.norm == "mean" && model_.space->contact_count() == 0;
  result.measure = mean ? moved.mean / h : result.largest;
  result.found = std::isfinite(result.largest);
  if (!result.found) return result;
  result.slope = g_.cwiseProduct(d_).sum();
  if (formulation_ == Formulation::mixed) {
    // Back substitution at the points: ds and l from dF = dF/dy d, and their part of the slope of the Lagrangian.
    model_.space->deformation_gradients(d_, true, dF_);
    double constraint = 0;
    result.slope += model_.points->finish_step(dF_.data(), step_.scale, ds_.data(), l_.data(), constraint);
    start_ += constraint;
  }
  return result;
}

// The largest t up to the given one so that nothing touches on the straight way from y to where t d_ leads. On a curved
// set of positions the ways of two t are not parts of each other, and each is looked at.
double CondensedStepper::filtered(const MatX& y, double t) {
  for (; t > shortest_step; t *= 0.9) {
    model_.space->move(y, d_, t, target_);
    const double part = model_.space->max_step(y, target_);
    if (part == 1 || !model_.space->is_curved()) return part * t;
    t *= part;
  }
  return 0;
}

// What rounding changes in a merit function at y_: rounded sums, and rounded positions x of a size X, by which 1/2 m
// d^2 with d = x - x~ changes by m d eps X.
double CondensedStepper::merit_floor(double coordinates, double elastic) {
  const double rounded = std::numeric_limits<double>::epsilon() * (rest_size_ + model_.space->farthest(y_));
  return rounding * (std::abs(coordinates) + std::abs(elastic)) +
         2 * rounded * std::sqrt(2 * mass_ * std::abs(coordinates));
}

// Backtracking line search along (d_, ds_): from the filtered length on, t is halved until Armijo's condition
// merit(t) <= merit(0) + 1e-4 t slope holds to rounding. Moves (y_, s_) and returns t, or 0 where no t is found.
double CondensedStepper::search(double slope, double longest, StepReport& report) {
  ScopedTimer timer(report.seconds.line_search);
  const double coordinates = model_.space->value(y_), start = coordinates + start_;
  const double floor = merit_floor(coordinates, start_);
  // The direction of a body that nothing holds may have any length; it is cut to a reach that filters can handle.
  const double reach = std::min(1.0, farthest_reach * system_->diagonal / longest);
  if (reach < 1) {
    d_ *= reach;
    for (double& value : ds_) value *= reach;
  }
  // The contact filter bounds the first t; J > 0 is kept by the merit function, which is infinite elsewhere.
  const bool curved = model_.space->is_curved();
  for (double t = filtered(y_, 1); t > shortest_step; t = curved ? filtered(y_, 0.5 * t) : 0.5 * t) {
    ++report.line_search_steps;
    model_.space->move(y_, d_, t, y_trial_);
    if (formulation_ == Formulation::mixed) {
      s_trial_ = s_;
      add_scaled(t, ds_, s_trial_);
    }
    const double value = merit(y_trial_, s_trial_);
    if (!(value <= start + sufficient_decrease * reach * t * slope + floor)) continue;
    model_.space->took(y_, y_trial_);
    std::swap(y_, y_trial_);
    linearized_ = false;
    if (formulation_ == Formulation::mixed) std::swap(s_, s_trial_);
    return reach * t;
  }
  return 0;
}

// Where elastic forces f are not the gradient of an energy, their work on the straight way to y + t d takes its place
// in Armijo's condition, by the trapezoidal rule, which is exact for a quadratic energy:
//   E_q(y + t d) - E_q(y) + t/2 (f(y) + f(y + t d)) . d <= 1e-4 t g . d.
// All stiff terms, those of contact, are in E_q. Moves y_ and returns t, or 0.
double CondensedStepper::search_by_work(double slope, double longest, StepReport& report) {
  ScopedTimer timer(report.seconds.line_search);
  const double reach = std::min(1.0, farthest_reach * system_->diagonal / longest);
  if (reach < 1) d_ *= reach;
  const double before = model_.space->value(y_), start_work = forces_.cwiseProduct(d_).sum();
  y_trial_ = y_;  // where the search starts
  const double floor = merit_floor(before, start_work);
  const bool curved = model_.space->is_curved();
  for (double t = filtered(y_trial_, 1); t > shortest_step; t = curved ? filtered(y_trial_, 0.5 * t) : 0.5 * t) {
    ++report.line_search_steps;
    model_.space->move(y_trial_, d_, t, y_);
    linearize();
    const double work = 0.5 * t * (start_work + forces_.cwiseProduct(d_).sum());
    const double change = model_.space->value(y_) - before + work;
    if (!std::isfinite(start_) || !(change <= sufficient_decrease * reach * t * slope + floor)) continue;
    model_.space->took(y_trial_, y_);
    return reach * t;
  }
  y_ = y_trial_;
  linearize();
  return 0;
}

// Newton's method, or sequential quadratic programming in the mixed formulation. The latter drops the curvature of the
// constraint and converges linearly, so that the remaining distance is estimated from the rate (convergence_rate.h).
void CondensedStepper::minimize(StepReport& report) {
  const SolverSetup& solver = system_->setup.solver;
  const int most = solver.iterations > 0 ? solver.iterations : solver.max_iterations;
  RateOfConvergence rate;
  report.converged = false;
  bool moved = true;
  for (int i = 0; i < most; ++i) {
    if (interrupted()) throw Interrupted("the step was interrupted");
    if (!arrived_) {
      arrived_ = aim();
      linearized_ = false;
    }
    const Direction direction = this->direction(report);
    report.residual = direction.largest;
    if (!direction.found) {
      report.reason = "the condensed matrix is not positive definite, or not finite";
      return;
    }
    const double length = model_.space->has_energy() ? search(direction.slope, direction.longest, report)
                                                     : search_by_work(direction.slope, direction.longest, report);
    const bool fresh = !updates_.is_usable();  // the direction is that of a new factorisation
    if (length == 1)
      updates_.took(d_);
    else
      updates_.forget();
    // Three ways to converge: the direction is at its rounding floor; or it was taken in full and what is left of the
    // way, by the rate of convergence, is below the tolerance; or it is below the tolerance and no longer decreases.
    rate.add(direction.measure, length == 1);
    const bool below = direction.measure < solver.tolerance;
    report.rounding_floor = direction.largest <= rounding_floor_ || (below && (length == 0 || rate.stagnates()));
    report.converged = arrived_ && (report.rounding_floor || (length == 1 && rate.left() < solver.tolerance));
    if (report.converged) return;
    // Where s is far from S(F) the merit function may fall along no direction; s is then reset to S(F) once.
    const bool anew = length == 0 && moved && formulation_ == Formulation::mixed;
    moved = length > 0;
    if (anew) {
      model_.space->deformation_gradients(y_, false, F_);
      model_.points->stretches(F_.data(), s_.data());
      linearized_ = false;
      continue;
    }
    if (length == 0 && !fresh) continue;
    if (length == 0) {
      report.reason = fmt::format(
          "no step along the direction decreases the merit function at a residual of {:.3g} m/s", report.residual);
      return;
    }
  }
  if (solver.iterations > 0) {
    report.converged = report.budget = true;
  } else {
    report.reason =
        report.residual < solver.tolerance
            ? fmt::format(
                  "the residual is {:.3g} m/s after {} iterations, but by the rate at which it shrinks more than "
                  "the tolerance of {:.3g} is left",
                  report.residual, most, solver.tolerance)
            : fmt::format("the residual is {:.3g} m/s after {} iterations, the tolerance {:.3g}", report.residual, most,
                          solver.tolerance);
  }
}

// Leaves F_ at the state.
Energies CondensedStepper::energies() {
  Energies energies;
  model_.space->deformation_gradients(state_.x, false, F_);
  energies.kinetic = model_.space->kinetic(state_.v);
  energies.gravity = model_.space->gravity(state_.x);
  energies.springs = model_.space->springs(state_.x);
  const SpaceContact contact = model_.space->contact(state_.x);
  energies.barrier = contact.barrier;
  energies.friction = contact.friction;
  energies.elastic = formulation_ == Formulation::mixed ? model_.points->stretch_energy(state_.s.data())
                                                        : energy_points().value(F_.data(), 1);
  energies.elastic += model_.space->elastic(state_.x);
  return energies;
}

// Elastic forces by all tets, contact forces at the samples of the surfaces. The reaction of a prescribed coordinate is
// the gradient of the potential there, without a h^2.
NodalForces CondensedStepper::forces() {
  const Index n = system_->dynamic_count;
  NodalForces forces;
  forces.elastic = forces.contact = forces.friction = forces.reaction = Points::Zero(3, n);
  all_tets().add_gradient(sample().x, -1, forces.elastic);
  if (start_y_.size() == 0) return forces;
  model_.space->add_contact_gradient(state_.x, -1, forces.contact, forces.friction);
  const Points g = whole_gradient();
  for (const PrescribedVertex& prescribed : system_->prescribed)
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k] && prescribed.holds_at(step_.time))
        forces.reaction(k, prescribed.vertex) = g(k, prescribed.vertex) / step_.scale;
  return forces;
}

void CondensedStepper::stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) {
  const Index m = system_->tet_count();
  cauchy.resize(6, m);
  von_mises.resize(m);
  all_tets().stress(sample().x, {cauchy.data(), static_cast<std::size_t>(cauchy.size())}, von_mises);
}

void CondensedStepper::save(ArchiveWriter& archive) const {
  save_condensed(archive, state_);
  archive.write("state/x", sample().x);  // for those who start from the checkpoint
  archive.write("state/v", sample().v);
}

void CondensedStepper::load(const ArchiveReader& archive) {
  CondensedState state = load_condensed_clock(archive);
  if (releases_before(*system_, state.time) != releases_) set_up(state.time);
  load_condensed(archive, model_.space->rows(), model_.space->columns(), s_.size(), state);
  // Coordinates say nothing of the modes or handles that they belong to; the positions that were lifted then do.
  const Points written = archive.points("state/x");
  std::swap(state_, state);
  lifted_.reset();
  const Points& now = sample().x;
  const double off = written.cols() == now.cols() ? (now - written).colwise().norm().maxCoeff() : forever;
  if (off <= same_positions * system_->diagonal) return;
  std::swap(state_, state);
  lifted_.reset();
  fail_input(
      "the checkpoint's coordinates belong to other modes or handles, by which positions would be off by {:.3g} m: a "
      "file of modes, a material or what is held is not what it was; start from its positions by \"initial\" instead",
      off);
}

// One step: releases, predictor, minimisation, and the integrator's update of velocity and history.
StepReport CondensedStepper::advance() {
  const Stopwatch total;
  const TimeSetup& time = system_->setup.time;
  if (time.integrator == Integrator::statics && state_.step >= time.steps)
    fail_input("all {} load steps are done: the whole load is on (time.steps)", time.steps);
  step_.time = end_of_step(*system_, state_.step, state_.start_time);
  follow_releases(step_.time);
  const TimeRule rule = time_rule(time, state_.x_previous.size() > 0, state_.a.size() > 0);
  StepReport report;
  start_y_ = state_.x;
  begin(rule);
  minimize(report);
  if (!step_.inertia && !report.converged) refuse_free_pieces(*system_, step_.time, {});
  if (!y_.allFinite()) {
    throw SimulationError(
        fmt::format("step {} cannot be computed: positions are not finite; check units, stiffnesses, "
                    "loads and velocities, or take a smaller time.step",
                    state_.step + 1));
  }
  if (step_.inertia) {
    end_motion(time, rule, y_, step_.reference, state_);
    // The trapezoidal rule keeps all of velocities and accelerations that leads off a curved set of positions, with its
    // sign changed in each step: it grows (Hairer and Wanner 1996, section VII.1, of constraints by their second
    // derivative).
    if (time.integrator == Integrator::newmark && model_.space->is_curved())
      model_.space->keep_on(state_.x, state_.v, state_.a);
  } else {
    state_.x = y_;
    state_.v.setZero();
  }
  std::swap(state_.s, s_);
  state_.time = step_.time;
  ++state_.step;
  lifted_.reset();
  report.step = state_.step;
  report.time = state_.time;
  report.energies = energies();
  if (!(report.energies.elastic <
        forever)) {  // where it started there: positions from outside, projected, for instance
    report.converged = report.budget = false;
    if (report.reason.empty()) report.reason = "a tet is inverted or flat, which its material does not allow";
  }
  const SpaceContact contact = model_.space->contact(state_.x);
  report.contacts = contact.count;
  report.min_distance = contact.min_distance;
  if (model_.points->slot_count() > 0) report.min_jacobian = model_.points->min_jacobian(F_.data());
  report.seconds.steps = total.seconds();
  return report;
}

}  // namespace sinew
