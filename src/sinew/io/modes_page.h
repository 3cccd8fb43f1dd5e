// Writes the page of a scene's modes: a list with their frequencies, and the selected mode in motion, in the viewer of
// runs.
#pragma once

#include <string>

#include "sinew/io/report_rows.h"
#include "sinew/modes/mode_file.h"

namespace sinew {

struct ModesPage {
  const System& system;
  const ModeSet& modes;
  Json scene;  // the scene with all defaults
};

// Displacements are those of the surface, rounded to 1/displacement_levels of their range. Equal modes give equal
// bytes. Throws SimulationError if writing fails.
void write_modes_page(const std::string& path, const ModesPage& page);

}  // namespace sinew
