// Moves of single vertices, inside or along their surface, to where the worst tet of their star is better.
#pragma once

#include "improve.h"
#include "stars.h"

namespace sinew::mesher {

// Moves corners of t until its smallest sine reaches the goal; whether any moved.
bool move_corners(Stars& stars, Index t, double goal, const ImproveOptions& options);

}  // namespace sinew::mesher
