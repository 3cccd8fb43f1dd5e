// The sensors of a scene as linear functions of a small harmonic motion.
#pragma once

#include <string>
#include <vector>

#include "sinew/model/system.h"

namespace sinew {

using ComplexVector = Eigen::VectorXcd;

// The numbers of sensors that read displacements, positions or velocities of points, bodies, fixes and loads, or forces
// of fixes. Each is a complex amplitude: its real part is in phase with the load.
class LinearSensors {
 public:
  // Other quantities are left out with a warning that names them. Throws InputError if none remains. The system must
  // outlive this.
  explicit LinearSensors(const System& system);

  struct Column {
    std::string name, unit;
  };
  const std::vector<Column>& columns() const { return columns_; }
  // Whether measure() needs forces.
  bool reads_forces() const { return reads_forces_; }

  // u: displacements of all vertices, 3 body_vertex_count() rows. reactions: forces on prescribed coordinates [N], 3
  // dynamic_count rows; may be empty unless reads_forces(). omega [1/s].
  ComplexVector measure(const ComplexVector& u, const ComplexVector& reactions, double omega) const;

 private:
  enum class Source { displacement, velocity, reaction };
  struct Row {  // the number is the sum of weight times coordinate
    Source source;
    std::vector<std::pair<Index, double>> entries;
  };
  bool linear(const Sensor& sensor, const SensorReading& reading) const;
  void add(const Sensor& sensor, const SensorReading& reading);
  std::vector<std::pair<Index, double>> weights(const Sensor& sensor, int axis) const;
  std::vector<std::pair<Index, double>> reaction_rows(const Sensor& sensor, int axis) const;

  const System& system_;
  std::vector<Row> rows_;
  std::vector<Column> columns_;
  bool reads_forces_ = false;
};

}  // namespace sinew
