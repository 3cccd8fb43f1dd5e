// Measures at a few points (probes) how far a reduced displacement moves the bodies.
#pragma once

#include <array>
#include <vector>

#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"
#include "sinew/reduced/axis_rows.h"
#include "sinew/reduced/elastic_points.h"

namespace sinew {

// Returns vertices far from each other, such as ends of limbs: 64, or all if there are fewer.
std::vector<Index> far_vertices(const System& system);

// The probes are the barycentres of the cubature points' tets, whose volumes weight the mean, and far_vertices().
class DisplacementProbes {
 public:
  // far: the far vertices, if they are known.
  DisplacementProbes(const System& system, const AxisRows& axes, const ElasticPoints& points,
                     std::vector<Index> far = {});

  Displacement measure(const MatX& d);  // d: a difference of y. No concurrent calls on one object.

 private:
  std::array<int, 3> set_;  // by axis: its set, index into rows_
  std::vector<MatX> rows_;  // by set of axes: columns of W x probes
  VecX volume_;             // by slot; the slots are the first probes [m^3]
  MatX moved_;              // work array: displacement of each probe [m]
};

}  // namespace sinew
