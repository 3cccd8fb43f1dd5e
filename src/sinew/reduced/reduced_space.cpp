#include "sinew/reduced/reduced_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "sinew/linalg/dense_kernels.h"
#include "sinew/linalg/packed_panel.h"
#include "sinew/reduced/affine_motion.h"
#include "sinew/reduced/basis_row.h"
#include "sinew/reduced/coarse_surface.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {
namespace {

// Of each set of axes, of all vertices: the columns of C are those of y of its axes, and phi is the row of W.
std::vector<ShapeFunctions> handle_shapes(const System& system, const ReducedBasis& basis, const AxisRows& axes,
                                          std::span<const Index> vertices) {
  std::vector<ShapeFunctions> shapes(basis.sets.size());
  for (int a = 0; a < 3; ++a) {
    CoordinateBlock& block = shapes[axes.set[a]].block;
    block.unknowns = axes.free;
    block.column[a] = static_cast<int>(block.where.cols());
    block.where.conservativeResize(axes.rows, block.where.cols() + 1);
    for (Index j = 0; j < axes.rows; ++j) block.where(j, block.column[a]) = a * axes.rows + j;
  }
  for (int s = 0; s < static_cast<int>(shapes.size()); ++s) {
    shapes[s].add = [&system, &basis, s](Index v, int, double factor, double* sum) {
      add_row(basis, s, system.rest, v, factor, sum);
    };
    shapes[s].vertices = vertices;
    shapes[s].mass = system.mass;
  }
  return shapes;
}

// Cholesky factor of the free mass matrix, with which states are projected.
Eigen::LLT<MatX> free_factor(MatX mass) {
  Eigen::LLT<MatX> factor(mass);
  if (factor.info() == Eigen::Success) return factor;
  // On coarse meshes columns of U may be linearly dependent; the shift picks one of the equivalent coordinates.
  mass.diagonal() *= 1 + 1e-12;
  mass.diagonal().array() += 1e-14 * mass.diagonal().maxCoeff();
  factor.compute(mass);
  return factor;
}

std::vector<Index> all_vertices(const System& system) {
  std::vector<Index> all(static_cast<std::size_t>(system.dynamic_count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

ReducedSpace::ReducedSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
                           double time)
    : BasisSpace(system, std::move(basis)),
      rows_(axis_rows(*basis_, system.rest)),
      probes_(system, rows_, points),
      set_(basis_->set),
      free_(rows_.free),
      points_(system, *basis_, points),
      quadratic_(system, handle_shapes(system, *basis_, rows_, all_vertices(system))),
      H_(rows_) {
  for (Index s = 0; s < static_cast<Index>(basis_->sets.size()); ++s)
    free_mass_.push_back(free_factor(quadratic_.mass(s).topLeftCorner(free_, free_)));
  const Index size = 3 * free_;
  solution_.resize(size);
  floor_.resize(size);
  strips_ = make_huge_array(kernel::PackedPanel::size(size, size));
  kernel::use_one_blas_thread();
  scene_ = make_scene_terms(time);
  pulls_ = make_pulls(time);
  if (!system.setup.contact.enabled) return;
  // Contact acts on samples of the surface (coarse_surface.h).
  CoarseSurface surface = make_coarse_surface(system, system.setup.contact.samples);
  if (!surface.may_touch()) return;
  auto samples = std::make_unique<AxisPoints>(rows_, make_axis_points(system, rows_, surface.rows()));
  samples_ = samples.get();
  contact_ = std::make_unique<ReducedContact>(system, std::move(surface), std::move(samples));
}

void ReducedSpace::adapt(Change change) {
  const double time = step_ ? step_->time : 0;
  if (change == Change::springs || change == Change::loads) scene_ = make_scene_terms(time);
  if (change == Change::pulls) pulls_ = make_pulls(time);
  if (contact_) contact_->adapt(change);
}

// Springs and pressures of the scene.
ReducedSpace::Terms ReducedSpace::make_scene_terms(double time) const {
  PointSprings springs = point_springs(system_, 0, system_.scene_spring_count());
  std::vector<AxisPoint> points = make_axis_points(system_, rows_, springs.rows);
  merge_springs(springs.springs, points);
  PointPressures pressures = point_pressures(system_, static_cast<Index>(points.size()));
  std::ranges::move(make_axis_points(system_, rows_, pressures.rows), std::back_inserter(points));
  return {system_, springs.springs, std::move(pressures.loads), std::make_unique<AxisPoints>(rows_, points), time};
}

ReducedSpace::Terms ReducedSpace::make_pulls(double time) const {
  const PointSprings pulls = point_springs(system_, system_.scene_spring_count(), system_.springs.size());
  auto points = std::make_unique<AxisPoints>(rows_, make_axis_points(system_, rows_, pulls.rows));
  return {system_, pulls.springs, {}, std::move(points), time};
}

double ReducedSpace::springs(const MatX& y) const {
  return scene_.terms->spring_energy(y) + pulls_.terms->spring_energy(y);
}

// u = U q + U_D q_D, axis by axis.
void ReducedSpace::lift(const MatX& y, Points& u) const {
  const Index n = system_.dynamic_count;
  u.setZero(3, n);
  Points part;
  const auto add = [&](const HandleBasis& basis, Index first, int s) {
    if (basis.handle_count() == 0) return;
    const MatX q = y.middleRows(first, 4 * basis.handle_count()).transpose();  // 3 x 4k
    sinew::lift(basis, system_.rest, q.data(), part);
    for (int a = 0; a < 3; ++a)
      if (set_[a] == s) u.row(a) += part.row(a);
  };
  for (int s = 0; s < static_cast<int>(basis_->sets.size()); ++s) {
    add(basis_->sets[s].free, 0, s);
    add(basis_->sets[s].driven, free_, s);
  }
}

// U^T g for the free handles, axis by axis.
MatX ReducedSpace::restrict_to(const MatX&, const Points& g) const {
  MatX result(free_, 3);
  VecX r(3 * free_);
  for (int s = 0; s < static_cast<int>(basis_->sets.size()); ++s) {
    sinew::restrict_to(basis_->sets[s].free, system_.rest, g, r.data());
    for (int a = 0; a < 3; ++a)
      if (set_[a] == s)
        for (Index i = 0; i < free_; ++i) result(i, a) = r[3 * i + a];
  }
  return result;
}

// |r|^2 in the norm of M^-1: sum_a r_a^T (U^T M U)^-1 r_a. Below the free rows r may have those of what is prescribed.
double ReducedSpace::inverse_mass_square(const MatX&, const MatX& r) const {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    const auto free = r.col(a).head(free_);
    sum += free.dot(free_mass_[set_[a]].solve(free));
  }
  return sum;
}

// The mass-weighted least-squares fit: q = (U^T M U)^-1 U^T M (u - U_D q_D), with one step of iterative refinement.
void ReducedSpace::project(const Points& u, MatX& y) const {
  Points driven, weighted(3, system_.dynamic_count);
  MatX known = y;
  known.topRows(free_).setZero();
  lift(known, driven);
  for (Index v = 0; v < system_.dynamic_count; ++v) weighted.col(v) = system_.mass[v] * (u.col(v) - driven.col(v));
  const MatX b = restrict_to(y, weighted);
  for (int a = 0; a < 3; ++a) {
    const Eigen::LLT<MatX>& factor = free_mass_[set_[a]];
    VecX q = factor.solve(b.col(a));
    q += factor.solve(b.col(a) - mass(a).topLeftCorner(free_, free_) * q);  // one refinement
    y.col(a).head(free_) = q;
  }
}

// A motion maps X to A X + t, so its handle with centre c and radius r has the displacement (A - I) X + t as
//   constant (A - I) c + t,  linear part r (A - I)^T.
void ReducedSpace::place(double time, MatX& y) const {
  const HandleBasis& driven = basis_->sets[0].driven;
  for (std::size_t m = 0; m < basis_->motions.size(); ++m) {
    const AffineMap map = affine_at(system_, basis_->motions[m], time);
    const Vec3& c = driven.center[m];
    const Mat3 turn = map.leftCols<3>() - Mat3::Identity();
    const Index first = free_ + 4 * static_cast<Index>(m);
    y.row(first) = (turn * c + map.col(3)).transpose();
    y.middleRows(first + 1, 3) = driven.radius[m] * turn.transpose();
  }
}

void ReducedSpace::begin_step(const SpaceStep& step, const MatX& start) {
  step_ = &step;
  quadratic_.begin_step(step);
  for (const Terms* terms : {&scene_, &pulls_}) terms->terms->begin_step(step, start);
}

// E_q = 1/2 |y - y~|_M^2 + scale / (2 h^) |y - y^|_D^2 + scale (-f . y + springs + pressures)
double ReducedSpace::value(const MatX& y) {
  return quadratic_.value(y) + step_->scale * (scene_.terms->value(y) + pulls_.terms->value(y));
}

// grad E_q = M (y - y~) + scale / h^ D (y - y^) + scale (-f + springs + pressures + contact), of the free rows.
void ReducedSpace::gradient(const MatX& y, MatX& g) {
  g.setZero();
  quadratic_.add_gradient(y, g);
  for (const Terms* terms : {&scene_, &pulls_}) terms->terms->add_gradient(y, step_->scale, g);
  if (contact_) contact_->add_gradient(y, step_->scale, g);
}

// Assembles H = M + scale / h^ D + scale (springs + pressures + contact) + dU^T K dU, dense of size r = 12 x handles,
// and factors H = L L^T in place. O(r^2 points + r^3 / 3).
bool ReducedSpace::factor(std::span<const double> K) {
  const SpaceStep& step = *step_;
  H_.set_zero();
  for (int a = 0; a < 3; ++a) quadratic_.add_hessian(set_[a], H_.block(a, a));
  for (const Terms* terms : {&scene_, &pulls_})
    if (const SymBlockMatrix* Hp = terms->terms->hessian(step.scale))
      terms->points->add_hessian(*Hp, terms->terms->touched(), H_);
  if (const SymBlockMatrix* Hc = contact_ ? contact_->hessian(step.scale) : nullptr)
    samples_->add_hessian(*Hc, contact_->touched(), H_);
  points_.add_stiffness(K, H_.matrix());
  MatX& H = H_.matrix();
  // Linearly dependent columns of U give zero pivots; the diagonal is raised by about the rounding of H.
  constexpr double shift = 1e-13;
  const double least = 1e-300 + 1e-30 * H.diagonal().maxCoeff();
  for (Index i = 0; i < H.rows(); ++i) {
    H(i, i) = H(i, i) * (1 + shift) + least;
    floor_[i] = 1e-16 * H(i, i);
  }
  const int size = static_cast<int>(H.rows());
  return kernel::PackedPanel(H.data(), size, size, strips_.get()).factor(floor_.data());
}

// d = -H^-1 g by the two triangular solves.
void ReducedSpace::solve(const MatX& g, MatX& d) {
  const MatX& H = H_.matrix();
  const int size = static_cast<int>(H.rows());
  for (int a = 0; a < 3; ++a) solution_.segment(a * free_, free_) = -g.col(a).head(free_);
  const kernel::Columns x{solution_.data(), size, 1};
  kernel::solve_lower(H.data(), size, size, x);
  kernel::solve_lower_transposed(H.data(), size, size, x);
  d.setZero();
  for (int a = 0; a < 3; ++a) d.col(a).head(free_) = solution_.segment(a * free_, free_);
}

}  // namespace sinew
