// The linear system H d = b of a Newton step: the matrix, and further data that solvers may use.
#pragma once

#include <memory>
#include <span>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Structure that all systems of a time step share.
struct NewtonStructure {
  std::shared_ptr<const BlockPattern> pattern;  // pattern of the bodies; every matrix's pattern contains it
  std::span<const char> fixed;                  // 3 rows flags: prescribed coordinates
  double stiffness_over_inertia = 0;            // max over vertices of h^2 K_ii / m_i at rest; in statics 0, or huge
};

// The parts of H that a solver needs besides H.
struct NewtonParts {
  bool bodies = false;         // H without contacts
  bool soft_contacts = false;  // contacts in series with springs as stiff as the bodies around them
};

struct NewtonSystem {
  NewtonSystem(const SymBlockMatrix& matrix) : H(matrix) {}  // NOLINT: a matrix is a system without further data

  // Rows and columns of fixed coordinates are zero except for a positive diagonal; b is zero there.
  const SymBlockMatrix& H;
  bool exact = false;         // H is not projected and may be indefinite
  bool has_contacts = false;  // H contains stiffness of contacts or friction
  std::span<const char> fixed = {};
  std::span<const Index> touching = {};           // vertices in contact that are not fixed, ascending
  const SymBlockMatrix* bodies = nullptr;         // NewtonParts::bodies, if requested
  const SymBlockMatrix* soft_contacts = nullptr;  // NewtonParts::soft_contacts, if requested
};

}  // namespace sinew
