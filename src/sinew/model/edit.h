// All changes that a System allows, as one variant. An edit contains the complete current value of its subject. The
// last edit of each subject therefore leads from the system as built to the current one.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/material/model.h"
#include "sinew/model/change.h"
#include "sinew/model/system.h"

namespace sinew {

// Sets a number that has a row in model/live_scalars.h.
struct ScalarEdit {
  std::string key;
  std::vector<double> value;
};

// Replaces the curves of a material whose model has curves.
struct CurvesEdit {
  std::string material;
  UserCurves curves;
};

// Sets all parameters of the material's model (as material_parameters of a scene, without the density). Each has one
// value, or one for each of the material's tets in the user's order. Thickness and bending of cloth stay if they are
// not given.
struct MaterialEdit {
  std::string material;
  UserParameters parameters;
};

// Fibers of a material: one value for all of its tets, or one for each tet in the user's order.
struct FiberValues {
  std::vector<double> stiffness;           // [Pa]; 0: none
  Points direction = Vec3(Vec3::UnitX());  // 3 x (1 or tets), of any nonzero length
};
struct FiberEdit {
  std::string material;
  FiberValues fibers;
};

// Sets the value of load `load`, counted over bodies and their loads: its vector [Pa, N], or its pressure [Pa]. The
// value of the other kind must be zero. For a gas, `pressure` is the amount over that at the start.
struct LoadEdit {
  std::size_t load = 0;
  Vec3 vector = Vec3::Zero();
  double pressure = 0;
};

// Sets the fixed end [m], the stiffness [N/m] and the length [m] of spring `spring` of the scene. A spring of the scene
// counts once for each of its vertices. A spring between bodies has no point.
struct SpringEdit {
  std::size_t spring = 0;
  Vec3 point = Vec3::Zero();
  double stiffness = 0;
  std::optional<double> length = {};  // none: the length stays
  bool keeps_point = false;           // the point stays, or moves on as in the scene
};

// Moves a fix or an obstacle (model/control.h), whose index in System::motions is `motion`. Without a course it moves
// as in the scene again.
struct TargetEdit {
  std::size_t motion = 0;
  std::shared_ptr<const Course> course;
};

// Sets the forces of the next step, without vertices: none.
struct ForceEdit {
  AddedForces added;
};

// Sets the coefficient of friction of two entries of System::friction_names.
struct PairFrictionEdit {
  std::size_t a = 0, b = 0;
  double coefficient = 0;
};

// Releases a tie after `until` [s].
struct TieEdit {
  std::size_t tie = 0;
  double until = forever;
};

// Starts, moves or changes a pull. Without `pull`, ends it.
struct PullEdit {
  PullKey who;
  std::optional<Pull> pull;
};

// Sets the times at which prescribed vertices of the scene are released, and the vertices that were prescribed during
// the run.
struct PrescribedEdit {
  std::vector<double> until;           // [s], in the order of System::prescribed
  std::vector<Index> vertices;         // simulation numbering
  Points offset;                       // 3 x vertices, displacement from rest [m]
  std::vector<double> vertices_until;  // [s]
};

// Changes the method. `method` must not be "auto".
struct MethodEdit {
  std::string method;
};

// Sets the activation, 0 to 1, of a material's fibers.
struct ActivationEdit {
  std::string material;
  double activation = 0;
};

using Edit = std::variant<ScalarEdit, CurvesEdit, MaterialEdit, FiberEdit, LoadEdit, SpringEdit, PullEdit,
                          PrescribedEdit, MethodEdit, TargetEdit, ForceEdit, PairFrictionEdit, TieEdit, ActivationEdit>;

// Applies the edit and returns the kind of change to which methods must adapt. Throws InputError, and changes nothing,
// if a value is invalid. Edits of materials also update an automatic contact stiffness.
Change apply(System& system, const Edit& edit);

// Returns an edit that releases vertices from `time` [s] on. The edit of prescribed_at() instead holds them at their
// positions in x (simulation numbering) after `time`, even if they were prescribed otherwise before.
PrescribedEdit released(const System& system, const std::vector<Index>& vertices, double time);
PrescribedEdit prescribed_at(const System& system, const std::vector<Index>& vertices, const Points& x, double time);
// Whether the edit prescribes another set of vertices than the edits before.
bool prescribes_others(const System& system, const PrescribedEdit& edit);

// Throws InputError unless exactly one value is given (vector or pressure), and is of the load's kind.
void require_load_values(const System& system, std::size_t load, bool vector, bool pressure);
void require_fibers(const System& system, const std::string& material, const FiberValues& fibers);
// Returns the current fibers of a material: one value, or one for each of its tets; stiffness 0: none.
FiberValues fibers_of(const System& system, const std::string& material);
// Returns the stiffness [N/m] of a pull that moves its body as fast as steps resolve and bends it little: the body's
// mass over the square of 5 steps.
double pull_stiffness(const System& system, Index vertex);

// The last edit of every subject, in the order in which they must be applied again. Pulls are stored in the System
// itself.
class Edits {
 public:
  void add(const Edit& edit);
  bool empty() const { return edits_.empty(); }
  std::vector<Edit> all() const;

  // Returns the stored edit of the same subject as `like`, or null.
  template <class Kind>
  const Kind* find(const Kind& like) const {
    const auto found = edits_.find(subject_of(like));
    return found == edits_.end() ? nullptr : &std::get<Kind>(found->second);
  }

  // Applies the edits to a system as built, or to one to which some of them are applied already. Throws InputError if
  // an edit is invalid; the message names its entry after `place`.
  std::set<Change> make(System& system, const std::string& place) const;

  // Writes the edits to a folder of the archive, for example "changes/".
  void save(ArchiveWriter& archive, const std::string& folder, const System& system) const;
  // Reads the edits in `folder` of a checkpoint; empty if there are none. Throws InputError naming the file and the
  // entry if an entry is damaged. make() checks the values against the system.
  static Edits load(const ArchiveReader& archive, const std::string& folder, const System& system);

 private:
  struct Subject {
    std::size_t kind = 0;  // index in the variant
    std::string name;
    std::size_t number = 0;
    auto operator<=>(const Subject&) const = default;
  };
  static Subject subject_of(const Edit& edit);

  std::map<Subject, Edit> edits_;
};

// Saves and loads the pulls of a checkpoint. Loaded pulls replace those of the system. They belong to a script, and
// have the numbers of their vertices or the next free numbers.
void save_pulls(ArchiveWriter& archive, const std::string& folder, const System& system);
bool holds_pulls(const ArchiveReader& archive, const std::string& folder);
void load_pulls(const ArchiveReader& archive, const std::string& folder, System& system);

}  // namespace sinew
