// An ideal gas in closed cavities of bodies (theory, section 2).
#pragma once

#include <vector>

#include "sinew/potential/enclosed_volume.h"
#include "sinew/potential/load_energy.h"

namespace sinew {

// The law of a gas in a step: p = p_0 (a V_0 / V)^gamma inside, p_a outside.
struct GasLaw {
  double rest_volume = 0;  // V_0 [m^3]
  double initial = 0;      // p_0 [Pa]
  double ambient = 0;      // p_a [Pa]
  double exponent = 1;     // gamma
  double amount = 1;       // a

  double pressure(double volume) const;   // p [Pa]
  double stiffness(double volume) const;  // -dp/dV = gamma p / V [Pa/m^3]
  // The work to bring the gas from V_0 to V against the ambient pressure [J]; +infinity if V <= 0.
  double energy(double volume) const;
};

// The volume of the gas of a load at positions x [m^3].
double gas_volume(const EnclosedVolume& faces, const Points& x);
// The law at a time. Without keyframes of the amount, `ramp` multiplies the initial pressure above the ambient one.
GasLaw gas_law(const FaceLoad& load, double rest_volume, double time, double ramp);

// The gas of a load at a state.
struct GasState {
  double volume = 0;    // [m^3]
  double pressure = 0;  // above the ambient one [Pa]
  double amount = 1;    // over that at the start
  double energy = 0;    // [J]
};
GasState gas_state(const System& system, const FaceLoad& load, const Points& x, double time);

// E = W(V) of each gas, W' = p_a - p. With g = dV/dx its Hessian is
//
//   (p_a - p) d2V/dx2 + (gamma p / V) g g^T,
//
// where the first part has the blocks of faces and the second one is a term of rank one, positive for any state.
class GasEnergy final : public LoadEnergy {
 public:
  // The system must outlive this.
  explicit GasEnergy(const System& system);

  std::string_view name() const override { return "gas"; }
  void begin_step(const StepContext& context) override;
  bool empty() const override { return gases_.empty(); }
  std::size_t count() const override { return gases_.size(); }
  const FaceLoad& source(std::size_t load) const override { return gases_[load].faces.load(); }
  void add_load_gradient(std::size_t load, const Points& x, double scale, Points& g) const override;
  double value(const Points& x) const override;
  double value_rounding(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

 private:
  struct Gas {
    EnclosedVolume faces;
    GasLaw law;
  };

  std::vector<Gas> gases_;
};

}  // namespace sinew
