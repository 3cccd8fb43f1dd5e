// Follower pressure on boundary faces: p times the volume that the faces enclose with a fixed centre.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/enclosed_volume.h"
#include "sinew/potential/load_energy.h"

namespace sinew {

// A uniform pressure on a closed surface derives from the potential p V. On a patch with a border, the forces on the
// border's vertices derive from no potential. For such a patch, the difference to the true follower force is lagged.
class PressureEnergy : public LoadEnergy {
 public:
  explicit PressureEnergy(const System& system);

  // Sets the pressures at `time` [s] times `ramp`, and the fixed centre from positions x, and lags open patches at x.
  void set_loads(const Points& x, double time, double ramp);
  void begin_step(const StepContext& context) override {
    set_loads(context.start, context.time_end, context.load_factor);
  }

  bool empty() const override { return loads_.empty(); }
  std::size_t count() const override { return loads_.size(); }
  const FaceLoad& source(std::size_t load) const override { return loads_[load].volume.load(); }
  void add_load_gradient(std::size_t load, const Points& x, double scale, Points& g) const override {
    add_load_gradient(loads_[load], x, scale, g);
  }
  // Whether there are open patches, whose forces are lagged.
  bool lags() const override { return has_open_patch_; }
  void lag(const Points& x) override;
  LaggingChange lagging_change(const Points& x) const override;
  std::string_view name() const override { return "pressure"; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

 private:
  struct Load {
    EnclosedVolume volume;
    double pressure = 0;  // current pressure [Pa]
    Points lagged;        // 3 x vertices [N], true force minus -grad(p V), open patches only
    bool open = false;
  };
  static void add_load_gradient(const Load& load, const Points& x, double scale, Points& g);

  Index body_vertex_count_;
  std::vector<Load> loads_;
  bool has_open_patch_ = false;
};

}  // namespace sinew
