// The material of users: a model, its parameters and perhaps fibers, evaluated over batches of deformation gradients.
// The engine's own loops are in potential/elastic.h.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sinew/core/types.h"
#include "sinew/material/model.h"

namespace sinew {

struct FiberParameters {
  double stiffness = 0;            // k [Pa], >= 0
  Vec3 direction = Vec3::UnitX();  // rest state, any length but zero
};

// Checks stiffness and direction and returns them with a unit direction. Throws InputError.
FiberParameters checked_fiber(const FiberParameters& fiber);

class Material {
 public:
  // Throws InputError for an unknown model or bad parameters; one value per parameter.
  Material(const std::string& model, const UserParameters& parameters, std::optional<FiberParameters> fiber = {});
  // With an instance that holds curves, or a model of the table.
  Material(SharedModel model, const UserParameters& parameters, std::optional<FiberParameters> fiber = {});

  const MaterialModel& model() const { return *model_; }
  const SharedModel& shared_model() const { return model_; }
  std::span<const double> kernel_parameters() const { return kernel_; }
  const std::optional<FiberParameters>& fiber() const { return fiber_; }

  // Batches of k deformation gradients, 9 k values, each row-major.
  void energy(std::span<const double> F, std::span<double> out) const;  // k [J/m^3]; +inf outside the domain
  void stress(std::span<const double> F, std::span<double> out) const;  // 9 k, first Piola, row-major [Pa]
  // 81 k: d2W/dF2 with F flattened row-major [Pa]; psd: eigenvalues clamped at zero.
  void hessian(std::span<const double> F, bool psd, std::span<double> out) const;

  double energy(const Mat3& F) const;
  Mat3 stress(const Mat3& F) const;
  Mat9 hessian(const Mat3& F, bool psd) const;

 private:
  SharedModel model_;
  std::vector<double> kernel_;
  std::optional<FiberParameters> fiber_;
};

}  // namespace sinew
