// Makes the models of the built-in benchmarks from primitives.
#pragma once

#include <memory>

#include "sinew/model/system.h"

namespace sinew {

// Returns a free body of neo-Hookean material.
std::shared_ptr<const System> bench_body(TetMesh mesh);

// Returns a cube of about 5 cells^3 tets.
std::shared_ptr<const System> bench_cube(int cells);

// Returns a ball with edge length `size` [m] and radius 0.1 m that has just landed on a block.
std::shared_ptr<const System> bench_contact_pair(double size, const std::string& method);

}  // namespace sinew
