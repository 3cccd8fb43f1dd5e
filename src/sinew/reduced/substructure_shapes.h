// How the vertices of substructures move with y (frame_coordinates.h).
#pragma once

#include <vector>

#include "sinew/potential/quadratic_terms.h"
#include "sinew/reduced/frame_coordinates.h"
#include "sinew/reduced/substructure.h"

namespace sinew {

// Returns the shape functions of each substructure; the arguments must outlive them. For warped substructures they only
// serve the mass, because the work of their loads is not linear in y (warped_loads.h).
std::vector<ShapeFunctions> substructure_shapes(const System& system, const std::vector<Substructure>& parts,
                                                const FrameCoordinates& coordinates);

}  // namespace sinew
