// Springs k/2 (|x_i - p| - l)^2 between a vertex and a moving point or the mean of some vertices.
#pragma once

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

class SpringEnergy : public Energy {
 public:
  explicit SpringEnergy(const System& system) : system_(system) {}

  // Sets the targets at `time` [s], and which springs still hold.
  void set_time(double time);
  void begin_step(const StepContext& context) override { set_time(context.time_end); }
  void adapt(Change change) override;

  EnergyKind kind() const override { return EnergyKind::springs; }
  bool empty() const override { return system_.springs.empty(); }
  std::string_view name() const override { return "springs"; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

  // The force of spring s on its vertex [N]; zero once the spring no longer holds. The other end gets its opposite.
  Vec3 force(const Points& x, std::size_t s) const { return -gradient_at_vertex(x, s, 1); }

 private:
  Vec3 extension(const Points& x, std::size_t s) const;
  Vec3 gradient_at_vertex(const Points& x, std::size_t s, double scale) const;
  double spring_value(const Points& x, std::size_t s) const;  // energy [J]; 0 once the spring no longer holds

  const System& system_;
  std::vector<Vec3> targets_;  // by spring: its fixed end [m]
  std::vector<char> holds_;
  double time_ = 0;  // [s]
};

}  // namespace sinew
