// The centrifugal potential of a rotating frame, -w^2/2 sum m |P (x - c)|^2 with P = I - a a^T (theory, section 2).
#pragma once

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

class SpinEnergy final : public Energy {
 public:
  // The system must have a spin.
  explicit SpinEnergy(const System& system);

  std::string_view name() const override { return "centrifugal"; }
  bool empty() const override { return !(context_->spin2 > 0); }
  void begin_step(const StepContext& context) override { context_ = &context; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  // The Hessian is negative. Projected, it is zero, unless inertia outweighs it at each vertex.
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}

 private:
  Vec3 arm(const Points& x, std::size_t i) const { return across_ * (x.col(static_cast<Index>(i)) - center_); }

  const std::vector<double>& mass_;
  Vec3 center_;
  Mat3 across_;
  const StepContext* context_ = nullptr;
};

}  // namespace sinew
