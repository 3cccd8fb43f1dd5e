// Everything that may change in a System between steps, as one variant. An edit holds the whole present value of its
// subject. The last edit of each subject therefore leads from the built system to the present one.
#pragma once

#include <compare>
#include <map>
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

// A row of model/live_scalars.h.
struct ScalarEdit {
  std::string key;
  std::vector<double> value;
};

// Replaces the curves of a model that has curves.
struct CurvesEdit {
  std::string material;
  UserCurves curves;
};

// All parameters of the material's model (as material_parameters of a scene, without the density), one value each or
// one for each of its tets in the user's order. Thickness and bending of cloth stay if they are not given.
struct MaterialEdit {
  std::string material;
  UserParameters parameters;
};

// Fibers of a material: one value for all of its tets, or one for each in the user's order.
struct FiberValues {
  std::vector<double> stiffness;           // [Pa]; 0: none
  Points direction = Vec3(Vec3::UnitX());  // 3 x (1 or tets), of any length but zero
};
struct FiberEdit {
  std::string material;
  FiberValues fibers;
};

// The value of load `load`, in the order of bodies and their loads: its vector [Pa, N], or its pressure [Pa]. The value
// of the other kind must be zero.
struct LoadEdit {
  std::size_t load = 0;
  Vec3 vector = Vec3::Zero();
  double pressure = 0;
};

// The fixed end [m] and the stiffness [N/m] of spring `spring` of the scene (one for each vertex).
struct SpringEdit {
  std::size_t spring = 0;
  Vec3 point = Vec3::Zero();
  double stiffness = 0;
};

// Starts, moves or changes a pull; without `pull` its owner lets go.
struct PullEdit {
  PullKey who;
  std::optional<Pull> pull;
};

// Times at which prescribed vertices of the scene are released, and vertices that were prescribed during the run.
struct PrescribedEdit {
  std::vector<double> until;           // [s], in the order of System::prescribed
  std::vector<Index> vertices;         // simulation numbering
  Points offset;                       // 3 x vertices: from rest [m]
  std::vector<double> vertices_until;  // [s]
};

// Changes the method. The caller resolves "auto".
struct MethodEdit {
  std::string method;
};

using Edit = std::variant<ScalarEdit, CurvesEdit, MaterialEdit, FiberEdit, LoadEdit, SpringEdit, PullEdit,
                          PrescribedEdit, MethodEdit>;

// Applies the edit and returns which kind of change methods must follow. Throws InputError, and changes nothing, if a
// value makes no sense. After edits of materials an automatic contact stiffness is updated.
Change apply(System& system, const Edit& edit);

// Edits that release vertices from `time` on, or hold them at their places in x (simulation numbering) after `time`,
// whatever was prescribed before.
PrescribedEdit released(const System& system, const std::vector<Index>& vertices, double time);
PrescribedEdit prescribed_at(const System& system, const std::vector<Index>& vertices, const Points& x, double time);
// Whether the edit prescribes another set of vertices than earlier edits.
bool prescribes_others(const System& system, const PrescribedEdit& edit);

// Throws InputError unless a value is given (vector, pressure) and is of the load's kind alone.
void require_load_values(const System& system, std::size_t load, bool vector, bool pressure);
void require_fibers(const System& system, const std::string& material, const FiberValues& fibers);
// The present fibers of a material, one value or one for each of its tets; stiffness 0: none.
FiberValues fibers_of(const System& system, const std::string& material);
// The stiffness [N/m] of a pull that moves its body as fast as steps resolve, and bends it little: the body's mass over
// the square of 5 steps.
double pull_stiffness(const System& system, Index vertex);

// The last edit of every subject, in the order in which edits are applied again. Pulls are in the System itself.
class Edits {
 public:
  void add(const Edit& edit);
  bool empty() const { return edits_.empty(); }

  // The edit of the same subject; null: there is none.
  template <class Kind>
  const Kind* find(const Kind& like) const {
    const auto found = edits_.find(subject_of(like));
    return found == edits_.end() ? nullptr : &std::get<Kind>(found->second);
  }

  // Applies the edits to a system as it was built, or to one where some of them are applied already. Throws InputError
  // if one makes no sense, naming its entry after `place`.
  std::set<Change> make(System& system, const std::string& place) const;

  // Writes the edits to a folder of the archive, "changes/" for instance.
  void save(ArchiveWriter& archive, const std::string& folder, const System& system) const;
  // The edits in `folder` of a checkpoint; none if it has none. Throws InputError naming the file and the entry where
  // one is damaged. make() checks the values against the system.
  static Edits load(const ArchiveReader& archive, const std::string& folder, const System& system);

 private:
  struct Subject {
    std::size_t kind = 0;  // of the variant
    std::string name;
    std::size_t number = 0;
    auto operator<=>(const Subject&) const = default;
  };
  static Subject subject_of(const Edit& edit);

  std::map<Subject, Edit> edits_;
};

// Pulls in a checkpoint. Loaded pulls replace those of the system; they belong to a script and have the numbers of
// their vertices, or the next free number.
void save_pulls(ArchiveWriter& archive, const std::string& folder, const System& system);
bool holds_pulls(const ArchiveReader& archive, const std::string& folder);
void load_pulls(const ArchiveReader& archive, const std::string& folder, System& system);

}  // namespace sinew
