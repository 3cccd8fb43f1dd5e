// What may change in a System between steps, while a simulation runs on it. Methods are told by Stepper::adapt().
#pragma once

#include <string>
#include <vector>

#include "sinew/material/model.h"
#include "sinew/model/system.h"

namespace sinew {

enum class Change { gravity, time_step, budget, friction, materials, springs, pulls, loads, pins };

// A spring without length between a vertex and a place that a user chooses.
struct Pull {
  Index vertex = 0;  // simulation numbering
  Vec3 target = Vec3::Zero();
  double stiffness = 0;  // [N/m]
};

// Each throws InputError, and changes nothing, where a value makes no sense.
void change_gravity(System& system, const Vec3& gravity);
void change_time_step(System& system, double step);  // [s]; not in statics
void change_budget(System& system, int iterations);  // solver.iterations
// contact.friction: of all pairs without a coefficient of their own.
void change_friction(System& system, double coefficient);
// All parameters of the material's model, one value each (as material_parameters of a scene, without the density); the
// contact stiffness that is left to the scene follows.
void change_material(System& system, const std::string& name, const UserParameters& parameters);
// Another instance of the material's model, which has curves; the contact stiffness as above.
void change_material_model(System& system, const std::string& name, SharedModel model);
// The same with an instance that is made of curves.
void change_material_curves(System& system, const std::string& name, const UserCurves& curves);
// In the place of all earlier ones.
void change_pulls(System& system, const std::vector<Pull>& pulls);
// Of load `load` of the scene in the order of bodies and their loads: its vector [Pa, N], or pressure [Pa].
void change_load(System& system, std::size_t load, const Vec3& vector, double pressure);
// Of spring `spring` of the scene's (one for each vertex): where a fixed end is [m], and its stiffness [N/m].
void change_spring(System& system, std::size_t spring, const Vec3& point, double stiffness);
// Prescribed vertices are let go from `time` on.
void release_pins(System& system, const std::vector<Index>& vertices, double time);
// Vertices are held where they are in x (simulation numbering) after `time`, in the place of what was prescribed.
void hold_vertices(System& system, const std::vector<Index>& vertices, const Points& x, double time);

// One of them, at an offset from its rest position [m] until a time [s].
void add_held_vertex(System& system, Index vertex, const Vec3& offset, double until);

// The stiffness [N/m] of a pull that moves its body as fast as steps resolve, and bends it little: the body's mass over
// the square of 5 steps.
double pull_stiffness(const System& system, Index vertex);

}  // namespace sinew
