#include "sinew/subspace/stiff_pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

constexpr double least_contrast = 10;
constexpr Index vertices_for_each = 90;  // as for clusters (partition/natural_shares.h)

struct Piece {
  double young = 0;                                          // the mean over its tets
  double softest = std::numeric_limits<double>::infinity();  // tet of other pieces that shares a vertex
  Index tets = 0;
  bool is_fixed = false;
  std::vector<Index> vertices;
};

}  // namespace

HandleBasis stiff_piece_basis(const Domain& domain) {
  Index count = 0;
  const std::vector<Index> piece_of = face_components(domain.tets, count, domain.material);
  HandleBasis basis;
  basis.begin.assign(static_cast<std::size_t>(domain.vertex_count()) + 1, 0);
  if (count == domain.component_count) return basis;  // bodies of one material

  std::vector<Piece> pieces(count);
  std::vector<double> softest(domain.vertex_count(), std::numeric_limits<double>::infinity());
  for (Index t = 0; t < domain.tet_count(); ++t) {
    Piece& piece = pieces[piece_of[t]];
    piece.young += domain.young[t];
    ++piece.tets;
    for (const Index v : domain.tets.col(t)) softest[v] = std::min(softest[v], domain.young[t]);
  }
  std::vector<Index> last(domain.vertex_count(), -1);
  std::vector<Index> order(domain.tet_count());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return piece_of[a] < piece_of[b]; });
  for (const Index t : order) {
    Piece& piece = pieces[piece_of[t]];
    for (const Index v : domain.tets.col(t)) {
      if (std::exchange(last[v], piece_of[t]) == piece_of[t]) continue;
      piece.vertices.push_back(v);
      piece.softest = std::min(piece.softest, softest[v]);
      piece.is_fixed |= domain.fixed[v] != 0;
    }
  }

  std::vector<Index> stiff;
  for (Index p = 0; p < count; ++p)
    if (!pieces[p].is_fixed && pieces[p].young / pieces[p].tets >= least_contrast * pieces[p].softest)
      stiff.push_back(p);
  const auto most = static_cast<std::size_t>(domain.vertex_count() / vertices_for_each);
  if (stiff.size() > most) {
    std::stable_sort(stiff.begin(), stiff.end(),
                     [&](Index a, Index b) { return pieces[a].vertices.size() > pieces[b].vertices.size(); });
    stiff.resize(most);
    std::sort(stiff.begin(), stiff.end());
  }

  std::vector<std::vector<std::pair<Index, double>>> rows(domain.vertex_count());
  for (const Index p : stiff) {
    const Index handle = basis.handle_count();
    Vec3 center = Vec3::Zero();
    for (const Index v : pieces[p].vertices) center += domain.vertices.col(v);
    center /= static_cast<double>(pieces[p].vertices.size());
    double radius = 0;
    for (const Index v : pieces[p].vertices) {
      radius = std::max(radius, (domain.vertices.col(v) - center).norm());
      rows[v].emplace_back(handle, 1.0);
    }
    basis.center.push_back(center);
    basis.radius.push_back(radius);
  }
  set_rows(rows, basis);
  return basis;
}

}  // namespace sinew
