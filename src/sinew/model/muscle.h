// Fibers whose active tension and rest length change in time (theory, section 1).
//
// With the rest length L of the fibers over that in the mesh, activation a and largest tension T, the energy density is
//
//   k/2 (|F d| - L)^2 + a T (|F d| - L) = k L^2/2 (|F d/L| - 1)^2 + a T L (|F d/L| - 1).
//
// It is that of material/fiber.h with the stiffness k L^2, the direction d/L and the tension a T L. System::groups have
// k, d and the tension at the start; energies take what the functions here make of them.
#pragma once

#include <vector>

#include "sinew/model/element_parameters.h"
#include "sinew/model/system.h"

namespace sinew {

// The activation, and the rest length, of a material at a time [s]; in statics at a share of the load.
double activation_at(const Muscle& muscle, double time);
double fiber_length_at(const Muscle& muscle, double time);
// The rest length of a spring at a time [m].
double spring_length_at(const Spring& spring, double time);

// Whether fibers change without an edit.
bool moves_fibers(const System& system);

// The groups with the fibers as energies take them, at a time. At the start: 0.
std::vector<ElasticGroup> groups_at(const System& system, double time);
// The fibers of one tet at a time. of: as its group has them.
void move_fibers(const System& system, Index tet, double time, ElementParameters& of);

}  // namespace sinew
