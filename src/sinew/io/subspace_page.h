// The page of a scene's subspace: clusters, handles, their functions and the cubature on the rest shape, in the viewer
// of runs.
#pragma once

#include <string>

#include "sinew/io/report_rows.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew {

struct SubspacePage {
  const System& system;
  const Hierarchy& hierarchy;
  Json scene;    // with all defaults
  Json summary;  // the text beside the picture
};

// Weights are those at the surface, rounded to 1/field_levels of their range. Throws SimulationError when the disk
// refuses.
void write_subspace_page(const std::string& path, const SubspacePage& page);

}  // namespace sinew
