// Whether surfaces bound a solid: closed, two triangles at each edge, all facing the same way, no crossings.
#pragma once

#include <vector>

#include "surface_input.h"

namespace sinew::mesher {

// Throws InputError with what was found, how often, a place, and whether --robust would help.
void check_surfaces(const std::vector<InputSurface>& surfaces);

// Throws InputError when the surface is a sheet: nothing lies inside of it even where its holes are closed. The surface
// is oriented consistently where it can be.
void check_not_a_sheet(const InputSurface& surface);

// "(0.1, 2, 3)"
std::string place(const Vec3& p);

}  // namespace sinew::mesher
