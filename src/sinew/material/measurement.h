// Measured curves of solids: nominal stress over stretch, in experiments whose free faces carry no stress.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/material/model.h"

namespace sinew {

// Principal stretches at the measured stretch l. Free faces have the stretch f.
//
//   uniaxial   (l, f, f)
//   biaxial    (l, l, f), pulled evenly in two directions
//   shear      (l, 1, f), a wide strip that keeps its width
//
// In incompressible solids f is l^-1/2, l^-2 or 1/l.
enum class Experiment { uniaxial, biaxial, shear };

const char* experiment_name(Experiment experiment);

struct Measurement {
  Experiment experiment = Experiment::uniaxial;
  std::string source;           // name of the file, for messages
  std::vector<double> stretch;  // l > 0
  std::vector<double> stress;   // nominal: force over the area at rest [Pa]
};

double largest_stress(const Measurement& measurement);  // in size [Pa]
// The weight of residuals in fits: 1 / (largest stress sqrt(number of points)) [1/Pa].
double residual_weight(const Measurement& measurement);

using PrincipalStretches = std::array<double, 3>;

inline constexpr double incompressible = 0.5;  // Poisson's ratio

// Returns the stretch of the free faces at the measured stretch l if Hooke's law holds for logarithmic strains. With
// Poisson's ratio nu:
//
//   ln f = -c ln l,   c = nu (uniaxial), 2 nu / (1 - nu) (biaxial), nu / (1 - nu) (shear).
//
// Exact for incompressible solids, `blatz_ko`, and `hyperfoam` with one Poisson's ratio for all terms.
double free_stretch(Experiment experiment, double stretch, double poisson = incompressible);

// Returns the principal stretches at the measured stretch l. For foams (MaterialModel::is_foam) the free face follows
// from zero stress, w_2 = 0, else from incompressibility. NaN where no free face is found.
PrincipalStretches principal_stretches(const MaterialModel& model, std::span<const double> kernel,
                                       Experiment experiment, double stretch);

// Returns the nominal stress [Pa] of a model with kernel parameters. The pressure p of an incompressible solid follows
// from the free face, w_2 - p / s_2 = 0:
//   P = w_0 - w_2 s_2 / s_0.
// In foams w_2 = 0.
std::vector<double> nominal_stress(const MaterialModel& model, std::span<const double> kernel, Experiment experiment,
                                   std::span<const double> stretch);

// Reads two columns, stretch and nominal stress [Pa], separated by commas, semicolons or blanks. A first line without
// numbers counts as a header. Lines that begin with # are skipped. Throws InputError naming file and line.
Measurement read_measurement(const std::string& path, Experiment experiment);

}  // namespace sinew
