#include "sinew/potential/free_stretch.h"

#include <algorithm>
#include <cmath>

#include "sinew/model/element_parameters.h"

namespace sinew {
namespace {

bool is_heated(const SystemBody& body) {
  return body.temperature != 0 || !body.temperature_keys.empty();
}

}  // namespace

Index heated_body(const System& system) {
  for (const ElasticGroup& group : system.groups) {
    if (group.expansion.empty()) continue;
    for (Index t = group.tet_begin; t < group.tet_end; ++t)
      if (is_heated(system.bodies[system.tet_body[t]])) return system.tet_body[t];
  }
  return -1;
}

std::vector<ElasticGroup> with_free_stretch(const System& system, double time, double ramp) {
  std::vector<double> temperature;
  for (const SystemBody& body : system.bodies)
    temperature.push_back(body.temperature_keys.empty() ? ramp * body.temperature : body.temperature_keys.at(time)[0]);
  std::vector<ElasticGroup> groups = system.groups;
  for (ElasticGroup& group : groups) {
    if (group.expansion.empty()) continue;
    std::vector<double>& stretch = group.free_stretch;
    for (Index t = group.tet_begin; t < group.tet_end; ++t)
      stretch.push_back(std::exp(value_of(group.expansion, t - group.tet_begin) * temperature[system.tet_body[t]]));
    if (std::ranges::all_of(stretch, [&](double s) { return s == stretch[0]; })) stretch.resize(1);
  }
  return groups;
}

}  // namespace sinew
