// Ties glue faces of different meshes. Each vertex of one face is a weighted sum of vertices of the other body and has
// no equation: x = P q with the free vertices q. Energies are E(P q), gradients P^T g and Hessians P^T H P
// (kinematics/tied_hessian.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/embedding.h"
#include "sinew/model/setup.h"

namespace sinew {

struct Tie {
  Index body = 0, to = 0;       // indices into System::bodies: the following body, the followed body
  std::vector<Index> vertices;  // vertices that follow, simulation numbering, ascending
  // By following vertex: the vertices that it follows, below System::dynamic_count.
  std::vector<Embedding::Row> rows;
  std::vector<double> area;  // by following vertex: its area at rest [m^2]
  // Vertices of the faces to which it is tied, simulation numbering, ascending.
  std::vector<Index> opposite;
  double gap = 0;          // largest gap between the faces at rest [m]
  Triangles faces;         // faces of the following side, simulation numbering, outward
  double until = forever;  // [s]
  double breaks_at = 0;    // mean traction above which it breaks [Pa]; 0: never
  std::string name;        // empty: none

  bool holds_at(double time) const { return time <= until * (1 + 1e-12); }
  bool may_end() const { return until < forever || breaks_at > 0; }
};

// Returns all tied vertices, with the free vertices that they follow directly or through other ties. held: by tie,
// whether it holds; empty: all hold. Throws InputError if ties form a cycle.
Embedding tied_vertices(std::span<const Tie> ties, std::span<const char> held = {});

struct System;
// Returns tied_vertices() of a system, reusing its shared object if possible; null: nothing is tied.
std::shared_ptr<const Embedding> held_vertices(const System& system, std::span<const char> held);
// By tie: whether it holds at `time` [s] if it has not broken; empty: the system has no ties.
std::vector<char> held_at(const System& system, double time);

}  // namespace sinew
