// Springs of a scene in a reduced simulation. Springs without a rest length are quadratic in y, and all that share the
// motion of their anchors and the time of their release are one quadratic form: their number costs nothing in a step.
// Springs with a rest length are summed one by one.
#pragma once

#include <array>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/reduced/affine_motion.h"
#include "sinew/reduced/axis_rows.h"

namespace sinew {

class ReducedSprings {
 public:
  // time: at which springs count until a step begins. The system must outlive this.
  ReducedSprings(const System& system, const AxisRows& rows, double time);

  void begin_step(double time);  // the time at its end

  double value(const MatX& y) const;  // [J]
  void add_gradient(const MatX& y, double scale, MatX& g) const;
  // Projected to positive semidefinite.
  void add_hessian(const MatX& y, double scale, AxisHessian& H) const;

 private:
  struct Group {  // without a rest length
    Index motion = -1;
    double until = forever;
    std::array<MatX, 3> stiffness;                                   // by axis: sum k w w^T
    std::array<VecX, 3> rest;                                        // sum k w X
    std::array<Eigen::Matrix<double, Eigen::Dynamic, 4>, 3> anchor;  // sum k w (p, 1)^T
    double rest_square = 0;                                          // sum k |X|^2
    AffineMap rest_anchor;                                           // sum k X (p, 1)^T
    Eigen::Matrix4d anchor_square;                                   // sum k (p, 1) (p, 1)^T
    bool holds = true;
    AffineMap place;  // of the anchors, now
  };
  struct LongSpring {    // with a rest length
    std::size_t spring;  // into System::springs
    std::array<VecX, 3> w;
    Vec3 rest, target;
    bool holds = true;
  };

  Vec3 extension(const LongSpring& spring, const MatX& y) const;

  const System& system_;
  Index columns_ = 0, free_ = 0;  // of rows of W, and of these the unknowns
  std::vector<Group> groups_;
  std::vector<LongSpring> long_;
};

}  // namespace sinew
