// Mass, momenta and rigid motion of single bodies: sums over the masses with equations.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/system.h"

namespace sinew {

// The masses of a body that have equations. Density and mesh never change.
struct BodyMasses {
  std::vector<Index> vertices;  // simulation numbering, ascending
  double total = 0;             // [kg]
  Vec3 rest_center = Vec3::Zero();
};

// The masses of all bodies, found at the first question and shared by copies of a simulation.
class BodyMassTable {
 public:
  const BodyMasses& of(const System& system, Index body);

 private:
  std::once_flag once_;
  std::vector<BodyMasses> bodies_;
};

struct BodyPlace {
  Vec3 center = Vec3::Zero(), rest_center = Vec3::Zero();  // of mass [m]
  // sum m (x - c)(X - C)^T [kg m^2]; its polar part is the body's rotation.
  Mat3 moments = Mat3::Zero();
};

struct BodyMomenta {
  Vec3 linear = Vec3::Zero();   // [kg m/s]
  Vec3 angular = Vec3::Zero();  // about the centre of mass [kg m^2/s]
  double kinetic = 0;           // [J]
};

// x, v: 3 x dynamic_count or more; only columns of the body are read.
BodyPlace place_of(const System& system, const BodyMasses& masses, const Points& x);
BodyMomenta momenta_of(const System& system, const BodyMasses& masses, const Points& x, const Points& v);

}  // namespace sinew
