// A material as users define it: a model, its parameters and possibly fibers, evaluated over batches of deformation
// gradients. potential/linear_tet_energy.h has the loops of the engine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/material/model.h"

namespace sinew {

struct FiberParameters {
  double stiffness = 0;            // k [Pa], >= 0
  Vec3 direction = Vec3::UnitX();  // at rest, of any nonzero length
};

// Checks stiffness and direction; returns them with a unit direction. Throws InputError.
FiberParameters checked_fiber(const FiberParameters& fiber);

class Material {
 public:
  // Throws InputError for an unknown model or invalid parameters; each parameter must have one value.
  Material(const std::string& model, const UserParameters& parameters, std::optional<FiberParameters> fiber = {});
  // model: an instance with curves, or a model of the table.
  // families: directions of the families of fibers (fiber_family.h), of any nonzero length.
  Material(SharedModel model, const UserParameters& parameters, std::optional<FiberParameters> fiber = {},
           std::vector<Vec3> families = {});

  const MaterialModel& model() const { return *model_; }
  const SharedModel& shared_model() const { return model_; }
  std::span<const double> kernel_parameters() const { return kernel_; }
  const std::optional<FiberParameters>& fiber() const { return fiber_; }
  const std::vector<Vec3>& families() const { return families_; }

  // Functions of k deformation gradients, 9 k values, each row-major.
  void energy(std::span<const double> F, std::span<double> out) const;  // k [J/m^3]; +inf outside the domain
  void stress(std::span<const double> F, std::span<double> out) const;  // first Piola, 9 k values, row-major [Pa]
  // d2W/dF2 with F flattened row-major [Pa], 81 k values. psd: clamps eigenvalues at zero.
  void hessian(std::span<const double> F, bool psd, std::span<double> out) const;

  double energy(const Mat3& F) const;
  Mat3 stress(const Mat3& F) const;
  Mat9 hessian(const Mat3& F, bool psd) const;

 private:
  SharedModel model_;
  std::vector<double> kernel_;
  std::optional<FiberParameters> fiber_;
  std::vector<Vec3> families_;
};

}  // namespace sinew
