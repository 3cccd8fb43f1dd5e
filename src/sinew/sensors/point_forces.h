// Forces on a few vertices: those that a fix, a load, a spring, a tie or an obstacle exerts.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/gas.h"
#include "sinew/potential/moment.h"
#include "sinew/potential/pressure.h"
#include "sinew/potential/springs.h"
#include "sinew/sensors/sensor_source.h"

namespace sinew {

struct PointForces {
  std::vector<Index> vertices;  // a vertex may come several times
  std::vector<Vec3> forces;     // [N]

  void add(Index vertex, const Vec3& force);
  Vec3 sum() const;
  Vec3 moment(const Points& x, const Vec3& about) const;         // [N m]
  double work(const Points& before, const Points& after) const;  // over the motion between two positions [J]
};

// Gathers the forces that sensors measure, all at one state.
class ForceGatherer {
 public:
  // The system must outlive this.
  explicit ForceGatherer(const System& system);

  // Call when the source's state has changed.
  void begin(SensorSource& source);

  // All forces of a sensor of forces, of normal forces alone or of friction alone. Forces of a contact are those on its
  // first side.
  enum class Part { all, normal, friction };
  const PointForces& forces(const Sensor& sensor, Part part = Part::all);

 private:
  void add_fix(const Sensor& sensor, PointForces& to);
  void add_load(const Sensor& sensor, PointForces& to);
  void add_follower_loads(const Sensor& sensor, PointForces& to);
  void add_springs(const Sensor& sensor, PointForces& to);
  void add_tie(const Sensor& sensor, PointForces& to);
  void add_contacts(const Sensor& sensor, Part part, PointForces& to);
  double ramp() const;

  const System& system_;
  SensorSource* source_ = nullptr;
  PressureEnergy pressure_;
  GasEnergy gas_;
  MomentEnergy moment_;
  SpringEnergy springs_;
  std::optional<Points> reactions_, ties_;
  std::optional<std::vector<ContactForce>> contacts_;
  std::map<std::pair<const Sensor*, Part>, PointForces> gathered_;  // since begin()
};

// The body or obstacle of a side of a contact, as CollisionMesh::vertex_owner counts them.
Index owner_of(const System& system, const SensorPlace& place);

}  // namespace sinew
