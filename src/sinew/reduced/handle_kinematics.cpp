#include "sinew/reduced/handle_kinematics.h"

#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/potential/coordinate_spin.h"
#include "sinew/potential/point_springs.h"
#include "sinew/potential/quadratic_energy.h"
#include "sinew/reduced/affine_motion.h"
#include "sinew/reduced/axis_points.h"
#include "sinew/reduced/basis_row.h"
#include "sinew/reduced/handle_hessian.h"
#include "sinew/reduced/mesh_sums.h"
#include "sinew/subspace/handle_basis.h"

namespace sinew {
namespace {

// phi(X) = row of W at X, for each set of axes: u_a(X) = phi(X) . y_a. Sums of phi and phi phi^T over the mesh make
// masses and loads once (potential/quadratic_terms.h).
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

QuadraticTerms quadratic_terms(const System& system, const ReducedBasis& basis, const AxisRows& rows) {
  const std::vector<Index> vertices = all_vertices(system);
  const std::vector<ShapeFunctions> shapes = handle_shapes(system, basis, rows, vertices);
  return basis.sums ? QuadraticTerms(system, shapes, basis.sums->quadratic) : QuadraticTerms(system, shapes);
}

}  // namespace

HandleKinematics::HandleKinematics(const System& system, std::shared_ptr<const ReducedBasis> basis,
                                   const ElasticPoints& points)
    : system_(system),
      basis_(std::move(basis)),
      rows_(axis_rows(*basis_, system.rest)),
      probes_(system, rows_, points, basis_->sums ? basis_->sums->far : std::vector<Index>()),
      set_(basis_->set),
      free_(rows_.free),
      quadratic_(quadratic_terms(system, *basis_, rows_)) {
  for (Index s = 0; s < static_cast<Index>(basis_->sets.size()); ++s)
    free_mass_.push_back(free_factor(quadratic_.mass(s).topLeftCorner(free_, free_)));
}

// u = U q + U_D q_D, axis by axis: free handles, and those that follow prescribed motions. For output; no step needs
// it.
void HandleKinematics::lift(const MatX& y, Points& u) const {
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
    add(basis_->sets[s].prescribed, free_, s);
  }
}

// u = sum_i w_i (y_i0 + sum_k (X - c_i)_k / r_i y_ik) over the handles i of a vertex, axis by axis.
void HandleKinematics::lift_at(const MatX& y, std::span<const Index> vertices, Points& u) const {
  u.resize(3, system_.dynamic_count);
  const Points columns = y.transpose();  // 3 x rows, so that the axes of a row lie together
  const auto moved = [&](const HandleBasis& basis, Index first, Index v) {
    Vec3 sum = Vec3::Zero();
    for (auto e = basis.begin[v]; e < basis.begin[v + 1]; ++e) {
      const Index i = basis.handle[e], at = first + 4 * i;
      const Vec3 s = (system_.rest.col(v) - basis.center[i]) * (1 / basis.radius[i]);
      sum += basis.weight[e] *
             (columns.col(at) + s[0] * columns.col(at + 1) + s[1] * columns.col(at + 2) + s[2] * columns.col(at + 3));
    }
    return sum;
  };
  for (int s = 0; s < static_cast<int>(basis_->sets.size()); ++s)
    parallel_for(
        vertices.size(),
        [&](std::size_t k) {
          const Index v = vertices[k];
          const AxisHandles& set = basis_->sets[s];
          const Vec3 sum = moved(set.free, 0, v) + moved(set.prescribed, free_, v);
          for (int a = 0; a < 3; ++a)
            if (set_[a] == s) u(a, v) = sum[a];
        },
        1024);
}

// U^T g, axis by axis, for the free handles.
MatX HandleKinematics::restrict_to(const MatX&, const Points& g) const {
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
double HandleKinematics::inverse_mass_square(const MatX&, const MatX& r) const {
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    const auto free = r.col(a).head(free_);
    sum += free.dot(free_mass_[set_[a]].solve(free));
  }
  return sum;
}

// a = (U^T M U)^{-1} r, axis by axis: M is the same for all axes with the same prescribed vertices.
void HandleKinematics::accelerate(const MatX&, const MatX& r, MatX& a) const {
  a.setZero(rows(), 3);
  for (int k = 0; k < 3; ++k) a.col(k).head(free_) = free_mass_[set_[k]].solve(r.col(k).head(free_));
}

// Closest y to displacements u in the metric of mass:
//
//   q = (U^T M U)^{-1} U^T M (u - U_D q_D),
//
// with one step of iterative refinement, since handles of nearly equal weights make U^T M U ill conditioned.
void HandleKinematics::project(const Points& u, MatX& y) const {
  Points prescribed, weighted(3, system_.dynamic_count);
  MatX known = y;
  known.topRows(free_).setZero();
  lift(known, prescribed);
  for (Index v = 0; v < system_.dynamic_count; ++v) weighted.col(v) = system_.mass[v] * (u.col(v) - prescribed.col(v));
  const MatX b = restrict_to(y, weighted);
  for (int a = 0; a < 3; ++a) {
    const Eigen::LLT<MatX>& factor = free_mass_[set_[a]];
    VecX q = factor.solve(b.col(a));
    q += factor.solve(b.col(a) - quadratic_.mass(set_[a]).topLeftCorner(free_, free_) * q);  // one refinement
    y.col(a).head(free_) = q;
  }
}

// A prescribed motion X -> A X + t is met exactly by its handle with centre c and radius r, whose weight is 1 at its
// vertices:
//
//   u = (A - I) X + t = [(A - I) c + t] + r (A - I) (X - c)/r.
void HandleKinematics::prescribe(double time, MatX& y) const {
  const HandleBasis& prescribed = basis_->sets[0].prescribed;
  for (std::size_t m = 0; m < basis_->motions.size(); ++m) {
    const AffineMap map = affine_at(system_, basis_->motions[m], time);
    const Vec3& c = prescribed.center[m];
    const Mat3 turn = map.leftCols<3>() - Mat3::Identity();
    const Index first = free_ + 4 * static_cast<Index>(m);
    y.row(first) = (turn * c + map.col(3)).transpose();
    y.middleRows(first + 1, 3) = prescribed.radius[m] * turn.transpose();
  }
}

std::unique_ptr<PointSet> HandleKinematics::make_points(const std::vector<PointRow>& rows,
                                                        std::vector<PointSpring>* springs) const {
  std::vector<AxisPoint> points = make_axis_points(system_, rows_, rows);
  if (springs) merge_springs(*springs, points);
  return std::make_unique<AxisPoints>(rows_, points);
}

std::unique_ptr<CoordinateHessian> HandleKinematics::make_hessian() const {
  return std::make_unique<HandleHessian>(rows_);
}

// Inertia, mass damping and dead loads: H is the same block for all axes with the same prescribed vertices.
std::unique_ptr<CoordinateEnergy> HandleKinematics::make_quadratic_energy() {
  return std::make_unique<QuadraticEnergy>(quadratic_,
                                           [this](const MatX&, const CoordinateStep&, CoordinateHessian& sum) {
                                             auto& H = in_layout<HandleHessian>(sum);
                                             for (int a = 0; a < 3; ++a) quadratic_.add_hessian(set_[a], H.block(a, a));
                                           });
}

std::unique_ptr<CoordinateEnergy> HandleKinematics::make_spin_energy() const {
  const std::vector<Index> vertices = all_vertices(system_);
  return std::make_unique<CoordinateSpin>(system_, handle_shapes(system_, *basis_, rows_, vertices));
}

}  // namespace sinew
