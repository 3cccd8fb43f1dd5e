// Chooses the method for solver.method "auto".
#pragma once

#include <string>

#include "sinew/model/system.h"

namespace sinew {

struct MethodChoice {
  std::string method;         // newton or multilevel
  double factor_flops = 0;    // estimated flops of a Cholesky factorisation without contacts, ordered by minimum degree
  double flops_a_vertex = 0;  // factor_flops over the number of moving vertices
  double worthwhile = 0;      // flops a vertex from which multilevel is the faster one
  bool springs = false;       // some bodies have material mass_spring, which only newton supports
  bool path = false;          // time.continuation, which only newton supports

  std::string reason() const;  // one sentence
};

// Chooses newton or multilevel by the flops of a factorisation for each vertex. An iteration of newton is a
// factorisation. The cost of one of multilevel is proportional to the number of vertices; it grows with the couplings
// of elements and with lambda / mu. The choice depends on meshes, elements and materials at rest only. Bodies with
// material mass_spring need newton.
MethodChoice choose_method(const System& system);

// Replaces method "auto" in a setup by the chosen method and its reason. If the setup names a linear solver, the method
// is newton.
void settle_method(SolverSetup& solver, const System& system);

}  // namespace sinew
