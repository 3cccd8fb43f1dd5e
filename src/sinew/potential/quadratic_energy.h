// Makes an energy of the coordinates from the quadratic terms of a subspace (quadratic_terms.h).
#pragma once

#include <functional>
#include <utility>

#include "sinew/potential/coordinate_energy.h"
#include "sinew/potential/quadratic_terms.h"

namespace sinew {

class QuadraticEnergy final : public CoordinateEnergy {
 public:
  // Adds the Hessian at y to H, in the layout of the kinematics.
  using AddHessian = std::function<void(const MatX& y, const CoordinateStep& step, CoordinateHessian& H)>;

  // The terms must outlive this.
  QuadraticEnergy(QuadraticTerms& terms, AddHessian add_hessian)
      : terms_(terms), add_hessian_(std::move(add_hessian)) {}

  void begin_step(const CoordinateStep& step, const MatX&) override {
    step_ = &step;
    terms_.begin_step(step);
  }
  double value(const MatX& y) override { return terms_.value(y); }
  void add_gradient(const MatX& y, MatX& G) override { terms_.add_gradient(y, G); }
  void add_hessian(const MatX& y, Projection, CoordinateHessian& H) override { add_hessian_(y, *step_, H); }
  double kinetic(const MatX& v) const override { return terms_.kinetic(v); }
  double gravity(const MatX& y) const override { return terms_.gravity(y); }

 private:
  QuadraticTerms& terms_;
  AddHessian add_hessian_;
  const CoordinateStep* step_ = nullptr;
};

}  // namespace sinew
