// The yield stress of a metal as a function of its equivalent plastic strain p, sigma(p) [Pa]: a sum of a linear and a
// saturating part (Voce 1948),
//
//   sigma(p) = yield_stress + hardening p + (saturation_stress - yield_stress) (1 - exp(-saturation_rate p)),
//
// or a table, linear between its entries and constant after the last.
#pragma once

#include <vector>

namespace sinew {

struct Plasticity {
  double yield_stress = 0;       // sigma(0) [Pa], > 0
  double hardening = 0;          // [Pa], >= 0
  double saturation_stress = 0;  // [Pa], of at least yield_stress; 0: no saturating part
  double saturation_rate = 0;    // [1]
  // Plastic strains, from 0 on ascending, and yield stresses [Pa], which do not fall; empty: the formula.
  std::vector<double> table_strain, table_stress;
  double kinematic = 0;  // modulus of linear kinematic hardening (Prager 1956) [Pa], >= 0
};

// Throws InputError naming the key and the value found.
void check_plasticity(const Plasticity& plasticity);

double yield_stress(const Plasticity& plasticity, double p);
double hardening_slope(const Plasticity& plasticity, double p);  // dsigma/dp, from the right
// int sigma dp [J/m^3].
double plastic_work(const Plasticity& plasticity, double from, double to);
// The increment d >= 0 of p with which trial - stiffness d = sigma(p + d); 0 if trial <= sigma(p).
double plastic_increment(const Plasticity& plasticity, double trial, double stiffness, double p);

}  // namespace sinew
