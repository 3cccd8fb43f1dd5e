#include "sinew/potential/edge_springs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/parallel.h"
#include "sinew/potential/stretch_limit.h"

namespace sinew {
namespace {

constexpr std::size_t vertices_a_task = 256;

double edge_energy(const EdgeSpring& spring, const Points& x) {
  const double norm = (x.col(spring.a) - x.col(spring.b)).norm(), extension = norm - spring.length;
  return 0.5 * spring.stiffness * extension * extension + stretch_barrier(spring, norm);
}

// (k (|u| - l) + B') n, the force of a spring on its first end, n = u/|u|.
Vec3 edge_force(const EdgeSpring& spring, const Vec3& u) {
  const double norm = u.norm();
  if (!(norm > 0)) return Vec3::Zero();
  return (spring.stiffness * (1 - spring.length / norm) + stretch_barrier_force(spring, norm) / norm) * u;
}

// A = k (n n^T + (1 - l/|u|) (I - n n^T)); the factor across the spring is negative under compression, and clamped at
// zero for `psd`.
Mat3 edge_stiffness(const EdgeSpring& spring, const Vec3& u, Projection projection) {
  const double norm = u.norm();
  if (!(norm > 0)) return Mat3::Zero();
  const Vec3 n = u / norm;
  double across = 1 - spring.length / norm;
  if (projection == Projection::psd) across = std::max(across, 0.0);
  return spring.stiffness * (across * Mat3::Identity() + (1 - across) * n * n.transpose());
}

// B'' n n^T + B'/|u| (I - n n^T).
Mat3 barrier_stiffness(const EdgeSpring& spring, const Vec3& u) {
  const double norm = u.norm();
  if (spring.longest == 0 || norm <= spring.length) return Mat3::Zero();
  const Vec3 n = u / norm;
  const double along = stretch_barrier_stiffness(spring, norm), across = stretch_barrier_force(spring, norm) / norm;
  return across * Mat3::Identity() + (along - across) * n * n.transpose();
}

}  // namespace

// Lists for each vertex the springs that end there (compressed rows), so that one thread can sum a vertex's row.
EdgeSpringEnergy::EdgeSpringEnergy(const System& system) : system_(system) {
  if (empty()) return;
  std::vector<Index> count(static_cast<std::size_t>(system.dynamic_count) + 1, 0);
  for (const EdgeSpring& spring : system.edge_springs) ++count[spring.a], ++count[spring.b];
  std::vector<Index> next(count.size());
  begin_.push_back(0);
  for (Index v = 0; v < system.dynamic_count; ++v) {
    if (count[v] == 0) continue;
    next[v] = begin_.back();
    vertices_.push_back(v);
    begin_.push_back(begin_.back() + count[v]);
  }
  // Each spring is listed at both of its ends.
  ends_.resize(begin_.back());
  for (std::size_t s = 0; s < system.edge_springs.size(); ++s) {
    const EdgeSpring& spring = system.edge_springs[s];
    ends_[next[spring.a]++] = {static_cast<Index>(s), spring.b};
    ends_[next[spring.b]++] = {static_cast<Index>(s), spring.a};
  }
}

// sum k/2 (|u| - l)^2 + B, u = x_a - x_b (Liu, Bouaziz and Kavan 2017, section 3).
double EdgeSpringEnergy::value(const Points& x) const {
  return parallel_sum(system_.edge_springs.size(),
                      [&](std::size_t s) { return edge_energy(system_.edge_springs[s], x); });
}

// |u| has an error of eps times the size of positions, which the barrier's force turns into energy.
double EdgeSpringEnergy::value_rounding(const Points& x) const {
  return 16 * std::numeric_limits<double>::epsilon() * parallel_sum(system_.edge_springs.size(), [&](std::size_t s) {
           const EdgeSpring& spring = system_.edge_springs[s];
           if (spring.longest == 0) return 0.0;
           const double force = stretch_barrier_force(spring, (x.col(spring.a) - x.col(spring.b)).norm());
           return force * x.col(spring.a).cwiseAbs().maxCoeff();
         });
}

// The whole energy of a spring counts at both of its ends: E_i is the energy around vertex i (TS, section 3.4).
void EdgeSpringEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (const EdgeSpring& spring : system_.edge_springs) {
    const double energy = scale * edge_energy(spring, x);
    values[spring.a] += energy;
    values[spring.b] += energy;
  }
}

// Each vertex sums the forces of its springs in a fixed order: (k (1 - l/|u|) + B'/|u|) u, u = x_i - x_j.
void EdgeSpringEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  parallel_for(
      vertices_.size(),
      [&](std::size_t v) {
        const Index i = vertices_[v];
        Vec3 sum = Vec3::Zero();
        for (Index e = begin_[v]; e < begin_[v + 1]; ++e)
          sum += edge_force(system_.edge_springs[ends_[e].spring], x.col(i) - x.col(ends_[e].other));
        g.col(i) += scale * sum;
      },
      vertices_a_task);
}

// Only the upper triangle is stored: the row of the lower end of a spring holds its block.
void EdgeSpringEnergy::find_slots(const SymBlockMatrix& H) const {
  if (slot_pattern_ == H.shared_pattern()) return;
  const BlockPattern& pattern = H.pattern();
  slots_.resize(system_.edge_springs.size());
  parallel_for(
      slots_.size(),
      [&](std::size_t s) { slots_[s] = pattern.find(system_.edge_springs[s].a, system_.edge_springs[s].b); }, 1024);
  slot_pattern_ = H.shared_pattern();
}

// Row i of the Hessian: the sum of A over the springs of vertex i on the diagonal, and -A in the column of each other
// end above i; scale(i) is the factor of the row, stiffness(spring, u) is A.
template <class Scale, class Stiffness>
void EdgeSpringEnergy::add_rows(const Points& x, Scale&& scale, Stiffness&& stiffness, SymBlockMatrix& H) const {
  find_slots(H);
  parallel_for(
      vertices_.size(),
      [&](std::size_t v) {
        const Index i = vertices_[v];
        const double factor = scale(i);
        Mat3 diagonal = Mat3::Zero();
        for (Index e = begin_[v]; e < begin_[v + 1]; ++e) {
          const auto [s, other] = ends_[e];
          const Mat3 A = factor * stiffness(system_.edge_springs[s], x.col(i) - x.col(other));
          diagonal += A;
          if (other > i) Eigen::Map<Mat3>(H.block(slots_[s])) -= A;
        }
        Eigen::Map<Mat3>(H.block(H.pattern().row_begin[i])) += diagonal;
      },
      vertices_a_task);
}

// Rows are summed vertex by vertex: twice the arithmetic of a sum over springs, without two threads at one block.
void EdgeSpringEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                       SymBlockMatrix& H) const {
  if (empty()) return;
  add_gradient(x, scale, g);
  const auto stiffness = [&](const EdgeSpring& spring, const Vec3& u) -> Mat3 {
    return edge_stiffness(spring, u, projection) + barrier_stiffness(spring, u);
  };
  add_rows(
      x, [&](Index) { return scale; }, stiffness, H);
}

// The Hessian alone, with a factor for each body: stiffness damping.
void EdgeSpringEnergy::add_hessian(const Points& x, std::span<const double> body_weight, Projection projection,
                                   SymBlockMatrix& H) const {
  if (empty()) return;
  const auto stiffness = [&](const EdgeSpring& spring, const Vec3& u) { return edge_stiffness(spring, u, projection); };
  add_rows(
      x, [&](Index i) { return body_weight[system_.vertex_body[i]]; }, stiffness, H);
}

void EdgeSpringEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const EdgeSpring& spring : system_.edge_springs) pairs.emplace_back(spring.a, spring.b);
}

}  // namespace sinew
