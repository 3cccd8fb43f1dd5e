#include "sinew/reduced/site_samples.h"

#include <algorithm>

namespace sinew {
namespace {

// The sites of each vertex, with its shares of the mass as weights, and where they begin.
std::vector<Site> sites_at(const System& system, const std::vector<Substructure>& parts,
                           std::span<const Index> vertices, std::vector<Index>& begin) {
  std::vector<std::vector<std::pair<Index, double>>> shares(system.dynamic_count);
  for (Index p = 0; p < static_cast<Index>(parts.size()); ++p)
    for (Index v = 0; v < parts[p].vertex_count(); ++v) {
      const Index vertex = parts[p].vertices[v];
      shares[vertex].emplace_back(p, parts[p].mass[v] / system.mass[vertex]);
    }
  std::vector<Site> sites;
  begin.assign(1, 0);
  for (const Index v : vertices) {
    for (const auto& [part, share] : shares[v]) {
      const std::pair<Index, double> vertex(v, shares[v].size() > 1 ? share : 1.0);
      sites.push_back(make_site(system, parts, part, {&vertex, 1}));
    }
    begin.push_back(static_cast<Index>(sites.size()));
  }
  return sites;
}

}  // namespace

SiteSamples::SiteSamples(const System& system, const std::vector<Substructure>& parts,
                         const FrameCoordinates& coordinates, std::span<const Index> vertices)
    : coordinates_(coordinates),
      sites_(parts, coordinates, sites_at(system, parts, vertices, begin_)),
      before_(3, static_cast<Index>(vertices.size())),
      of_part_(parts.size()),
      number_(sites_.count(), -1),
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
  x_.resize(3, sites_.count());
  product_.resize(widest, 3 * sites_.count());
  reached_.resize(parts.size());
}

void SiteSamples::add_up(Points& out) const {
  for (Index s = 0; s < count(); ++s) {
    out.col(s) = x_.col(begin_[s]);
    for (Index k = begin_[s] + 1; k < begin_[s + 1]; ++k) out.col(s) += x_.col(k);
  }
}

void SiteSamples::positions(const MatX& y, Points& out) {
  coordinates_.place(y, at_);
  sites_.positions(at_, x_);
  add_up(out);
}

void SiteSamples::reference(const MatX& y, Points& out) {
  sites_.combined(y, x_);
  add_up(out);
}

void SiteSamples::way(const MatX& from, const MatX& to, Points& out) {
  positions(from, before_);
  positions(to, out);
  out.leftCols(count()) -= before_;
}

void SiteSamples::add_gradient(const Points& f, MatX& G) {
  for (Index s = 0; s < count(); ++s) {
    if (f.col(s).isZero(0)) continue;
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) sites_.add_gradient(k, f.col(s), G);
  }
}

// For each substructure b, T_i = sum_j (H_c)_ij J_j over its sites j, and for each substructure a >= b the block (a, b)
// += sum_i J_i^T T_i over the sites i of a.
void SiteSamples::add_hessian(const Placement& at, const SymBlockMatrix& Hc, std::span<const Index> touched,
                              BlockCholesky& H) {
  sites_.settle(at);
  for (const Index s : touched)
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) {
      const Index p = sites_.part(k);
      number_[k] = static_cast<Index>(of_part_[p].size());
      of_part_[p].push_back(k);
      sites_.row(at, k, row_);
      rows_[p].middleCols<3>(3 * number_[k]) = row_.leftCols(rows_[p].rows()).transpose();
    }
  const BlockPattern& pattern = Hc.pattern();
  const auto parts = static_cast<Index>(of_part_.size());
  for (Index b = 0; b < parts; ++b) {
    if (of_part_[b].empty()) continue;
    // (T_i)^T for the sites i of all substructures.
    auto T = product_.topRows(rows_[b].rows());
    std::ranges::fill(reached_, 0);
    T.setZero();
    const auto add = [&](Index i, Index j, const Mat3& B) {  // B = (H_c)_ij of the sites' samples
      if (sites_.part(j) != b || number_[i] < 0 || number_[j] < 0) return;
      T.middleCols<3>(3 * i).noalias() += rows_[b].middleCols<3>(3 * number_[j]) * B.transpose();
      reached_[sites_.part(i)] = 1;
    };
    for (const Index s : touched)
      for (auto e = pattern.row_begin[s]; e < pattern.row_begin[s + 1]; ++e) {
        const Index t = pattern.columns[e];
        const Eigen::Map<const Mat3> B(Hc.block(e));
        for (Index i = begin_[s]; i < begin_[s + 1]; ++i)
          for (Index j = begin_[t]; j < begin_[t + 1]; ++j) {
            add(i, j, B);
            if (s != t) add(j, i, B.transpose());
          }
      }
    for (Index a = b; a < parts; ++a) {
      if (!reached_[a]) continue;
      MatX& block = H.block(a, b);
      for (const Index i : of_part_[a])
        block.noalias() += rows_[a].middleCols<3>(3 * number_[i]) * T.middleCols<3>(3 * i).transpose();
    }
  }
  for (const Index s : touched)
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) {
      number_[k] = -1;
      of_part_[sites_.part(k)].clear();
    }
}

}  // namespace sinew
