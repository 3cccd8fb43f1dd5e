// A contact stencil: up to four vertices, between which the barrier acts on one distance.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/core/types.h"

namespace sinew {

enum class StencilKind : std::uint8_t {
  point_point,          // v0 | v1
  point_edge,           // v0 | v1 v2
  point_triangle,       // v0 | v1 v2 v3
  edge_edge,            // v0 v1 | v2 v3, closest points inside both edges
  edge_edge_mollified,  // v0 v1 | v2 v3, nearly parallel: any distance type, times the mollifier
  point_plane,          // v0 | analytic plane `plane`
};

struct ContactStencil {
  std::array<Index, 4> v{-1, -1, -1, -1};  // vertex ids of the simulation; -1 where the kind has fewer
  StencilKind kind = StencilKind::point_point;
  Index plane = -1;          // point_plane only
  double weight = 0;         // [m^2], the sum over the primitive pairs that share this stencil
  double reach = 0;          // distance at which the barrier begins [m]; 0: dhat
  double offset = 0;         // distance at which the two surfaces touch [m] (CollisionMesh::offset)
  double mollifier_eps = 0;  // [m^4], 1e-3 |E_a|^2 |E_b|^2 of the rest edges; edge_edge_mollified only

  // The number of vertices of the first primitive.
  int first_count() const { return kind == StencilKind::edge_edge || kind == StencilKind::edge_edge_mollified ? 2 : 1; }
  int vertex_count() const {
    switch (kind) {
      case StencilKind::point_plane:
        return 1;
      case StencilKind::point_point:
        return 2;
      case StencilKind::point_edge:
        return 3;
      default:
        return 4;
    }
  }
};

}  // namespace sinew
