// The models that the built-in benchmarks run on, made of primitives.
#pragma once

#include <memory>

#include "sinew/model/system.h"

namespace sinew {

// A free body of neo-Hookean material.
std::shared_ptr<const System> bench_body(TetMesh mesh);

// A cube of about 5 cells^3 tets.
std::shared_ptr<const System> bench_cube(int cells);

// A ball of edge length `size` [m] and radius 0.1 that has just landed on a block.
std::shared_ptr<const System> bench_contact_pair(double size, const std::string& method);

}  // namespace sinew
