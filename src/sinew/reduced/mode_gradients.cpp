#include "sinew/reduced/mode_gradients.h"

#include <algorithm>

#include "sinew/reduced/mode_hessian.h"

namespace sinew {

ModeGradients::ModeGradients(const System& system, const std::vector<Substructure>& parts,
                             const FrameCoordinates& coordinates, std::span<const Index> point_part,
                             const ElasticPoints& points)
    : parts_(parts),
      frames_(coordinates),
      points_(system, parts, point_part, points),
      has_energy_(std::ranges::all_of(parts, [](const Substructure& p) { return p.point_weights.size() == 0; })) {
  z_.setZero(points_.size());
}

// F = R (I + G q): energies are objective, so that points see I + G q, and G is constant.
void ModeGradients::deformation_gradients(const MatX& y, std::span<double> F) {
  frames_.place(y, at_);
  points_.deformation_gradients(at_.z, false, F);
}

// Of the unknowns of a part the modes come last.
void ModeGradients::directions(const MatX& d, std::span<double> dF) {
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const Index r = parts_[p].mode_count();
    frames_.modes(p, z_) = d.col(0).segment(frames_.begin(p + 1) - r, r);
  }
  z_.tail(frames_.prescribed()).setZero();
  points_.deformation_gradients(z_, true, dF);
}

// Forces of modes alone: elasticity opposes neither shift nor turn.
void ModeGradients::add_forces(std::span<const double> P, MatX& g) {
  z_.setZero();
  points_.add_forces(P, z_);
  for (Index p = 0; p < static_cast<Index>(parts_.size()); ++p) {
    const Index r = parts_[p].mode_count();
    g.col(0).segment(frames_.begin(p + 1) - r, r) += frames_.modes(p, z_);
  }
}

// H += sum_e w_e G_e^T K_e G_e over the points of each part.
void ModeGradients::add_stiffness(std::span<const double> K, CoordinateHessian& H) {
  points_.add_stiffness(K, in_layout<ModeHessian>(H).blocks());
}

void ModeGradients::add_jacobian(std::span<const double> K, CoordinateHessian& H) {
  points_.add_jacobian(K, in_layout<ModeHessian>(H).jacobian());
}

}  // namespace sinew
