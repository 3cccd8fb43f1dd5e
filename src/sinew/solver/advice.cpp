#include "sinew/solver/advice.h"

#include <fmt/format.h>

#include "sinew/solver/minimizer.h"

namespace sinew {
namespace {

// The way to make a step smaller.
std::string smaller_step(const System& system) {
  if (system.setup.time.integrator == Integrator::statics)
    return fmt::format("take more load steps (time.steps, now {})", system.setup.time.steps);
  return fmt::format("take a smaller time.step (now {:g} s)", system.setup.time.step);
}

std::string larger_distance(const System& system) {
  return fmt::format("a larger contact.distance (now {:.3g} m)", system.contact_distance);
}

std::string more_iterations(const MinimizerSettings& settings) {
  return fmt::format("raise solver.max_iterations (now {}), or solver.tolerance (now {:.3g}) if that is exact enough",
                     settings.max_iterations, settings.tolerance);
}

std::string softer_contact(const System& system) {
  return system.adaptive_stiffness ? std::string()
                                   : fmt::format(", or a contact.stiffness that is lower (now {:.3g} Pa) or \"auto\"",
                                                 system.contact_stiffness);
}

// Against iterations that oscillate, by the term that dominates where they do.
std::string against_term(const Diagnosis& d, const System& system) {
  if (d.term == "contact") {
    return fmt::format("contact forces do not settle: {}, or {}{}", smaller_step(system), larger_distance(system),
                       softer_contact(system));
  }
  if (d.term == "friction") {
    return fmt::format("friction switches between sticking and sliding: {}, or a larger contact.slip_speed (now {:g})",
                       smaller_step(system), system.setup.contact.slip_speed);
  }
  if (d.term == "elastic") {
    return fmt::format(
        "the elastic forces do not settle: {}; look for slivers there (sinew check lists them), or use the model "
        "\"stable_neo_hookean\", which takes large deformations best",
        smaller_step(system));
  }
  return smaller_step(system);
}

// Against tets that lose their volume.
std::string against_inversion(const Diagnosis& d, const System& system) {
  return fmt::format(
      "tets are crushed ({} has {:.2g} of its volume): {}, refine the mesh there, or use the model "
      "\"stable_neo_hookean\", whose tets may invert",
      d.flattest, d.min_jacobian, smaller_step(system));
}

// Against edges that cannot stretch as far as motions or loads ask.
std::string against_stretch(const System& system) {
  return fmt::format(
      "end the prescribed motion earlier, leave the body more slack, raise the material's stretch_limit, or {}",
      smaller_step(system));
}

// Against steps that the collision filter shortens; a crushed tet tells that the load is too strong instead.
std::string against_contact_filter(const Diagnosis& d, const System& system) {
  std::string text = fmt::format("bodies approach faster than contact can slow them: {}, or {}{}", smaller_step(system),
                                 larger_distance(system), softer_contact(system));
  constexpr double crushed = 0.01;
  if (d.min_jacobian < crushed) {
    text += fmt::format(
        "; if that does not help, the load is too large for the material ({} has {:.2g} of its volume): check loads "
        "and velocities",
        d.flattest, d.min_jacobian);
  }
  return text;
}

// Near the tolerance rounding is at fault, elsewhere the dominant term.
std::string against_line_search(const Diagnosis& d, const System& system, const MinimizerSettings& settings) {
  constexpr double near_tolerance = 100;
  if (d.residual < near_tolerance * settings.tolerance) {
    return fmt::format("rounding limits the residual: raise solver.tolerance (now {:.3g})", settings.tolerance);
  }
  return against_term(d, system);
}

// Against prescribed motions that press bodies together.
std::string against_blocking(const Diagnosis& d, const System& system) {
  const std::string pair = d.closest.empty() ? "" : " (" + d.closest + " are closest)";
  return fmt::format("end the prescribed motion earlier, or leave the bodies more space{}; {}", pair,
                     system.setup.time.integrator == Integrator::statics ? "or take more load steps (time.steps)"
                                                                         : "or a slower motion");
}

}  // namespace

namespace {

// For methods whose directions are found by levels or in a subspace: whether the reference may get through where they
// make no progress.
bool newton_may_help(const Diagnosis& d, const SolverSetup& solver) {
  const bool stalls = d.cause == Cause::oscillation || d.cause == Cause::unsettled_contact ||
                      d.cause == Cause::unsettled_friction || d.cause == Cause::contact_filter ||
                      d.cause == Cause::line_search || d.cause == Cause::blocked_motion ||
                      d.cause == Cause::slow_motion;
  return stalls &&
         (solver.method == "multilevel" || solver.method == "newton-multilevel" || solver.method == "adaptive");
}

// One remedy a cause: what to change in the scene, with its present value.
std::string advice_of_cause(const Diagnosis& d, const System& system, const MinimizerSettings& settings) {
  switch (d.cause) {
    case Cause::too_few_iterations:
      return more_iterations(settings);
    case Cause::oscillation:
      return against_term(d, system);
    case Cause::unsettled_contact:
      return fmt::format("raise solver.max_iterations (now {}), {}, or {}", settings.max_iterations,
                         smaller_step(system), larger_distance(system));
    case Cause::unsettled_friction:
      return fmt::format(
          "friction and normal forces do not settle: {}, a larger contact.slip_speed (now {:g}), or a larger "
          "contact.friction_tolerance (now {:g}) if that is exact enough",
          smaller_step(system), system.setup.contact.slip_speed, system.setup.contact.friction_tolerance);
    case Cause::unsettled_bolt:
      return fmt::format(
          "check that head and nut of the bolt press on other parts, let it cut larger tets if theirs allow too "
          "little, "
          "or {}",
          smaller_step(system));
    case Cause::contact_filter:
      return against_contact_filter(d, system);
    case Cause::inversion_filter:
      return against_inversion(d, system);
    case Cause::stretch_limit:
      return against_stretch(system);
    case Cause::line_search:
      return against_line_search(d, system, settings);
    case Cause::linear_solver:
      return "raise solver.linear_iterations, or use the direct solver: solver.method \"newton\"";
    case Cause::blocked_motion:
      return against_blocking(d, system);
    case Cause::slow_motion:
      return fmt::format("raise solver.max_iterations (now {}), {}, or make the motion slower", settings.max_iterations,
                         smaller_step(system));
    case Cause::singular:
      return "fix more vertices if a body can move freely in statics; else check stiffnesses, densities and sizes "
             "(sinew check)";
    case Cause::free_motion:
      return "fix more of its vertices, attach springs, press it or give it friction (contact.friction), or use "
             "time.mode "
             "\"dynamic\"";
    case Cause::limit_point:
      return "reduce the load, prescribe a motion instead of a force, or use time.mode \"dynamic\", in which bodies "
             "snap through";
    case Cause::not_finite:
      return fmt::format("check units, stiffnesses, loads and velocities (sinew check names suspicious ones); {}",
                         smaller_step(system));
  }
  return "";
}

}  // namespace

std::string advice(const Diagnosis& d, const System& system, const MinimizerSettings& settings) {
  std::string text = advice_of_cause(d, system, settings);
  const SolverSetup& solver = system.setup.solver;
  if (newton_may_help(d, solver))
    text += fmt::format("; or use solver.method \"newton\", the reference (now \"{}\")", solver.method);
  return text;
}

}  // namespace sinew
