#include "sinew/potential/springs.h"

#include <algorithm>
#include <cmath>

#include "sinew/model/muscle.h"

namespace sinew {
namespace {

void add_block(SymBlockMatrix& H, Index row, Index column, const Mat3& block) {
  // The blocks of a spring are symmetric, so the transpose for row > column needs no care.
  double* values = H.block(H.pattern().find(std::min(row, column), std::max(row, column)));
  Eigen::Map<Mat3>(values) += block;
}

}  // namespace

void SpringEnergy::adapt(Change change) {
  if (change == Change::springs || change == Change::pulls) set_time(time_);
}

// Targets p(t) of springs to points, scaled, rotated and shifted by their motions, and which springs still hold.
void SpringEnergy::set_time(double time) {
  time_ = time;
  const std::size_t n = system_.springs.size();
  targets_.resize(n);
  holds_.resize(n);
  for (std::size_t s = 0; s < n; ++s) {
    const Spring& spring = system_.springs[s];
    targets_[s] = spring.motion < 0 ? spring.point : system_.motions[spring.motion].apply(spring.point, time);
    if (spring.motion >= 0 && spring.point_weight != 1)
      targets_[s] += (spring.point_weight - 1) * system_.motions[spring.motion].apply(Vec3::Zero(), time);
    holds_[s] = time <= spring.until;
  }
}

// u = x_i - p, p the target or the mean of the other vertices; the energy is k/2 (|u| - l)^2.
Vec3 SpringEnergy::extension(const Points& x, std::size_t s) const {
  const Spring& spring = system_.springs[s];
  if (spring.others.empty()) return x.col(spring.vertex) - targets_[s];
  Vec3 mean = Vec3::Zero();
  if (!spring.weights.empty()) {
    for (std::size_t k = 0; k < spring.others.size(); ++k) mean += spring.weights[k] * x.col(spring.others[k]);
    return x.col(spring.vertex) - mean;
  }
  for (Index other : spring.others) mean += x.col(other);
  return x.col(spring.vertex) - mean / static_cast<double>(spring.others.size());
}

// k/2 (|u| - l)^2 (theory, section 1, "Springs, loads, damping").
double SpringEnergy::spring_value(const Points& x, std::size_t s) const {
  if (!holds_[s]) return 0;
  const double stretch = extension(x, s).norm() - spring_length_at(system_.springs[s], time_);
  return 0.5 * system_.springs[s].stiffness * stretch * stretch;
}

double SpringEnergy::value(const Points& x) const {
  double sum = 0;
  for (std::size_t s = 0; s < system_.springs.size(); ++s) sum += spring_value(x, s);
  return sum;
}

// The whole energy counts at each vertex of the spring: E_i is the energy of all stencils at i (TS, section 3.4).
void SpringEnergy::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  for (std::size_t s = 0; s < system_.springs.size(); ++s) {
    const double energy = scale * spring_value(x, s);
    values[system_.springs[s].vertex] += energy;
    for (const Index other : system_.springs[s].others) values[other] += energy;
  }
}

// scale k (1 - l/|u|) u.
Vec3 SpringEnergy::gradient_at_vertex(const Points& x, std::size_t s, double scale) const {
  if (!holds_[s]) return Vec3::Zero();
  const Spring& spring = system_.springs[s];
  const Vec3 u = extension(x, s);
  const double norm = u.norm(), length = spring_length_at(spring, time_);
  // A slack spring of positive length has no direction at u = 0; its force there is taken as zero.
  const double factor = norm > 0 ? 1 - length / norm : (length > 0 ? 0 : 1);
  return scale * spring.stiffness * factor * u;
}

// f at the vertex, and -w_j f at the vertices of the other end with weights w_j, 1/m each by
// default. Springs are few and overlap at vertices: one thread adds them in their order.
void SpringEnergy::add_gradient(const Points& x, double scale, Points& g) const {
  for (std::size_t s = 0; s < system_.springs.size(); ++s) {
    if (!holds_[s]) continue;
    const Spring& spring = system_.springs[s];
    const Vec3 force = gradient_at_vertex(x, s, scale);
    g.col(spring.vertex) += force;
    if (!spring.weights.empty()) {
      for (std::size_t k = 0; k < spring.others.size(); ++k) g.col(spring.others[k]) -= spring.weights[k] * force;
      continue;
    }
    for (Index other : spring.others) g.col(other) -= force / static_cast<double>(spring.others.size());
  }
}

// With A = k (n n^T + (1 - l/|u|)(I - n n^T)), n = u / |u|, and weights c = 1 for the vertex and -1/m for each of the m
// others, block (a, b) of the Hessian is c_a c_b A.
void SpringEnergy::add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                                   SymBlockMatrix& H) const {
  add_gradient(x, scale, g);
  for (std::size_t s = 0; s < system_.springs.size(); ++s) {
    if (!holds_[s]) continue;
    const Spring& spring = system_.springs[s];
    const Vec3 u = extension(x, s);
    const double norm = u.norm(), length = spring_length_at(spring, time_);
    Mat3 A = Mat3::Identity();  // eigenvalues 1 along u and 1 - l/|u| across
    if (length > 0 && norm > 0) {
      const Vec3 n = u / norm;
      double across = 1 - length / norm;
      if (projection == Projection::psd) across = std::max(across, 0.0);
      A = across * Mat3::Identity() + (1 - across) * n * n.transpose();
    } else if (length > 0) {
      A.setZero();
    }
    A *= scale * spring.stiffness;
    add_block(H, spring.vertex, spring.vertex, A);
    for (std::size_t a = 0; a < spring.others.size(); ++a) {
      const double w = spring.weight(a);
      add_block(H, spring.vertex, spring.others[a], -w * A);
      for (std::size_t b = a; b < spring.others.size(); ++b)
        add_block(H, spring.others[a], spring.others[b], w * spring.weight(b) * A);
    }
  }
}

// A spring to a mean of m vertices couples all of them: m (m + 1) / 2 blocks.
void SpringEnergy::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const Spring& spring : system_.springs) {
    for (std::size_t a = 0; a < spring.others.size(); ++a) {
      pairs.push_back(std::minmax(spring.vertex, spring.others[a]));
      for (std::size_t b = a + 1; b < spring.others.size(); ++b)
        pairs.push_back(std::minmax(spring.others[a], spring.others[b]));
    }
  }
}

}  // namespace sinew
