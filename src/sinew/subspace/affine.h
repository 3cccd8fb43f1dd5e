// The affine basis of whole bodies (SMS, section 3.4): the coarsest level.
#pragma once

#include "sinew/subspace/sms.h"

namespace sinew {

// One handle for each component that has a free vertex: weight 1, or, where the component has fixed vertices, the
// biharmonic function that is 1 at the middle and 0 at those.
HandleBasis affine_basis(const Domain& domain, SmsReport* report = nullptr);

}  // namespace sinew
