// A barrier that keeps det(dx/dxi) > 0 in whole ten-node tets. Energy densities see F at quadrature points only, so
// nothing else pushes back where a tet turns inside out between them, and the step filter would stop there for good.
//
// It acts on the Bernstein coefficients c of the determinant (mesh/quadratic_jacobian.h), over their mean at rest,
// below delta of it:
//
//   E V / 20 sum_c b(c / delta),   b(s) = -(s - 1)^2 ln s for s < 1, else 0   (Li et al. 2020),
//
// with Young's modulus E and the volume V of the tet. Above it has neither value nor force.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/mesh/quadratic_jacobian.h"
#include "sinew/potential/energy.h"

namespace sinew {

class QuadraticTetBarrier {
 public:
  // tets: 10 x m. stiffness: E by tet [Pa]; 0: the tet may turn inside out.
  QuadraticTetBarrier(const Points& rest, const QuadraticTets& tets, std::vector<double> stiffness,
                      Index dynamic_count);

  void set_stiffness(std::vector<double> stiffness) { stiffness_ = std::move(stiffness); }

  double value(const Points& x) const;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const;
  // factors: by tet; empty: 1.
  void add_gradient(const Points& x, std::span<const double> factors, double scale, Points& g) const;
  void add_derivatives(const Points& x, std::span<const double> factors, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const;

 private:
  using Vector = Eigen::Matrix<double, 30, 1>;
  using Matrix = Eigen::Matrix<double, 30, 30>;

  bool is_far(const CornerJacobians& J, Index tet) const;
  double tet_value(const Points& x, Index tet) const;
  template <class Use>
  void for_each_active(const Points& x, bool hessian, Use&& use) const;
  double derivatives(const CornerJacobians& J, Index tet, Vector& g, Matrix* H) const;

  Index dynamic_count_;
  QuadraticTets tets_;
  std::vector<double> stiffness_, volume_;
  mutable std::vector<char> near_;             // by tet, a work array
  std::vector<std::array<double, 20>> limit_;  // by tet and coefficient: delta times its scale [m^3]; 0: none
};

}  // namespace sinew
