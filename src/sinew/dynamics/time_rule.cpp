#include "sinew/dynamics/time_rule.h"

namespace sinew {

// The coefficients of each integrator (theory, section 2), in the form of time_rule.h:
//   implicit Euler  x~ = x_t + h v_t,                                       a h^2 = h^2,         h^ = h
//   BDF2            x~ = (4 x_t - x_{t-1})/3 + 2h/9 (4 v_t - v_{t-1}),      a h^2 = (2h/3)^2,    h^ = 2h/3
//   Newmark         x~ = x_t + h v_t + (1/2 - beta) h^2 a_t,                a h^2 = beta h^2,    h^ = beta h / gamma,
//                   x^ = x_t + (gamma - beta) h / gamma v_t + (gamma - 2 beta) h^2 / (2 gamma) a_t
// BDF2 and Newmark begin with a step of implicit Euler, which has no history.
TimeRule time_rule(const TimeSetup& time, bool previous, bool acceleration) {
  TimeRule rule;
  if (time.integrator == Integrator::statics) return rule;
  const double h = time.step;
  if (time.integrator == Integrator::bdf2 && previous) {
    rule.reference_step = 2 * h / 3;
    rule.two_steps = true;
    rule.x[0] = rule.v[0] = 4;
    rule.x[1] = rule.v[1] = -1;
    rule.divisor = 3;
    rule.v_factor = 2 * h / 9;
    rule.scale = rule.reference_step * rule.reference_step;
  } else if (time.integrator == Integrator::newmark && acceleration) {
    const double beta = time.newmark_beta, gamma = time.newmark_gamma;
    rule.accelerations = true;
    rule.scale = beta * h * h;
    rule.reference_step = beta * h / gamma;
    rule.v_factor = h;
    rule.a = (0.5 - beta) * h * h;
    rule.reference_v = (gamma - beta) * h / gamma;
    rule.reference_a = (gamma - 2 * beta) * h * h / (2 * gamma);
  } else {
    rule.reference_step = rule.v_factor = h;
    rule.scale = h * h;
  }
  return rule;
}

}  // namespace sinew
