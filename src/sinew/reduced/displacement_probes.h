// Measures at few places how far a reduced displacement moves the bodies.
#pragma once

#include <array>
#include <vector>

#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"
#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/elastic_points.h"

namespace sinew {

// Vertices far from each other, at the ends of limbs; 64 if there are as many.
std::vector<Index> far_vertices(const System& system);

// Probes are the barycentres of the points' tets, whose volumes weigh the mean, and far_vertices().
class DisplacementProbes {
 public:
  DisplacementProbes(const System& system, const AxisRows& axes, const ElasticPoints& points);

  Displacement measure(const MatX& d);  // not for concurrent calls

 private:
  std::array<int, 3> set_;  // of each axis, into rows_
  std::vector<MatX> rows_;  // by set: columns of W x probes
  VecX volume_;             // of the slots, the first probes [m^3]
  MatX moved_;              // work space: displacement of each probe [m]
};

}  // namespace sinew
