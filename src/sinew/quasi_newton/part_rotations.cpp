#include "sinew/quasi_newton/part_rotations.h"

#include <algorithm>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/partition/laplacian.h"

namespace sinew {
namespace {

constexpr Index most_parts = 100;  // a dense matrix of three times as many rows is solved in each iteration

// Symbols: part p with centre c_p and its vertices i, field u_i = w_p x (x_i - c_p) of its rotation w_p; R maps all w_p
// to displacements, S = R^T (M + a h^2 L') R (part_rotations.h) of size 3 parts, solved densely.

// Root of a set of the union-find structure, with path halving.
Index root_of(std::vector<Index>& parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// Sums over the vertices of a part with arms y_i = x_i - c: torque sum y_i x q_i, and the second moments sum m y_k^2
// and sum m y_k y_l.
struct TurnSums {
  Vec3 torque = Vec3::Zero(), squares = Vec3::Zero(), products = Vec3::Zero();
  TurnSums& operator+=(const TurnSums& other) {
    torque += other.torque;
    squares += other.squares;
    products += other.products;
    return *this;
  }
};

struct PointSum {
  Vec3 sum = Vec3::Zero();
  PointSum& operator+=(const PointSum& other) {
    sum += other.sum;
    return *this;
  }
};

}  // namespace

// The parts: connected components of the tets of one material, where tets that share a vertex are connected.
PartRotations::PartRotations(const System& system) : system_(system) {
  const Index m = system.elastic_tet_count();
  std::vector<Index> parent(m), last(system.dynamic_count, -1);
  std::iota(parent.begin(), parent.end(), 0);
  // By material, so that the last tet at a vertex is of the same one.
  std::vector<Index> order(m);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](Index t) { return system.tet_material[t]; });
  for (const Index t : order)
    for (int k = 0; k < 4; ++k) {
      Index& before = last[system.tets(k, t)];
      if (before >= 0 && system.tet_material[before] == system.tet_material[t])
        parent[root_of(parent, t)] = root_of(parent, before);
      before = t;
    }
  tet_part_.resize(m);
  std::vector<Index> number(m, -1);
  Index count = 0;
  for (Index t = 0; t < m; ++t) {
    Index& of = number[root_of(parent, t)];
    if (of < 0) of = count++;
    tet_part_[t] = of;
  }
  begin_.assign(static_cast<std::size_t>(count) + 1, 0);
}

// Assigns each free vertex to a part, and collects the tets whose vertices belong to different parts (links): they
// alone resist relative rotations.
void PartRotations::set(const StepContext& context, std::span<const double> weight) {
  const Index n = system_.dynamic_count, m = system_.elastic_tet_count();
  inertia_ = context.inertia;
  links_.clear();
  center_.clear();
  if (part_count() > most_parts) return;
  // A vertex belongs to the part of its stiffest tet.
  vertex_part_.assign(n, -1);
  std::vector<double> strongest(n, -1);
  for (Index t = 0; t < m; ++t)
    for (int k = 0; k < 4; ++k) {
      const Index v = system_.tets(k, t);
      if (weight[t] <= strongest[v]) continue;
      strongest[v] = weight[t];
      vertex_part_[v] = tet_part_[t];
    }
  // Vertices with a prescribed coordinate turn with no part.
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (context.prescribed[3 * static_cast<std::size_t>(i) + k]) vertex_part_[i] = -1;
  // Counting sort of the vertices by part.
  std::ranges::fill(begin_, 0);
  for (const Index p : vertex_part_)
    if (p >= 0) ++begin_[p + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  vertices_.resize(begin_.back());
  std::vector<Index> cursor(begin_.begin(), begin_.end() - 1);
  for (Index i = 0; i < n; ++i)
    if (vertex_part_[i] >= 0) vertices_[cursor[vertex_part_[i]]++] = i;
  // Tets whose corners are not all of one part couple the parts that they have.
  for (Index t = 0; t < m; ++t) {
    Link link;
    for (int k = 0; k < 4; ++k) {
      link.vertices[k] = system_.tets(k, t);
      link.parts[k] = vertex_part_[link.vertices[k]];
    }
    const bool inside = std::ranges::all_of(link.parts, [&](Index p) { return p == link.parts[0]; });
    if (inside) continue;
    link.gradients = hat_gradients(system_.rest, system_.tets, t);
    link.weight = weight[t];
    links_.push_back(link);
  }
}

// c_p, the mean of the vertices of each part.
void PartRotations::find_centers(const Points& x) {
  center_.assign(part_count(), Vec3::Zero());
  for (Index p = 0; p < part_count(); ++p) {
    const Index* of = vertices_.data() + begin_[p];
    const auto count = static_cast<std::size_t>(begin_[p + 1] - begin_[p]);
    if (count == 0) continue;
    const PointSum all = parallel_sum_chunks<PointSum>(count, 4096, [&](std::size_t begin, std::size_t end) {
      PointSum some;
      for (std::size_t i = begin; i < end; ++i) some.sum += x.col(of[i]);
      return some;
    });
    center_[p] = all.sum / static_cast<double>(count);
  }
}

// The torque sum y x q of each part, y = x - c_p, and on the diagonal of S its moment of inertia sum m (|y|^2 I - y
// y^T).
void PartRotations::sum_parts(const Points& x, const Points& q, VecX& torque) {
  const Index parts = part_count();
  S_.setZero(3 * parts, 3 * parts);
  torque.setZero(3 * parts);
  for (Index p = 0; p < parts; ++p) {
    const Index* of = vertices_.data() + begin_[p];
    const auto count = static_cast<std::size_t>(begin_[p + 1] - begin_[p]);
    if (count == 0) {
      S_.block<3, 3>(3 * p, 3 * p).setIdentity();
      continue;
    }
    const Vec3 c = center_[p];
    const TurnSums sums = parallel_sum_chunks<TurnSums>(count, 4096, [&](std::size_t begin, std::size_t end) {
      TurnSums some;
      for (std::size_t i = begin; i < end; ++i) {
        const Vec3 y = x.col(of[i]) - c;
        some.torque += y.cross(Vec3(q.col(of[i])));
        if (!inertia_) continue;
        const double m = system_.mass[of[i]];
        some.squares += m * y.cwiseAbs2();
        some.products += m * Vec3(y[1] * y[2], y[0] * y[2], y[0] * y[1]);
      }
      return some;
    });
    torque.segment<3>(3 * p) = sums.torque;
    if (!inertia_) continue;
    const Vec3 &squares = sums.squares, &products = sums.products;
    Mat3 moment;
    moment << squares[1] + squares[2], -products[2], -products[1],  //
        -products[2], squares[0] + squares[2], -products[0],        //
        -products[1], -products[0], squares[0] + squares[1];
    S_.block<3, 3>(3 * p, 3 * p) += moment;
  }
}

// The gradient of part p's field in a tet is -[u_k]_x along axis k, u_k = sum_a g_a[k] (x_a - c_p) over its vertices
// of p: S_pq += w_e sum_k [u_k^p]_x^T [u_k^q]_x, where [u]_x^T [v]_x = (u . v) I - v u^T.
void PartRotations::add_links(const Points& x) {
  for (const Link& link : links_) {
    Mat3 u[4];  // of vertex a, which speaks for the vertices of its part
    for (int a = 0; a < 4; ++a) {
      u[a].setZero();
      const auto first = std::ranges::find(link.parts, link.parts[a]) - link.parts.begin();
      if (link.parts[a] >= 0)
        u[first] += Vec3(x.col(link.vertices[a]) - center_[link.parts[a]]) * link.gradients.col(a).transpose();
    }
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        if (link.parts[a] < 0 || link.parts[b] < 0) continue;
        const Mat3 outer = u[b] * u[a].transpose();  // sum_k v_k u_k^T
        S_.block<3, 3>(3 * link.parts[a], 3 * link.parts[b]) +=
            link.weight * (outer.trace() * Mat3::Identity() - outer);
      }
  }
}

// r += R S^-1 R^T q in three stages: torques R^T q and the moments of inertia of the parts, the coupling of parts
// through the links, and a dense Cholesky solve for the rotations. O(vertices + links + parts^3).
void PartRotations::add(const Points& x, const Points& q, Points& r) {
  const Index parts = part_count();
  if (parts == 0 || parts > most_parts) return;
  if (center_.empty()) find_centers(x);
  turn_.assign(parts, Vec3::Zero());
  VecX torque;
  sum_parts(x, q, torque);
  add_links(x);
  const Eigen::LLT<Eigen::MatrixXd> factor(S_);
  if (factor.info() != Eigen::Success) return;  // r stays A^-1 q
  const VecX turns = factor.solve(torque);
  if (!turns.allFinite()) return;
  for (Index p = 0; p < parts; ++p) turn_[p] = turns.segment<3>(3 * p);
  parallel_for(
      system_.dynamic_count,
      [&](std::size_t i) {
        const Index p = vertex_part_[i];
        if (p >= 0) r.col(i) += turn_[p].cross(Vec3(x.col(i) - center_[p]));
      },
      4096);
}

}  // namespace sinew
