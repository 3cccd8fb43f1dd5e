// Moments, and forces at points beside the body, on boundary faces: distributing couplings.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/load_energy.h"

namespace sinew {

inline bool is_moment_load(LoadKind kind) {
  return kind == LoadKind::moment || kind == LoadKind::remote_force;
}

// The nodal forces have exactly the force F and moment M of the load, and add no stiffness to the faces:
//   f_i = a_i (F + (J^-1 M) x r_i),   J = sum a_i (|r_i|^2 I - r_i r_i^T),
// with the share a_i of the area, sum 1, and the arm r_i from the centroid. They depend on positions without a
// potential, and are lagged.
class MomentEnergy final : public LoadEnergy {
 public:
  explicit MomentEnergy(const System& system);

  std::string_view name() const override { return "moment"; }
  void begin_step(const StepContext& context) override;
  bool empty() const override { return loads_.empty(); }
  std::size_t count() const override { return loads_.size(); }
  const FaceLoad& source(std::size_t load) const override { return *loads_[load].source; }
  void add_load_gradient(std::size_t load, const Points& x, double scale, Points& g) const override;
  bool lags() const override { return !loads_.empty(); }
  void lag(const Points& x) override;
  LaggingChange lagging_change(const Points& x) const override;
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection, Points& g, SymBlockMatrix&) const override {
    add_gradient(x, scale, g);
  }
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}

 private:
  struct Load {
    const FaceLoad* source = nullptr;
    std::vector<Index> vertices;  // those of the faces, ascending
    std::vector<double> share;    // a_i
    Vec3 rest_center = Vec3::Zero();
    Points rest_arms;            // 3 x vertices [m]
    Vec3 vector = Vec3::Zero();  // current moment [N m] or force [N]
    Vec3 center = Vec3::Zero();  // from which the work is counted [m]
    Points force;                // 3 x vertices [N]
  };
  static Vec3 centroid(const Load& load, const Points& x);
  // Sets `force` to the nodal forces at x.
  static void distribute(const Load& load, const Points& x, Points& force);

  std::vector<Load> loads_;
};

}  // namespace sinew
