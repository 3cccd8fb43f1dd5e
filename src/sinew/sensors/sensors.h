// Measures the sensors of a system. Work is summed from step to step; all other numbers depend on one state.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/core/archive.h"
#include "sinew/sensors/contact_patch.h"
#include "sinew/sensors/point_forces.h"

namespace sinew {

// A number of a sensor: "grip.force.x" in "N".
struct SensorColumn {
  std::string name, unit;
};

// The columns of sensors, in the order of their numbers.
std::vector<SensorColumn> sensor_columns(std::span<const Sensor> sensors);

class Sensors {
 public:
  // The system must outlive this.
  explicit Sensors(const System& system);

  bool empty() const { return system_.sensors.empty(); }

  // Call before each step and after it. The work of the step is the mean of a force at its start and end, times the
  // motion of its points.
  void begin_step(SensorSource& source);
  void end_step(SensorSource& source);
  // Call if the state was replaced between steps.
  void forget() { begun_ = false; }

  // The numbers at the state, in the order of sensor_columns().
  std::vector<double> measure(SensorSource& source);

  void save(ArchiveWriter& archive) const;
  // x: the positions of the loaded state.
  void load(const ArchiveReader& archive, const Points& x);

 private:
  void gather_work(SensorSource& source);
  std::size_t number_of(const Sensor& sensor) const {
    return static_cast<std::size_t>(&sensor - system_.sensors.data());
  }
  void read(const Sensor& sensor, const SensorReading& reading, SensorSource& source, std::vector<double>& numbers);
  void read_forces(const Sensor& sensor, const SensorReading& reading, std::vector<double>& numbers);

  const System& system_;
  ForceGatherer gatherer_;
  ContactPatches patches_;
  std::vector<double> work_;                     // by sensor [J]
  std::vector<VecX> volumes_;                    // by sensor: of its tets at rest [m^3]
  std::vector<std::array<Triangles, 2>> sides_;  // by sensor with a gap: faces of its sides
  std::vector<PointForces> at_start_;            // by sensor with work: forces at the start of the step
  Points start_;                                 // positions there
  bool begun_ = false;                           // whether at_start_ and start_ are those of the present state
};

}  // namespace sinew
