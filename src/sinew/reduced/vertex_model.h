// The model with all vertices as coordinates (solver.subspace "full").
#pragma once

#include <vector>

#include "sinew/reduced/reduced_model.h"

namespace sinew {

// volumes: of each tet at rest [m^3].
ReducedModel make_vertex_model(const System& system, const std::vector<double>& volumes, double time);

}  // namespace sinew
