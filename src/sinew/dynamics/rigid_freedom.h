// Which bodies nothing keeps from moving rigidly: in statics they may have no equilibrium.
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
  Index vertex = 0;  // its first one, simulation numbering
  int motions = 0;   // how many of the 6 independent small rigid motions are free
  // These, orthonormal, of velocity and of angular velocity times the scene's diagonal about that vertex.
  Eigen::Matrix<double, 6, Eigen::Dynamic> free;
  std::vector<Index> vertices;  // of the piece
};

// Prescribed coordinates and springs hold at `time`; pieces in contact count as held, and pieces that springs or
// ties join as one. ties: the tied vertices; null: none.
std::vector<FreePiece> free_pieces(const System& system, double time, std::span<const ContactStencil> contacts,
                                   const Embedding* ties = nullptr);

// In statics: throws SimulationError where there is such a piece, which has no equilibrium.
void refuse_free_pieces(const System& system, double time, std::span<const ContactStencil> contacts,
                        const Embedding* ties = nullptr);

// A connected piece that no prescribed coordinate and no spring holds along an axis at `time`: what the matrix of
// Projective Dynamics, which knows no contacts, cannot hold in statics.
struct LoosePiece {
  Index body = 0;
  int axis = 0;
};
std::optional<LoosePiece> find_loose_piece(const System& system, double time);

}  // namespace sinew
