// Declarations that the source files of edits share.
#pragma once

#include "sinew/core/error.h"
#include "sinew/model/edit.h"

namespace sinew {

inline constexpr double least_gas = 1e-6, most_gas = 1e6;  // amounts of a gas over that at the start
inline constexpr double largest_edit = 1e12;               // bound of edited numbers, as for the numbers of a scene
inline constexpr double largest_pull = 1e15;               // bound of a pull's stiffness [N/m]

inline void require_between(const std::string& what, double value, double least, double most) {
  if (!(value >= least && value <= most))
    fail_input(code::edit, "{}: found {:g}, expected {:g} to {:g}", what, value, least, most);
}

inline void require_finite(const std::string& what, const Vec3& value) {
  if (!value.allFinite() || !(value.cwiseAbs().maxCoeff() <= largest_edit))
    fail_input(code::edit, "{}: found ({:g}, {:g}, {:g}), expected finite numbers of at most {:g}", what, value[0],
               value[1], value[2], largest_edit);
}

// Edits of targets, forces, friction and ties (model/edit_control.cpp).
Change edit_target(System& system, const TargetEdit& edit);
Change edit_forces(System& system, const ForceEdit& edit);
Change edit_pair_friction(System& system, const PairFrictionEdit& edit);
Change edit_activation(System& system, const ActivationEdit& edit);
Change edit_tie(System& system, const TieEdit& edit);

// Edits of materials (model/edit_materials.cpp).
void edit_material(System& system, const MaterialEdit& edit);
void edit_curves(System& system, const CurvesEdit& edit);
void edit_fibers(System& system, const FiberEdit& edit);

}  // namespace sinew
