// Makes the edits that control parts of a scene between steps (model/edit.h): fixes, obstacles, forces, springs, loads,
// friction and ties. Finds these parts by name or number.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/model/edit.h"
#include "sinew/model/system.h"

namespace sinew {

// A part of a scene: its name, or its number in its list, from 0.
using PartName = std::variant<std::string, std::int64_t>;

// Each throws InputError naming the known parts.
Index find_body(const System& system, const PartName& body);
Index find_obstacle(const System& system, const PartName& obstacle);
Index find_fix(const System& system, Index body, const PartName& fix);
std::size_t find_load(const System& system, Index body, const PartName& load);  // index in System::loads
// Returns the springs of an entry, one for each of its vertices, as indices in System::springs.
std::vector<std::size_t> find_springs(const System& system, Index body, const PartName& spring);
std::size_t find_tie(const System& system, const PartName& tie);
std::size_t find_friction_row(const System& system, const std::string& name);

// The motion of a fix or an obstacle in a step. Exactly one is given.
struct Target {
  std::optional<Points> positions;       // at the end, 3 x vertices [m]
  std::optional<Course::Map> transform;  // at the end, a map of rest positions
  std::optional<Vec3> velocity;          // from the start on [m/s]; in statics a displacement by load
};

// The step in which a target is reached.
struct StepSpan {
  double begin = 0, end = 0;  // [s]
  bool in_subspace = false;   // of a method whose prescribed vertices move by affine maps alone
  bool rigid = false;         // of a method whose prescribed vertices move by rigid maps alone
};

// Moves linearly from the present place to the target, and stays there, or goes on with the velocity. The vertices of
// positions are those of the fix in the order of its selection, or all vertices of the obstacle's mesh. Throws
// InputError if the vertices do not follow the fix at the end of the step, or if the method cannot follow the target.
// An obstacle must keep its shape under `transform`.
TargetEdit fix_target(const System& system, Index body, Index fix, const Target& target, const StepSpan& span);
TargetEdit obstacle_target(const System& system, Index obstacle, const Target& target, const StepSpan& span);

// Whether a subspace that was made before the edit cannot follow it: it has no motion there, or one without turns.
bool needs_new_subspace(const System& system, const TargetEdit& edit);

// Adds forces (3 x vertices [N]) to those that were added for the same step. vertices: simulation numbering.
ForceEdit added_force(const System& system, std::span<const Index> vertices, const Points& forces,
                      const StepSpan& span);

// AddedForces::until of forces that act in a step.
double forces_until(const StepSpan& span);

// Changes of all springs of an entry. Values that are not given stay.
struct SpringChange {
  std::optional<double> length, stiffness;  // [m], [N/m]
  std::optional<Vec3> point;                // [m]
};
std::vector<Edit> spring_edits(const System& system, Index body, const PartName& spring, const SpringChange& change);

// Sets a load of this kind; throws InputError for another kind. pressure: of a gas its amount.
LoadEdit load_edit(const System& system, Index body, const PartName& load, LoadKind kind, const Vec3& vector,
                   double pressure);

PairFrictionEdit pair_friction(const System& system, const std::string& a, const std::string& b, double coefficient);

// Releases a tie after `time` [s]. The tie must have an end in the scene (until, breaks_at).
TieEdit released_tie(const System& system, const PartName& tie, double time);

}  // namespace sinew
