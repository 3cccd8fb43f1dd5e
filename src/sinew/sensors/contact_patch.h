// The area and pressures of a contact, from the normal forces on vertices.
#pragma once

#include <optional>

#include "sinew/mesh/consistent_loads.h"
#include "sinew/mesh/surface.h"
#include "sinew/sensors/point_forces.h"

namespace sinew {

// The area of the vertices with a normal force, projected along this force. Pressure is the force of a vertex over its
// area; the mean is over the area. Around a bore forces cancel, pressures do not.
struct ContactPatch {
  double area = 0;           // [m^2]
  double mean_pressure = 0;  // [Pa]
  double peak_pressure = 0;  // [Pa]
};

class ContactPatches {
 public:
  // The system must outlive this.
  explicit ContactPatches(const System& system) : system_(system) {}

  ContactPatch patch(const PointForces& normal, SensorSource& source);

 private:
  double area(Index vertex, const Vec3& direction, SensorSource& source);

  const System& system_;
  std::optional<Incidence> triangles_;          // of the collision mesh around each vertex
  std::vector<std::array<double, 3>> weights_;  // of the samples of a triangle
  std::optional<EdgeEnds> edge_nodes_;          // of ten-node tets
};

}  // namespace sinew
