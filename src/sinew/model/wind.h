// Wind: a load on faces whose force comes from the velocity of air relative to them (potential/wind.h).
//
// A wind is a LoadSetup or FaceLoad of kind `wind_load`. Its velocity is `vector` or `vector_keys` [m/s]. The numbers
// below are in fields that other kinds of loads use: `gas`, `point` and `follows`.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

inline constexpr LoadKind wind_load = static_cast<LoadKind>(static_cast<int>(LoadKind::gas) + 1);

struct Wind {
  double drag = 1.44;         // density of the air times the coefficient of the flow across a face [kg/m^3]
  double friction = 0.024;    // the same of the flow along a face [kg/m^3]
  double intensity = 0;       // of turbulence: root mean square of each component [m/s]; 0: none
  double length = 1;          // size of eddies [m]
  double time = 1;            // time in which they change [s]
  int seed = 0;               // of the random numbers
  bool from_outside = false;  // the faces of a closed body; cloth meets the air from both sides
};

LoadSetup load_of(const Wind& wind);
Wind wind_of(const LoadSetup& load);
Wind wind_of(const FaceLoad& load);

}  // namespace sinew
