// Springs without length that users pull with, in a space of few rows: found anew whenever they change, at the cost of
// a row each.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sinew/model/system.h"

namespace sinew {

class ReducedPulls {
 public:
  // row(axis, vertex): of U, rows of y [-]; `free` of them are unknowns.
  void set(const System& system, Index free, const std::function<VecX(int, Index)>& row);

  bool empty() const { return pulls_.empty(); }
  double value(const MatX& y) const;  // [J]
  void add_gradient(const MatX& y, double scale, MatX& g) const;
  void add_hessian(double scale, MatX& H) const;  // lower triangle, by axes

 private:
  struct PulledVertex {
    std::array<VecX, 3> w;
    Vec3 rest, target;  // [m]
    double stiffness;   // [N/m]
  };
  Vec3 extension(const PulledVertex& pull, const MatX& y) const;

  Index free_ = 0;
  std::vector<PulledVertex> pulls_;
};

}  // namespace sinew
