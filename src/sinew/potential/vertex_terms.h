// The terms of the potential that are functions of where vertices are, beside those that every method has in its own
// way: inertia, dead loads, elasticity and its damping, contact. One row a term. In full space IncrementalPotential
// sums them; in a subspace each is an energy of points, the vertices that it names (reduced/point_energy.h).
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
  // Over the vertices of a system; in a subspace over a system of the vertices below alone, with their rest places,
  // masses, bodies, pressures, and the motions and the setup of all.
  std::unique_ptr<Energy> (*make)(const System&);
  // The vertices that it sees, ascending; none: the scene has nothing of it.
  std::vector<Index> (*vertices)(const System&);
  std::vector<Change> changes;  // after which it is another one
};

const std::vector<VertexTerm>& vertex_terms();

}  // namespace sinew
