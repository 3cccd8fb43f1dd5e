#include "sinew/reduced/mode_space.h"

#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/linalg/dense_kernels.h"
#include "sinew/linalg/tall_products.h"
#include "sinew/reduced/affine_motion.h"

namespace sinew {
namespace {

constexpr std::size_t moment_chunk = 1024;  // vertices

}  // namespace

ModeSpace::ModeSpace(const System& system, std::shared_ptr<const ReducedBasis> basis, const ElasticPoints& points,
                     double time)
    : BasisSpace(system, std::move(basis), points, time),
      points_(system, rows_, points, basis_->mode_weights),
      H_(rows_) {
  kernel::use_one_blas_thread();
  mass_ = gram(system.mass);
  bool damped = false;
  std::vector<double> rate(system.mass);
  for (std::size_t v = 0; v < rate.size(); ++v) {
    rate[v] *= system.bodies[system.vertex_body[v]].damping_mass;
    damped |= rate[v] > 0;
  }
  if (damped) damping_ = gram(rate);
  // An acceleration a of body b adds a_k moment_k,b along the axes k; a traction likewise.
  for (int a = 0; a < 3; ++a) {
    body_moment_[a].setZero(rows_.rows, static_cast<Index>(system.bodies.size()));
    load_moment_[a].setZero(rows_.rows, static_cast<Index>(system.loads.size()));
  }
  for (Index v = 0; v < system.dynamic_count; ++v) {
    add_moment(v, system.mass[v], body_moment_, system.vertex_body[v]);
    rest_moment_ += system.mass[v] * system.rest.col(v);
  }
  for (std::size_t l = 0; l < system.loads.size(); ++l) {
    const FaceLoad& load = system.loads[l];
    for (Index f = 0; f < load.faces.cols(); ++f)
      for (int k = 0; k < 3; ++k)
        add_moment(load.faces(k, f), load.face_area[f] / 3, load_moment_, static_cast<Index>(l));
  }
  free_mass_.compute(mass_.topLeftCorner(free(), free()));
  force_.resize(free());
  difference_.resize(rows_.rows);
  product_.resize(rows_.rows);
}

// U^T diag(weight) U, rows x rows, with the driven columns: sums over chunks of vertices, in their order.
MatX ModeSpace::gram(const std::vector<double>& weight) const {
  const std::size_t n = weight.size();
  std::vector<MatX> parts((n + moment_chunk - 1) / moment_chunk);
  parallel_chunks(n, moment_chunk, [&](std::size_t begin, std::size_t end) {
    MatX part(rows_.rows, 3 * static_cast<Index>(end - begin));
    for (std::size_t v = begin; v < end; ++v)
      for (int a = 0; a < 3; ++a)
        part.col(3 * static_cast<Index>(v - begin) + a) = std::sqrt(weight[v]) * rows_.row(a, static_cast<Index>(v));
    parts[begin / moment_chunk] = part * part.transpose();
  });
  MatX sum = MatX::Zero(rows_.rows, rows_.rows);
  for (const MatX& part : parts) sum += part;
  return sum;
}

void ModeSpace::add_moment(Index vertex, double factor, std::array<MatX, 3>& moments, Index column) const {
  for (int a = 0; a < 3; ++a) moments[a].col(column) += factor * rows_.row(a, vertex);
}

void ModeSpace::lift(const MatX& y, Points& u) const {
  const Index n = system_.dynamic_count;
  u.resize(3, n);
  Eigen::Map<VecX>(u.data(), 3 * n) = tall_product(basis_->modes, y.col(0).head(free()));
  if (rows_.rows == free()) return;
  parallel_for(n, [&](std::size_t v) {
    for (int a = 0; a < 3; ++a)
      u(a, static_cast<Index>(v)) +=
          rows_.row(a, static_cast<Index>(v)).tail(rows_.rows - free()).dot(y.col(0).tail(rows_.rows - free()));
  });
}

MatX ModeSpace::restrict_to(const Points& g) const {
  return weighted_product(basis_->modes, VecX::Ones(basis_->modes.rows()), Eigen::Map<const VecX>(g.data(), g.size()));
}

double ModeSpace::inverse_mass_square(const MatX& r) const {
  return r.col(0).dot(free_mass_.solve(r.col(0)));
}

// The fit in the mass: q = (U^T M U)^-1 U^T M (u - U_D q_D), with one step of iterative refinement.
void ModeSpace::project(const Points& u, MatX& y) const {
  MatX known = y;
  known.topRows(free()).setZero();
  Points driven;
  lift(known, driven);
  Points weighted = u - driven;
  for (Index v = 0; v < system_.dynamic_count; ++v) weighted.col(v) *= system_.mass[v];
  const VecX b = restrict_to(weighted);
  VecX q = free_mass_.solve(b);
  q += free_mass_.solve(b - mass_.topLeftCorner(free(), free()) * q);
  y.col(0).head(free()) = q;
}

// A motion maps X to A X + t: its handle with centre c and radius r has, along the axis a, the constant ((A - I) c +
// t)_a and the linear part r (A - I)_a.
void ModeSpace::place(double time, MatX& y) const {
  const HandleBasis& driven = basis_->sets[0].driven;
  for (std::size_t m = 0; m < basis_->motions.size(); ++m) {
    const AffineMap map = affine_at(system_, basis_->motions[m], time);
    const Mat3 turn = map.leftCols<3>() - Mat3::Identity();
    const Vec3 constant = turn * driven.center[m] + map.col(3);
    for (int a = 0; a < 3; ++a) {
      const Index first = free() + 12 * static_cast<Index>(m) + 4 * a;
      y(first, 0) = constant[a];
      for (int k = 0; k < 3; ++k) y(first + 1 + k, 0) = driven.radius[m] * turn(a, k);
    }
  }
}

// U^T f_ext from gravity, the bodies' accelerations and tractions: O(bodies + loads), not O(n).
void ModeSpace::external_force(double time, double ramp, VecX& f) const {
  f.setZero();
  for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
    const SystemBody& body = system_.bodies[b];
    const Vec3 own =
        body.acceleration_keys.empty() ? Vec3(ramp * body.acceleration) : Vec3(body.acceleration_keys.at(time));
    const Vec3 acceleration = ramp * system_.setup.gravity + own;
    for (int a = 0; a < 3; ++a) f += acceleration[a] * body_moment_[a].col(static_cast<Index>(b)).head(free());
  }
  for (std::size_t l = 0; l < system_.loads.size(); ++l) {
    if (system_.loads[l].kind == LoadKind::pressure) continue;
    const Vec3 traction = system_.loads[l].traction(time, ramp);
    for (int a = 0; a < 3; ++a) f += traction[a] * load_moment_[a].col(static_cast<Index>(l)).head(free());
  }
}

void ModeSpace::begin_step(const SpaceStep& step, const MatX& start) {
  external_force(step.time, step.load_factor, force_);
  begin_terms(step, start);
}

// E_q = 1/2 |y - y~|_M^2 + scale / (2 h^) |y - y^|_D^2 + scale (-f . y + springs + contact)
double ModeSpace::value(const MatX& y) {
  const SpaceStep& step = *step_;
  double value = terms(y) - step.scale * force_.dot(y.col(0).head(free()));
  if (!step.inertia) return value;
  difference_ = y.col(0) - step.predictor.col(0);
  product_.noalias() = mass_ * difference_;
  value += 0.5 * difference_.dot(product_);
  if (damping_.size() == 0) return value;
  difference_ = y.col(0) - step.reference.col(0);
  product_.noalias() = damping_ * difference_;
  return value + 0.5 * step.scale / step.reference_step * difference_.dot(product_);
}

// grad E_q = M (y - y~) + scale / h^ D (y - y^) + scale (-f + springs + contact), of the unknowns.
void ModeSpace::gradient(const MatX& y, MatX& g) {
  const SpaceStep& step = *step_;
  at_ = y;
  g.setZero();
  auto q = g.col(0).head(free());
  q -= step.scale * force_;
  if (step.inertia) {
    difference_ = y.col(0) - step.predictor.col(0);
    q.noalias() += mass_.topRows(free()) * difference_;
    if (damping_.size() > 0) {
      difference_ = y.col(0) - step.reference.col(0);
      q.noalias() += (step.scale / step.reference_step) * damping_.topRows(free()) * difference_;
    }
  }
  add_terms_gradient(y, g);
}

// All of the Hessian but elasticity.
void ModeSpace::assemble() {
  const SpaceStep& step = *step_;
  H_.set_zero();
  auto block = H_.block(0, 0);
  if (step.inertia) {
    block += mass_.topLeftCorner(free(), free());
    if (damping_.size() > 0) block += step.scale / step.reference_step * damping_.topLeftCorner(free(), free());
  }
  add_terms_hessian(at_, H_);
}

// H = M + scale / h^ D + scale (springs + contact) + elasticity, r x r, factored as L L^T in place.
bool ModeSpace::factor(std::span<const double> K) {
  assemble();
  points_.add_stiffness(K, H_.matrix());
  is_exact_ = false;
  factor_ = H_.sum();
  Eigen::Ref<MatX> in_place(factor_);
  return Eigen::LLT<Eigen::Ref<MatX>>(in_place).info() == Eigen::Success;
}

// The symmetric one stays for residual().
bool ModeSpace::factor_exact(std::span<const double> K) {
  if (!factor(K)) return false;
  assemble();
  MatX J = H_.sum().selfadjointView<Eigen::Lower>();
  points_.add_jacobian(K, J);
  exact_.compute(J);
  is_exact_ = true;
  return J.allFinite();
}

double ModeSpace::residual(const MatX& g) {
  product_.head(free()) = g.col(0).head(free());
  auto w = product_.head(free());
  factor_.triangularView<Eigen::Lower>().solveInPlace(w);
  return w.norm();
}

void ModeSpace::solve(const MatX& g, MatX& d) {
  d.setZero();
  auto q = d.col(0).head(free());
  q = -g.col(0).head(free());
  if (is_exact_) {
    q = exact_.solve(q).eval();
    return;
  }
  factor_.triangularView<Eigen::Lower>().solveInPlace(q);
  factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(q);
}

double ModeSpace::kinetic(const MatX& v) const {
  product_.noalias() = mass_ * v.col(0);
  return 0.5 * v.col(0).dot(product_);
}

double ModeSpace::gravity(const MatX& y) const {
  double energy = -system_.setup.gravity.dot(rest_moment_);
  for (int a = 0; a < 3; ++a)
    for (Index b = 0; b < body_moment_[a].cols(); ++b)
      energy -= system_.setup.gravity[a] * body_moment_[a].col(b).dot(y.col(0));
  return energy;
}

}  // namespace sinew
