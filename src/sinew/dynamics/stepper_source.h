// Sensors' view of a stepper (sensors/sensor_source.h).
#pragma once

#include <optional>

#include "sinew/dynamics/stepper.h"
#include "sinew/sensors/sensor_source.h"

namespace sinew {

// Refers to the present state of the stepper, which must not step while the source is in use.
class StepperSource final : public SensorSource {
 public:
  explicit StepperSource(Stepper& stepper) : stepper_(stepper) {}

  const State& state() override { return stepper_.sample(); }
  Points reactions() override { return stepper_.reactions(); }
  Points tie_forces() override { return stepper_.tie_forces(); }
  const std::vector<BoltForce>& bolt_forces() override {
    if (bolts_.empty()) bolts_ = stepper_.bolt_forces();
    return bolts_;
  }
  std::vector<const LoadEnergy*> load_terms() override { return stepper_.load_terms(); }
  std::vector<ContactForce> contact_forces() override { return stepper_.contact_forces(); }
  double contact_area(Index vertex) override { return stepper_.contact_area(vertex); }
  const Eigen::MatrixXd& stress() override {
    if (!stress_) {
      std::vector<double> von_mises;
      stepper_.stress(stress_.emplace(), von_mises);
    }
    return *stress_;
  }
  const std::vector<double>& deformation_gradients() override {
    if (gradients_.empty()) gradients_ = stepper_.deformation_gradients();
    return gradients_;
  }
  std::vector<double> plastic_strain() override { return stepper_.plastic_strain(); }
  std::array<double, 6> energies() override {
    const Energies e = stepper_.energies();
    return {e.kinetic, e.elastic, e.gravity, e.barrier, e.friction, e.springs};
  }

 private:
  Stepper& stepper_;
  std::optional<Eigen::MatrixXd> stress_;
  std::vector<double> gradients_;
  std::vector<BoltForce> bolts_;
};

}  // namespace sinew
