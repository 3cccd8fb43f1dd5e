// A simulation of method `reduced` cut down to what its steps read. It keeps the vertices and tets of cubature points,
// contact samples and probes, the rows of the basis there, and sums over the whole mesh. Steps of the cut model are
// those of the whole one, and cost no work of the size of the mesh. A page simulates with it (docs/web.md).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/model/system.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

struct CutModel {
  std::shared_ptr<System> system;       // without the parts that steps do not read
  std::shared_ptr<ReducedBasis> basis;  // with MeshSums
  MemoryArchive state;                  // Stepper::save()
};

// Cuts a simulation in its present state. further: vertices to keep beside those of steps, for pulls. kept: unless
// null, receives the vertices of the whole system that are kept, ascending. Throws InputError naming what a cut model
// does not support.
CutModel cut_model(const Simulation& simulation, std::span<const Index> further, std::vector<Index>* kept = nullptr);

}  // namespace sinew
