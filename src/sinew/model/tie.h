// Ties: faces of different meshes glued. Each vertex of one face is a weighted sum of vertices of the other body,
// without an equation of its own: x = P q with the free vertices q. Energies are E(P q), so that gradients are P^T g
// and Hessians P^T H P (kinematics/tied_hessian.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/embedding.h"
#include "sinew/model/setup.h"

namespace sinew {

struct Tie {
  Index body = 0, to = 0;            // into System::bodies
  std::vector<Index> vertices;       // that follow, simulation numbering, ascending
  std::vector<Embedding::Row> rows;  // of each, over vertices below System::dynamic_count
  std::vector<double> area;          // that each stands for at rest [m^2]
  std::vector<Index> opposite;       // vertices of the face that they are tied to, simulation numbering, ascending
  double gap = 0;                    // between the faces at rest, the largest [m]
  Triangles faces;                   // of the following side, simulation numbering, outward
  double until = forever;            // [s]
  double breaks_at = 0;              // mean traction at which it breaks [Pa]; 0: never

  bool holds_at(double time) const { return time <= until * (1 + 1e-12); }
  bool may_end() const { return until < forever || breaks_at > 0; }
};

// All vertices that ties hold, with the vertices that they follow, directly or through other ties. Throws InputError if
// ties form a cycle.
Embedding tied_vertices(std::span<const Tie> ties, std::span<const char> held = {});

struct System;
// tied_vertices() of a system, as it shares them; null: nothing is tied.
std::shared_ptr<const Embedding> held_vertices(const System& system, std::span<const char> held);
// Flags of the ties that hold at a time [s] unless they have broken; empty: the system has none.
std::vector<char> held_at(const System& system, double time);

}  // namespace sinew
