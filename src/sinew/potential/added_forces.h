// Forces that the user adds to vertices for one step: -f . (x - x_t).
#pragma once

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

class AddedForceEnergy final : public Energy {
 public:
  explicit AddedForceEnergy(const System& system) : system_(system) {}

  void adapt(Change change) override;
  void begin_step(const StepContext& context) override;
  bool empty() const override { return !acts_; }
  std::string_view name() const override { return "added forces"; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}

 private:
  // f(vertex, force, displacement since the start of the step)
  template <class F>
  void for_each(const Points& x, F&& f) const;

  const System& system_;
  bool acts_ = false;
  Points start_;  // 3 x added vertices: where they are at the start of the step
};

}  // namespace sinew
