#include "sinew/dynamics/time_rule.h"

namespace sinew {
namespace {

// BDF2 is stable where steps grow by less than 1 + sqrt 2 (Hairer, Norsett and Wanner 1993, section III.5).
constexpr double largest_growth = 2.4;

}  // namespace

// The coefficients of each integrator (theory, section 2), in the form of time_rule.h:
//   implicit Euler  x~ = x_t + h v_t,                                       a h^2 = h^2,         h^ = h
//   BDF2            x~ = (4 x_t - x_{t-1})/3 + 2h/9 (4 v_t - v_{t-1}),      a h^2 = (2h/3)^2,    h^ = 2h/3
//   Newmark         x~ = x_t + h v_t + (1/2 - beta) h^2 a_t,                a h^2 = beta h^2,    h^ = beta h / gamma,
//                   x^ = x_t + (gamma - beta) h / gamma v_t + (gamma - 2 beta) h^2 / (2 gamma) a_t
// Newmark takes contact and friction apart from the forces of the bodies (Kane, Repetto, Ortiz and Marsden 1999):
//   x_{t+1} = x_t + h v_t + h^2 ((1/2 - beta) a_t + beta a_{t+1}) + h^2/2 c,   v_{t+1} = v_t + h ((1 - gamma) a_t +
//   gamma a_{t+1}) + h c,
// a = M^{-1} f_body and c = M^{-1} f_contact(x_{t+1}). With beta = 1/4, gamma = 1/2 the energies of linear bodies and
// of contact change by f_contact(x_{t+1}) . (x_{t+1} - x_t) + B(x_{t+1}) - B(x_t) <= 0 for a convex barrier B. Half of
// the old contact force, as in the trapezoidal rule, would act on after bodies have parted. Without a_{t+1}, c is
// (x_{t+1} - x^) / h^ short of h c (1 - gamma / (2 beta)) in v_{t+1}. Without c the velocity is
//   v_{t+1} = 2 (x_{t+1} - x_t) / h - v_t + h (2 beta - gamma)(a_t - a_{t+1}),
// of which friction feels the first two terms: a body at rest then neither slips nor creeps, whatever beta and gamma.
// BDF2 and Newmark begin with a step of implicit Euler, which has no history.
// BDF2 after a step of another size, w = h / h_before (Hairer, Norsett and Wanner 1993, section III.5), is
//   x_{t+1} = ((1 + w)^2 x_t - w^2 x_{t-1}) / (1 + 2 w) + (1 + w) / (1 + 2 w) h v_{t+1},
// and the same for v; beyond its stability it begins anew.
TimeRule time_rule(const TimeSetup& time, double h, double previous, bool acceleration) {
  TimeRule rule;
  if (time.integrator == Integrator::statics) return rule;
  const bool two_steps = time.integrator == Integrator::bdf2 && previous > 0 && h <= largest_growth * previous;
  if (two_steps && h == previous) {
    rule.reference_step = 2 * h / 3;
    rule.two_steps = true;
    rule.x[0] = rule.v[0] = 4;
    rule.x[1] = rule.v[1] = -1;
    rule.divisor = 3;
    rule.v_factor = 2 * h / 9;
    rule.scale = rule.reference_step * rule.reference_step;
  } else if (two_steps) {
    const double w = h / previous;
    rule.two_steps = true;
    rule.x[0] = rule.v[0] = (1 + w) * (1 + w);
    rule.x[1] = rule.v[1] = -w * w;
    rule.divisor = 1 + 2 * w;
    rule.reference_step = (1 + w) / rule.divisor * h;
    rule.v_factor = rule.reference_step / rule.divisor;
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
    rule.contact_factor = 0.5 / beta;
    if (2 * beta != gamma) {
      rule.kick_speed = (2 - gamma / beta) / h;
      rule.slip_v = rule.slip_step = 0.5 * h;
    }
  } else {
    rule.reference_step = rule.v_factor = h;
    rule.scale = h * h;
  }
  return rule;
}

}  // namespace sinew
