#include "sinew/reduced/mode_kinematics.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/potential/coordinate_spin.h"
#include "sinew/potential/point_energy.h"
#include "sinew/potential/point_springs.h"
#include "sinew/potential/quadratic_energy.h"
#include "sinew/potential/springs.h"
#include "sinew/reduced/affine_motion.h"
#include "sinew/reduced/mode_hessian.h"
#include "sinew/reduced/probe_points.h"
#include "sinew/reduced/substructure_shapes.h"
#include "sinew/reduced/warped_elasticity.h"
#include "sinew/reduced/warped_loads.h"

namespace sinew {

// Coordinates C = [t - c | R - I | R q_1 | ...] of each part that floats, q of one that is held, and q_D (theory,
// section 9). Inertia is quadratic in C: its sums over the mesh are made here, once.
ModeKinematics::ModeKinematics(const System& system, std::shared_ptr<const ReducedBasis> basis,
                               const ElasticPoints& points)
    : system_(system),
      basis_(std::move(basis)),
      frames_(parts()),
      quadratic_(system, substructure_shapes(system, parts(), frames_)),
      lift_(system, parts(), frames_, inertia_),
      point_maker_(system, parts()),
      mass_(frames_.sizes()) {
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p) {
    inertia_.emplace_back(parts()[p], p, frames_, quadratic_.mass(p));
    is_warped_ |= parts()[p].is_warped();
  }
  if (is_warped_) clusters_ = mass_clusters(system, parts(), reduced_clusters(system));
  ProbePoints probes = probe_points(system, parts(), basis_->point_part, points, clusters_);
  probe_weight_ = std::move(probes.weight);
  probes_.emplace(parts(), frames_, std::move(probes.points));
  moved_.resize(3, probes_->count());
  for (MatX* m : {&difference_, &bent_}) m->setZero(frames_.rows(), 1);
  unknowns_.setZero(frames_.unknowns(), 1);
}

void ModeKinematics::move(const MatX& y, const MatX& d, double t, MatX& moved) {
  frames_.place(y, at_);
  frames_.move(at_, d, t, moved);
}

void ModeKinematics::pull_back(const MatX& y, const MatX& G, MatX& g) {
  frames_.place(y, at_);
  frames_.pull_back(at_, G, g);
}

// A motion maps X to A X + t: its handle with centre c and radius r has, along the axis a, the constant ((A - I) c +
// t)_a and the linear part r (A - I)_a.
void ModeKinematics::prescribe(double time, MatX& y) const {
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p) {
    const Index motion = parts()[p].prescribed_motion;
    if (motion < 0) continue;
    const Vec3 shift = system_.motions[motion].apply(Vec3::Zero(), time);
    frames_.ambient(p, y).col(0) +=
        shift - frames_.allowed(p).topLeftCorner<3, 3>() * shift - frames_.prescribed_shift(p, y);
  }
  for (std::size_t m = 0; m < basis_->motions.size() && frames_.prescribed() > 0; ++m) {
    const AffineMap map = affine_at(system_, basis_->motions[m], time);
    const Mat3 turn = map.leftCols<3>() - Mat3::Identity();
    const Vec3 constant = turn * basis_->prescribed_center + map.col(3);
    for (int a = 0; a < 3; ++a) {
      const Index first = frames_.prescribed_begin() + 12 * static_cast<Index>(m) + 4 * a;
      y(first, 0) = constant[a];
      for (int k = 0; k < 3; ++k) y(first + 1 + k, 0) = basis_->prescribed_radius * turn(a, k);
    }
  }
}

// G : d2C, the curvature of positions along the unknowns, G = dE/dC. A turn w moves R by [w]x R + [w]x [w]x R / 2, so
// that with S = sum_k G_k c_k^T over the columns c_k of [R | R q_j]
//
//   turn and turn:  (S + S^T)/2 - tr(S) I,
//   turn and mode:  sum_a R e_a x G_ja.
void ModeKinematics::add_curvature(const MatX&, const MatX& G, CoordinateHessian& sum) {
  auto& of_modes = in_layout<ModeHessian>(sum);
  const Placement& at = of_modes.at();
  BlockCholesky& H = of_modes.blocks();
  for (Index p = 0; p < H.block_count(); ++p) {
    if (!parts()[p].floats) continue;
    const auto C = frames_.ambient(p, G);
    const Mat3& R = at.turn[p];
    const auto q = frames_.modes(p, at.z);
    MatX& block = H.block(p, p);
    Mat3 sum = C.middleCols<3>(1);
    for (Index j = 0; j < q.size(); ++j) {
      const auto Gj = C.middleCols<3>(4 + 3 * j);
      sum += q[j] * Gj;
      for (int a = 0; a < 3; ++a) block.row(6 + j).segment<3>(3) += R.col(a).cross(Gj.col(a)).transpose();
    }
    const Mat3 S = sum * R.transpose();
    block.block<3, 3>(3, 3) += 0.5 * (S + S.transpose()) - S.trace() * Mat3::Identity();
  }
}

// Lengths of the motions that d makes at the probes [m].
Displacement ModeKinematics::displacement(const MatX& y, const MatX& d) {
  frames_.place(y, at_);
  probes_->motions(at_, d, moved_);
  return measure();
}

// Of the probes' displacements in moved_.
Displacement ModeKinematics::measure() const {
  Displacement result;
  double sum = 0;
  for (Index s = 0; s < probes_->count(); ++s) {
    const double length = moved_.col(s).norm();
    result.largest = std::max(result.largest, length);
    sum += probe_weight_[s] * length;
  }
  result.mean = sum / probe_weight_.sum();
  return result;
}

Displacement ModeKinematics::distance(const MatX& from, const MatX& to) {
  frames_.place(from, at_);
  probes_->positions(at_, moved_);
  const Points before = moved_;
  frames_.place(to, at_);
  probes_->positions(at_, moved_);
  moved_ -= before;
  return measure();
}

double ModeKinematics::farthest(const MatX& y) {
  frames_.place(y, at_);
  probes_->positions(at_, moved_);
  return std::sqrt(moved_.colwise().squaredNorm().maxCoeff());
}

// v <- J (J^T M J)^{-1} J^T M v: the velocities of the set of positions that are closest in the metric of mass. What
// is prescribed of shifts stays. Leaves the rates in unknowns_.
void ModeKinematics::project_tangent(MatX& v) {
  const auto count = static_cast<Index>(parts().size());
  std::vector<Vec3> prescribed;
  for (Index p = 0; p < count; ++p) {
    prescribed.push_back(frames_.prescribed_shift(p, v));
    if (frames_.allowed(p).size() > 0) frames_.ambient(p, v).col(0) -= prescribed.back();
  }
  difference_.setZero();
  quadratic_.add_mass_product(v, difference_);
  frames_.pull_back(at_, difference_, unknowns_);
  mass_.solve(unknowns_.col(0));
  frames_.tangent(at_, unknowns_, difference_);
  v.topRows(frames_.prescribed_begin()) = difference_.topRows(frames_.prescribed_begin());
  for (Index p = 0; p < count; ++p)
    if (frames_.allowed(p).size() > 0) frames_.ambient(p, v).col(0) += prescribed[p];
}

// After a step of Newmark (theory, section 9, "Newmark"): with the projection P in the mass and the acceleration c of
// the frames at the rates of v,
//
//   v <- P v,   a <- c + P (a - c).
//
// Newmark's rule changes the sign of the part of a normal to the set of positions in each step, and that part would
// grow.
void ModeKinematics::keep_on(const MatX& y, MatX& v, MatX& a) {
  frames_.place(y, at_);
  mass_.set_zero();
  for (Index p = 0; p < mass_.block_count(); ++p) inertia_[p].add_hessian(at_, 1, mass_.block(p, p));
  frames_.confine(mass_);
  if (!mass_.factor()) throw SimulationError(code::factorization, "the mass matrix of the modes is singular");
  project_tangent(v);
  frames_.curvature(at_, unknowns_, bent_);
  a -= bent_;
  project_tangent(a);
  a += bent_;
}

// For output: shift, turn as a vector (axis times angle) and q of each part.
VecX ModeKinematics::coordinates(const MatX& y) const {
  Placement at;
  frames_.place(y, at);
  VecX all(frames_.unknowns());
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p) {
    auto own = all.segment(frames_.begin(p), parts()[p].freedom());
    if (parts()[p].floats) {
      own.head<3>() = at.shift[p] - parts()[p].center;
      const Eigen::AngleAxisd turn(at.turn[p]);
      own.segment<3>(3) = turn.angle() * turn.axis();
    }
    own.tail(parts()[p].mode_count()) = frames_.modes(p, at.z);
  }
  return all;
}

// The y of given shifts, turns and modes; a pivoted part keeps what its pins prescribe.
void ModeKinematics::set_coordinates(const VecX& q, MatX& y) const {
  Placement at;
  frames_.place(y, at);
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p) {
    const auto own = q.segment(frames_.begin(p), parts()[p].freedom());
    if (parts()[p].floats) {
      VecX frame = own.head<6>();
      if (parts()[p].is_pivoted()) {
        frame = frames_.allowed(p) * frame;
        frame.head<3>() += frames_.prescribed_shift(p, y);
      }
      at.shift[p] = parts()[p].center + frame.head<3>();
      at.turn[p] = rotation(frame.tail<3>());
    }
    frames_.modes(p, at.z) = own.tail(parts()[p].mode_count());
  }
  frames_.store(at, y);
}

// Points as material points of the parts; springs of many points are merged where their rows span few dimensions.
std::unique_ptr<PointSet> ModeKinematics::make_points(const std::vector<PointRow>& rows,
                                                      std::vector<PointSpring>* springs) const {
  std::vector<SubstructurePoint> points = point_maker_.make_all(rows);
  if (springs) merge_springs(*springs, points);
  return std::make_unique<SubstructurePoints>(parts(), frames_, points);
}

std::unique_ptr<CoordinateHessian> ModeKinematics::make_hessian() const {
  return std::make_unique<ModeHessian>(frames_);
}

// Energies that belong to the coordinates:
//
// 1. inertia, mass damping and dead loads, quadratic in C,
// 2. loads and linear elasticity of warped modes,
// 3. interface springs.
std::vector<std::unique_ptr<CoordinateEnergy>> ModeKinematics::make_energies(double time) {
  std::vector<std::unique_ptr<CoordinateEnergy>> energies;
  // J^T (M + scale / h^ D) J of each part, D = zeta M.
  energies.push_back(std::make_unique<QuadraticEnergy>(
      quadratic_, [this](const MatX&, const CoordinateStep& step, CoordinateHessian& sum) {
        auto& H = in_layout<ModeHessian>(sum);
        for (Index p = 0; p < H.blocks().block_count() && step.inertia; ++p)
          inertia_[p].add_hessian(H.at(), 1 + step.scale / step.reference_step * parts()[p].mass_rate,
                                  H.blocks().block(p, p));
      }));
  if (system_.setup.spin)
    energies.push_back(std::make_unique<CoordinateSpin>(system_, substructure_shapes(system_, parts(), frames_)));
  if (is_warped_) {
    energies.push_back(std::make_unique<WarpedLoads>(system_, parts(), frames_, clusters_));
    energies.push_back(std::make_unique<WarpedElasticity>(system_, parts(), frames_));
  }
  if (basis_->interface_springs.empty()) return energies;
  // Interface springs, k/2 |x_first - x_second|^2 at each shared vertex.
  const auto interfaces = [this] {
    std::vector<PointSpring> springs;
    std::vector<SubstructurePoint> points;
    for (const InterfaceSpring& spring : basis_->interface_springs) {
      springs.emplace_back().stiffness = spring.stiffness;
      points.push_back({point_maker_.of_part(spring.first, spring.vertex, 1),
                        point_maker_.of_part(spring.second, spring.vertex, -1)});
    }
    merge_springs(springs, points);
    PointEnergy::Model model;
    model.points = std::make_unique<SubstructurePoints>(parts(), frames_, points);
    model.system.springs = springs_of_points(system_, springs);
    return model;
  };
  energies.push_back(std::make_unique<PointEnergy>(
      interfaces, [](const System& system) { return std::make_unique<SpringEnergy>(system); }, std::vector<Change>{},
      rest(), time));
  return energies;
}

}  // namespace sinew
