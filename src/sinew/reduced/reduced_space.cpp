#include "sinew/reduced/reduced_space.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/linalg/packed_panel.h"
#include "sinew/reduced/affine_motion.h"
#include "sinew/reduced/basis_row.h"
#include "sinew/reduced/coarse_surface.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {
namespace {

constexpr std::size_t gram_chunk = 8192;  // vertices

// x^T A x, column by column, without a temporary vector.
double quadratic_form(const MatX& form, const Eigen::Ref<const VecX>& x) {
  double sum = 0;
  for (Index j = 0; j < x.size(); ++j) sum += x[j] * form.col(j).dot(x);
  return sum;
}

}  // namespace

ReducedSpace::ReducedSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
                           double time)
    : BasisSpace(system, std::move(basis)),
      rows_(axis_rows(*basis_, system.rest)),
      probes_(system, rows_, points),
      set_(basis_->set),
      columns_(rows_.rows),
      free_(rows_.free),
      points_(system, *basis_, points),
      H_(rows_) {
  for (const SystemBody& body : system.bodies) mass_damping_ |= body.damping_mass > 0;
  sets_.resize(basis_->sets.size());
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) make_quadratic(s);
  for (Index i = 0; i < system.dynamic_count; ++i) rest_moment_ += system.mass[i] * system.rest.col(i);
  const Index size = 3 * free_;
  force_.resize(free_, 3);
  solution_.resize(size);
  floor_.resize(size);
  strips_ = make_huge_array(kernel::PackedPanel::size(size, size));
  at_.resize(columns_, 3);
  difference_.resize(columns_, 3);
  kernel::use_one_blas_thread();
  scene_ = make_scene_terms(time);
  pulls_ = make_pulls(time);
  if (!system.setup.contact.enabled || !may_touch_others(system)) return;
  // Contact acts on samples of the surface (coarse_surface.h).
  CoarseSurface surface = make_coarse_surface(system, system.setup.contact.samples);
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

// The Gram matrix W^T diag(weight) W of one set of axes, columns x columns, where row v of W holds the entries of
// vertex v in U: w_h(v) and w_h(v) (X_v - c_h)^T / r_h for each handle h. Chunks of vertices are summed as dense
// products of rows scaled by the roots of their weights, in the order of the chunks.
MatX ReducedSpace::gram(int set, const std::vector<double>& weight) const {
  const std::size_t n = weight.size();
  std::vector<MatX> parts((n + gram_chunk - 1) / gram_chunk);
  parallel_chunks(n, gram_chunk, [&](std::size_t begin, std::size_t end) {
    MatX rows = MatX::Zero(columns_, static_cast<Index>(end - begin));
    for (std::size_t v = begin; v < end; ++v) {
      const double root = std::sqrt(weight[v]);
      add_row(*basis_, set, system_.rest, v, root, rows.col(static_cast<Index>(v - begin)).data());
    }
    parts[begin / gram_chunk] = rows * rows.transpose();
  });
  MatX sum = MatX::Zero(columns_, columns_);
  for (const MatX& part : parts) sum += part;
  return sum;
}

// Everything of E_q that does not change with time, projected once: U^T M U and U^T (zeta M) U, the moments by which
// body forces and tractions enter, and the factor of the free mass matrix. O(n) times the square of the number of
// columns.
void ReducedSpace::make_quadratic(int s) {
  Set& set = sets_[s];
  set.mass = gram(s, system_.mass);
  if (mass_damping_) {
    std::vector<double> rate(system_.mass);
    for (std::size_t v = 0; v < rate.size(); ++v) rate[v] *= system_.bodies[system_.vertex_body[v]].damping_mass;
    set.damping = gram(s, rate);
  }
  // Body forces: moment_b = sum_v m_v W_v^T over the vertices of body b, so that an acceleration a adds a (x) moment_b.
  set.body_moment.setZero(columns_, static_cast<Index>(system_.bodies.size()));
  for (Index v = 0; v < system_.dynamic_count; ++v) {
    add_row(*basis_, s, system_.rest, v, system_.mass[v], set.body_moment.col(system_.vertex_body[v]).data());
  }
  // Tractions: moment_l = sum_f A_f / 3 sum_corners W_v^T over the faces of load l.
  set.load_moment.setZero(columns_, static_cast<Index>(system_.loads.size()));
  for (std::size_t l = 0; l < system_.loads.size(); ++l) {
    const FaceLoad& load = system_.loads[l];
    double* out = set.load_moment.col(static_cast<Index>(l)).data();
    for (Index f = 0; f < load.faces.cols(); ++f) {
      for (int k = 0; k < 3; ++k) {
        add_row(*basis_, s, system_.rest, load.faces(k, f), load.face_area[f] / 3, out);
      }
    }
  }
  // Cholesky factor of the free mass matrix, with which states are projected.
  set.free_mass.compute(set.mass.topLeftCorner(free_, free_));
  if (set.free_mass.info() != Eigen::Success) {
    // On coarse meshes columns of U may be linearly dependent; the shift picks one of the equivalent coordinates.
    MatX shifted = set.mass.topLeftCorner(free_, free_);
    shifted.diagonal() *= 1 + 1e-12;
    shifted.diagonal().array() += 1e-14 * shifted.diagonal().maxCoeff();
    set.free_mass.compute(shifted);
  }
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
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) {
    add(basis_->sets[s].free, 0, s);
    add(basis_->sets[s].driven, free_, s);
  }
}

// U^T g for the free handles, axis by axis.
MatX ReducedSpace::restrict_to(const MatX&, const Points& g) const {
  MatX result(free_, 3);
  VecX r(3 * free_);
  for (int s = 0; s < static_cast<int>(sets_.size()); ++s) {
    sinew::restrict_to(basis_->sets[s].free, system_.rest, g, r.data());
    for (int a = 0; a < 3; ++a)
      if (set_[a] == s)
        for (Index i = 0; i < free_; ++i) result(i, a) = r[3 * i + a];
  }
  return result;
}

// |r|^2 in the norm of M^-1: sum_a r_a^T (U^T M U)^-1 r_a.
double ReducedSpace::inverse_mass_square(const MatX&, const MatX& r) const {
  double sum = 0;
  for (int a = 0; a < 3; ++a) sum += r.col(a).dot(sets_[set_[a]].free_mass.solve(r.col(a)));
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
    const Set& set = sets_[set_[a]];
    VecX q = set.free_mass.solve(b.col(a));
    q += set.free_mass.solve(b.col(a) - set.mass.topLeftCorner(free_, free_) * q);  // one refinement
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

// U^T f_ext from gravity, the bodies' accelerations and tractions: O(bodies + loads), not O(n).
void ReducedSpace::external_force(double time, double ramp, MatX& f) const {
  f.setZero();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const SystemBody& body = system_.bodies[b];
    const Vec3 own =
        body.acceleration_keys.empty() ? Vec3(ramp * body.acceleration) : Vec3(body.acceleration_keys.at(time));
    const Vec3 acceleration = ramp * system_.setup.gravity + own;
    for (int a = 0; a < 3; ++a)
      f.col(a) += acceleration[a] * sets_[set_[a]].body_moment.col(static_cast<Index>(b)).head(free_);
  }
  for (std::size_t l = 0; l < system_.loads.size(); ++l) {
    const FaceLoad& load = system_.loads[l];
    if (load.kind == LoadKind::pressure) continue;
    const Vec3 traction = load.traction(time, ramp);
    for (int a = 0; a < 3; ++a)
      f.col(a) += traction[a] * sets_[set_[a]].load_moment.col(static_cast<Index>(l)).head(free_);
  }
}

void ReducedSpace::begin_step(const SpaceStep& step, const MatX& start) {
  external_force(step.time, step.load_factor, force_);
  step_ = &step;
  for (const Terms* terms : {&scene_, &pulls_}) terms->terms->begin_step(step, start);
}

// E_q = 1/2 |y - y~|_M^2 + scale / (2 h^) |y - y^|_D^2 + scale (-f . y + springs + pressures)
double ReducedSpace::value(const MatX& y) {
  const SpaceStep& step = *step_;
  double value = step.scale * (scene_.terms->value(y) + pulls_.terms->value(y));
  for (int a = 0; a < 3; ++a) {
    value -= step.scale * force_.col(a).dot(y.col(a).head(free_));
    if (step.inertia) {
      difference_.col(a) = y.col(a) - step.predictor.col(a);
      value += 0.5 * quadratic_form(along(a).mass, difference_.col(a));
    }
    if (mass_damping_ && step.inertia) {
      difference_.col(a) = y.col(a) - step.reference.col(a);
      value += 0.5 * step.scale / step.reference_step * quadratic_form(along(a).damping, difference_.col(a));
    }
  }
  return value;
}

// grad E_q = M (y - y~) + scale / h^ D (y - y^) + scale (-f + springs + pressures + contact), of the free rows.
void ReducedSpace::gradient(const MatX& y, MatX& g) {
  const SpaceStep& step = *step_;
  at_ = y;
  g.setZero();
  g.topRows(free_) -= step.scale * force_;
  const auto add = [&](const MatX& form, int a, double factor) {
    for (Index j = 0; j < columns_; ++j) g.col(a).head(free_) += factor * difference_(j, a) * form.col(j).head(free_);
  };
  if (step.inertia) {
    difference_ = y - step.predictor;
    for (int a = 0; a < 3; ++a) add(along(a).mass, a, 1);
    if (mass_damping_) {
      difference_ = y - step.reference;
      for (int a = 0; a < 3; ++a) add(along(a).damping, a, step.scale / step.reference_step);
    }
  }
  for (const Terms* terms : {&scene_, &pulls_}) terms->terms->add_gradient(y, step.scale, g);
  if (contact_) contact_->add_gradient(y, step.scale, g);
}

// Assembles H = M + scale / h^ D + scale (springs + pressures + contact) + dU^T K dU, dense of size r = 12 x handles,
// and factors H = L L^T in place. O(r^2 points + r^3 / 3).
bool ReducedSpace::factor(std::span<const double> K) {
  const SpaceStep& step = *step_;
  H_.set_zero();
  if (step.inertia)
    for (int a = 0; a < 3; ++a) {
      auto block = H_.block(a, a);
      block += along(a).mass.topLeftCorner(free_, free_);
      if (mass_damping_) block += step.scale / step.reference_step * along(a).damping.topLeftCorner(free_, free_);
    }
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

double ReducedSpace::kinetic(const MatX& v) const {
  double energy = 0;
  for (int a = 0; a < 3; ++a) energy += 0.5 * quadratic_form(along(a).mass, v.col(a));
  return energy;
}

double ReducedSpace::gravity(const MatX& y) const {
  double energy = -system_.setup.gravity.dot(rest_moment_);
  for (int a = 0; a < 3; ++a)
    for (Index b = 0; b < static_cast<Index>(system_.bodies.size()); ++b)
      energy -= system_.setup.gravity[a] * along(a).body_moment.col(b).dot(y.col(a));
  return energy;
}

}  // namespace sinew
