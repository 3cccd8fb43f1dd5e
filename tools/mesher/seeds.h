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
  std::vector<Crossing> crossings;
  std::vector<double> volumes;  // of each label, 0 first, by counting [m^3]
};

// Of the crossings in a cube of side `spread` the first of each pair of labels.
std::vector<Crossing> thinned(const std::vector<Crossing>& crossings, double spread);

// `pitch` of the grid [m] must be well below the thickness of the thinnest part for all to be found. The crossings are
// thinned.
Survey survey(const Solid& solid, double pitch, double spread);

}  // namespace sinew::mesher
