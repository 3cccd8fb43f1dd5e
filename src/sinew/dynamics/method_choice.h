// Chooses the method for solver.method "auto".
#pragma once

#include <string>

#include "sinew/model/system.h"

namespace sinew {

struct MethodChoice {
  std::string method;         // newton or multilevel
  double factor_flops = 0;    // of a Cholesky factorisation of the bodies without contacts, ordered by minimum degree
  double flops_a_vertex = 0;  // factor_flops over the number of moving vertices
  bool springs = false;       // some bodies need newton

  std::string reason() const;  // one sentence
};

// Chooses newton or multilevel by the flops of a factorisation for each vertex: an iteration of newton is a
// factorisation, one of multilevel costs in proportion to the vertices. Depends on the meshes alone. Bodies of material
// model mass_spring need newton.
MethodChoice choose_method(const System& system);

// Replaces method "auto" in a setup by the chosen method and its reason, or by newton if a linear solver is given.
void settle_method(SolverSetup& solver, const System& system);

}  // namespace sinew
