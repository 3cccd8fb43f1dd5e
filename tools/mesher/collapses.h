// Collapses: a vertex goes into another one at the other end of a short edge.
#pragma once

#include "stars.h"

namespace sinew::mesher {

// Offers the collapse of every short edge of t, both ways. None moves a surface by more than `deviation` [m].
void offer_collapses(const Stars& stars, Index t, double deviation, Change& best);

}  // namespace sinew::mesher
