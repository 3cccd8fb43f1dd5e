#include "sinew/model/rotating_frame.h"

#include "sinew/core/parallel.h"

namespace sinew {

void add_spin_to_predictor(const System& system, bool displacements, StepContext& context) {
  if (!context.inertia || context.spin_across.cols() == 0) return;
  const SpinSetup& spin = *system.setup.spin;
  const Mat3 A = spin.cross(), P = spin.across();
  const double euler = -context.scale * context.spin_up;
  parallel_for(
      system.dynamic_count,
      [&](std::size_t i) {
        Vec3 across = context.spin_across.col(i) - euler * spin.center;
        if (displacements) across += euler * system.rest.col(i);
        context.predictor.col(i) += A * across + P * context.spin_along.col(i);
      },
      4096);
}

}  // namespace sinew
