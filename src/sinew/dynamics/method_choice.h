// What solver.method "auto" stands for.
#pragma once

#include <string>

#include "sinew/model/system.h"

namespace sinew {

struct MethodChoice {
  std::string method;         // newton or multilevel
  double factor_flops = 0;    // of a Cholesky factorisation of the bodies without contacts, by minimum degree
  double flops_a_vertex = 0;  // the same over the vertices that move
  bool springs = false;       // there are bodies that only newton takes, of the two

  std::string reason() const;  // in a sentence
};

// newton, whose iteration is a factorisation, or multilevel, whose iteration is some conjugate gradients with a cost
// proportional to the vertices: which of them has less work by the flops of the factorisation a vertex. Depends on the
// meshes alone. newton where a body has material model mass_spring.
MethodChoice choose_method(const System& system);

// In a setup whose method is "auto": the method chosen for this system, and why; newton where a linear solver is given.
void settle_method(SolverSetup& solver, const System& system);

}  // namespace sinew
