#include "sinew/dynamics/rigid_freedom.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <Eigen/Eigenvalues>

#include "sinew/core/error.h"

namespace sinew {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

// Relative to the largest eigenvalue of the constraints' Gram matrix.
constexpr double rank_tolerance = 1e-12;

// Disjoint sets of vertices (union-find with path halving).
class Pieces {
 public:
  explicit Pieces(Index n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }

  Index root(Index v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  // The lower vertex becomes the root.
  void join(Index a, Index b) {
    const auto [low, high] = std::minmax({root(a), root(b)});
    parent_[high] = low;
  }

 private:
  std::vector<Index> parent_;
};

// A vertex with equations of the piece that a vertex is of: the vertices that one follows are of one piece.
Index followed(const System& system, Index vertex) {
  return system.embedding.follows(vertex) ? system.embedding.row(vertex)[0].vertex : vertex;
}

// The pieces of bodies, those that springs or ties join as one.
Pieces connected_pieces(const System& system, const Embedding* ties) {
  Pieces pieces(system.dynamic_count);
  for (Index t = 0; t < system.tet_count(); ++t)
    for (int k = 1; k < 4; ++k) pieces.join(system.tets(0, t), system.tets(k, t));
  for (const EdgeSpring& spring : system.edge_springs) pieces.join(spring.a, spring.b);
  for (const Spring& spring : system.springs)
    for (const Index other : spring.others) pieces.join(followed(system, spring.vertex), followed(system, other));
  if (ties)
    for (const Index tied : ties->followers()) pieces.join(tied, ties->row(tied)[0].vertex);
  return pieces;
}

// Calls hold(vertex, axis) for each coordinate that is prescribed or that a spring to a point holds at `time`.
template <class Hold>
void for_each_held(const System& system, double time, Hold&& hold) {
  for (const PrescribedVertex& p : system.prescribed)
    for (int k = 0; k < 3; ++k)
      if (p.axes[k] && time <= p.until) hold(p.vertex, k);
  for (const Spring& spring : system.springs)
    for (int k = 0; k < 3; ++k)
      if (spring.others.empty() && time <= spring.until) hold(spring.vertex, k);
}

}  // namespace

// The free rigid motions of each connected piece that contacts do not hold: each prescribed coordinate k at a vertex
// with arm r constrains the six rigid motions (v, omega) by one row, e_k . (v + omega x r) = 0. The rank of the rows,
// by the eigenvalues of their 6x6 Gram matrix, is the number of motions that are held.
std::vector<FreePiece> free_pieces(const System& system, double time, std::span<const ContactStencil> contacts,
                                   const Embedding* ties) {
  const Index n = system.dynamic_count;
  Pieces pieces = connected_pieces(system, ties);
  std::vector<char> held(n, 0);
  for (const ContactStencil& stencil : contacts)
    for (int k = 0; k < stencil.vertex_count(); ++k)
      if (stencil.v[k] < system.body_vertex_count()) held[pieces.root(followed(system, stencil.v[k]))] = 1;

  // The row of coordinate k, with r relative to the piece's first vertex and in units of the diagonal.
  std::vector<Mat6> gram(n, Mat6::Zero());
  for_each_held(system, time, [&](Index vertex, int k) {
    const Index root = pieces.root(followed(system, vertex));
    const Vec3 arm = (system.rest.col(vertex) - system.rest.col(root)) / system.diagonal;
    Vec6 row;
    row << Vec3::Unit(k), arm.cross(Vec3::Unit(k));
    gram[root] += row * row.transpose();
  });

  std::vector<FreePiece> found;
  for (Index v = 0; v < n; ++v) {
    if (pieces.root(v) != v || held[v]) continue;
    const Eigen::SelfAdjointEigenSolver<Mat6> eigen(gram[v]);
    const Vec6& values = eigen.eigenvalues();
    const int motions = static_cast<int>((values.array() <= rank_tolerance * std::max(values[5], 1.0)).count());
    if (motions > 0) found.push_back({system.vertex_body[v], v, motions, eigen.eigenvectors().leftCols(motions), {}});
  }
  if (found.empty()) return found;
  for (Index v = 0; v < n; ++v) {  // roots are ascending
    const auto piece = std::ranges::lower_bound(found, pieces.root(v), {}, &FreePiece::vertex);
    if (piece != found.end() && piece->vertex == pieces.root(v)) piece->vertices.push_back(v);
  }
  return found;
}

std::optional<LoosePiece> find_loose_piece(const System& system, double time) {
  const Index n = system.dynamic_count;
  Pieces pieces = connected_pieces(system, held_vertices(system, held_at(system, time)).get());
  std::vector<std::array<char, 3>> held(n, {0, 0, 0});
  for_each_held(system, time, [&](Index vertex, int k) { held[pieces.root(followed(system, vertex))][k] = 1; });
  for (Index v = 0; v < n; ++v)
    for (int k = 0; k < 3; ++k)
      if (pieces.root(v) == v && !held[v][k]) return LoosePiece{system.vertex_body[v], k};
  return {};
}

void refuse_free_pieces(const System& system, double time, std::span<const ContactStencil> contacts,
                        const Embedding* ties) {
  const std::vector<FreePiece> free = free_pieces(system, time, contacts, ties);
  if (free.empty()) return;
  throw SimulationError(
      code::static_free,
      fmt::format(
          "static equilibrium: nothing constrains {} of the 6 rigid motions of body '{}': fix more of its vertices, "
          "attach springs, bring it within contact.distance of a support, or use time.mode \"dynamic\"",
          free[0].motions, system.bodies[free[0].body].name));
}

}  // namespace sinew
