#include "sinew/modes/rest_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "sinew/core/error.h"
#include "sinew/partition/domain.h"
#include "sinew/partition/submesh.h"
#include "sinew/potential/elastic.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {
namespace {

// Of the largest singular value of rigid motions at prescribed coordinates: below it a motion leaves them where they
// are.
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

SymBlockMatrix stiffness_at_rest(const System& system) {
  const ElasticEnergy elastic(system.rest, system.tets, system.groups, system.dynamic_count);
  std::vector<std::pair<Index, Index>> pairs;
  elastic.collect_pairs(pairs);
  SymBlockMatrix K(make_pattern(system.dynamic_count, pairs));
  Points unused = Points::Zero(3, system.dynamic_count);
  elastic.add_derivatives(system.rest, 1.0, Projection::none, unused, K);
  return K;
}

// The rows and columns of some vertices, ascending. number: work, -1 for each vertex of K.
SymBlockMatrix extract(const SymBlockMatrix& K, const std::vector<Index>& vertices, std::vector<Index>& number) {
  for (std::size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<Index>(i);
  const BlockPattern& from = K.pattern();
  auto pattern = std::make_shared<BlockPattern>();
  pattern->rows = static_cast<Index>(vertices.size());
  pattern->row_begin.push_back(0);
  for (const Index v : vertices) {
    for (auto slot = from.row_begin[v]; slot < from.row_begin[v + 1]; ++slot)
      if (number[from.columns[slot]] >= 0) pattern->columns.push_back(number[from.columns[slot]]);
    pattern->row_begin.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  SymBlockMatrix part(pattern);
  std::int64_t to = 0;
  for (const Index v : vertices)
    for (auto slot = from.row_begin[v]; slot < from.row_begin[v + 1]; ++slot)
      if (number[from.columns[slot]] >= 0) std::copy_n(K.block(slot), 9, part.block(to++));
  for (const Index v : vertices) number[v] = -1;
  return part;
}

double largest_diagonal(const SymBlockMatrix& K) {
  double largest = 0;
  for (Index i = 0; i < K.rows(); ++i)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, K.block(K.pattern().row_begin[i])[4 * k]);
  return largest;
}

}  // namespace

std::vector<RestBody> rest_bodies(const System& system, const std::vector<char>& fixed) {
  const Domain domain = make_domain(system, fixed);
  const SymBlockMatrix K = stiffness_at_rest(system);
  const IndexLists tets = grouped(domain.component, domain.component_count);
  std::vector<Index> number(system.dynamic_count, -1);
  std::vector<RestBody> bodies;
  for (Index c = 0; c < domain.component_count; ++c) {
    const Submesh mesh = extract(domain, tets[c]);
    RestBody body;
    double volume = 0, softest = std::numeric_limits<double>::max(), mass = 0;
    for (const Index t : mesh.tet) {
      if (!(domain.lambda[t] > 0 || domain.mu[t] > 0))
        fail_input(
            "a body has tets without stiffness at rest, so neither linear modes nor what is made of them; use another "
            "material, or modes of frames");
      volume += domain.volume[t];
      softest = std::min(softest, domain.young[t]);
    }
    for (const Index v : mesh.vertex) {
      mass += domain.mass[v];
      const std::size_t at = 3 * static_cast<std::size_t>(v);
      if (fixed[at] && fixed[at + 1] && fixed[at + 2]) continue;
      body.vertices_.push_back(v);
      body.fixed_.insert(body.fixed_.end(), fixed.begin() + at, fixed.begin() + at + 3);
    }
    if (body.vertices_.empty()) continue;
    const auto n = static_cast<Index>(body.vertices_.size());
    body.free_ = static_cast<Index>(std::count(body.fixed_.begin(), body.fixed_.end(), 0));
    body.rest_.resize(3, n);
    body.mass_.resize(3 * n);
    for (Index i = 0; i < n; ++i) {
      body.rest_.col(i) = system.rest.col(body.vertices_[i]);
      body.mass_.segment<3>(3 * i).setConstant(system.mass[body.vertices_[i]]);
    }
    const Vec3 center = mesh.vertices.rowwise().mean();
    const double radius = std::sqrt((mesh.vertices.colwise() - center).colwise().squaredNorm().maxCoeff());
    body.stiffness_ = softest * volume / (mass * radius * radius);
    body.K_ = extract(K, body.vertices_, number);
    // Motions of the whole body that leave all prescribed coordinates of it where they are.
    std::vector<Index> held;
    for (Index i = 0; i < mesh.vertex_count(); ++i)
      for (int k = 0; k < 3; ++k)
        if (fixed[3 * static_cast<std::size_t>(mesh.vertex[i]) + k]) held.push_back(3 * i + k);
    MatX allowed = MatX::Identity(6, 6);
    if (!held.empty()) {
      const MatX whole = rigid_motions(mesh.vertices, center, radius);
      const Eigen::JacobiSVD<MatX> svd(whole(held, Eigen::all).transpose() * whole(held, Eigen::all),
                                       Eigen::ComputeFullV);
      // Squares of singular values.
      const Index fixed_motions =
          static_cast<Index>((svd.singularValues().array() > allowed_motion * svd.singularValues()[0]).count());
      allowed = svd.matrixV().rightCols(6 - fixed_motions);
    }
    body.rigid_ = rigid_motions(body.rest_, center, radius) * allowed;
    body.find_rigid();
    bodies.push_back(std::move(body));
  }
  return bodies;
}

// Makes the rigid motions orthonormal in the mass, and chooses as many coordinates as there are that hold the body: the
// rows of R that a factorisation with pivots takes first.
void RestBody::find_rigid() {
  set_fixed_to_zero(rigid_);
  supports_ = fixed_;
  if (rigid_.cols() == 0) return;
  const VecX root = mass_.cwiseSqrt();
  const MatX weighted = root.asDiagonal() * rigid_;
  const Eigen::HouseholderQR<MatX> qr(weighted);
  const MatX Q = qr.householderQ() * MatX::Identity(weighted.rows(), weighted.cols());
  rigid_ = root.cwiseInverse().asDiagonal() * Q;
  set_fixed_to_zero(rigid_);
  const Eigen::ColPivHouseholderQR<MatX> pivots(rigid_.transpose());
  for (Eigen::Index k = 0; k < rigid_.cols(); ++k)
    supports_[static_cast<std::size_t>(pivots.colsPermutation().indices()[k])] = 1;
}

MatX RestBody::turns_and_shifts() const {
  const Vec3 center = rest_.rowwise().mean();
  MatX R = rigid_motions(rest_, center, (rest_.colwise() - center).colwise().norm().maxCoeff());
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
      "its "
      "stiffnesses differ by more than 1e12");
}

MatX RestBody::solve_shifted(const MatX& b, double shift) {
  factor(fixed_, shift);
  MatX rhs = b, x(b.rows(), b.cols());
  set_fixed_to_zero(rhs);
  for (Eigen::Index c = 0; c < b.cols(); ++c) factor_->solve(rhs.col(c).data(), x.col(c).data());
  set_fixed_to_zero(x);
  return x;
}

MatX RestBody::solve(const MatX& b) {
  factor(supports_, 0);
  MatX rhs = b, x(b.rows(), b.cols());
  set_fixed_to_zero(rhs);
  const MatX MR = mass_.asDiagonal() * rigid_;
  if (rigid_.cols() > 0) rhs -= MR * (rigid_.transpose() * rhs);
  for (Eigen::Index c = 0; c < b.cols(); ++c) {
    for (Eigen::Index i = 0; i < rhs.rows(); ++i)
      if (supports_[static_cast<std::size_t>(i)]) rhs(i, c) = 0;
    factor_->solve(rhs.col(c).data(), x.col(c).data());
  }
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    if (supports_[static_cast<std::size_t>(i)]) x.row(i).setZero();
  if (rigid_.cols() > 0) x -= rigid_ * (MR.transpose() * x);
  set_fixed_to_zero(x);
  return x;
}

}  // namespace sinew
