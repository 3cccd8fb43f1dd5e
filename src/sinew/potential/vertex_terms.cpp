#include "sinew/potential/vertex_terms.h"

#include "sinew/core/sort_unique.h"
#include "sinew/potential/added_forces.h"
#include "sinew/potential/gas.h"
#include "sinew/potential/moment.h"
#include "sinew/potential/pressure.h"
#include "sinew/potential/springs.h"
#include "sinew/potential/wind.h"

namespace sinew {
namespace {

template <class Term>
std::unique_ptr<Energy> make(const System& system) {
  return std::make_unique<Term>(system);
}

// In a subspace a term acts on the vertices that its row names, and on no others: their number, not that of the mesh,
// is its cost.
std::vector<Index> of_springs(const System& system) {
  std::vector<Index> vertices;
  for (const Spring& spring : system.springs) {
    vertices.push_back(spring.vertex);
    vertices.insert(vertices.end(), spring.others.begin(), spring.others.end());
  }
  sort_unique(vertices);
  return vertices;
}

template <class Takes>
std::vector<Index> under_loads(const System& system, Takes&& takes) {
  std::vector<Index> vertices;
  for (const FaceLoad& load : system.loads)
    if (takes(load.kind)) vertices.insert(vertices.end(), load.faces.data(), load.faces.data() + load.faces.size());
  sort_unique(vertices);
  return vertices;
}

std::vector<Index> under_pressure(const System& system) {
  return under_loads(system, [](LoadKind kind) { return kind == LoadKind::pressure; });
}

std::vector<Index> around_gas(const System& system) {
  return under_loads(system, [](LoadKind kind) { return kind == LoadKind::gas; });
}

std::vector<Index> under_wind(const System& system) {
  return under_loads(system, [](LoadKind kind) { return kind == LoadKind::wind; });
}

std::vector<Index> under_moments(const System& system) {
  return under_loads(system, is_moment_load);
}

std::vector<Index> of_added_forces(const System& system) {
  return system.added_forces.vertices;
}

}  // namespace

// One row a term: name, maker, the vertices that it acts on, and what changes of a live simulation it has to see.
const std::vector<VertexTerm>& vertex_terms() {
  static const std::vector<VertexTerm> terms = {
      {"springs", make<SpringEnergy>, of_springs, {Change::springs, Change::pulls}},
      {"pressure", make<PressureEnergy>, under_pressure, {Change::loads}},
      {"gas", make<GasEnergy>, around_gas, {Change::loads}},
      {"wind", make<WindEnergy>, under_wind, {Change::loads}},
      {"moment", make<MomentEnergy>, under_moments, {Change::loads}},
      {"added forces", make<AddedForceEnergy>, of_added_forces, {Change::forces}},
  };
  return terms;
}

}  // namespace sinew
