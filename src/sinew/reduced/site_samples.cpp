#include "sinew/reduced/site_samples.h"

#include <algorithm>

#include "sinew/reduced/substructure_owners.h"

namespace sinew {
namespace {

std::vector<Site> sites_at(const System& system, const std::vector<Substructure>& parts,
                           std::span<const Index> vertices) {
  const std::vector<Index> owner = substructure_of_vertices(system, parts);
  std::vector<Site> sites;
  for (const Index v : vertices) {
    const std::pair<Index, double> vertex(v, 1.0);
    sites.push_back(make_site(system, parts, owner[v], {&vertex, 1}));
  }
  return sites;
}

}  // namespace

SiteSamples::SiteSamples(const System& system, const std::vector<Substructure>& parts,
                         const FrameCoordinates& coordinates, std::span<const Index> vertices)
    : coordinates_(coordinates),
      sites_(parts, coordinates, sites_at(system, parts, vertices)),
      before_(3, static_cast<Index>(vertices.size())),
      of_part_(parts.size()),
      number_(vertices.size(), -1),
      rows_(parts.size()) {
  Index widest = 0;
  std::vector<Index> count(parts.size(), 0);
  for (Index s = 0; s < sites_.count(); ++s) ++count[sites_.part(s)];
  for (std::size_t p = 0; p < parts.size(); ++p) {
    of_part_[p].reserve(count[p]);
    rows_[p].resize(parts[p].freedom(), 3 * count[p]);
    widest = std::max(widest, parts[p].freedom());
  }
  row_.resize(3, widest);
  product_.resize(widest, 3 * sites_.count());
  reached_.resize(parts.size());
}

void SiteSamples::positions(const MatX& y, Points& out) {
  coordinates_.place(y, at_);
  sites_.positions(at_, out);
}

void SiteSamples::way(const MatX& from, const MatX& to, Points& out) {
  positions(from, before_);
  positions(to, out);
  out.leftCols(sites_.count()) -= before_;
}

// For each substructure b, T_i = sum_j (H_c)_ij J_j over its samples j, and for each substructure a >= b the block (a,
// b)
// += sum_i J_i^T T_i over the samples i of a.
void SiteSamples::add_hessian(const Placement& at, const SymBlockMatrix& Hc, std::span<const Index> touched,
                              BlockCholesky& H) {
  sites_.settle(at);
  for (const Index s : touched) {
    const Index p = sites_.part(s);
    number_[s] = static_cast<Index>(of_part_[p].size());
    of_part_[p].push_back(s);
    sites_.row(at, s, row_);
    rows_[p].middleCols<3>(3 * number_[s]) = row_.leftCols(rows_[p].rows()).transpose();
  }
  const BlockPattern& pattern = Hc.pattern();
  const auto parts = static_cast<Index>(of_part_.size());
  for (Index b = 0; b < parts; ++b) {
    if (of_part_[b].empty()) continue;
    // (T_i)^T for the samples i of all substructures.
    auto T = product_.topRows(rows_[b].rows());
    std::ranges::fill(reached_, 0);
    T.setZero();
    const auto add = [&](Index i, Index j, const Mat3& B) {  // B = (H_c)_ij
      if (sites_.part(j) != b || number_[i] < 0 || number_[j] < 0) return;
      T.middleCols<3>(3 * i).noalias() += rows_[b].middleCols<3>(3 * number_[j]) * B.transpose();
      reached_[sites_.part(i)] = 1;
    };
    for (const Index i : touched)
      for (auto e = pattern.row_begin[i]; e < pattern.row_begin[i + 1]; ++e) {
        const Index j = pattern.columns[e];
        const Eigen::Map<const Mat3> B(Hc.block(e));
        add(i, j, B);
        if (i != j) add(j, i, B.transpose());
      }
    for (Index a = b; a < parts; ++a) {
      if (!reached_[a]) continue;
      MatX& block = H.block(a, b);
      for (const Index i : of_part_[a])
        block.noalias() += rows_[a].middleCols<3>(3 * number_[i]) * T.middleCols<3>(3 * i).transpose();
    }
  }
  for (const Index s : touched) {
    number_[s] = -1;
    of_part_[sites_.part(s)].clear();
  }
}

}  // namespace sinew
