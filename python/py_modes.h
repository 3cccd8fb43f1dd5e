// Modes as numpy arrays.
#pragma once

#include "module.h"

#include "sinew/model/system.h"

namespace sinew::python {

// (k,) and (3 n, k) in the numbering of the user's meshes.
py::tuple modes_in_user_numbering(const System& system, const VecX& values, const MatX& vectors);

}  // namespace sinew::python
