#include "sinew/dynamics/integrator.h"

#include <algorithm>
#include <cmath>

#include "sinew/contact/friction.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/time_rule.h"
#include "sinew/model/bolt.h"
#include "sinew/model/external_force.h"
#include "sinew/model/rotating_frame.h"

namespace sinew {
namespace {

// Bolts that keep a force begin with the shortening of the last step.
void set_shortening(const System& system, StepContext& context) {
  for (std::size_t b = 0; b < system.bolts.size(); ++b)
    if (!system.bolts[b].setup.by_force)
      context.shortening[b] = bolt_target(system.bolts[b], system.setup.time, context.time_end, context.load_factor);
}

// The rule of the step of size h that starts at `state`.
TimeRule rule_after(const System& system, const State& state, double h) {
  const TimeSetup& time = system.setup.time;
  const double before = state.previous_step > 0 ? state.previous_step : time.step;
  const bool history = state.x_previous.cols() == state.x.cols();
  return time_rule(time, h, history ? before : 0.0, state.a.cols() == state.x.cols());
}

// The plane's counterpart of x^: the state from which it moves to its end at the integrator's velocity in h^. Under
// Newmark a plane has no velocity of its own, and the difference over the step stands in.
void set_plane_reference(const TimeRule& rule, double step, const State& state, StepContext& context) {
  for (std::size_t p = 0; p < state.planes.size(); ++p) {
    PlaneState& plane = context.plane_reference[p];
    if (rule.two_steps) {
      const PlaneState& before = state.planes_previous[p];
      plane.point = (rule.x[0] * plane.point + rule.x[1] * before.point) / rule.divisor;
      plane.normal = ((rule.x[0] * plane.normal + rule.x[1] * before.normal) / rule.divisor).normalized();
      plane.tangent = ((rule.x[0] * plane.tangent + rule.x[1] * before.tangent) / rule.divisor).normalized();
    } else if (rule.accelerations) {
      plane = reference_plane(plane, context.plane_end[p], context.slip_step() / step);
    }
  }
}

// Under Newmark the same stands in for obstacles' vertices: the rule's own velocity would be 2 dx/h - v_t, which keeps
// every jump of the motion's velocity, with its sign changed in each step. x^ is where they were `duration` before the
// end.
void set_obstacle_reference(double duration, double step, const StepContext& context, Index obstacles, Points& x) {
  const double remaining = duration / step;
  x.rightCols(obstacles) =
      remaining * context.start.rightCols(obstacles) + (1 - remaining) * context.target.rightCols(obstacles);
}

// The Coriolis force by an integrating factor (Lawson 1967). With u = exp(2 A angle) v, where A = [a]x and `angle` is
// the one that the frame has turned by, u' has the other forces alone. The rule for u is that for v with its history
// turned back by twice the angle since: exp(-2 A angle) - I = -sin(2 angle) A - (1 - cos(2 angle)) P, P = I - a a^T. A
// body at rest in the frame stays there, since the rotation of no velocity is none. The Euler force is that of the
// mean angular acceleration at x_t + h v_t.
void set_spin(const SpinSetup& spin, const TimeRule& rule, const State& state, Index columns, StepContext& context) {
  const double begin = context.time_end - context.step;
  context.spin2 = spin.square(context.time_end, 1);
  context.spin_up = (spin.at(context.time_end) - spin.at(begin)) / context.step;
  const double before = begin - (state.previous_step > 0 ? state.previous_step : context.step);
  double across[2] = {0, 0}, along[2] = {0, 0};
  for (int k = 0; k < (rule.two_steps ? 2 : 1); ++k) {
    const double turn = 2 * spin.angle(k == 0 ? begin : before, context.time_end);
    across[k] = -rule.v_factor * rule.v[k] * std::sin(turn);
    along[k] = -rule.v_factor * rule.v[k] * (1 - std::cos(turn));
  }
  context.spin_across.resize(3, columns);
  context.spin_along.resize(3, columns);
  const double euler = -context.scale * context.spin_up;
  parallel_for(
      columns,
      [&](std::size_t i) {
        auto a = context.spin_across.col(i);
        auto b = context.spin_along.col(i);
        a = across[0] * state.v.col(i);
        b = along[0] * state.v.col(i);
        if (rule.two_steps) {
          a += across[1] * state.v_previous.col(i);
          b += along[1] * state.v_previous.col(i);
        }
        if (euler != 0) a += euler * (state.x.col(i) + context.step * state.v.col(i));
      },
      4096);
}

}  // namespace

// Bodies at rest shape with the scene's velocities, obstacles at their places at the time.
State initial_state(const System& system, double time) {
  State state;
  state.time = state.start_time = time;
  state.x = system.rest;
  if (system.interference_start.cols() > 0) {
    state.x.leftCols(system.dynamic_count) += system.interference_start;
    system.place_followers(state.x);
  }
  place_obstacles(system, time, state.x);
  state.v.setZero(3, system.vertex_count());
  state.v.leftCols(system.dynamic_count) = system.initial_velocity;
  for (const Skin& skin : system.skins) {
    skin.place_velocity(time, system.setup.time.step, system.rest, state.v);
    skin.place(time, state.x);
  }
  if (!system.skins.empty()) system.embedding.place(state.x);
  state.held = held_at(system, time);
  system.place_followers(state.v, held_vertices(system, state.held).get());
  state.planes = planes_at(system, time);
  state.contact_stiffness = system.contact_stiffness;
  state.shortening.assign(system.bolts.size(), 0.0);
  return state;
}

// The time at the end of a step, from the number of steps and not by repeated sums, whose rounding would grow.
double end_of_step(const System& system, int steps_done, double start_time) {
  const TimeSetup& time = system.setup.time;
  const int step = steps_done + 1;
  if (time.integrator != Integrator::statics) {
    // A run that goes on from step k has the same times as an undivided run, to the last bit: (k + step) h.
    const double before = std::round(start_time / time.step);
    const bool whole = before * time.step == start_time;
    return whole ? (before + step) * time.step : start_time + step * time.step;
  }
  const double end = std::max(1.0, start_time);
  return step == time.steps ? end : start_time + (end - start_time) * (static_cast<double>(step) / time.steps);
}

// Predictor x~ = free position + a h^2 M^-1 f_ext and reference x^ of each vertex, the targets of prescribed
// coordinates and obstacles, and the planes' states at start and end. In statics: dead loads, reference x^ = x_t,
// scale 1.
void prepare_step(const System& system, const State& state, StepContext& context) {
  prepare_step(system, state, end_of_step(system, state), system.setup.time.step, context);
}

void prepare_step(const System& system, const State& state, double end, double step, StepContext& context) {
  const Index n = system.dynamic_count;
  prepare_motion(system, state, end, step, n, context);
  add_spin_to_predictor(system, false, context);
  add_external_force(system, context);
  context.prescribed.assign(3 * static_cast<std::size_t>(n), 0);
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!prescribed.holds_at(context.time_end)) continue;
    const Vec3 target =
        system.motions[prescribed.motion].apply(system.rest.col(prescribed.vertex), context.time_end, prescribed.place);
    for (int k = 0; k < 3; ++k) {
      if (!prescribed.axes[k]) continue;
      context.prescribed[3 * static_cast<std::size_t>(prescribed.vertex) + k] = 1;
      context.target(k, prescribed.vertex) = target[k];
    }
  }
  if (system.ties.empty()) return;
  std::vector<char> held = state.held;
  if (held.size() != system.ties.size()) held.assign(system.ties.size(), 1);
  for (std::size_t t = 0; t < held.size(); ++t) held[t] = held[t] && system.ties[t].holds_at(end);
  set_held(system, std::move(held), context);
}

// Ties that hold over the step, and the flags of their vertices; the vertices stay the same object where the ties do.
void set_held(const System& system, std::vector<char> held, StepContext& context) {
  if (held != context.held) context.ties = held_vertices(system, held);
  context.held = std::move(held);
  if (!context.ties) return;
  for (const Index tied : context.ties->followers())
    for (int k = 0; k < 3; ++k) context.prescribed[3 * static_cast<std::size_t>(tied) + k] = tied_flag;
}

void prepare_motion(const System& system, const State& state, double end, double step, Index columns,
                    StepContext& context) {
  const TimeSetup& time = system.setup.time;
  context.inertia = time.integrator != Integrator::statics;
  context.start = context.target = state.x;
  context.material_history = state.material_history;
  context.time_end = end;
  context.shortening = state.shortening;
  context.shortening.resize(system.bolts.size(), 0.0);
  context.start_shortening = context.shortening;
  if (state.x.cols() > columns) place_obstacles(system, end, context.target);
  context.plane_start = context.plane_reference = state.planes;
  context.plane_end.clear();
  if (!state.planes.empty()) planes_at(system, context.time_end, context.plane_end);
  if (!context.inertia) {
    context.step = context.reference_step = context.scale = context.contact_factor = 1;
    context.load_factor = time.ramp ? context.time_end : 1;
    if (system.setup.spin) context.spin2 = system.setup.spin->square(end, context.load_factor);
    context.reference = state.x;
    set_shortening(system, context);
    return;
  }
  set_shortening(system, context);
  const TimeRule rule = rule_after(system, state, step);
  context.step = step;
  context.reference_step = rule.reference_step;
  context.scale = rule.scale;
  context.contact_factor = rule.contact_factor;
  context.reference.resize(3, state.x.cols());
  parallel_for(
      state.x.cols(), [&](std::size_t i) { reference_position(rule, state, i, context.reference.col(i)); }, 4096);
  context.own_slip_reference.resize(3, 0);
  if (rule.slip_step > 0) {
    context.own_slip_step = rule.slip_step;
    context.own_slip_reference = state.x + rule.slip_v * state.v;
  }
  context.predictor.resize(3, columns);
  parallel_for(
      columns, [&](std::size_t i) { free_position(rule, state, i, context.predictor.col(i)); }, 4096);
  if (system.setup.spin) set_spin(*system.setup.spin, rule, state, columns, context);
  set_plane_reference(rule, step, state, context);
  if (!rule.accelerations) return;
  const Index obstacles = state.x.cols() > columns ? system.obstacle_vertex_count() : 0;  // none without contact
  set_obstacle_reference(context.reference_step, step, context, obstacles, context.reference);
  if (rule.slip_step > 0) set_obstacle_reference(rule.slip_step, step, context, obstacles, context.own_slip_reference);
}

// v_{t+1} = (x_{t+1} - x^) / h^, and the history that the next step needs.
void finish_step(const System& system, const StepContext& context, const Points& x,
                 const std::vector<PlaneState>& planes, const Points& kick, State& state) {
  if (context.inertia) {
    end_motion(system.setup.time, rule_after(system, state, context.step), x, context.reference, kick, state);
    state.planes_previous = state.planes;
    state.previous_step = context.step;
  } else {
    state.x = x;
    state.v.setZero();
  }
  state.planes = planes;
  state.shortening = context.shortening;
  state.time = context.time_end;
  ++state.step;
}

}  // namespace sinew
