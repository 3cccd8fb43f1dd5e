// Inertia 1/2 |x - x~|_M^2 with lumped masses, and the dead loads -f . x of load steps (statics).
#pragma once

#include <span>

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

double kinetic_energy(const System& system, const Points& v);  // 1/2 sum m |v|^2 [J]
double gravity_energy(const System& system, const Points& x);  // -sum m g . x [J]
void add_inertia_hessian(std::span<const double> mass, SymBlockMatrix& H);

// Enters E without the factor a h^2, in kg m^2. Not part of load steps.
class InertiaEnergy : public Energy {
 public:
  explicit InertiaEnergy(const System& system) : mass_(system.mass) {}

  std::string_view name() const override { return "inertia"; }
  EnergyKind kind() const override { return EnergyKind::inertia; }
  bool empty() const override { return !context_->inertia; }
  double weight(double) const override { return 1; }
  void begin_step(const StepContext& context) override { context_ = &context; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}

 private:
  const std::vector<double>& mass_;
  const StepContext* context_ = nullptr;
};

// Dead loads of load steps. In dynamics they are part of the predictor.
class DeadLoadEnergy : public Energy {
 public:
  std::string_view name() const override { return "load"; }
  bool empty() const override { return context_->inertia; }
  void begin_step(const StepContext& context) override { context_ = &context; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix&) const override {
    add_gradient(x, scale, g);
  }
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}

 private:
  const StepContext* context_ = nullptr;
};

}  // namespace sinew
