// Flips: the tets at an edge or a face give way to others between the same vertices.
#pragma once

#include "stars.h"

namespace sinew::mesher {

// Offers every flip of an edge or a face of t. None moves a surface by more than `deviation` [m].
void offer_flips(const Stars& stars, Index t, double deviation, Change& best);

}  // namespace sinew::mesher
