// What changes between steps have made of a system since it was built, so that they can be made again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/material/model.h"
#include "sinew/model/changes.h"
#include "sinew/model/system.h"

namespace sinew {

// Of prescribed vertices: when those of the scene are let go, and those that were held while the simulation ran.
struct PinRecord {
  std::vector<double> until;       // [s], in the order of System::prescribed
  std::vector<Index> held;         // simulation numbering
  Points offset;                   // 3 x held: from rest [m]
  std::vector<double> held_until;  // [s]
};

struct LoadRecord {
  Vec3 vector = Vec3::Zero();
  double pressure = 0;
};

struct SpringRecord {
  Vec3 point = Vec3::Zero();
  double stiffness = 0;
};

// The last value of everything that was changed.
struct ChangeRecord {
  std::optional<Vec3> gravity;
  std::optional<double> time_step, friction;
  std::optional<int> iterations;
  std::optional<std::string> method;
  std::map<std::string, UserParameters> materials;  // by name
  std::map<std::string, UserCurves> curves;         // by the name of the material
  std::map<std::string, FiberValues> fibers;        // likewise
  std::optional<std::vector<Pull>> pulls;
  std::map<std::size_t, LoadRecord> loads;
  std::map<std::size_t, SpringRecord> springs;
  std::optional<PinRecord> pins;

  bool empty() const;
  void add_material(const std::string& name, UserParameters parameters);
  std::vector<Change> kinds() const;  // without the method
};

PinRecord pins_of(const System& system);

// Makes the changes again, on a system as it was built or one where some of them are made already; not the method,
// which a stepper has to follow. Throws InputError where one makes no sense, naming its entry after `place`.
void make_changes(System& system, const ChangeRecord& record, const std::string& place);

}  // namespace sinew
