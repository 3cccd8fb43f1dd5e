// The state of a simulation that sensors read, with its forces, stresses and energies. Each is computed when asked for.
#pragma once

#include <array>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/state.h"
#include "sinew/potential/bolt_force.h"
#include "sinew/potential/contact_force.h"

namespace sinew {

class LoadEnergy;  // potential/load_energy.h

class SensorSource {
 public:
  virtual ~SensorSource() = default;

  virtual const State& state() = 0;  // in full space

  // Forces at the state [N]. Reactions and forces of ties are 3 x dynamic_count.
  virtual Points reactions() = 0;
  virtual Points tie_forces() = 0;
  virtual const std::vector<BoltForce>& bolt_forces() = 0;  // by bolt
  virtual std::vector<ContactForce> contact_forces() = 0;
  // Loads that depend on positions, as the last step had them; none: no step has led to the state.
  virtual std::vector<const LoadEnergy*> load_terms() = 0;
  // The area at rest for which a vertex stands in contact [m^2]; 0: that of the triangles around it.
  virtual double contact_area(Index vertex) = 0;

  // By tet: Cauchy stress (XX YY ZZ XY YZ XZ) [Pa], and the equivalent plastic strain (empty: no material flows).
  virtual const Eigen::MatrixXd& stress() = 0;
  virtual std::vector<double> plastic_strain() = 0;
  // F by tet, row-major, 9 numbers each.
  virtual const std::vector<double>& deformation_gradients() = 0;

  // Kinetic, elastic, gravity, barrier, friction, springs [J].
  virtual std::array<double, 6> energies() = 0;
};

}  // namespace sinew
