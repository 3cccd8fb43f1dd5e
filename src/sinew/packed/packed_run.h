// A cut model (cut_model.h) that takes steps, as a page does.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "sinew/dynamics/step_watch.h"
#include "sinew/dynamics/stepper.h"
#include "sinew/packed/cut_model.h"

namespace sinew {

class PackedRun {
 public:
  // Throws InputError if the bytes are none of pack() of this version.
  explicit PackedRun(std::string_view bytes);
  explicit PackedRun(CutModel model);

  StepReport step();
  Clock clock() const { return stepper_->clock(); }
  const System& system() const { return *system_; }
  // Coordinates, as Stepper::reduced_positions().
  const MatX& coordinates() const { return *stepper_->reduced_positions(); }
  // Position of a vertex of the cut system [m].
  Vec3 place(Index vertex) const;

  // Starts or moves a pull. stiffness [N/m]; 0: that of pull_stiffness().
  void pull(int id, Index vertex, const Vec3& target, double stiffness = 0);
  void release(int id);
  // Sets a number of model/live_scalars.h that needs no other time step.
  void set(const std::string& key, std::vector<double> value);

 private:
  void edit(const Edit& edit);

  std::shared_ptr<System> system_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<StepWatch> watch_;
};

}  // namespace sinew
