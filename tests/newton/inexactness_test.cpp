#include "sinew/newton/inexactness.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr double forcing = 0.1;

// A direction is solved as well as the model of the one before held, down to a tenth of the forcing.
TEST(Inexactness, TheForcingTermFollowsTheModel) {
  Inexactness inexactness(forcing, 100, 100);
  inexactness.begin_step(0);
  EXPECT_EQ(inexactness.forcing_term(), forcing);
  for (const double model_error : {0.9, 0.03, 0.02, 1e-6, 0.5}) {
    inexactness.accepted(1, model_error);
    EXPECT_EQ(inexactness.forcing_term(), std::min(forcing, std::max(model_error, 0.1 * forcing)));
  }
  inexactness.accepted(1, 1e-6);
  inexactness.begin_step(0);
  EXPECT_EQ(inexactness.forcing_term(), forcing);
}

}  // namespace
}  // namespace sinew
