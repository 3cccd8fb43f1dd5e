// Triangles that face different ways made to face outwards, as far as that can be told.
#pragma once

#include "surface_input.h"

namespace sinew::mesher {

struct Turned {
  Index triangles = 0;        // turned in all
  Index inconsistent = 0;     // of those, to agree with their neighbours
  Index left_open_parts = 0;  // too many to find out which way they face
  bool one_sided = false;     // a part like a Moebius strip: no way to face is right all over it
};

// Within a part (triangles joined by edges of two) all come to face the way most of its area does. An open part is then
// turned when rays say that its front is inside; closed parts keep their sides, unless they face inwards on the whole.
Turned orient(InputSurface& surface);

}  // namespace sinew::mesher
