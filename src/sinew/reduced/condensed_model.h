// The space of positions and the cubature points of a condensed simulation, as solver.subspace and solver.cubature ask.
#pragma once

#include <memory>

#include "sinew/model/system.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

struct CondensedModel {
  std::unique_ptr<ElasticPoints> points;
  std::unique_ptr<PositionSpace> space;
};

// For the vertices that are prescribed at a time.
CondensedModel make_condensed_model(const System& system, double time);

}  // namespace sinew
