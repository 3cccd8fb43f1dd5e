#include "dynamics/whole_space_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::whole_space_test {

const std::vector<Method>& reduced_methods() {
  static const std::vector<Method> all = {
      {"reduced_full", "reduced", "full", Kind::all_vertices},
      {"mixed_full", "mixed", "full", Kind::all_vertices},
      {"reduced_linear", "reduced", "linear", Kind::modes},
      {"mixed_linear", "mixed", "linear", Kind::modes},
  };
  return all;
}

const std::vector<Method>& full_methods() {
  static const std::vector<Method> all = {
      {"newton_pcg", "newton-pcg", "", Kind::full_space},
      {"newton_multilevel", "newton-multilevel", "", Kind::full_space},
      {"multilevel", "multilevel", "", Kind::full_space},
      {"adaptive", "adaptive", "", Kind::full_space},
      {"quasi_newton", "quasi_newton", "", Kind::full_space},
  };
  return all;
}

void choose(const Method& method, sinew::Setup& setup) {
  SolverSetup& solver = setup.solver;
  const bool is_static = setup.time.integrator == Integrator::statics;
  solver.method = method.method;
  solver.iterations = 0;
  solver.linear_tolerance = 1e-12;
  if (!is_static) solver.adaptive.accuracy = 1e-12;
  // Methods of first order come no nearer to stiff contacts, and mixed elements in statics to where the change of E is
  // hidden by its rounding: their matrix has no part of the stress.
  if (method.is("quasi_newton") && setup.contact.enabled) solver.tolerance = 1e-7;
  if (method.is("mixed") && is_static) solver.tolerance = 1e-6;
  if (!method.is_reduced()) return;
  solver.subspace = method.subspace;
  solver.cubature_rule = "all";
  solver.handles = 100000;
}

std::vector<Sample> run(const Term& term, sinew::Setup setup, std::string& failure) {
  std::vector<Sample> samples;
  const auto system = build_system(std::move(setup));
  Simulation simulation(system);
  simulation.allow_changes(system);
  for (int step = 0; step < steps; ++step) {
    const State start = simulation.state();
    const StepReport report = simulation.step();
    if (!report.converged && failure.empty()) failure = "step " + std::to_string(report.step) + ": " + report.reason;
    const Index n = system->dynamic_count;
    const State& end = simulation.state();
    samples.push_back({start, end, end.x.leftCols(n), end.v.leftCols(n), simulation.forces(), report.energies});
    if (step == 0 && term.edit) term.edit(simulation);
  }
  return samples;
}

namespace {

double largest(const Points& a) {
  return a.size() == 0 ? 0 : a.colwise().norm().maxCoeff();
}

}  // namespace

std::map<std::string, double> differences(const std::vector<Sample>& found, const std::vector<Sample>& expected,
                                          const Points& rest) {
  double motion = 0, speed = 0, force = 0, energy = 0;
  const auto energies = [](const Energies& e) {
    return std::map<std::string, double>{{"E kinetic", e.kinetic},   {"E elastic", e.elastic},
                                         {"E gravity", e.gravity},   {"E barrier", e.barrier},
                                         {"E friction", e.friction}, {"E springs", e.springs}};
  };
  const auto forces = [](const NodalForces& f) {
    return std::map<std::string, const Points*>{{"f elastic", &f.elastic},
                                                {"f contact", &f.contact},
                                                {"f friction", &f.friction},
                                                {"f reaction", &f.reaction},
                                                {"f mean contact", &f.mean_contact}};
  };
  for (const Sample& s : expected) {
    motion = std::max(motion, largest(s.x - rest));
    speed = std::max(speed, largest(s.v));
    for (const auto& [name, f] : forces(s.forces)) force = std::max(force, largest(*f));
    energy = std::max({energy, s.energies.kinetic, s.energies.elastic});
  }
  std::map<std::string, double> worst;
  const auto note = [&](const std::string& name, double value, double scale) {
    double& at = worst[name];
    if (value > 0) at = std::max(at, value / scale);
    if (std::isnan(value)) at = value;
  };
  for (std::size_t k = 0; k < expected.size(); ++k) {
    note("x", largest(found[k].x - expected[k].x), motion);
    note("v", largest(found[k].v - expected[k].v), speed);
    const auto f = forces(found[k].forces), g = forces(expected[k].forces);
    for (const auto& [name, values] : f) note(name, largest(*values - *g.at(name)), force);
    const auto e = energies(found[k].energies), d = energies(expected[k].energies);
    for (const auto& [name, value] : e) note(name, std::abs(value - d.at(name)), energy);
  }
  return worst;
}

double distance_to_equilibrium(const sinew::Setup& newton, const std::vector<Sample>& found, const Points& rest) {
  double motion = 0, distance = 0;
  for (const Sample& sample : found) {
    Simulation again(build_system(newton));
    State state = sample.end;
    state.time = sample.start.time;
    state.step = sample.start.step;
    again.replace(state);
    if (!again.step().converged) return std::numeric_limits<double>::infinity();
    distance = std::max(distance, largest(again.state().x.leftCols(rest.cols()) - sample.x));
    motion = std::max(motion, largest(sample.x - rest));
  }
  return distance / motion;
}

std::string refusal(const sinew::Setup& setup, const Term& term, const Method& method) {
  if (!setup.ties.empty() && (method.is_reduced() || method.is("adaptive"))) return "does not support ties";
  if (!method.is_reduced()) return "";
  if (setup.bodies[0].collision && method.kind == Kind::all_vertices)
    return "solver.subspace: \"full\" does not take the collision surface of body 'bar'";
  const auto is_affine = [](const BodySetup& body) { return body.affine; };
  if (std::ranges::any_of(setup.bodies, is_affine) && method.kind == Kind::all_vertices)
    return "solver.subspace: \"full\" does not take the affine body 'die'";
  if (setup.contact.enabled && setup.contact.model != ContactKind::barrier) {
    const std::string model = setup.contact.model == ContactKind::penalty ? "penalty" : "convergent";
    return "contact.model: found \"" + model + "\", which method \"" + method.method + "\" does not support";
  }
  if (method.kind != Kind::modes) return "";
  if (term.name == "motion_scaling") return "cannot follow prescribed vertices that are scaled";
  if (term.name == "polynomial") return "with the stiffness 0 Pa at rest";
  return "";
}

// The barrier is a sum over pairs of primitives, so that it has a ridge where a vertex slides over the edge between two
// triangles of a flat face. Without friction the vertex may rest on either side, and the way of the iterations decides.
bool rests_elsewhere(const sinew::Setup& setup, const Term& term, const Method& method) {
  const ContactSetup& contact = setup.contact;
  if (setup.time.integrator != Integrator::statics || !contact.enabled || contact.friction > 0) return false;
  // A corner of the second bar's skin lies across a diagonal of the first one's: 1 % of the motion in the second and
  // the fourth step.
  if (method.is("adaptive")) return term.name == "body" && setup.bodies[0].collision;
  // A vertex of the bar lies across the diagonal of the plate: 10 % of the motion in the third step.
  return method.is("quasi_newton") && term.name == "plate";
}

double bound(const sinew::Setup& setup, const Term& term, const Method& method) {
  const bool is_static = setup.time.integrator == Integrator::statics;
  const bool touches = setup.contact.enabled, rubs = touches && setup.contact.friction > 0;
  if (rubs && is_static && !term.moves) return 1e-2;  // contacts that stick obey Coulomb's law with any such force
  if (method.is("quasi_newton") && touches) return setup.contact.model == ContactKind::penalty ? 1e-3 : 1e-4;
  if (is_static && method.is("mixed")) return 1e-6;
  if (is_static && method.is("adaptive")) return 1e-6;
  return rubs ? 1e-9 : 1e-10;
}

}  // namespace sinew::whole_space_test
