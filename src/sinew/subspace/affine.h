// The affine basis of whole bodies (SMS, section 3.4): the coarsest level.
#pragma once

#include "sinew/subspace/sms.h"

namespace sinew {

// Makes a handle for each component with a free vertex. Its weight is 1, or, if the component has fixed vertices, the
// biharmonic function that is 1 at the centre and 0 at fixed vertices.
HandleBasis affine_basis(const Domain& domain, SmsReport* report = nullptr);

}  // namespace sinew
