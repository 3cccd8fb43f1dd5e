#include "sinew/model/muscle.h"

#include <algorithm>

namespace sinew {
namespace {

// Whether a material's fibers differ from those of the groups.
bool differs(const Muscle& muscle) {
  return !muscle.activation_keys.empty() || !muscle.length_keys.empty() || muscle.length != 1;
}

// A muscle at a time: its tension a T, and L.
struct MuscleState {
  bool known = false;
  double tension = 0, length = 1;
};

MuscleState state_of(const Muscle& muscle, double time) {
  return {true, activation_at(muscle, time) * muscle.most, fiber_length_at(muscle, time)};
}

// By material; empty: all fibers are those of the groups.
std::vector<MuscleState> states_at(const System& system, double time) {
  std::vector<MuscleState> states;
  for (std::size_t m = 0; m < system.material_names.size(); ++m) {
    const auto muscle = system.muscles.find(system.material_names[m]);
    if (muscle == system.muscles.end() || !differs(muscle->second)) continue;
    states.resize(system.material_names.size());
    states[m] = state_of(muscle->second, time);
  }
  return states;
}

void spread(std::vector<double>& values, std::size_t count) {
  if (values.size() == 1) values.assign(count, values[0]);
}

// Of a group with the fibers of one material, or of several.
void move_group(const System& system, const std::vector<MuscleState>& states, ElasticGroup& group) {
  const auto begin = system.tet_material.begin() + group.tet_begin, end = system.tet_material.begin() + group.tet_end;
  if (begin == end || group.fiber_stiffness.empty()) return;
  const bool one = std::all_of(begin, end, [&](Index m) { return m == *begin; });
  if (one && !states[*begin].known) return;
  const auto count = static_cast<std::size_t>(group.tet_end - group.tet_begin);
  if (one) {
    const MuscleState& state = states[*begin];
    group.fiber_tension = {state.tension * state.length};
    if (state.length == 1) return;
    for (double& k : group.fiber_stiffness) k *= state.length * state.length;
    group.fiber_direction /= state.length;
    return;
  }
  if (std::none_of(begin, end, [&](Index m) { return states[m].known; })) return;
  if (group.fiber_tension.empty()) group.fiber_tension = {0.0};
  spread(group.fiber_tension, count);
  spread(group.fiber_stiffness, count);
  if (group.fiber_direction.cols() == 1)
    group.fiber_direction = group.fiber_direction.replicate(1, static_cast<Eigen::Index>(count)).eval();
  for (std::size_t t = 0; t < count; ++t) {
    const MuscleState& state = states[begin[static_cast<std::ptrdiff_t>(t)]];
    if (!state.known) continue;
    group.fiber_tension[t] = state.tension * state.length;
    group.fiber_stiffness[t] *= state.length * state.length;
    group.fiber_direction.col(static_cast<Eigen::Index>(t)) /= state.length;
  }
}

}  // namespace

double activation_at(const Muscle& muscle, double time) {
  return muscle.activation_keys.empty() ? muscle.activation : muscle.activation_keys.at(time)[0];
}

double fiber_length_at(const Muscle& muscle, double time) {
  return muscle.length_keys.empty() ? muscle.length : muscle.length_keys.at(time)[0];
}

double spring_length_at(const Spring& spring, double time) {
  return spring.length_keys.empty() ? spring.length : spring.length_keys.at(time)[0];
}

bool moves_fibers(const System& system) {
  return std::ranges::any_of(system.muscles, [](const auto& entry) {
    return !entry.second.activation_keys.empty() || !entry.second.length_keys.empty();
  });
}

std::vector<ElasticGroup> groups_at(const System& system, double time) {
  std::vector<ElasticGroup> groups = system.groups;
  const std::vector<MuscleState> states = states_at(system, time);
  if (states.empty()) return groups;
  for (ElasticGroup& group : groups) move_group(system, states, group);
  return groups;
}

void move_fibers(const System& system, Index tet, double time, ElementParameters& of) {
  if (system.muscles.empty()) return;
  const auto muscle = system.muscles.find(system.material_names[system.tet_material[tet]]);
  if (muscle == system.muscles.end() || !differs(muscle->second)) return;
  const MuscleState state = state_of(muscle->second, time);
  of.fiber_tension = state.tension * state.length;
  of.fiber_stiffness *= state.length * state.length;
  of.fiber_direction /= state.length;
}

}  // namespace sinew
