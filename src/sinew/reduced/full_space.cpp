#include "sinew/reduced/full_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/partition/laplacian.h"
#include "sinew/potential/inertia.h"
#include "sinew/reduced/step_of_vertices.h"
#include "sinew/reduced/vertex_points.h"

namespace sinew {
namespace {

// The collision mesh of the system, with all vertices of bodies as samples.
CoarseSurface whole_surface(const System& system) {
  CoarseSurface surface;
  surface.mesh = system.collision;
  surface.vertex.resize(static_cast<std::size_t>(system.vertex_count()));
  std::iota(surface.vertex.begin(), surface.vertex.end(), Index{0});
  surface.sample_count = system.dynamic_count;
  return surface;
}

// Where entry k of the matrix of a slot lies (ElasticPoints), for matrices of `size` entries.
std::size_t entry(int size, Index slot, int k) {
  return (static_cast<std::size_t>(size) * (slot / lane_count) + k) * lane_count + slot % lane_count;
}

}  // namespace

// Gathers what each step needs: axes that are prescribed, gradients b_i of the hat functions of each tet's corners, the
// list of (slot, corner) at each vertex, and the pattern of the sparse matrix with its symbolic factorisation.
FullSpace::FullSpace(const System& system, const ElasticPoints& points, double time)
    : system_(system), potential_(system, {.elastic = false, .contact = false}) {
  const Index n = system.dynamic_count, slots = points.slot_count();
  fixed_.assign(3 * static_cast<std::size_t>(n), 0);
  for (const PrescribedVertex& prescribed : system.prescribed) {
    if (!prescribed.holds_at(time)) continue;
    prescribed_.push_back(prescribed);
    for (int k = 0; k < 3; ++k)
      if (prescribed.axes[k]) fixed_[3 * static_cast<std::size_t>(prescribed.vertex) + k] = 1;
  }
  std::vector<Index> corner_count(n + 1, 0);
  shape_.resize(12 * static_cast<std::size_t>(slots));
  for (Index c = 0; c < slots; ++c) {
    const Index t = points.tet(c);
    slot_tet_.push_back(t);
    used_.push_back(points.volume(c) > 0 ? 1 : 0);
    const auto hats = hat_gradients(system.rest, system.tets, t);
    std::copy_n(hats.data(), 12, shape_.begin() + 12 * static_cast<std::ptrdiff_t>(c));
    if (!used_[c]) continue;
    for (int i = 0; i < 4; ++i) ++corner_count[system.tets(i, t) + 1];
  }
  corner_begin_.assign(n + 1, 0);
  // Counting sort: the corners (4 slot + i) of each vertex, ascending.
  for (Index v = 0; v < n; ++v) corner_begin_[v + 1] = corner_begin_[v] + corner_count[v + 1];
  corners_.resize(corner_begin_[n]);
  std::vector<std::int64_t> next(corner_begin_.begin(), corner_begin_.end() - 1);
  for (Index c = 0; c < slots; ++c)
    for (int i = 0; i < 4 && used_[c]; ++i) corners_[next[system.tets(i, slot_tet_[c])]++] = 4 * c + i;
  pattern_ = potential_.mesh_pattern();
  cholesky_.prepare(pattern_);
  if (system.setup.contact.enabled)
    contact_ = std::make_unique<ReducedContact>(system, whole_surface(system), std::make_unique<VertexPoints>(system));
  x_ = system.rest;
  // Until a step begins: no force but that of springs, as they are then.
  context_.inertia = false;
  context_.time_end = time;
  context_.start = context_.reference = system.rest;
  context_.dead_force.setZero(3, n);
  potential_.begin_step(context_, 0);
}

void FullSpace::adapt(Change change) {
  potential_.adapt(change);
  if (contact_) contact_->adapt(change);
}

// x = X + y, 3 x n_all; obstacles, which contact_ knows, stay where they are at rest.
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

void FullSpace::begin_step(const SpaceStep& step, const MatX& start) {
  context_.start = positions(start);
  context_.reference = positions(step.reference);
  context_.predictor = positions(step.predictor).leftCols(rows());
  fill_context(system_, step, context_);
  potential_.begin_step(context_, 0);
  pattern_ = potential_.mesh_pattern();
}

// E_q, with a constant of its own.
double FullSpace::value(const MatX& y) {
  return potential_.value(positions(y)).total();
}

void FullSpace::gradient(const MatX& y, MatX& g) {
  at_ = y;
  potential_.gradient(positions(y), g_);
  g = g_.transpose();
  if (contact_) contact_->add_gradient(y, context_.scale, g);
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

// H = that of E_q, with contact. The pattern grows within a step, so that it is analysed a few times a step.
void FullSpace::assemble() {
  if (!contact_) return potential_.derivatives(positions(at_), {}, g_, H_);
  potential_.derivatives(positions(at_), {}, g_, bodies_);
  const SymBlockMatrix* contact = contact_->hessian(context_.scale);
  if (contact) {
    const BlockPattern& own = contact->pattern();
    pairs_.clear();
    for (Index i = 0; i < own.rows; ++i)
      for (auto e = own.row_begin[i]; e < own.row_begin[i + 1]; ++e)
        if (own.columns[e] != i) pairs_.emplace_back(i, own.columns[e]);
    if (!pattern_->contains(pairs_)) pattern_ = extend_pattern(*pattern_, pairs_);
  }
  if (H_.shared_pattern() != pattern_)
    H_.set_pattern(pattern_);  // zero as well
  else
    H_.set_zero();
  H_.add(bodies_);
  if (contact) H_.add(*contact);
}

// Assembles and factors H, that of E_q and sum_c dF^T K_c dF: block (v, w) of the elastic part is the sum of
// (b_v (x) I)^T K (b_w (x) I) over the tets of both vertices. Each block row is summed by one task, over the tets of
// its vertex in their order.
bool FullSpace::factor(std::span<const double> K) {
  assemble();
  const BlockPattern& pattern = H_.pattern();
  parallel_for(
      rows(),
      [&](std::size_t v) {
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
  return kinetic_energy(system_, v.transpose());
}

double FullSpace::gravity(const MatX& y) const {
  return gravity_energy(system_, positions(y));
}

double FullSpace::springs(const MatX& y) const {
  return potential_.value(positions(y))[EnergyKind::springs] / context_.scale;
}

MatX FullSpace::restrict_to(const MatX&, const Points& g) const {
  MatX result = g.transpose();
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (fixed_[3 * static_cast<std::size_t>(v) + k]) result(v, k) = 0;
  return result;
}

// Every vertex has coordinates of its own: the projection copies the free ones.
void FullSpace::project(const Points& u, MatX& y) const {
  for (Index v = 0; v < rows(); ++v)
    for (int k = 0; k < 3; ++k)
      if (!fixed_[3 * static_cast<std::size_t>(v) + k]) y(v, k) = u(k, v);
}

}  // namespace sinew
