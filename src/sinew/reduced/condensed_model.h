// The space of positions and the cubature points of a condensed simulation, as solver.subspace and solver.cubature ask.
#pragma once

#include <memory>

#include "sinew/model/system.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

struct CondensedModel {
  std::unique_ptr<ElasticPoints> points;
  std::unique_ptr<ElasticPoints> energy;  // modal cubature: the same slots with the weights of the energy; else null
  std::unique_ptr<PositionSpace> space;
};

// Throws InputError where make_condensed_model() would, as far as that is known before anything is computed.
void check_condensed_setup(const System& system, double time);

// For the vertices that are prescribed at a time.
CondensedModel make_condensed_model(const System& system, double time);

}  // namespace sinew
