// Fits a Prony series (viscosity.h) to measured relaxation or to storage and loss moduli.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/material/viscosity.h"

namespace sinew {

// A stress or modulus at constant strain, in any unit.
struct RelaxationCurve {
  std::string source;  // name of the file, for messages
  std::vector<double> time, modulus;
};

// Moduli of small oscillations, in any unit; frequencies in radians per second.
struct DynamicCurve {
  std::string source;
  std::vector<double> frequency, storage, loss;
};

// Read two columns, time [s] and stress or modulus, and three columns, frequency [Hz], storage and loss modulus. Throw
// InputError naming file and line.
RelaxationCurve read_relaxation(const std::string& path);
DynamicCurve read_dynamic(const std::string& path);

struct ViscousFit {
  double modulus = 0;  // at rest, in the unit of the curves
  Viscosity viscosity;
  // Standard deviations of the logarithms: of `modulus`, and of the time and the modulus of each branch.
  double modulus_deviation = 0;
  std::vector<ViscousBranch> deviations;
  std::vector<double> rms;  // by relaxation curve, then by dynamic curve: root mean square of the relative residual
};

// Minimises the sum of squared relative residuals over the logarithms of all moduli and times, by Levenberg-Marquardt
// from the nonnegative least squares fit with even times. branches: at most; by default one for each decade of the
// data. Throws InputError for curves that no series can follow, such as one that rises with time.
ViscousFit fit_viscosity(const std::vector<RelaxationCurve>& relaxation, const std::vector<DynamicCurve>& dynamic,
                         std::optional<int> branches);

}  // namespace sinew
