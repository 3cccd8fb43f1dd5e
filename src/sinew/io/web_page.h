// A page that simulates a scene by itself, with the engine as WebAssembly (docs/web.md).
#pragma once

#include <string>

#include "sinew/dynamics/simulation.h"

namespace sinew {

// Writes the page of a simulation of method `reduced` in its present state. triangles: the most of its surfaces.
// Returns the size of the file [bytes]. Throws InputError naming what pages do not support (packed/cut_model.h).
std::size_t write_web_page(const std::string& path, const Simulation& simulation, Index triangles);

}  // namespace sinew
