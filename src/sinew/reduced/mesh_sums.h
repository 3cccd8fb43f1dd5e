// The data that the model of a subspace of handles takes from the whole mesh. A system with these sums needs only the
// few vertices and tets that steps read (packed/cut_model.h).
#pragma once

#include <vector>

#include "sinew/potential/quadratic_terms.h"
#include "sinew/reduced/coarse_surface.h"

namespace sinew {

struct MeshSums {
  std::vector<QuadraticTerms::Sums> quadratic;  // by set of axes
  std::vector<Index> far;                       // far_vertices() (displacement_probes.h)
  CoarseSurface surface;                        // of contact; without vertices if nothing may touch
};

}  // namespace sinew
