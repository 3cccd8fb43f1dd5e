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

// Fibers of a material: one value for all of its tets, or one for each in the user's order.
struct FiberValues {
  std::vector<double> stiffness;           // [Pa]
  Points direction = Vec3(Vec3::UnitX());  // 3 x (1 or tets), of any length but zero
};

// Each throws InputError, and changes nothing, where a value makes no sense.
void change_gravity(System& system, const Vec3& gravity);
void change_time_step(System& system, double step);  // [s]; not in statics
void change_budget(System& system, int iterations);  // solver.iterations
// contact.friction: of all pairs without a coefficient of their own.
void change_friction(System& system, double coefficient);
// All parameters of the material's model (as material_parameters of a scene, without the density), one value each or
// one for each of its tets in the user's order; the contact stiffness that is left to the scene follows.
void change_material(System& system, const std::string& name, const UserParameters& parameters);
// Another instance of the material's model, which has curves; the contact stiffness as above.
void change_material_model(System& system, const std::string& name, SharedModel model);
// The same with an instance that is made of curves.
void change_material_curves(System& system, const std::string& name, const UserCurves& curves);
// The fibers of the material, in the place of those it had; stiffness 0: none.
void change_fibers(System& system, const std::string& name, const FiberValues& fibers);
// The same without the change.
void require_fibers(const System& system, const std::string& name, const FiberValues& fibers);
// The fibers of a material as they are, one value or one for each of its tets; stiffness 0: none.
FiberValues fibers_of(const System& system, const std::string& name);
// In the place of all earlier ones.
void change_pulls(System& system, const std::vector<Pull>& pulls);
// Of load `load` of the scene in the order of bodies and their loads: its vector [Pa, N], or pressure [Pa]. The value
// of the other kind must be zero.
void change_load(System& system, std::size_t load, const Vec3& vector, double pressure);
// Throws InputError unless a value is given (vector, pressure) and is of the load's kind alone.
void require_load_values(const System& system, std::size_t load, bool vector, bool pressure);
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
