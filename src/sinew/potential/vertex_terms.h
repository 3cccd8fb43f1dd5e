// Lists the terms of the potential that depend on the positions of some vertices, one row for each term. In full space
// IncrementalPotential sums the terms. In a subspace each term is an energy of points, one for each vertex that the
// term names (potential/point_energy.h). Inertia, dead loads, elasticity with its damping, and contact are not listed,
// because methods differ in them.
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
  // Makes the term over the vertices of a system. In a subspace the system contains only the vertices below, with their
  // rest positions, masses, bodies and loads that depend on positions, and all motions and the setup.
  std::unique_ptr<Energy> (*make)(const System&);
  // Returns the vertices that the term depends on, ascending; empty: the scene has no such term.
  std::vector<Index> (*vertices)(const System&);
  std::vector<Change> changes;  // after which the term must be made again
};

const std::vector<VertexTerm>& vertex_terms();

}  // namespace sinew
