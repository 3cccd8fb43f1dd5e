#include "sinew/modes/rest_body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "sinew/core/error.h"
#include "sinew/linalg/block_submatrix.h"
#include "sinew/linalg/dense_decompositions.h"
#include "sinew/model/element_parameters.h"
#include "sinew/potential/elastic_energy.h"
#include "sinew/subspace/index_lists.h"

namespace sinew {
namespace {

// Of the largest singular value of rigid motions at prescribed coordinates: below it a motion leaves them where they
// are. Rounding of places leaves 1e-16 of it, and the smallest that a vertex of a mesh causes is far above.
constexpr double allowed_motion = 1e-9;
constexpr Index most_parts = 100;  // that hang together at hinges: their motions are found by a dense decomposition
constexpr double no_stiffness = 1e-12;  // of a tet's largest stiffness: what rounding leaves of none

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

// The triangle of a QR factorisation has the kernel of A in no more rows than A has columns.
MatX same_kernel(const MatX& A) {
  if (A.rows() <= A.cols()) return A;
  return upper_triangle(A);
}

// Components that share a vertex which can move are one.
std::vector<Index> joined_at_vertices(const Domain& domain, const std::vector<char>& fixed, Index& count) {
  std::vector<Index> root(static_cast<std::size_t>(domain.component_count));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](Index c) {
    while (root[c] != c) c = root[c] = root[root[c]];
    return c;
  };
  std::vector<Index> first(static_cast<std::size_t>(domain.vertex_count()), -1);
  for (Index t = 0; t < domain.tet_count(); ++t)
    for (const Index v : domain.tets.col(t)) {
      const auto constrained = fixed.begin() + 3 * static_cast<std::ptrdiff_t>(v);
      if (constrained[0] && constrained[1] && constrained[2]) continue;
      if (first[v] < 0) first[v] = domain.component[t];
      const Index a = find(first[v]), b = find(domain.component[t]);
      root[std::max(a, b)] = std::min(a, b);
    }
  std::vector<Index> number(root.size(), -1), joined(domain.component.size());
  count = 0;
  for (std::size_t t = 0; t < joined.size(); ++t) {
    Index& own = number[find(domain.component[t])];
    if (own < 0) own = count++;
    joined[t] = own;
  }
  return joined;
}

// Throws InputError unless a tet at rest resists every strain: sigma = lambda tr(e) I + 2 mu e + k (d.e d) d d^T.
void require_stiffness(const System& system, const Domain& domain, Index tet, const std::string& name) {
  const double lambda = domain.lambda[tet], mu = domain.mu[tet];
  if (mu > 0 && 3 * lambda + 2 * mu > 0) return;  // fibers only add to it
  const std::string& material = system.material_names[system.tet_material[tet]];
  const auto group =
      std::ranges::find_if(system.groups, [&](const ElasticGroup& g) { return g.tet_begin <= tet && tet < g.tet_end; });
  if (group == system.groups.end())
    fail_input(code::modes_stiffness,
               "{}: found material '{}' made of springs, expected an elastic solid; use another material, or modes of "
               "frames (kind pod)",
               name, material);
  // In the orthonormal basis xx, yy, zz, sqrt(2) xy, sqrt(2) xz, sqrt(2) yz of symmetric matrices.
  const ElementParameters of = element_parameters(*group, static_cast<std::size_t>(tet - group->tet_begin));
  const Vec3 d = of.fiber_direction;
  const double root = std::sqrt(2.0);
  VecX fiber(6), identity = VecX::Zero(6);
  fiber << d[0] * d[0], d[1] * d[1], d[2] * d[2], root * d[0] * d[1], root * d[0] * d[2], root * d[1] * d[2];
  identity.head(3).setOnes();
  MatX C = 2 * mu * MatX::Identity(6, 6) + lambda * identity * identity.transpose();
  if (of.fiber_stiffness != 0) C += of.fiber_stiffness * fiber * fiber.transpose();
  const SymmetricEigen eigen = symmetric_eigen(C);
  const double rounding = no_stiffness * eigen.values.cwiseAbs().maxCoeff();
  const double least = std::abs(eigen.values[0]) <= rounding ? 0 : eigen.values[0];
  if (least > 0) return;
  VecX e = eigen.vectors.col(0);
  Eigen::Index largest;
  e.cwiseAbs().maxCoeff(&largest);
  if (e[largest] < 0) e = -e;
  e = (e.array().abs() < no_stiffness).select(0, e);
  fail_input(
      code::modes_stiffness,
      "{}: found material '{}' with the stiffness {:.3g} Pa at rest, expected more than 0. The strain is xx {:.3g}, "
      "yy {:.3g}, zz {:.3g}, xy {:.3g}, xz {:.3g}, yz {:.3g} (lambda {:.6g}, mu {:.6g} Pa). Change its "
      "parameters, or use modes of frames (kind pod)",
      name, material, least, e[0], e[1], e[2], e[3] / root, e[4] / root, e[5] / root, lambda, mu);
}

double largest_diagonal(const SymBlockMatrix& K) {
  double largest = 0;
  for (Index i = 0; i < K.rows(); ++i)
    for (int k = 0; k < 3; ++k) largest = std::max(largest, K.block(K.pattern().row_begin[i])[4 * k]);
  return largest;
}

}  // namespace

SymBlockMatrix stiffness_at_rest(const System& system) {
  const ElasticEnergy elastic(system);
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
  Index count = 0;
  const std::vector<Index> joined = joined_at_vertices(domain, fixed, count);
  const IndexLists tets = grouped(joined, count);
  std::vector<RestBody> bodies;
  for (Index c = 0; c < count; ++c) {
    RestBody body(system, domain, extract(domain, tets[c]), fixed);
    if (body.free_ == 0) continue;
    principal_submatrix(K, body.vertices_, body.K_);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

// The vertices that move, their mass, and the size and stiffness of the whole.
RestBody::RestBody(const System& system, const Domain& domain, const Submesh& mesh, const std::vector<char>& fixed)
    : name_(fmt::format("body '{}'", system.bodies[system.vertex_body[mesh.vertex.front()]].name)) {
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
    require_stiffness(system, domain, t, name_);
    volume += domain.volume[t];
    softest = std::min(softest, domain.young[t]);
  }
  for (const Index v : mesh.vertex) mass += domain.mass[v];
  center_ = mesh.vertices.rowwise().mean();
  radius_ = (mesh.vertices.colwise() - center_).colwise().norm().maxCoeff();
  stiffness_ = softest * volume / (mass * radius_ * radius_);

  std::vector<Index> tet_part;
  for (const Index t : mesh.tet) tet_part.push_back(domain.component[t]);
  find_rigid(mesh, tet_part, fixed);
  choose_supports();
}

// R: of the six rigid motions of each part, the combinations that agree at the vertices that parts share and leave the
// prescribed coordinates where they are; made orthonormal in the mass. tet_part: any numbering.
void RestBody::find_rigid(const Submesh& mesh, std::span<const Index> tet_part, const std::vector<char>& fixed) {
  std::map<Index, Index> number;
  for (const Index p : tet_part) number.emplace(p, 0);
  Index parts = 0;
  for (auto& [key, own] : number) own = parts++;
  if (parts > most_parts)
    fail_input(code::modes_stiffness,
               "{}: found {} parts joined only by edges or vertices, expected at most {}; repair the mesh so that its "
               "tets share faces",
               name_, parts, most_parts);
  std::vector<Index> part_of(mesh.vertex.size(), -1);
  std::map<std::pair<Index, Index>, std::vector<Index>> joints;  // of two parts: coordinates of the vertices they share
  std::vector<std::vector<Index>> constrained(static_cast<std::size_t>(parts));
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    const Index part = number[tet_part[static_cast<std::size_t>(t)]];
    for (const Index v : mesh.tets.col(t)) {
      Index& first = part_of[v];
      if (first == part) continue;
      if (first >= 0) {
        for (int k = 0; k < 3; ++k) joints[{first, part}].push_back(3 * v + k);
        continue;
      }
      first = part;
      for (int k = 0; k < 3; ++k)
        if (fixed[3 * static_cast<std::size_t>(mesh.vertex[v]) + k]) constrained[part].push_back(3 * v + k);
    }
  }
  const MatX motions = rigid_motions(mesh.vertices, center_, radius_);
  MatX conditions(0, 6 * parts);
  const auto add = [&](const std::vector<Index>& coordinates, Index plus, Index minus) {
    const MatX rows = same_kernel(motions(coordinates, Eigen::all));
    const auto before = conditions.rows();
    conditions.conservativeResize(before + rows.rows(), Eigen::NoChange);
    conditions.bottomRows(rows.rows()).setZero();
    conditions.block(before, 6 * plus, rows.rows(), 6) = rows;
    if (minus >= 0) conditions.block(before, 6 * minus, rows.rows(), 6) = -rows;
  };
  for (Index p = 0; p < parts; ++p)
    if (!constrained[p].empty()) add(constrained[p], p, -1);
  is_free_ = conditions.rows() == 0;
  for (const auto& [pair, coordinates] : joints) add(coordinates, pair.first, pair.second);
  MatX allowed = MatX::Identity(6 * parts, 6 * parts);
  if (conditions.rows() > 0) allowed = null_space(conditions, allowed_motion);
  rigid_.resize(size(), allowed.cols());
  for (Index i = 0, v = 0; i < mesh.vertex_count(); ++i) {
    if (v == static_cast<Index>(vertices_.size()) || mesh.vertex[i] != vertices_[v]) continue;
    rigid_.middleRows(3 * v++, 3) = motions.middleRows(3 * i, 3) * allowed.middleRows(6 * part_of[i], 6);
  }
  set_fixed_to_zero(rigid_);  // but for rounding they are
  if (rigid_.cols() == 0) return;
  const VecX root = mass_.cwiseSqrt();
  const MatX weighted = root.asDiagonal() * rigid_;
  rigid_ = root.cwiseInverse().asDiagonal() * orthonormal_columns(weighted);
  set_fixed_to_zero(rigid_);
}

// As many coordinates as R has columns, which hold the body statically determinate: the rows of R that a
// factorisation with pivots takes first.
void RestBody::choose_supports() {
  supports_ = fixed_;
  if (rigid_.cols() == 0) return;
  const std::vector<Index> pivots = pivot_columns(rigid_.transpose());
  for (Eigen::Index k = 0; k < rigid_.cols(); ++k) supports_[static_cast<std::size_t>(pivots[k])] = 1;
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

// K + shift M without the constrained coordinates, whose diagonal is as large as the others'.
void RestBody::factor(const std::vector<char>& constrained, double shift) {
  if (factor_ && factored_shift_ == shift) return;
  if (!factor_) factor_ = std::make_unique<SparseCholesky>();
  shifted_ = K_;
  const auto& begin = shifted_.pattern().row_begin;
  for (Index i = 0; i < shifted_.rows(); ++i)
    for (int k = 0; k < 3; ++k) shifted_.block(begin[i])[4 * k] += shift * mass_[3 * i + k];
  shifted_.constrain(constrained, largest_diagonal(K_));
  factored_shift_ = shift;
  if (factor_->compute(shifted_)) return;
  factored_shift_ = -1;
  fail_input(code::modes_stiffness,
             "{}: its stiffness at rest is not positive definite in double precision: its stiffnesses differ by more "
             "than 1e12, or tets are nearly flat. Check with `sinew check`, or use modes of frames (kind pod)",
             name_);
}

MatX RestBody::solve_factored(MatX b, const std::vector<char>& constrained) {
  const auto set_to_zero = [&] {
    for (std::size_t c = 0; c < constrained.size(); ++c)
      if (constrained[c]) b.row(static_cast<Eigen::Index>(c)).setZero();
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
