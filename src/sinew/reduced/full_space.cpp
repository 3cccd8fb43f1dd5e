#include "sinew/reduced/full_space.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/model/external_force.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

// Where entry k of the matrix of a slot lies (ElasticPoints), for matrices of `size` entries.
std::size_t entry(int size, Index slot, int k) {
  return (static_cast<std::size_t>(size) * (slot / lane_count) + k) * lane_count + slot % lane_count;
}

}  // namespace

// Gathers what each step needs: axes that are prescribed, gradients b_i of the hat functions of each tet's corners, the
// list of (slot, corner) at each vertex, and the pattern of the sparse matrix with its symbolic factorisation.
FullSpace::FullSpace(const System& system, const ElasticPoints& points, double time)
    : system_(system), springs_(system), pressure_(system) {
  const Index n = system.dynamic_count, slots = points.slot_count();
  fixed_.assign(3 * static_cast<std::size_t>(n), 0);
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!prescribed.holds_at(time)) continue;
    prescribed_.push_back(prescribed);
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k]) fixed_[3 * static_cast<std::size_t>(prescribed.vertex) + k] = 1;
  }
  // One pass over the tets with volume counts corners by vertex and collects the pairs of vertices that share a tet.
  std::vector<std::pair<Index, Index>> pairs;
  std::vector<Index> corner_count(n + 1, 0);
  shape_.resize(12 * static_cast<std::size_t>(slots));
  for (Index c = 0; c < slots; ++c) {
    const Index t = points.tet(c);
    slot_tet_.push_back(t);
    used_.push_back(points.volume(c) > 0 ? 1 : 0);
    const auto hats = hat_gradients(system.rest, system.tets, t);
    std::copy_n(hats.data(), 12, shape_.begin() + 12 * static_cast<std::ptrdiff_t>(c));
    if (!used_[c]) continue;
    for (int i = 0; i < 4; ++i) {
      ++corner_count[system.tets(i, t) + 1];
      for (int j = i + 1; j < 4; ++j) pairs.push_back(std::minmax(system.tets(i, t), system.tets(j, t)));
    }
  }
  corner_begin_.assign(n + 1, 0);
  // Counting sort: the corners (4 slot + i) of each vertex, ascending.
  for (Index v = 0; v < n; ++v) corner_begin_[v + 1] = corner_begin_[v] + corner_count[v + 1];
  corners_.resize(corner_begin_[n]);
  std::vector<std::int64_t> next(corner_begin_.begin(), corner_begin_.end() - 1);
  for (Index c = 0; c < slots; ++c)
    for (int i = 0; i < 4 && used_[c]; ++i) corners_[next[system.tets(i, slot_tet_[c])]++] = 4 * c + i;
  springs_.collect_pairs(pairs);
  pressure_.collect_pairs(pairs);
  H_.set_pattern(make_pattern(n, pairs));
  cholesky_.prepare(H_.shared_pattern());
  if (std::ranges::any_of(system.bodies, [](const SystemBody& body) { return body.damping_mass > 0; }))
    for (Index v = 0; v < n; ++v)
      damping_rate_.push_back(system.bodies[system.vertex_body[v]].damping_mass * system.mass[v]);
  x_ = system.rest;
  springs_.set_time(time);
}

void FullSpace::adapt(Change change) {
  if (change == Change::springs || change == Change::pulls) springs_.set_time(step_ ? step_->time : 0);
}

// x = X + y, 3 x n_all; obstacles stay where they are at rest, since there is no contact here.
const Points& FullSpace::positions(const MatX& y) const {
  const Index n = rows();
  parallel_for(
      n, [&](std::size_t v) { x_.col(v) = system_.rest.col(v) + Vec3(y.row(v)); }, 4096);
  return x_;
}

// Prescribed rows of y follow their motions: y_v = motion(X_v, t) - X_v.
void FullSpace::place(double time, MatX& y) const {
  for (const PrescribedVertex& prescribed : prescribed_) {
    const Vec3 rest = system_.rest.col(prescribed.vertex);
    const Vec3 target = system_.motions[prescribed.motion].apply(rest, time);
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k]) y(prescribed.vertex, k) = target[k] - rest[k];
  }
}

// Body forces, spring anchors and pressures at the end of the step.
void FullSpace::begin_step(const SpaceStep& step, const MatX& start) {
  step_ = &step;
  external_force(system_, step.time, step.load_factor, force_);
  springs_.set_time(step.time);
  pressure_.set_loads(positions(start), step.time, step.load_factor);
}

// E_q = 1/2 |y - y~|_M^2 + scale / (2 h^) |y - y^|_(zeta M)^2 + scale (-f . y + springs + pressure).
double FullSpace::value(const MatX& y) {
  const SpaceStep& step = *step_;
  const Points& x = positions(y);
  return parallel_sum(rows(),
                      [&](std::size_t v) {
                        double sum = -step.scale * Vec3(y.row(v)).dot(force_.col(v));
                        if (!step.inertia) return sum;
                        sum += 0.5 * system_.mass[v] * (y.row(v) - step.predictor.row(v)).squaredNorm();
                        if (!damping_rate_.empty())
                          sum += 0.5 * step.scale / step.reference_step * damping_rate_[v] *
                                 (y.row(v) - step.reference.row(v)).squaredNorm();
                        return sum;
                      }) +
         step.scale * (springs_.value(x) + pressure_.value(x));
}

// grad E_q = M (y - y~) + scale / h^ zeta M (y - y^) + scale (-f + grad springs + grad pressure).
void FullSpace::gradient(const MatX& y, MatX& g) {
  const SpaceStep& step = *step_;
  at_ = y;
  const Points& x = positions(y);
  unused_.setZero(3, rows());
  springs_.add_gradient(x, step.scale, unused_);
  pressure_.add_gradient(x, step.scale, unused_);
  parallel_for(
      rows(),
      [&](std::size_t v) {
        g.row(v) = unused_.col(v) - step.scale * force_.col(v);
        if (!step.inertia) return;
        g.row(v) += system_.mass[v] * (y.row(v) - step.predictor.row(v));
        if (!damping_rate_.empty())
          g.row(v) += step.scale / step.reference_step * damping_rate_[v] * (y.row(v) - step.reference.row(v));
      },
      4096);
}

// F = I + sum_i y_i b_i^T over the corners i of the tet.
void FullSpace::deformation_gradients(const MatX& y, bool displacement, std::span<double> F) {
  parallel_for(
      slot_tet_.size(),
      [&](std::size_t c) {
        const Eigen::Map<const Eigen::Matrix<double, 3, 4>> hats(shape_.data() + 12 * c);
        Mat3 sum = Mat3::Zero();
        if (!displacement) sum.setIdentity();
        for (int i = 0; i < 4; ++i) sum += Vec3(y.row(system_.tets(i, slot_tet_[c]))) * hats.col(i).transpose();
        for (int k = 0; k < 9; ++k) F[entry(9, static_cast<Index>(c), k)] = sum(k / 3, k % 3);
      },
      1024);
}

// g_v += sum over the tets of vertex v of P b_v, summed by vertex in a fixed order.
void FullSpace::add_forces(std::span<const double> P, MatX& g) {
  parallel_for(
      rows(),
      [&](std::size_t v) {
        for (auto e = corner_begin_[v]; e < corner_begin_[v + 1]; ++e) {
          const Index c = corners_[e] / 4;
          const double* hat = shape_.data() + 12 * static_cast<std::size_t>(c) + 3 * (corners_[e] % 4);
          for (int a = 0; a < 3; ++a)
            for (int j = 0; j < 3; ++j) g(v, a) += P[entry(9, c, 3 * a + j)] * hat[j];
        }
      },
      1024);
}

// Assembles and factors H = M + scale / h^ zeta M + sum_c dF^T K_c dF + scale (springs + pressure): block (v, w) of the
// elastic part is the sum of (b_v (x) I)^T K (b_w (x) I) over the tets of both vertices. Each block row is summed by
// one task, over the tets of its vertex in their order.
bool FullSpace::factor(std::span<const double> K) {
  const SpaceStep& step = *step_;
  H_.set_zero();
  const BlockPattern& pattern = H_.pattern();
  parallel_for(
      rows(),
      [&](std::size_t v) {
        double* diagonal = H_.block(pattern.row_begin[v]);
        if (step.inertia) {
          double mass = system_.mass[v];
          if (!damping_rate_.empty()) mass += step.scale / step.reference_step * damping_rate_[v];
          for (int k = 0; k < 9; k += 4) diagonal[k] += mass;
        }
        for (auto e = corner_begin_[v]; e < corner_begin_[v + 1]; ++e) {
          const Index c = corners_[e] / 4;
          const Eigen::Map<const Eigen::Matrix<double, 3, 4>> hats(shape_.data() + 12 * static_cast<std::size_t>(c));
          const Vec3 own = hats.col(corners_[e] % 4);
          // (b_v (x) I)^T K, 3 x 9
          Eigen::Matrix<double, 3, 9> left;
          for (int a = 0; a < 3; ++a)
            for (int q = 0; q < 9; ++q) {
              double sum = 0;
              for (int j = 0; j < 3; ++j) {
                const int row = std::max(3 * a + j, q), column = std::min(3 * a + j, q);
                sum += own[j] * K[entry(45, c, row * (row + 1) / 2 + column)];
              }
              left(a, q) = sum;
            }
          for (int i = 0; i < 4; ++i) {
            const Index w = system_.tets(i, slot_tet_[c]);
            if (w < static_cast<Index>(v)) continue;
            double* block = H_.block(pattern.find(static_cast<Index>(v), w));
            for (int b = 0; b < 3; ++b)
              for (int a = 0; a < 3; ++a) block[3 * b + a] += left.row(a).segment<3>(3 * b).dot(hats.col(i));
          }
        }
      },
      256);
  unused_.setZero(3, rows());
  const Points& x = positions(at_);
  springs_.add_derivatives(x, step.scale, Projection::psd, unused_, H_);
  pressure_.add_derivatives(x, step.scale, Projection::psd, unused_, H_);
  // Prescribed rows become those of a diagonal matrix of the size of the others.
  double largest = 0;
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 9; k += 4) largest = std::max(largest, H_.block(pattern.row_begin[v])[k]);
  H_.constrain(fixed_, largest > 0 ? largest : 1);
  return cholesky_.compute(H_);
}

// d = -H^-1 g, zero at prescribed coordinates.
void FullSpace::solve(const MatX& g, MatX& d) {
  rhs_.resize(3, rows());
  solution_.setZero(3, rows());
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k) rhs_(k, v) = fixed_[3 * static_cast<std::size_t>(v) + k] ? 0.0 : -g(v, k);
  cholesky_.solve(rhs_.data(), solution_.data());
  d = solution_.transpose();
}

// The largest and the mean length of a vertex's displacement [m].
Displacement FullSpace::displacement(const MatX& d) {
  Displacement result;
  result.largest = parallel_max(rows(), 0.0, [&](std::size_t v) { return d.row(v).norm(); });
  result.mean = parallel_sum(rows(), [&](std::size_t v) { return d.row(v).norm(); }) / std::max<Index>(1, rows());
  return result;
}

double FullSpace::kinetic(const MatX& v) const {
  return 0.5 * parallel_sum(rows(), [&](std::size_t i) { return system_.mass[i] * v.row(i).squaredNorm(); });
}

double FullSpace::gravity(const MatX& y) const {
  return -parallel_sum(rows(), [&](std::size_t i) {
    return system_.mass[i] * system_.setup.gravity.dot(system_.rest.col(i) + Vec3(y.row(i)));
  });
}

double FullSpace::springs(const MatX& y) const {
  return springs_.value(positions(y));
}

// Every vertex has coordinates of its own: the projection copies the free ones.
void FullSpace::project(const Points& u, MatX& y) const {
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (!fixed_[3 * static_cast<std::size_t>(v) + k]) y(v, k) = u(k, v);
}

}  // namespace sinew
