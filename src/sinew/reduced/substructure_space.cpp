#include "sinew/reduced/substructure_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sinew/core/error.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/reduced/affine_motion.h"
#include "sinew/reduced/coarse_surface.h"
#include "sinew/reduced/probe_sites.h"
#include "sinew/reduced/substructure_shapes.h"

namespace sinew {

SubstructureSpace::SubstructureSpace(const System& system, std::shared_ptr<const ReducedBasis> basis,
                                     const ElasticPoints& points, double time)
    : BasisSpace(system, std::move(basis)),
      frames_(parts()),
      points_(system, parts(), basis_->point_part, points),
      quadratic_(system, substructure_shapes(system, parts(), frames_)),
      lift_(system, parts(), frames_, inertia_),
      point_maker_(system, parts()),
      H_(frames_.sizes()),
      mass_(frames_.sizes()) {
  kernel::use_one_blas_thread();
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p) {
    inertia_.emplace_back(parts()[p], p, frames_, quadratic_.mass(p));
    has_energy_ &= parts()[p].point_weights.size() == 0;
    is_warped_ |= parts()[p].is_warped();
  }
  std::vector<MassCluster> clusters;
  if (is_warped_) {
    elasticity_.emplace(system, parts(), frames_);
    clusters = mass_clusters(system, parts(), reduced_clusters(system));
    loads_.emplace(system, parts(), frames_, clusters);
  }
  scene_ = make_scene_terms(time);
  pulls_ = make_pulls(time);
  ProbeSites probes = probe_sites(system, parts(), basis_->point_part, points, clusters);
  probe_weight_ = std::move(probes.weight);
  probes_.emplace(parts(), frames_, std::move(probes.sites));
  moved_.resize(3, probes_->count());
  for (MatX* m : {&gradient_, &difference_, &bent_}) m->setZero(frames_.rows(), 1);
  z_.setZero(points_.size());
  unknowns_.setZero(frames_.unknowns(), 1);
  scales_.setOnes(frames_.unknowns());
  frames_.place(gradient_, at_);
  trial_ = at_;
  if (!system.setup.contact.enabled) return;
  // Contact acts on samples of the surface (coarse_surface.h).
  CoarseSurface surface = make_coarse_surface(system, system.setup.contact.samples);
  if (!surface.may_touch()) return;
  auto samples = std::make_unique<SitePoints>(parts(), frames_, point_maker_.make_all(surface.rows()));
  samples_ = samples.get();
  contact_ = std::make_unique<ReducedContact>(system, std::move(surface), std::move(samples));
}

void SubstructureSpace::adapt(Change change) {
  const double time = step_ ? step_->time : 0;
  if (change == Change::springs || change == Change::loads) scene_ = make_scene_terms(time);
  if (change == Change::pulls) pulls_ = make_pulls(time);
  if (change == Change::materials && elasticity_) elasticity_->adapt();
  if (contact_) contact_->adapt(change);
}

// Springs and pressures of the scene, and a spring without length for each seam.
SubstructureSpace::Terms SubstructureSpace::make_scene_terms(double time) const {
  auto [springs, rows] = point_springs(system_, 0, system_.scene_spring_count());
  std::vector<SitePoint> points = point_maker_.make_all(rows);
  for (const Seam& seam : basis_->seams) {
    springs.emplace_back().stiffness = seam.stiffness;
    points.push_back(
        {point_maker_.of_part(seam.first, seam.vertex, 1), point_maker_.of_part(seam.second, seam.vertex, -1)});
  }
  merge_springs(springs, points);
  PointPressures pressures = point_pressures(system_, static_cast<Index>(points.size()));
  std::ranges::move(point_maker_.make_all(pressures.rows), std::back_inserter(points));
  auto motion = std::make_unique<SitePoints>(parts(), frames_, points);
  return {system_, springs, std::move(pressures.loads), std::move(motion), time};
}

SubstructureSpace::Terms SubstructureSpace::make_pulls(double time) const {
  const PointSprings pulls = point_springs(system_, system_.scene_spring_count(), system_.springs.size());
  auto motion = std::make_unique<SitePoints>(parts(), frames_, point_maker_.make_all(pulls.rows));
  return {system_, pulls.springs, {}, std::move(motion), time};
}

void SubstructureSpace::move(const MatX& y, const MatX& d, double t, MatX& moved) {
  frames_.place(y, trial_);
  frames_.move(trial_, d, t, moved);
}

// A motion maps X to A X + t: its handle with centre c and radius r has, along the axis a, the constant ((A - I) c +
// t)_a and the linear part r (A - I)_a.
void SubstructureSpace::place(double time, MatX& y) const {
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p) {
    const Index motion = parts()[p].held_motion;
    if (motion < 0) continue;
    const Vec3 shift = system_.motions[motion].apply(Vec3::Zero(), time);
    frames_.ambient(p, y).col(0) +=
        shift - frames_.allowed(p).topLeftCorner<3, 3>() * shift - frames_.prescribed_shift(p, y);
  }
  for (std::size_t m = 0; m < basis_->motions.size() && frames_.driven() > 0; ++m) {
    const AffineMap map = affine_at(system_, basis_->motions[m], time);
    const Mat3 turn = map.leftCols<3>() - Mat3::Identity();
    const Vec3 constant = turn * basis_->driven_center + map.col(3);
    for (int a = 0; a < 3; ++a) {
      const Index first = frames_.driven_begin() + 12 * static_cast<Index>(m) + 4 * a;
      y(first, 0) = constant[a];
      for (int k = 0; k < 3; ++k) y(first + 1 + k, 0) = basis_->driven_radius * turn(a, k);
    }
  }
}

void SubstructureSpace::begin_step(const SpaceStep& step, const MatX& start) {
  step_ = &step;
  quadratic_.begin_step(step);
  if (loads_) loads_->begin_step(step.time, step.load_factor);
  if (elasticity_) {
    frames_.place(step.reference, trial_);
    elasticity_->begin_step(step, trial_.z);
  }
  for (const Terms* terms : {&scene_, &pulls_}) terms->terms->begin_step(step, start);
  frames_.place(start, at_);
  if (contact_) H_.keep_diagonal();  // pairs of seams and springs are always the same
}

// E_q = 1/2 |y - y~|_M^2 + scale / (2 h^) |y - y^|_D^2 + scale (-f . y + points), D = zeta M; points:
// springs, pressures and seams
double SubstructureSpace::value(const MatX& y) {
  frames_.place(y, trial_);
  double value = scene_.terms->value(y) + pulls_.terms->value(y);
  if (loads_) value += loads_->value(trial_);
  if (elasticity_) value += elasticity_->value(trial_.z);
  return quadratic_.value(y) + step_->scale * value;
}

// G = M (y - y~) + scale / h^ D (y - y^) + scale (-f + points + contact), by y, and g = J^T G.
void SubstructureSpace::gradient(const MatX& y, MatX& g) {
  const SpaceStep& step = *step_;
  frames_.place(y, at_);
  gradient_.setZero();
  quadratic_.add_gradient(y, gradient_);
  for (const Terms* terms : {&scene_, &pulls_}) terms->terms->add_gradient(y, step.scale, gradient_);
  if (contact_) contact_->add_gradient(y, step.scale, gradient_);
  if (loads_) loads_->add_gradient(at_, step.scale, gradient_);
  frames_.pull_back(at_, gradient_, g);
  if (elasticity_) elasticity_->add_gradient(at_.z, g);
}

// Elasticity sees the coordinates q alone: turns and shifts of a frame change no energy.
void SubstructureSpace::deformation_gradients(const MatX& y, bool direction, std::span<double> F) {
  if (!direction) {
    frames_.place(y, trial_);
    return points_.deformation_gradients(trial_.z, false, F);
  }
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p)
    frames_.modes(p, z_) = y.col(0).segment(frames_.begin(p + 1) - parts()[p].mode_count(), parts()[p].mode_count());
  z_.tail(frames_.driven()).setZero();
  points_.deformation_gradients(z_, true, F);
}

void SubstructureSpace::add_forces(std::span<const double> P, MatX& g) {
  z_.setZero();
  points_.add_forces(P, z_);
  for (Index p = 0; p < static_cast<Index>(parts().size()); ++p)
    g.col(0).segment(frames_.begin(p + 1) - parts()[p].mode_count(), parts()[p].mode_count()) += frames_.modes(p, z_);
}

// H = J^T (M + scale / h^ D) J + scale (points + contact), and the curvature of the frames: all but the elasticity of
// points.
void SubstructureSpace::assemble(bool curvature) {
  const SpaceStep& step = *step_;
  H_.set_zero();
  for (Index p = 0; p < H_.block_count() && step.inertia; ++p)
    inertia_[p].add_hessian(at_, 1 + step.scale / step.reference_step * parts()[p].mass_rate, H_.block(p, p));
  if (elasticity_) elasticity_->add_hessian(H_);
  for (const Terms* terms : {&scene_, &pulls_})
    if (const SymBlockMatrix* Hp = terms->terms->hessian(step.scale))
      terms->points->add_hessian(at_, *Hp, terms->terms->touched(), H_);
  if (const SymBlockMatrix* Hc = contact_ ? contact_->hessian(step.scale) : nullptr)
    samples_->add_hessian(at_, *Hc, contact_->touched(), H_);
  if (curvature) add_curvature();
  frames_.confine(H_);
}

// G : d2C. A turn w changes a place by w x a + w x (w x a) / 2, so that with S = sum_k G_k c_k^T over the columns c_k
// of [R | R q_j] two turns share (S + S^T) / 2 - tr(S) I, and a turn and a mode sum_a R e_a x G_ja.
void SubstructureSpace::add_curvature() {
  for (Index p = 0; p < H_.block_count(); ++p) {
    if (!parts()[p].floats) continue;
    const auto C = frames_.ambient(p, std::as_const(gradient_));
    const Mat3& R = at_.turn[p];
    const auto q = frames_.modes(p, at_.z);
    MatX& block = H_.block(p, p);
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

// Where the curvature makes H indefinite it is left out, which leaves the matrix of Gauss and Newton.
bool SubstructureSpace::factor(std::span<const double> K) {
  is_exact_ = false;
  for (const bool curvature : {true, false}) {
    if (curvature && !is_curved()) continue;
    assemble(curvature);
    points_.add_stiffness(K, H_);
    for (Index p = 0; p < H_.block_count(); ++p)
      scales_.segment(H_.begin(p), frames_.sizes()[p]) = H_.block(p, p).diagonal();
    if (H_.factor()) return true;
  }
  return false;
}

bool SubstructureSpace::factor_exact(std::span<const double> K) {
  assemble(is_curved());
  H_.diagonal_blocks(jacobian_);
  points_.add_jacobian(K, jacobian_);
  for (Index p = 0; p < H_.block_count(); ++p)
    scales_.segment(H_.begin(p), frames_.sizes()[p]) = jacobian_[p].diagonal();
  H_.factor_unsymmetric(jacobian_);
  is_exact_ = true;
  return std::ranges::all_of(jacobian_, [](const MatX& block) { return block.allFinite(); });
}

void SubstructureSpace::solve(const MatX& g, MatX& d) {
  d.col(0) = -g.col(0);
  if (is_exact_)
    H_.solve_unsymmetric(d.col(0));
  else
    H_.solve(d.col(0));
}

Displacement SubstructureSpace::displacement(const MatX& d) {
  probes_->motions(at_, d, moved_);
  return measure();
}

// Of the probes' displacements in moved_.
Displacement SubstructureSpace::measure() const {
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

Displacement SubstructureSpace::distance(const MatX& from, const MatX& to) {
  frames_.place(from, trial_);
  probes_->positions(trial_, moved_);
  const Points before = moved_;
  frames_.place(to, trial_);
  probes_->positions(trial_, moved_);
  moved_ -= before;
  return measure();
}

double SubstructureSpace::farthest(const MatX& y) {
  frames_.place(y, trial_);
  probes_->positions(trial_, moved_);
  return std::sqrt(moved_.colwise().squaredNorm().maxCoeff());
}

// Of warped substructures alone: that of others is the points'.
double SubstructureSpace::elastic(const MatX& y) const {
  if (!elasticity_) return 0;
  frames_.place(y, placement_);
  return elasticity_->energy(placement_.z);
}

double SubstructureSpace::gravity(const MatX& y) const {
  const double energy = quadratic_.gravity(y);
  if (!is_warped_) return energy;
  frames_.place(y, placement_);
  return energy - system_.setup.gravity.dot(loads_->moment(placement_));
}

double SubstructureSpace::springs(const MatX& y) const {
  return scene_.terms->spring_energy(y) + pulls_.terms->spring_energy(y);
}

// v <- J (J^T M J)^-1 J^T M v, the nearest in the mass, with the factor of mass_ at trial_. Leaves the rates there.
// What is prescribed of shifts stays.
void SubstructureSpace::project_tangent(MatX& v) {
  const auto count = static_cast<Index>(parts().size());
  std::vector<Vec3> prescribed;
  for (Index p = 0; p < count; ++p) {
    prescribed.push_back(frames_.prescribed_shift(p, v));
    if (frames_.allowed(p).size() > 0) frames_.ambient(p, v).col(0) -= prescribed.back();
  }
  difference_.setZero();
  quadratic_.add_mass_product(v, difference_);
  frames_.pull_back(trial_, difference_, unknowns_);
  mass_.solve(unknowns_.col(0));
  frames_.tangent(trial_, unknowns_, difference_);
  v.topRows(frames_.driven_begin()) = difference_.topRows(frames_.driven_begin());
  for (Index p = 0; p < count; ++p)
    if (frames_.allowed(p).size() > 0) frames_.ambient(p, v).col(0) += prescribed[p];
}

// v <- P v, a <- c + P (a - c) with the projection P and the acceleration c that the frames have at the rates of v.
void SubstructureSpace::keep_on(const MatX& y, MatX& v, MatX& a) {
  frames_.place(y, trial_);
  mass_.set_zero();
  for (Index p = 0; p < mass_.block_count(); ++p) inertia_[p].add_hessian(trial_, 1, mass_.block(p, p));
  frames_.confine(mass_);
  if (!mass_.factor()) throw SimulationError("the mass matrix of the modes is singular");
  project_tangent(v);
  frames_.curvature(trial_, unknowns_, bent_);
  a -= bent_;
  project_tangent(a);
  a += bent_;
}

// Of each substructure: shift and turn as a vector where it floats, then q.
VecX SubstructureSpace::coordinates(const MatX& y) const {
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

void SubstructureSpace::set_coordinates(const VecX& q, MatX& y) const {
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

}  // namespace sinew
