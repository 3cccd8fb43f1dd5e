// The vertices as points that move by their own displacements (vertex_kinematics.h).
#pragma once

#include "sinew/kinematics/point_set.h"
#include "sinew/kinematics/vertex_hessian.h"
#include "sinew/model/system.h"

namespace sinew {

// y are displacements, n x 3.
class VertexPoints final : public PointSet {
 public:
  explicit VertexPoints(const System& system) : system_(system) {}

  Index count() const override { return system_.dynamic_count; }
  void positions(const MatX& y, Points& out) override {
    out.leftCols(count()) = system_.rest.leftCols(count()) + y.transpose();
  }
  void reference(const MatX& y, Points& out) override { positions(y, out); }
  void displacement(const MatX& from, const MatX& to, Points& out) override {
    out.leftCols(count()) = (to - from).transpose();
  }
  void add_gradient(const MatX&, const Points& f, MatX& g) override { g += f.transpose(); }
  void add_hessian(const SymBlockMatrix& Hp, std::span<const Index>, CoordinateHessian& H) override {
    in_layout<VertexHessian>(H).add(Hp);
  }

 private:
  const System& system_;
};

}  // namespace sinew
