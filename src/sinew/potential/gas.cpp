#include "sinew/potential/gas.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sinew {
namespace {

// Rounding of a volume, over the volume: a sum over faces that partly cancel.
constexpr double volume_rounding = 64 * std::numeric_limits<double>::epsilon();

}  // namespace

double GasLaw::pressure(double volume) const {
  return initial * std::pow(amount * rest_volume / volume, exponent);
}

double GasLaw::stiffness(double volume) const {
  return exponent * pressure(volume) / volume;
}

// W = -integral of (p - p_a) dV from V_0 on, with r = V / V_0:
//
//   -p_0 a V_0 ln r + p_a (V - V_0)                                           gamma = 1,
//    p_0 a^gamma V_0 (r^(1 - gamma) - 1) / (gamma - 1) + p_a (V - V_0)        otherwise.
//
// Both are written with V - V_0, of which small changes keep their digits.
double GasLaw::energy(double volume) const {
  if (!(volume > 0)) return std::numeric_limits<double>::infinity();
  const double change = (volume - rest_volume) / rest_volume, log_ratio = std::log1p(change);
  const double n = exponent - 1;
  const double gas = n == 0 ? -amount * log_ratio : std::pow(amount, exponent) * std::expm1(-n * log_ratio) / n;
  return rest_volume * (initial * gas + ambient * change);
}

double gas_volume(const EnclosedVolume& faces, const Points& x) {
  return faces.load().gas_side * faces.value(x);
}

GasLaw gas_law(const FaceLoad& load, double rest_volume, double time, double ramp) {
  const bool constant = load.factor.empty();
  return {rest_volume, load.gas.ambient + (constant ? ramp : 1.0) * load.pressure, load.gas.ambient, load.gas.exponent,
          constant ? load.gas.amount : load.factor.at(time)[0]};
}

GasState gas_state(const System& system, const FaceLoad& load, const Points& x, double time) {
  EnclosedVolume faces(load);
  faces.set_center(system.rest);
  const double rest_volume = gas_volume(faces, system.rest);
  const TimeSetup& setup = system.setup.time;
  const double ramp = setup.integrator == Integrator::statics && setup.ramp ? time : 1;
  const GasLaw law = gas_law(load, rest_volume, time, ramp);
  faces.set_center(x);
  const double volume = gas_volume(faces, x);
  return {volume, law.pressure(volume) - law.ambient, law.amount, law.energy(volume)};
}

GasEnergy::GasEnergy(const System& system) {
  for (const FaceLoad& load : system.loads) {
    if (load.kind != LoadKind::gas) continue;
    Gas& gas = gases_.emplace_back(Gas{EnclosedVolume(load), {}});
    gas.faces.set_center(system.rest);
    gas.law.rest_volume = gas_volume(gas.faces, system.rest);
  }
}

void GasEnergy::begin_step(const StepContext& context) {
  for (Gas& gas : gases_) {
    gas.law = gas_law(gas.faces.load(), gas.law.rest_volume, context.time_end, context.load_factor);
    gas.faces.set_center(context.start);
  }
}

double GasEnergy::value(const Points& x) const {
  double sum = 0;
  for (const Gas& gas : gases_) sum += gas.law.energy(gas_volume(gas.faces, x));
  return sum;
}

double GasEnergy::value_rounding(const Points& x) const {
  double sum = 0;
  for (const Gas& gas : gases_) {
    const double volume = gas_volume(gas.faces, x);
    if (volume > 0) sum += volume_rounding * volume * std::abs(gas.law.pressure(volume) - gas.law.ambient);
    sum += 4 * std::numeric_limits<double>::epsilon() * gas.law.rest_volume * (gas.law.initial + gas.law.ambient);
  }
  return sum;
}

// A gas is one stencil of all vertices of its faces.
void GasEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (const Gas& gas : gases_) {
    const double energy = scale * gas.law.energy(gas_volume(gas.faces, x));
    for (const Index v : gas.faces.vertices()) values[v] += energy;
  }
}

void GasEnergy::add_load_gradient(std::size_t load, const Points& x, double scale, Points& g) const {
  const Gas& gas = gases_[load];
  const double slope = gas.law.ambient - gas.law.pressure(gas_volume(gas.faces, x));
  gas.faces.add_gradient(x, scale * slope * gas.faces.load().gas_side, g);
}

void GasEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  for (std::size_t load = 0; load < gases_.size(); ++load) add_load_gradient(load, x, scale, g);
}

void GasEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  for (const Gas& gas : gases_) {
    const double volume = gas_volume(gas.faces, x);
    const double slope = gas.law.ambient - gas.law.pressure(volume);
    gas.faces.add_hessian(x, scale * slope * gas.faces.load().gas_side, projection, H);
    RankOne term{scale * gas.law.stiffness(volume), gas.faces.vertices(), {}};
    gas.faces.gradient(x, term.u);
    H.add_rank(std::move(term));
  }
}

void GasEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const Gas& gas : gases_) gas.faces.collect_pairs(pairs);
}

}  // namespace sinew
