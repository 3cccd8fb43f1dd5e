// The forces of a rotating frame in the coordinates of a subspace: centrifugal, Coriolis and Euler forces (theory,
// section 2). Sums over the mesh are made once; no step costs work of the size of the mesh.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/potential/quadratic_terms.h"

namespace sinew {

// Its Hessian is negative, and left out: inertia and elasticity outweigh it, and iterations converge without it.
class CoordinateSpin final : public CoordinateEnergy {
 public:
  // The system must have a spin, and must outlive this. The shapes are used only in the constructor.
  CoordinateSpin(const System& system, const std::vector<ShapeFunctions>& shapes);

  void begin_step(const CoordinateStep& step, const MatX& start) override;
  double value(const MatX& y) override;
  void add_gradient(const MatX& y, MatX& G) override;
  void add_hessian(const MatX&, Projection, CoordinateHessian&) override {}

 private:
  // C of a shape, and the sums sum_v m phi^a (K (X - c))_a by entries of C, for K = P and K = A.
  struct Block {
    CoordinateBlock where;
    MatX across, cross;
    double rest = 0;          // sum m |P (X - c)|^2 [kg m^2]
    MatX force;               // Coriolis and Euler forces of the step, times a h^2
    mutable MatX C, product;  // work arrays
  };
  // sum_v m phi_s^a phi_t^b K_ab between two shapes. Shapes by axis have the sums over a and b, others those of one
  // axis.
  struct Form {
    Index s = 0, t = 0;
    MatX gram;           // shapes that are the same along all axes
    MatX across, cross;  // shapes by axis: K = P and K = A
  };
  void gather(const MatX& y) const;
  // product = the form K applied to C.
  void multiply(bool cross) const;

  Mat3 across_, cross_;
  std::vector<Block> blocks_;
  std::vector<Form> forms_;
  const CoordinateStep* step_ = nullptr;
};

}  // namespace sinew
