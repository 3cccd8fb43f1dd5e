#include "sinew/material/hardening.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"

namespace sinew {

void check_plasticity(const Plasticity& p) {
  const auto require = [](bool holds, const char* key, double value, const char* range) {
    if (!holds) fail_input(code::material_value, "{}: found {}, expected {}", key, value, range);
  };
  for (const auto& [key, value] : {std::pair("hardening", p.hardening), std::pair("kinematic", p.kinematic)})
    require(value >= 0 && std::isfinite(value), key, value, "a stress of at least 0 [Pa]");
  if (!p.table_strain.empty() || !p.table_stress.empty()) {
    const std::size_t n = p.table_strain.size();
    if (n != p.table_stress.size())
      fail_input(code::material_value, "table: strain has {} values and stress has {}, expected as many", n,
                 p.table_stress.size());
    if (p.table_strain[0] != 0)
      fail_input(code::material_value, "table.strain[0]: found {}, expected 0, where yield begins", p.table_strain[0]);
    for (std::size_t k = 0; k < n; ++k) {
      if (!(p.table_stress[k] > 0) || !std::isfinite(p.table_stress[k]))
        fail_input(code::material_value, "table.stress[{}]: found {}, expected a stress greater than 0 [Pa]", k,
                   p.table_stress[k]);
      if (k == 0) continue;
      if (!(p.table_strain[k] > p.table_strain[k - 1]))
        fail_input(code::material_value, "table.strain[{}]: found {}, expected more than {}, the one before", k,
                   p.table_strain[k], p.table_strain[k - 1]);
      if (p.table_stress[k] < p.table_stress[k - 1])
        fail_input(code::material_value,
                   "table.stress[{}]: found {}, expected at least {}, the one before: softening has no "
                   "unique solution",
                   k, p.table_stress[k], p.table_stress[k - 1]);
    }
    return;
  }
  require(p.yield_stress > 0 && std::isfinite(p.yield_stress), "yield_stress", p.yield_stress,
          "a stress greater than 0 [Pa]");
  if (p.saturation_stress == 0 && p.saturation_rate == 0) return;
  require(p.saturation_stress >= p.yield_stress && std::isfinite(p.saturation_stress), "saturation_stress",
          p.saturation_stress, "a stress of at least yield_stress [Pa]");
  require(p.saturation_rate > 0 && std::isfinite(p.saturation_rate), "saturation_rate", p.saturation_rate,
          "a number greater than 0");
}

namespace {

double saturating(const Plasticity& of) {
  return of.saturation_rate > 0 ? of.saturation_stress - of.yield_stress : 0;
}

// The last entry of the table at or before p.
std::size_t piece(const Plasticity& of, double p) {
  return static_cast<std::size_t>(std::ranges::upper_bound(of.table_strain, p) - of.table_strain.begin()) - 1;
}

}  // namespace

double yield_stress(const Plasticity& of, double p) {
  if (of.table_strain.empty())
    return of.yield_stress + of.hardening * p - saturating(of) * std::expm1(-of.saturation_rate * p);
  const std::size_t k = piece(of, p);
  return of.table_stress[k] + hardening_slope(of, p) * (p - of.table_strain[k]);
}

double hardening_slope(const Plasticity& of, double p) {
  if (of.table_strain.empty())
    return of.hardening + saturating(of) * of.saturation_rate * std::exp(-of.saturation_rate * p);
  const std::size_t k = piece(of, p);
  if (k + 1 == of.table_strain.size()) return 0;
  return (of.table_stress[k + 1] - of.table_stress[k]) / (of.table_strain[k + 1] - of.table_strain[k]);
}

double plastic_work(const Plasticity& of, double from, double to) {
  if (of.table_strain.empty()) {
    const double d = to - from, r = of.saturation_rate;
    double sum = d * (of.yield_stress + 0.5 * of.hardening * (from + to));
    if (r > 0) sum += saturating(of) * (d + std::exp(-r * from) * std::expm1(-r * d) / r);
    return sum;
  }
  double sum = 0;
  for (double at = from; at < to;) {
    const std::size_t next = piece(of, at) + 1;
    const double end = next == of.table_strain.size() ? to : std::min(to, of.table_strain[next]);
    sum += (end - at) * (yield_stress(of, at) + 0.5 * hardening_slope(of, at) * (end - at));
    at = end;
  }
  return sum;
}

// r(d) = trial - stiffness d - sigma(p + d) falls. The formula's sigma is concave, so r is convex, and Newton's method
// from d = 0, where r > 0, approaches the root from the left. A table is solved piece by piece.
double plastic_increment(const Plasticity& of, double trial, double stiffness, double p) {
  double r = trial - yield_stress(of, p);
  if (!(r > 0)) return 0;
  if (!of.table_strain.empty()) {
    for (double at = p;;) {
      const std::size_t next = piece(of, at) + 1;
      const double step = (trial - stiffness * (at - p) - yield_stress(of, at)) / (stiffness + hardening_slope(of, at));
      if (next == of.table_strain.size() || at + step <= of.table_strain[next]) return (at - p) + step;
      at = of.table_strain[next];
    }
  }
  double d = 0;
  constexpr int most_iterations = 60;
  for (int k = 0; k < most_iterations; ++k) {
    const double step = r / (stiffness + hardening_slope(of, p + d));
    d += step;
    r = trial - stiffness * d - yield_stress(of, p + d);
    if (!(r > 1e-15 * trial) || !(step > 1e-16 * d)) break;
  }
  return d;
}

}  // namespace sinew
