// Points from which the refinement of a solid starts, such that it misses no part.
#pragma once

#include <vector>

#include "solid.h"

namespace sinew::mesher {

// Two neighbours in a grid over the bounds with different labels: a surface passes between them.
struct Crossing {
  Vec3 from, to;
  int label_from, label_to;
};

struct Survey {
  std::vector<Crossing> crossings;  // at most one for each pair of labels in a cube of side `spread`
  std::vector<double> volumes;      // of each label, 0 first, by counting [m^3]
};

// `pitch` of the grid [m] must be well below the thickness of the thinnest part for all to be found.
Survey survey(const Solid& solid, double pitch, double spread);

}  // namespace sinew::mesher
