#include "sinew/reduced/warped_elasticity.h"

#include "sinew/model/part_of_system.h"
#include "sinew/modes/rest_body.h"
#include "sinew/reduced/mode_hessian.h"

namespace sinew {

WarpedElasticity::WarpedElasticity(const System& system, const std::vector<Substructure>& parts,
                                   const FrameCoordinates& coordinates)
    : system_(system), parts_(parts), frames_(coordinates) {
  for (const Substructure& part : parts) {
    stiffness_.push_back(part.stiffness);
    rate_.push_back(part.body(system).damping_stiffness);
  }
}

// New materials change K at rest and so U^T K U; the modes stay.
void WarpedElasticity::adapt(Change change) {
  if (change != Change::materials) return;
  const std::vector<double> volumes = vertex_volumes(system_);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<Index> vertices;
    const System own = part_of_system(system_, parts_[p].tets, volumes, vertices);
    stiffness_[p] = reduced_stiffness(stiffness_at_rest(own), parts_[p].modes);
  }
}

const VecX& WarpedElasticity::modes_at(const MatX& y) const {
  frames_.place(y, at_);
  return at_.z;
}

// q^ of the reference, from which stiffness damping counts.
void WarpedElasticity::begin_step(const CoordinateStep& step, const MatX&) {
  step_ = &step;
  reference_ = modes_at(step.reference);
}

// 1/2 q^T (U^T K U) q of all parts, K at rest: linear elasticity in the coordinates before warping.
double WarpedElasticity::elastic(const MatX& y) const {
  const VecX& z = modes_at(y);
  double energy = 0;
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const auto q = frames_.modes(p, z);
    energy += 0.5 * q.dot(stiffness_[p] * q);
  }
  return energy;
}

// a h^2 (1/2 q^T K_q q + xi/(2 h^) (q - q^)^T K_q (q - q^)). Nothing is damped in statics.
double WarpedElasticity::value(const MatX& y) {
  double value = elastic(y);
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    if (!step_->inertia || rate_[p] == 0) continue;
    const VecX since = frames_.modes(p, at_.z) - frames_.modes(p, reference_);
    value += 0.5 * rate_[p] / step_->reference_step * since.dot(stiffness_[p] * since);
  }
  return step_->scale * value;
}

// K_q (q + xi/h^ (q - q^)) with K_q = U^T K U, a gradient by q alone.
void WarpedElasticity::add_unknown_gradient(const MatX& y, MatX& g) {
  const VecX& z = modes_at(y);
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    VecX q = frames_.modes(p, z);
    if (step_->inertia) q += rate_[p] / step_->reference_step * (q - frames_.modes(p, reference_));
    g.col(0).segment(frames_.begin(p + 1) - q.size(), q.size()) += step_->scale * (stiffness_[p] * q);
  }
}

// K_q (1 + xi/h^), constant in a step.
void WarpedElasticity::add_hessian(const MatX&, Projection, CoordinateHessian& sum) {
  BlockCholesky& H = in_layout<ModeHessian>(sum).blocks();
  for (Index p = 0; p < H.block_count(); ++p) {
    const Index r = parts_[p].mode_count();
    const double damping = step_->inertia ? rate_[p] / step_->reference_step : 0;
    H.block(p, p).bottomRightCorner(r, r) += step_->scale * (1 + damping) * stiffness_[p];
  }
}

}  // namespace sinew
