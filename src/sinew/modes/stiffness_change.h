// The change of a body's stiffness at rest under small displacements: (H : u) v with the third derivatives H of the
// elastic energy (EP, equation 8; Barbic and James 2005).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/material/third_order.h"
#include "sinew/model/system.h"
#include "sinew/modes/rest_body.h"

namespace sinew {

class StiffnessChange {
 public:
  StiffnessChange(const System& system, const RestBody& body);

  // Column k is (H : w_a) w_b = d2 f(s w_a + t w_b) / ds dt at rest, where pairs[k] = (a, b) are two columns of W. Here
  // f is the gradient of the elastic energy. W has 3 rows for each vertex of the body, interleaved. The columns are
  // zero at prescribed coordinates, and symmetric in a and b. Deterministic for any number of threads.
  MatX loads(const MatX& W, std::span<const std::pair<Index, Index>> pairs) const;

 private:
  struct RestTet {
    Index corner[4];   // vertices of the body; -1: fixed
    double shape[12];  // gradients of its four hat functions [1/m]
    double volume;     // [m^3]
    Index constants;   // index into constants_
    double fiber[4];   // direction, and stiffness [Pa]; 0 without fibers
  };

  const RestBody& body_;
  std::vector<RestTet> tets_;
  std::vector<ThirdOrderConstants> constants_;
};

}  // namespace sinew
