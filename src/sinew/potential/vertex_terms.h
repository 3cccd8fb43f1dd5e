// The terms of the potential that depend on the positions of some vertices; one row a term. In full space
// IncrementalPotential sums them. In a subspace each is an energy of points, which are the vertices that it names
// (potential/point_energy.h). Inertia, dead loads, elasticity with its damping, and contact are elsewhere, because
// methods differ in them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/change.h"
#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

struct VertexTerm {
  std::string_view name;  // Energy::name()
  // The term over the vertices of a system. In a subspace that is a system of the vertices below alone: it has their
  // rest places, masses, bodies and pressures, and all motions and the setup.
  std::unique_ptr<Energy> (*make)(const System&);
  // The vertices that it depends on, ascending; none: the scene has no such term.
  std::vector<Index> (*vertices)(const System&);
  std::vector<Change> changes;  // after which it is made anew
};

const std::vector<VertexTerm>& vertex_terms();

}  // namespace sinew
