#include "sinew/modes/rest_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "sinew/core/error.h"
#include "sinew/linalg/block_submatrix.h"
#include "sinew/potential/elastic.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {
namespace {

// Of the largest singular value of rigid motions at prescribed coordinates: below it a motion leaves them where they
// are. Rounding of places leaves 1e-16 of it, and the smallest that a vertex of a mesh causes is far above.
constexpr double allowed_motion = 1e-9;

// The six rigid motions about a centre, 3 n x 6; rotations over the radius, so that all are of one size.
MatX rigid_motions(const Points& rest, const Vec3& center, double radius) {
  MatX R = MatX::Zero(3 * rest.cols(), 6);
  for (Eigen::Index v = 0; v < rest.cols(); ++v) {
    const Vec3 X = (rest.col(v) - center) / radius;
    R.block<3, 3>(3 * v, 0).setIdentity();
    for (int k = 0; k < 3; ++k) R.block<3, 1>(3 * v, 3 + k) = Vec3::Unit(k).cross(X);
  }
  return R;
}

double largest_diagonal(const SymBlockMatrix& K) {
  double largest = 0;
  for (Index i = 0; i < K.rows(); ++i)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, K.block(K.pattern().row_begin[i])[4 * k]);
  return largest;
}

}  // namespace

SymBlockMatrix stiffness_at_rest(const System& system) {
  const ElasticEnergy elastic(system.rest, system.tets, system.groups, system.dynamic_count);
  std::vector<std::pair<Index, Index>> pairs;
  elastic.collect_pairs(pairs);
  SymBlockMatrix K(make_pattern(system.dynamic_count, pairs));
  Points unused = Points::Zero(3, system.dynamic_count);
  elastic.add_derivatives(system.rest, 1.0, Projection::none, unused, K);
  return K;
}

std::vector<RestBody> rest_bodies(const System& system, const std::vector<char>& fixed) {
  const Domain domain = make_domain(system, fixed);
  const SymBlockMatrix K = stiffness_at_rest(system);
  const IndexLists tets = grouped(domain.component, domain.component_count);
  std::vector<RestBody> bodies;
  for (Index c = 0; c < domain.component_count; ++c) {
    RestBody body(system, domain, extract(domain, tets[c]), fixed);
    if (body.free_ == 0) continue;
    principal_submatrix(K, body.vertices_, body.K_);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

// The vertices that move, their mass, and the size and stiffness of the whole.
RestBody::RestBody(const System& system, const Domain& domain, const Submesh& mesh, const std::vector<char>& fixed) {
  for (const Index v : mesh.vertex) {
    const auto first = fixed.begin() + 3 * static_cast<std::ptrdiff_t>(v);
    if (first[0] && first[1] && first[2]) continue;
    vertices_.push_back(v);
    fixed_.insert(fixed_.end(), first, first + 3);
  }
  tets_ = mesh.tet;
  free_ = static_cast<Index>(std::count(fixed_.begin(), fixed_.end(), 0));
  const auto n = static_cast<Index>(vertices_.size());
  rest_.resize(3, n);
  mass_.resize(3 * n);
  for (Index i = 0; i < n; ++i) {
    rest_.col(i) = system.rest.col(vertices_[i]);
    mass_.segment<3>(3 * i).setConstant(system.mass[vertices_[i]]);
  }

  // E / (rho r^2)
  double volume = 0, softest = std::numeric_limits<double>::max(), mass = 0;
  for (const Index t : mesh.tet) {
    if (!(domain.lambda[t] > 0 || domain.mu[t] > 0))
      fail_input(
          "a body has tets without stiffness at rest, so neither linear modes nor what is made of them; use another "
          "material, or modes of frames");
    volume += domain.volume[t];
    softest = std::min(softest, domain.young[t]);
  }
  for (const Index v : mesh.vertex) mass += domain.mass[v];
  center_ = mesh.vertices.rowwise().mean();
  radius_ = (mesh.vertices.colwise() - center_).colwise().norm().maxCoeff();
  stiffness_ = softest * volume / (mass * radius_ * radius_);

  find_rigid(mesh, fixed);
  choose_supports();
}

// R: the combinations of the six rigid motions that leave the prescribed coordinates of the whole body where they are,
// the kernel of what these motions do there, made orthonormal in the mass.
void RestBody::find_rigid(const Submesh& mesh, const std::vector<char>& fixed) {
  std::vector<Index> held;
  for (Index i = 0; i < mesh.vertex_count(); ++i)
    for (int k = 0; k < 3; ++k)
      if (fixed[3 * static_cast<std::size_t>(mesh.vertex[i]) + k]) held.push_back(3 * i + k);
  MatX allowed = MatX::Identity(6, 6);
  if (!held.empty()) {
    const MatX there = rigid_motions(mesh.vertices, center_, radius_)(held, Eigen::all);
    const Eigen::BDCSVD<MatX> svd(there.transpose(), Eigen::ComputeFullU);
    const auto& values = svd.singularValues();
    allowed = svd.matrixU().rightCols(6 - (values.array() > allowed_motion * values[0]).count());
  }
  rigid_ = rigid_motions(rest_, center_, radius_) * allowed;
  set_fixed_to_zero(rigid_);  // but for rounding they are
  if (rigid_.cols() == 0) return;
  const VecX root = mass_.cwiseSqrt();
  const MatX weighted = root.asDiagonal() * rigid_;
  const Eigen::HouseholderQR<MatX> qr(weighted);
  const MatX Q = qr.householderQ() * MatX::Identity(weighted.rows(), weighted.cols());
  rigid_ = root.cwiseInverse().asDiagonal() * Q;
  set_fixed_to_zero(rigid_);
}

// As many coordinates as there are rigid motions, which hold the body statically determinate: the rows of R that a
// factorisation with pivots takes first.
void RestBody::choose_supports() {
  supports_ = fixed_;
  if (rigid_.cols() == 0) return;
  const Eigen::ColPivHouseholderQR<MatX> pivots(rigid_.transpose());
  for (Eigen::Index k = 0; k < rigid_.cols(); ++k)
    supports_[static_cast<std::size_t>(pivots.colsPermutation().indices()[k])] = 1;
}

MatX RestBody::turns_and_shifts() const {
  MatX R = rigid_motions(rest_, center_, radius_);
  set_fixed_to_zero(R);
  return R;
}

void RestBody::set_fixed_to_zero(MatX& vectors) const {
  for (Eigen::Index c = 0; c < vectors.rows(); ++c)
    if (is_fixed(c)) vectors.row(c).setZero();
}

MatX RestBody::multiply(const MatX& u) const {
  MatX f(u.rows(), u.cols());
  for (Eigen::Index c = 0; c < u.cols(); ++c) K_.multiply(u.col(c).data(), f.col(c).data());
  set_fixed_to_zero(f);
  return f;
}

// K + shift M without the held coordinates, whose diagonal is as large as the others'.
void RestBody::factor(const std::vector<char>& held, double shift) {
  if (factor_ && factored_shift_ == shift) return;
  if (!factor_) factor_ = std::make_unique<SparseCholesky>();
  shifted_ = K_;
  const auto& begin = shifted_.pattern().row_begin;
  for (Index i = 0; i < shifted_.rows(); ++i)
    for (int k = 0; k < 3; ++k) shifted_.block(begin[i])[4 * k] += shift * mass_[3 * i + k];
  shifted_.constrain(held, largest_diagonal(K_));
  factored_shift_ = shift;
  if (factor_->compute(shifted_)) return;
  factored_shift_ = -1;
  throw SimulationError(
      "the stiffness of a body at rest is not positive definite; it may hang together by an edge or a vertex alone, or "
      "its stiffnesses differ by more than 1e12");
}

MatX RestBody::solve_factored(MatX b, const std::vector<char>& held) {
  const auto set_to_zero = [&] {
    for (std::size_t c = 0; c < held.size(); ++c)
      if (held[c]) b.row(static_cast<Eigen::Index>(c)).setZero();
  };
  set_to_zero();
  factor_->solve(b, b);
  set_to_zero();
  return b;
}

MatX RestBody::solve_shifted(const MatX& b, double shift) {
  factor(fixed_, shift);
  return solve_factored(b, fixed_);
}

// 1. f = b - M R R^T b, in balance;  2. K u = f with the supports held;  3. u -= R R^T M u.
MatX RestBody::solve(const MatX& b) {
  factor(supports_, 0);
  if (rigid_.cols() == 0) return solve_factored(b, supports_);
  const MatX MR = mass_.asDiagonal() * rigid_;
  MatX u = solve_factored(b - MR * (rigid_.transpose() * b), supports_);
  u -= rigid_ * (MR.transpose() * u);
  return u;
}

}  // namespace sinew
