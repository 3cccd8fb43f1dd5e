#include "sinew/potential/coordinate_spin.h"

#include <utility>

namespace sinew {

// Sums over the mesh, once, in the order of the vertices.
CoordinateSpin::CoordinateSpin(const System& system, const std::vector<ShapeFunctions>& shapes)
    : across_(system.setup.spin->across()), cross_(system.setup.spin->cross()) {
  const Vec3 center = system.setup.spin->center;
  for (const ShapeFunctions& shape : shapes) {
    Block& block = blocks_.emplace_back();
    block.where = shape.block;
    const Index size = shape.size(), columns = shape.block.where.cols();
    for (MatX* m : {&block.across, &block.cross, &block.C, &block.product}) m->setZero(size, columns);
    block.force.setZero(size, columns);
    for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
      const Vec3 arm = system.rest.col(shape.vertices[v]) - center;
      block.rest += shape.mass[v] * (across_ * arm).squaredNorm();
      for (const auto& [K, sum] : {std::pair(&across_, &block.across), std::pair(&cross_, &block.cross)}) {
        const Vec3 turned = *K * arm;
        for (int a = 0; a < 3; ++a)
          if (const int i = shape.block.column[a]; i >= 0)
            shape.add(static_cast<Index>(v), a, shape.mass[v] * turned[a], sum->col(i).data());
      }
    }
  }
  for (Index s = 0; s < static_cast<Index>(shapes.size()); ++s) {
    for (Index t = 0; t < static_cast<Index>(shapes.size()); ++t) {
      const ShapeFunctions &first = shapes[s], &second = shapes[t];
      if (first.vertices.data() != second.vertices.data()) continue;  // parts of their own
      Form& form = forms_.emplace_back(Form{s, t, {}, {}, {}});
      if (first.by_axis) {
        form.across.setZero(first.size(), second.size());
        form.cross = form.across;
      } else {
        form.gram.setZero(first.size(), second.size());
      }
      MatX phi(first.size(), 3), psi(second.size(), 3);
      for (std::size_t v = 0; v < first.vertices.size(); ++v) {
        const int axes = first.by_axis ? 3 : 1;
        phi.setZero();
        psi.setZero();
        for (int a = 0; a < axes; ++a) {
          first.add(static_cast<Index>(v), a, first.mass[v], phi.col(a).data());
          second.add(static_cast<Index>(v), a, 1, psi.col(a).data());
        }
        if (first.by_axis) {
          form.across.noalias() += phi * across_ * psi.transpose();
          form.cross.noalias() += phi * cross_ * psi.transpose();
        } else {
          form.gram.noalias() += phi.col(0) * psi.col(0).transpose();
        }
      }
    }
  }
}

void CoordinateSpin::gather(const MatX& y) const {
  for (const Block& block : blocks_)
    for (Index i = 0; i < block.where.where.size(); ++i) block.C.data()[i] = y.data()[block.where.where.data()[i]];
}

void CoordinateSpin::multiply(bool cross) const {
  const Mat3& K = cross ? cross_ : across_;
  for (const Block& block : blocks_) block.product.setZero();
  for (const Form& form : forms_) {
    const Block &s = blocks_[form.s], &t = blocks_[form.t];
    if (form.gram.size() == 0) {
      s.product.col(0).noalias() += (cross ? form.cross : form.across) * t.C.col(0);
      continue;
    }
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        if (s.where.column[a] >= 0 && t.where.column[b] >= 0 && K(a, b) != 0)
          s.product.col(s.where.column[a]).noalias() += K(a, b) * (form.gram * t.C.col(t.where.column[b]));
  }
}

// The predictor's part of the spin, x~ += A s + P l - scale spin_up A (X - c) (model/rotating_frame.h), enters
// 1/2 |x - x~|_M^2 as the linear term -x . M (...).
void CoordinateSpin::begin_step(const CoordinateStep& step, const MatX&) {
  step_ = &step;
  for (Block& block : blocks_) block.force.setZero();
  if (!step.inertia || step.spin_across.size() == 0) return;
  const auto add = [&](const MatX& y, bool cross) {
    gather(y);
    multiply(cross);
    for (Block& block : blocks_) block.force += block.product;
  };
  add(step.spin_across, true);
  add(step.spin_along, false);
  for (Block& block : blocks_) block.force -= step.scale * step.spin_up * block.cross;
}

// -scale w^2/2 sum m |P (X + u - c)|^2 - force . u.
double CoordinateSpin::value(const MatX& y) {
  gather(y);
  multiply(false);
  double centrifugal = 0, work = 0;
  for (const Block& block : blocks_) {
    centrifugal +=
        block.rest + 2 * block.across.cwiseProduct(block.C).sum() + block.product.cwiseProduct(block.C).sum();
    work += block.force.cwiseProduct(block.C).sum();
  }
  return -0.5 * step_->scale * step_->spin2 * centrifugal - work;
}

void CoordinateSpin::add_gradient(const MatX& y, MatX& G) {
  gather(y);
  multiply(false);
  const double factor = step_->scale * step_->spin2;
  for (const Block& block : blocks_)
    for (Index i = 0; i < block.where.where.cols(); ++i)
      for (Index j = 0; j < block.where.unknowns; ++j)
        G.data()[block.where.where(j, i)] -= factor * (block.across(j, i) + block.product(j, i)) + block.force(j, i);
}

}  // namespace sinew
