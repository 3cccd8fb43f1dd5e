// Strain without stress: a tet with the free stretch s has the energy s^3 V W(F / s), that of a tet which has grown by
// s in all directions.
#pragma once

#include <vector>

#include "sinew/model/system.h"

namespace sinew {

// The first body that grows with its temperature; -1: none.
Index heated_body(const System& system);

// The groups of a system with their free stretches exp(a dT). Heat expands a length by the share a for each kelvin, and
// dT is the temperature above that of the mesh. time [s], ramp: factor on temperatures without keyframes.
std::vector<ElasticGroup> with_free_stretch(const System& system, double time, double ramp);

}  // namespace sinew
