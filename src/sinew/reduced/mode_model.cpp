#include "sinew/reduced/mode_model.h"

#include <utility>

#include "sinew/reduced/mode_gradients.h"
#include "sinew/reduced/mode_kinematics.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

void add_modes(const System& system, double time, ReducedModel& model) {
  auto kinematics = std::make_unique<ModeKinematics>(system, model.basis, *model.points);
  model.gradients = std::make_unique<ModeGradients>(system, kinematics->parts(), kinematics->frames(),
                                                    model.basis->point_part, *model.points);
  model.energies = kinematics->make_energies(time);
  model.kinematics = std::move(kinematics);
}

}  // namespace sinew
