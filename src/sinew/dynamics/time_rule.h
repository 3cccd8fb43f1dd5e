// Describes a time integrator by coefficients, for vectors of any size (theory, section 2).
#pragma once

#include <utility>

#include "sinew/core/types.h"
#include "sinew/model/setup.h"

namespace sinew {

// One step minimises 1/2 |x - x~|_M^2 + scale * (bodies(x) + contact_factor * contact(x)), with
//   x~ = x_p + v_factor (v[0] v_t + v[1] v_{t-1}) + a a_t + scale M^{-1} f,   x_p = (x[0] x_t + x[1] x_{t-1}) /
//   divisor,
// and has, with x^ = x_p + reference_v v_t + reference_a a_t and h^ = reference_step,
//   v_{t+1} = (x_{t+1} - x^) / h^ + kick_speed k,   a_{t+1} = (x_{t+1} - k - x~ + scale M^{-1} f) / scale,
// where k = scale contact_factor M^{-1} f_contact(x_{t+1}) is the displacement by contact and friction. Friction uses
// the velocity (x_{t+1} - x^) / h^. If slip_step > 0, it uses (x_{t+1} - x^') / slip_step with x^' = x_p + slip_v v_t.
struct TimeRule {
  double scale = 1;           // [s^2]
  double reference_step = 1;  // h^ [s]
  bool two_steps = false;     // whether x_{t-1} and v_{t-1} enter; if not, divisor, x[0] and v[0] are 1
  double x[2] = {1, 0}, divisor = 1;
  double v[2] = {1, 0}, v_factor = 0;
  double a = 0;                             // [s^2]
  double reference_v = 0, reference_a = 0;  // [s], [s^2]
  bool accelerations = false;               // whether a_t enters
  double contact_factor = 1;
  double kick_speed = 0;             // [1/s]
  double slip_v = 0, slip_step = 0;  // [s]; both zero: friction uses x^ and h^
};

// Returns the rule of a step of size h [s]. previous: size [s] of the step from x_{t-1} and v_{t-1}, 0 if these are
// unknown. acceleration: whether a_t is known. If an integrator lacks the history it needs, the step is one of implicit
// Euler.
TimeRule time_rule(const TimeSetup& time, double h, double previous, bool acceleration);

// Three functions that set `out` to column i of x_p, x^ and x~ - scale M^{-1} f. The state has columns x, v, a,
// x_previous, v_previous.
template <class Motion, class Column>
void position_before(const TimeRule& rule, const Motion& state, Eigen::Index i, Column&& out) {
  if (rule.two_steps) {
    out = (rule.x[0] * state.x.col(i) + rule.x[1] * state.x_previous.col(i)) / rule.divisor;
  } else {
    out = state.x.col(i);
  }
}

template <class Motion, class Column>
void reference_position(const TimeRule& rule, const Motion& state, Eigen::Index i, Column&& out) {
  position_before(rule, state, i, out);
  if (rule.accelerations) out += rule.reference_v * state.v.col(i) + rule.reference_a * state.a.col(i);
}

template <class Motion, class Column>
void free_position(const TimeRule& rule, const Motion& state, Eigen::Index i, Column&& out) {
  position_before(rule, state, i, out);
  if (rule.two_steps) {
    out += rule.v_factor * (rule.v[0] * state.v.col(i) + rule.v[1] * state.v_previous.col(i));
  } else {
    out += rule.v_factor * state.v.col(i);
  }
  if (rule.accelerations) out += rule.a * state.a.col(i);
}

// Ends a step of `state` at x, with reference x^, and updates the history that `time` needs. kick: displacement k by
// contact and friction, of the size of x, if is_kicked(); else empty.
inline bool is_kicked(const TimeSetup& time) {
  return time.integrator == Integrator::newmark;
}

template <class Motion, class Matrix>
void end_motion(const TimeSetup& time, const TimeRule& rule, const Matrix& x, const Matrix& reference,
                const Matrix& kick, Motion& state) {
  if (time.integrator == Integrator::newmark) {  // (x - free position) / scale
    if (rule.accelerations) {
      state.a *= -rule.a;
    } else {
      state.a.setZero(x.rows(), x.cols());
    }
    state.a = (state.a + x - state.x - rule.v_factor * state.v) / rule.scale;
    if (kick.size() > 0) state.a -= kick / rule.scale;
  }
  if (time.integrator == Integrator::bdf2) {
    std::swap(state.v_previous, state.v);
    std::swap(state.x_previous, state.x);
  } else {
    state.x_previous.resize(x.rows(), 0);
    state.v_previous.resize(x.rows(), 0);
  }
  state.x = x;
  state.v = (state.x - reference) / rule.reference_step;
  if (kick.size() > 0 && rule.kick_speed != 0) state.v += rule.kick_speed * kick;
}

}  // namespace sinew
