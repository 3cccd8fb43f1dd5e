// Several surfaces as one set of triangles.
#pragma once

#include <vector>

#include "surface_input.h"

namespace sinew::mesher {

// A triangle of an input surface that lies where a joined one does.
struct Owner {
  std::size_t surface;
  Index triangle;
  bool reversed;  // faces the other way
};

struct JoinedSurfaces {
  Points vertices;                         // no two in one place
  Triangles triangles;                     // no two over the same vertices
  std::vector<std::vector<Owner>> owners;  // of each triangle, at least one
};

JoinedSurfaces join(const std::vector<InputSurface>& surfaces);

}  // namespace sinew::mesher
