// Converts planes to numbers and back, for checkpoints.
#pragma once

#include <vector>

#include "sinew/model/collision_mesh.h"

namespace sinew {

// Returns 9 numbers for each plane: point, normal, tangent.
inline std::vector<double> plane_numbers(const std::vector<PlaneState>& planes) {
  std::vector<double> values;
  for (const PlaneState& plane : planes)
    for (const Vec3& v : {plane.point, plane.normal, plane.tangent}) values.insert(values.end(), v.begin(), v.end());
  return values;
}

// Returns the planes of plane_numbers(). Ignores an incomplete plane at the end.
inline std::vector<PlaneState> planes_of_numbers(const std::vector<double>& values) {
  std::vector<PlaneState> planes;
  for (std::size_t p = 0; p + 9 <= values.size(); p += 9) {
    const double* v = values.data() + p;
    planes.push_back({Vec3(v[0], v[1], v[2]), Vec3(v[3], v[4], v[5]), Vec3(v[6], v[7], v[8])});
  }
  return planes;
}

}  // namespace sinew
