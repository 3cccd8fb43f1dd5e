// Writes the page of a scene's subspace: clusters, handles, their functions and the cubature on the rest shape, in the
// viewer of runs.
#pragma once

#include <string>

#include "sinew/io/report_rows.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew {

struct SubspacePage {
  const System& system;
  const Hierarchy& hierarchy;
  Json scene;    // the scene with all defaults
  Json summary;  // text beside the picture
};

// Weights are those on the surface, rounded to 1/field_levels of their range. Throws SimulationError if writing fails.
void write_subspace_page(const std::string& path, const SubspacePage& page);

}  // namespace sinew
