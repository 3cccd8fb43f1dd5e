// Finds bodies that can move rigidly: in statics such bodies may have no equilibrium.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "sinew/contact/contact_set.h"
#include "sinew/model/system.h"

namespace sinew {

// A connected piece of a body.
struct FreePiece {
  Index body = 0;
  Index vertex = 0;  // its first vertex, simulation numbering
  int motions = 0;   // number of free rigid motions, 0 to 6
  // Orthonormal free motions: velocity, and angular velocity about `vertex` times the scene's diagonal.
  Eigen::Matrix<double, 6, Eigen::Dynamic> free;
  std::vector<Index> vertices;  // all vertices of the piece
};

// Finds free pieces at `time`. Prescribed coordinates, springs and contact hold a piece. Pieces joined by springs or
// ties count as one. ties: the tied vertices, or null.
std::vector<FreePiece> free_pieces(const System& system, double time, std::span<const ContactStencil> contacts,
                                   const Embedding* ties = nullptr);

// In statics throws SimulationError if there is a free piece, which has no equilibrium.
void refuse_free_pieces(const System& system, double time, std::span<const ContactStencil> contacts,
                        const Embedding* ties = nullptr);

// A connected piece that has, along some axis, neither a prescribed coordinate nor a spring. In statics it makes the
// matrix of Projective Dynamics singular, because that matrix does not include contacts.
struct LoosePiece {
  Index body = 0;
  int axis = 0;
};
std::optional<LoosePiece> find_loose_piece(const System& system, double time);

}  // namespace sinew
