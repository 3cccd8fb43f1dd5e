// The geometry of contact: surface vertices, edges and triangles of all bodies and mesh obstacles, and analytic planes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// How often a triangle stands for its edges 01, 12, 20 and for its corners in the inclusion-exclusion sum over a
// surface (contact/sample_stencils.h). Each edge and each corner has one triangle that stands for it.
struct FeatureSigns {
  std::array<std::int8_t, 3> edge{}, corner{};
};

// Vertex ids are those of the simulation. Vertices [0, dynamic_count) belong to deformable bodies. The others are
// kinematic (obstacles): distances include them, but they have no equations.
struct CollisionMesh {
  Index dynamic_count = 0;

  std::vector<Index> vertices;            // surface vertices, ascending
  Edges edges;                            // 2 x e, smaller id first
  Triangles triangles;                    // 3 x f, outward
  std::vector<double> vertex_area;        // by surface vertex [m^2]: a third of the rest area of the incident triangles
  std::vector<double> edge_area;          // by edge [m^2]: a third of the rest area of the incident triangles
  std::vector<double> edge_rest_length2;  // by edge [m^2]

  // Convergent contact only (model/surface_samples.h): sample points inside the bodies' triangles. Sample s is vertex
  // sample_begin + s and follows the corners sample_corners.col(s). Samples are among `vertices`; the area of each is
  // its share of the triangle's area.
  Index sample_begin = 0;
  Triangles sample_corners;           // 3 x samples, triangle by triangle
  int samples_of_triangle = 0;        // number of samples of each triangle
  std::vector<double> sample_share;   // owners x owners, row-major: share of the pressure that samples of the row carry
  std::vector<FeatureSigns> feature;  // by triangle

  // Arrays by vertex id, over all vertices of the simulation.
  std::vector<Index> vertex_owner;     // body id, or bodies + obstacle id
  std::vector<Index> vertex_material;  // row in `friction`

  // Whether primitives of two owners may touch: owners x owners, row-major, symmetric. The diagonal is self-contact.
  Index owner_count = 0;
  std::vector<char> may_touch;
  std::vector<std::string> owner_names;
  // By owner: distance of its contact surface from its mesh [m]; empty: none has one. See offset().
  std::vector<double> owner_offset;

  // Tied surfaces, which do not touch each other. Tie t has the sides 2 t and 2 t + 1. Vertex v is on the sides
  // glue[glue_begin[v]] to glue[glue_begin[v + 1] - 1]. Both arrays are empty without ties.
  std::vector<Index> glue_begin, glue;

  // Coefficient of friction between two materials; materials x materials, row-major, symmetric.
  Index material_count = 0;
  std::vector<double> friction;
  std::vector<char> own_friction;  // by pair: whether the setup gives the pair its own coefficient

  // Analytic half-spaces. Bodies stay where normal . (x - point) > 0.
  struct Plane {
    Index owner = 0;
    Index material = 0;
  };
  std::vector<Plane> planes;

  bool kinematic(Index vertex) const { return vertex >= dynamic_count; }
  bool has_samples() const { return sample_corners.cols() > 0; }
  bool is_sample(Index vertex) const {
    return vertex >= sample_begin && vertex < sample_begin + static_cast<Index>(sample_corners.cols());
  }
  // Whether two primitives, given by the ids of their vertices, share a vertex. A sample counts as its triangle.
  template <std::size_t A, std::size_t B>
  bool adjacent(const std::array<Index, A>& a, const std::array<Index, B>& b) const {
    if constexpr (A == 1) {
      if (is_sample(a[0])) {
        const auto corners = sample_corners.col(a[0] - sample_begin);
        return adjacent(std::array<Index, 3>{corners[0], corners[1], corners[2]}, b);
      }
    }
    if constexpr (B == 1 && A != 1) return adjacent(b, a);
    bool shared = false;
    for (const Index i : a)
      for (const Index j : b) shared |= i == j;
    return shared;
  }
  bool owners_may_touch(Index a, Index b) const {
    return may_touch[static_cast<std::size_t>(a) * owner_count + b] != 0;
  }
  // The distance at which two owners touch [m].
  double offset(Index a, Index b) const { return owner_offset.empty() ? 0 : owner_offset[a] + owner_offset[b]; }
  // Whether two primitives, given by their vertices, are on the two sides of a tie. held: by tie, whether it still
  // holds; empty: all hold.
  bool glued(std::span<const Index> a, std::span<const Index> b, std::span<const char> held = {}) const {
    if (glue_begin.empty()) return false;
    for (const Index i : a)
      for (const Index side : glue_of(i))
        for (const Index j : b)
          for (const Index other : glue_of(j))
            if (other == (side ^ 1) && (held.empty() || held[side / 2])) return true;
    return false;
  }
  std::span<const Index> glue_of(Index vertex) const {
    return {glue.data() + glue_begin[vertex], static_cast<std::size_t>(glue_begin[vertex + 1] - glue_begin[vertex])};
  }
};

// The state of an analytic plane at one time.
struct PlaneState {
  Vec3 point;   // [m]
  Vec3 normal;  // unit
  // Unit vector in the plane that moves with it; zero: rotations about the normal are unknown.
  Vec3 tangent = Vec3::Zero();
};

}  // namespace sinew
