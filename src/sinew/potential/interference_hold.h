// Springs that hold bodies at a start without overlap while contact takes over (dynamics/interference_start.h).
#pragma once

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

// c_b sum_i k_i/2 |x_i - x0_i|^2 over the vertices of the yielding bodies b, with the start x0. The factor c_b fades
// over the first steps (model/external_force.h). k_i = E V_i^(1/3) is the stiffness of a cube of the body with the
// volume V_i of vertex i. Springs keep the way to the end stable: under dead forces instead, squeezed bodies may
// buckle.
class InterferenceHold final : public Energy {
 public:
  // The system must outlive this.
  explicit InterferenceHold(const System& system);

  std::string_view name() const override { return "interference"; }
  bool empty() const override { return held_.empty(); }
  void begin_step(const StepContext& context) override;
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}

 private:
  struct Held {
    Index vertex;
    double stiffness;  // c_b k_i [N/m]
  };
  const System& system_;
  std::vector<double> stiffness_;  // k_i by vertex; 0 in other bodies
  std::vector<Held> held_;         // in the current step
};

}  // namespace sinew
