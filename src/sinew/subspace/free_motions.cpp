#include "sinew/subspace/free_motions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <Eigen/Eigenvalues>

#include "sinew/core/parallel.h"
#include "sinew/subspace/cluster_graph.h"

namespace sinew {
namespace {

// Of the radius of the component: pieces that reach no farther across a line are on it. Meshes from files have some
// digits only.
constexpr double on_line = 1e-5;
// So many vertices at most that reach less than this many edges across are a line or a point to the mesh: what turns
// about them strains one layer of tets. More of them may be the clamped end of a strand.
constexpr std::size_t most_close = 3;
constexpr double edges_across = 0.75;
constexpr double largest_piece = 0.1;  // of the radius of the component
// A component held at more pieces than this has no free motions of its own: there is no room between them.
constexpr std::size_t most_pieces = 6;
constexpr std::size_t most_samples = 256;  // of a piece, from which distances are measured

// Disjoint sets (union-find with path halving).
Index root(std::vector<Index>& parent, Index v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

double radius_of(const Domain& domain, std::span<const Index> vertices) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Index v : vertices) {
    low = low.cwiseMin(domain.vertices.col(v));
    high = high.cwiseMax(domain.vertices.col(v));
  }
  return 0.5 * (high - low).norm();
}

// Directions across which the piece has no extent: eigenvectors of its second moments, the thinnest first.
void find_normals(const Domain& domain, double edge, double radius, FixedPiece& piece) {
  piece.center.setZero();
  for (const Index v : piece.vertices) piece.center += domain.vertices.col(v);
  piece.center /= static_cast<double>(piece.vertices.size());
  Mat3 moments = Mat3::Zero();
  for (const Index v : piece.vertices) {
    const Vec3 arm = domain.vertices.col(v) - piece.center;
    moments += arm * arm.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(moments);
  double thin = on_line * radius;
  if (piece.vertices.size() <= most_close) thin = std::max(thin, std::min(edges_across * edge, largest_piece * radius));
  piece.normals.resize(3, 0);
  for (int k = 0; k < 3; ++k) {
    const Vec3 n = eigen.eigenvectors().col(k);
    double extent = 0;
    for (const Index v : piece.vertices)
      extent = std::max(extent, std::abs(n.dot(domain.vertices.col(v) - piece.center)));
    if (extent > thin) break;
    piece.normals.conservativeResize(Eigen::NoChange, k + 1);
    piece.normals.col(k) = n;
  }
}

}  // namespace

std::vector<FixedPiece> fixed_pieces(const Domain& domain, std::span<const Index> label) {
  const Index n = domain.vertex_count();
  std::vector<Index> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<double> length(static_cast<std::size_t>(n), 0.0);  // sum over the tets at a fixed vertex of mean edges
  std::vector<Index> count(static_cast<std::size_t>(n), 0);
  std::vector<Index> component(static_cast<std::size_t>(n), -1);
  for (Index t = 0; t < domain.tet_count(); ++t) {
    const auto tet = domain.tets.col(t);
    bool any = false;
    for (int i = 0; i < 4; ++i) any |= domain.fixed[tet[i]] != 0;
    if (!any) continue;
    double mean = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j) {
        mean += (domain.vertices.col(tet[i]) - domain.vertices.col(tet[j])).norm() / 6;
        const bool alike = label.empty() || label[tet[i]] == label[tet[j]];
        if (!domain.fixed[tet[i]] || !domain.fixed[tet[j]] || !alike) continue;
        const auto [low, high] = std::minmax({root(parent, tet[i]), root(parent, tet[j])});
        parent[high] = low;
      }
    for (const Index v : tet)
      if (domain.fixed[v]) {
        length[v] += mean;
        ++count[v];
        if (component[v] < 0) component[v] = domain.component[t];
      }
  }
  std::map<std::pair<Index, Index>, std::size_t> number;  // by component and root
  std::vector<FixedPiece> pieces;
  for (Index v = 0; v < n; ++v)
    if (domain.fixed[v] && component[v] >= 0) number.emplace(std::pair{component[v], root(parent, v)}, 0);
  for (auto& [key, own] : number) {
    own = pieces.size();
    pieces.emplace_back().component = key.first;
  }
  std::vector<double> edge(pieces.size(), 0.0);
  std::vector<Index> tets(pieces.size(), 0);
  for (Index v = 0; v < n; ++v) {
    if (!domain.fixed[v] || component[v] < 0) continue;
    const std::size_t p = number[{component[v], root(parent, v)}];
    pieces[p].vertices.push_back(v);
    edge[p] += length[v];
    tets[p] += count[v];
  }
  const IndexLists vertices = pieces.empty() ? IndexLists{} : component_vertices(domain);
  for (std::size_t p = 0; p < pieces.size(); ++p)
    find_normals(domain, edge[p] / tets[p], radius_of(domain, vertices[pieces[p].component]), pieces[p]);
  return pieces;
}

MatX piece_shares(const Domain& domain, std::span<const FixedPiece> pieces, std::span<const Index> vertices) {
  MatX shares(static_cast<Index>(vertices.size()), static_cast<Index>(pieces.size()));
  parallel_for(
      vertices.size(),
      [&](std::size_t i) {
        const Vec3 X = domain.vertices.col(vertices[i]);
        const auto row = static_cast<Index>(i);
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t p = 0; p < pieces.size(); ++p) {
          const std::vector<Index>& own = pieces[p].vertices;
          const std::size_t stride = 1 + (own.size() - 1) / most_samples;
          double distance = std::numeric_limits<double>::infinity();
          for (std::size_t k = 0; k < own.size(); k += stride)
            distance = std::min(distance, (domain.vertices.col(own[k]) - X).squaredNorm());
          if (std::ranges::binary_search(own, vertices[i])) distance = 0;
          shares(row, static_cast<Index>(p)) = distance;
          nearest = std::min(nearest, distance);
        }
        // nearest / d: 1 of the nearest piece, so that nothing overflows at the pieces.
        for (double& share : shares.row(row)) share = share == nearest ? 1.0 : nearest / share;
        shares.row(row) /= shares.row(row).sum();
      },
      1024);
  return shares;
}

HandleBasis free_motion_handles(const Domain& domain) {
  HandleBasis basis;
  std::vector<std::vector<std::pair<Index, double>>> rows(static_cast<std::size_t>(domain.vertex_count()));
  const std::vector<FixedPiece> pieces = fixed_pieces(domain);
  const bool any = std::ranges::any_of(pieces, [](const FixedPiece& piece) { return piece.is_thin(); });
  const IndexLists vertices = any ? component_vertices(domain) : IndexLists{};
  for (std::size_t begin = 0, end = 0; any && begin < pieces.size(); begin = end) {
    while (end < pieces.size() && pieces[end].component == pieces[begin].component) ++end;
    const std::span<const FixedPiece> own(pieces.data() + begin, end - begin);
    if (own.size() > most_pieces || std::ranges::none_of(own, [](const FixedPiece& piece) { return piece.is_thin(); }))
      continue;
    const auto all = vertices[own[0].component];
    const MatX shares = piece_shares(domain, own, all);
    const double radius = radius_of(domain, all);
    Vec3 middle = Vec3::Zero();
    for (const Index v : all) middle += domain.vertices.col(v) / static_cast<double>(all.size());
    for (std::size_t p = 0; p < own.size(); ++p) {
      if (!own[p].is_thin()) continue;
      for (Index k = 0; k < own[p].normals.cols(); ++k) {
        VecX f(static_cast<Index>(all.size()));
        for (Index i = 0; i < f.size(); ++i)
          f[i] = domain.fixed[all[i]] ? 0.0
                                      : shares(i, static_cast<Index>(p)) *
                                            own[p].normals.col(k).dot(domain.vertices.col(all[i]) - own[p].center);
        const double largest = f.cwiseAbs().maxCoeff();
        if (!(largest > on_line * radius)) continue;  // a flat body in the plane of the piece
        for (Index i = 0; i < f.size(); ++i)
          if (f[i] != 0) rows[all[i]].emplace_back(basis.handle_count(), f[i] / largest);
        basis.center.push_back(middle);
        basis.radius.push_back(radius);
      }
    }
  }
  set_rows(rows, basis);
  return basis;
}

}  // namespace sinew
