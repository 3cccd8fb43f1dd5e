// Where fixed vertices are at the start and where their motion wants them; the time that the run starts at.

#include <algorithm>

#include <fmt/format.h>

#include "sinew/dynamics/integrator.h"
#include "sinew/lint/check_parts.h"
#include "sinew/model/naming.h"
#include "sinew/potential/inverted_tets.h"

namespace sinew {
namespace {

// Jumps over the diagonal of the body that can be seen: as for the automatic contact distance. Those of a state that
// was computed with the same motion are of the size of rounding.
constexpr double visible_jump = 1e-3;

struct Jump {
  Index count = 0, vertex = -1;  // of those that can be seen; the farthest
  double distance = 0;           // [m]
};

// By body: the fixed vertices that the first step, were it infinitely short, would move.
std::vector<Jump> find_jumps(const SceneFacts& facts, const System& system, const State& state) {
  std::vector<Jump> jumps(system.bodies.size());
  const double end = end_of_step(system, state);
  for (const PrescribedVertex& p : system.prescribed) {
    if (end > p.until) continue;
    const Vec3 target = system.motions[p.motion].apply(system.rest.col(p.vertex), state.time, p.place);
    Vec3 displacement = target - state.x.col(p.vertex);
    for (int k = 0; k < 3; ++k)
      if (!p.axes[k]) displacement[k] = 0;
    const Index body = system.vertex_body[p.vertex];
    Jump& jump = jumps[body];
    if (displacement.norm() <= visible_jump * facts.bodies[body].diagonal()) continue;
    ++jump.count;
    if (displacement.norm() <= jump.distance) continue;
    jump.distance = displacement.norm();
    jump.vertex = p.vertex;
  }
  return jumps;
}

std::string jump_remedy(const State& state, const InitialMotion* motion) {
  if (!motion) return "begin the motion with a key at time 0 that keeps the positions of the mesh";
  if (state.time == 0 && !motion->other_clock)
    return "continue from the time of the initial state (no \"time\": \"reset\"), or begin the motion at the positions "
           "of that state";
  return "make the motion agree with the initial state at that time";
}

void check_jumps(const SceneFacts& facts, const System& system, const State& state, const InitialMotion* motion,
                 Findings& findings) {
  const std::vector<Jump> jumps = find_jumps(facts, system, state);
  const bool statics = system.setup.time.integrator == Integrator::statics;
  for (std::size_t b = 0; b < jumps.size(); ++b) {
    const Jump& jump = jumps[b];
    if (jump.count == 0) continue;
    const Vec3 place = state.x.col(jump.vertex);
    Finding finding;
    finding.kind = "jump";
    finding.owners = {facts.bodies[b].name};
    finding.value = jump.distance;
    finding.position = place;
    finding.message = fmt::format(
        "{} prescribed vertices of body '{}' start up to {:.3g} m ({:.2g} of its diagonal) away from their motion at "
        "time {:g}, and jump there in the first {}; the farthest is vertex {} at {}",
        jump.count, facts.bodies[b].name, jump.distance, jump.distance / facts.bodies[b].diagonal(), state.time,
        statics ? "load step" : "step", own_number(system, jump.vertex), place_text(place));
    finding.remedy = jump_remedy(state, motion);
    finding.primitives.push_back({{"vertex", own_number(system, jump.vertex)}, {"jump", jump.distance}});
    findings.add(std::move(finding));
  }
}

}  // namespace

void check_inverted(const System& system, const State& state, Findings& findings) {
  std::vector<std::vector<InvertedTet>> by_body(system.bodies.size());
  for (const InvertedTet& inverted : inverted_tets(system, state.x))
    by_body[system.tet_body[inverted.tet]].push_back(inverted);
  for (std::size_t b = 0; b < by_body.size(); ++b) {
    if (by_body[b].empty()) continue;
    const SystemBody& body = system.bodies[b];
    const InvertedTet& worst = *std::ranges::min_element(by_body[b], {}, &InvertedTet::jacobian);
    const bool allowed = std::ranges::all_of(by_body[b], &InvertedTet::allowed);
    Finding finding;
    finding.kind = "inverted";
    finding.severity = allowed ? Severity::warning : Severity::error;
    finding.owners = {body.name};
    finding.value = worst.jacobian;
    finding.position = state.x.col(system.tets(0, worst.tet));
    finding.message = fmt::format(
        "body '{}' starts with {} tet{} inside out or flat, the worst with det F = {:.2g}: {} at {}{}", body.name,
        by_body[b].size(), by_body[b].size() == 1 ? "" : "s", worst.jacobian, tet_text(system, worst.tet),
        place_text(*finding.position), allowed ? "" : ", which its material does not allow");
    finding.remedy = allowed ? "start from another state, unless these tets should turn back by themselves"
                             : "start from another state, or take a material that allows it (stable_neo_hookean)";
    if (system.tet_to_user[worst.tet] >= 0)
      finding.primitives.push_back({{"tet", user_tet_of(system, worst.tet)}, {"jacobian", worst.jacobian}});
    findings.add(std::move(finding));
  }
}

void check_springs(const Setup& setup, Findings& findings) {
  for (const BodySetup& body : setup.bodies) {
    for (std::size_t i = 0; i < body.springs.size(); ++i) {
      const SpringSetup& spring = body.springs[i];
      if (spring.point || !spring.ends.empty() || spring.vertices.size() < 2 || spring.other_vertices.size() < 2)
        continue;
      const Points& others = setup.bodies[spring.other_body].mesh.vertices;
      Vec3 mean = Vec3::Zero();
      for (const Index v : spring.other_vertices) mean += others.col(v) / spring.other_vertices.size();
      double longest = 0;
      for (const Index v : spring.vertices)
        longest = std::max(longest, (body.mesh.vertices.col(v) - mean).norm() - spring.length);
      const Vec3 extent = body.mesh.vertices.rowwise().maxCoeff() - body.mesh.vertices.rowwise().minCoeff();
      if (!(longest > visible_jump * extent.norm())) continue;
      findings.add(
          {"springs",
           Severity::remark,
           fmt::format("springs[{}] of body '{}' pull its {} vertices to one point, the mean of {} vertices of "
                       "body '{}', from up to {:.3g} m away",
                       i, body.name, spring.vertices.size(), spring.other_vertices.size(),
                       setup.bodies[spring.other_body].name, longest),
           "if they should tie each vertex to the nearest point instead, add \"at\": \"nearest\" to \"to\"",
           {body.name, setup.bodies[spring.other_body].name},
           longest,
           mean});
    }
  }
}

void check_start(const SceneFacts& facts, const System& system, const State& state, const InitialMotion* motion,
                 Findings& findings) {
  check_jumps(facts, system, state, motion, findings);
  const bool statics = system.setup.time.integrator == Integrator::statics;
  if (motion && motion->other_clock) {
    findings.add({"initial",
                  Severity::remark,
                  statics
                      ? "the initial state comes from a dynamic run, whose time is not a load factor: time starts at 0"
                      : "the initial state comes from a static run, whose time is a load factor: time starts at 0",
                  "to silence this, write \"initial\": {\"file\": ..., \"time\": \"reset\"}",
                  {},
                  0});
  }
  if (statics && state.time >= 1) {
    findings.add({"initial",
                  Severity::warning,
                  fmt::format("the initial state carries the full load (time {:g} of 1), so all {} load steps use the "
                              "motions and loads of time 1",
                              state.time, system.setup.time.steps),
                  "to repeat loads and motions write \"initial\": {\"file\": ..., \"time\": \"reset\"}",
                  {},
                  state.time});
  }
}

}  // namespace sinew
