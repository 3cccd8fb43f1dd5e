// Advances the state of one method by time steps.
#pragma once

#include <functional>

#include "sinew/core/archive.h"
#include "sinew/dynamics/step_report.h"
#include "sinew/model/state.h"

namespace sinew {

struct NodalForces;

class Stepper {
 public:
  virtual ~Stepper() = default;

  virtual StepReport advance() = 0;

  // The full-space state; a reduced method lifts it on demand.
  virtual const State& sample() = 0;
  virtual void replace(State state) = 0;

  virtual Energies energies() = 0;
  virtual NodalForces forces() = 0;

  // Per tet: 6 x m Cauchy stress [Pa] (XX YY ZZ XY YZ XZ) and von Mises stress [Pa].
  virtual void stress(Eigen::MatrixXd& cauchy, std::vector<double>& von_mises) = 0;

  virtual void save(ArchiveWriter& archive) const = 0;
  virtual void load(const ArchiveReader& archive) = 0;

  void set_interrupt(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

 protected:
  bool interrupted() const { return interrupted_ && interrupted_(); }

 private:
  std::function<bool()> interrupted_;
};

}  // namespace sinew
