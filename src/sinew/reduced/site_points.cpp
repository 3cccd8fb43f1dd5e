#include "sinew/reduced/site_points.h"

#include <algorithm>
#include <map>

#include "sinew/reduced/mode_hessian.h"

namespace sinew {

SitePointMaker::SitePointMaker(const System& system, const std::vector<Substructure>& parts)
    : system_(system), parts_(parts), shares_(system.dynamic_count) {
  for (Index p = 0; p < static_cast<Index>(parts.size()); ++p)
    for (Index v = 0; v < parts[p].vertex_count(); ++v) {
      const Index vertex = parts[p].vertices[v];
      shares_[vertex].emplace_back(p, parts[p].mass[v] / system.mass[vertex]);
    }
}

SitePoint SitePointMaker::make(const PointRow& row) const {
  std::map<Index, PointRow> of_part;
  for (const auto& [vertex, weight] : row)
    for (const auto& [part, share] : shares_[vertex])
      of_part[part].emplace_back(vertex, shares_[vertex].size() > 1 ? weight * share : weight);
  SitePoint sites;
  for (const auto& [part, vertices] : of_part) {
    if (parts_[part].is_warped())
      for (const auto& [vertex, weight] : vertices) sites.push_back(this->of_part(part, vertex, weight));
    else
      sites.push_back(make_site(system_, parts_, part, vertices));
  }
  return sites;
}

std::vector<SitePoint> SitePointMaker::make_all(const std::vector<PointRow>& rows) const {
  std::vector<SitePoint> points;
  for (const PointRow& row : rows) points.push_back(make(row));
  return points;
}

Site SitePointMaker::of_part(Index part, Index vertex, double weight) const {
  const std::pair<Index, double> one(vertex, weight);
  return make_site(system_, parts_, part, {&one, 1});
}

VecX numbers_of(const SitePoint& point) {
  Eigen::Index size = 0;
  for (const Site& site : point) size += 4 + site.modes.size() + site.driven.size();
  VecX numbers(size);
  Eigen::Index at = 0;
  for (const Site& site : point) {
    numbers[at] = site.weight;
    numbers.segment<3>(at + 1) = site.rest;
    numbers.segment(at + 4, site.modes.size()) = site.modes.reshaped();
    at += 4 + site.modes.size();
    numbers.segment(at, site.driven.size()) = site.driven.reshaped();
    at += site.driven.size();
  }
  return numbers;
}

void set_numbers(const VecX& numbers, SitePoint& point) {
  Eigen::Index at = 0;
  for (Site& site : point) {
    site.weight = numbers[at];
    site.rest = numbers.segment<3>(at + 1);
    site.modes.reshaped() = numbers.segment(at + 4, site.modes.size());
    at += 4 + site.modes.size();
    site.driven.reshaped() = numbers.segment(at, site.driven.size());
    at += site.driven.size();
  }
}

std::vector<Index> key_of(const SitePoint& point) {
  std::vector<Index> parts;
  for (const Site& site : point) parts.push_back(site.part);
  return parts;
}

bool is_linear(const SitePoint& point) {
  return std::ranges::none_of(point, [](const Site& site) { return site.turns.size() > 0; });
}

namespace {

std::vector<Site> all_sites(const std::vector<SitePoint>& points, std::vector<Index>& begin) {
  std::vector<Site> sites;
  begin.assign(1, 0);
  for (const SitePoint& point : points) {
    sites.insert(sites.end(), point.begin(), point.end());
    begin.push_back(static_cast<Index>(sites.size()));
  }
  return sites;
}

}  // namespace

SitePoints::SitePoints(const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                       const std::vector<SitePoint>& points)
    : coordinates_(coordinates),
      sites_(parts, coordinates, all_sites(points, begin_)),
      before_(3, static_cast<Index>(points.size())),
      of_part_(parts.size()),
      reached_(parts.size()),
      number_(sites_.count(), -1),
      is_reached_(sites_.count(), 0),
      rows_(parts.size()) {
  Index widest = 0;
  std::vector<Index> count(parts.size(), 0);
  for (Index s = 0; s < sites_.count(); ++s) ++count[sites_.part(s)];
  for (std::size_t p = 0; p < parts.size(); ++p) {
    of_part_[p].reserve(count[p]);
    reached_[p].reserve(count[p]);
    rows_[p].resize(parts[p].freedom(), 3 * count[p]);
    widest = std::max(widest, parts[p].freedom());
  }
  row_.resize(3, widest);
  x_.resize(3, sites_.count());
  product_.resize(widest, 3 * sites_.count());
}

void SitePoints::add_up(Points& out) const {
  for (Index s = 0; s < count(); ++s) {
    out.col(s) = x_.col(begin_[s]);
    for (Index k = begin_[s] + 1; k < begin_[s + 1]; ++k) out.col(s) += x_.col(k);
  }
}

void SitePoints::positions(const MatX& y, Points& out) {
  coordinates_.place(y, at_);
  sites_.positions(at_, x_);
  add_up(out);
}

void SitePoints::reference(const MatX& y, Points& out) {
  sites_.combined(y, x_);
  add_up(out);
}

void SitePoints::way(const MatX& from, const MatX& to, Points& out) {
  positions(from, before_);
  positions(to, out);
  out.leftCols(count()) -= before_;
}

void SitePoints::add_gradient(const MatX& y, const Points& f, MatX& G) {
  coordinates_.place(y, at_);
  sites_.settle(at_);
  for (Index s = 0; s < count(); ++s) {
    if (f.col(s).isZero(0)) continue;
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) sites_.add_gradient(k, f.col(s), G);
  }
}

// For each substructure b, T_i = sum_j (H_p)_ij J_j over its sites j, and for each substructure a >= b the block (a, b)
// += sum_i J_i^T T_i over the sites i of a.
void SitePoints::add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& sum) {
  auto& of_modes = in_layout<ModeHessian>(sum);
  const Placement& at = of_modes.at();
  BlockCholesky& H = of_modes.blocks();
  sites_.settle(at);
  for (const Index s : touched)
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) {
      const Index p = sites_.part(k);
      number_[k] = static_cast<Index>(of_part_[p].size());
      of_part_[p].push_back(k);
      sites_.row(at, k, row_);
      rows_[p].middleCols<3>(3 * number_[k]) = row_.leftCols(rows_[p].rows()).transpose();
    }
  const BlockPattern& pattern = Hp.pattern();
  const auto parts = static_cast<Index>(of_part_.size());
  for (Index b = 0; b < parts; ++b) {
    if (of_part_[b].empty()) continue;
    auto T = product_.topRows(rows_[b].rows());              // (T_i)^T for the sites i of all substructures
    const auto add = [&](Index i, Index j, const Mat3& B) {  // B = (H_p)_ij of the sites' points
      if (sites_.part(j) != b || sites_.part(i) < b || number_[i] < 0 || number_[j] < 0) return;
      auto Ti = T.middleCols<3>(3 * i);
      if (!is_reached_[i]) {
        is_reached_[i] = 1;
        reached_[sites_.part(i)].push_back(i);
        Ti.setZero();
      }
      Ti.noalias() += rows_[b].middleCols<3>(3 * number_[j]) * B.transpose();
    };
    for (const Index s : touched)
      for (auto e = pattern.row_begin[s]; e < pattern.row_begin[s + 1]; ++e) {
        const Index t = pattern.columns[e];
        const Eigen::Map<const Mat3> B(Hp.block(e));
        for (Index i = begin_[s]; i < begin_[s + 1]; ++i)
          for (Index j = begin_[t]; j < begin_[t + 1]; ++j) {
            add(i, j, B);
            if (s != t) add(j, i, B.transpose());
          }
      }
    for (Index a = b; a < parts; ++a) {
      if (reached_[a].empty()) continue;
      MatX& block = H.block(a, b);
      for (const Index i : reached_[a]) {
        block.noalias() += rows_[a].middleCols<3>(3 * number_[i]) * T.middleCols<3>(3 * i).transpose();
        is_reached_[i] = 0;
      }
      reached_[a].clear();
    }
  }
  for (const Index s : touched)
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) {
      number_[k] = -1;
      of_part_[sites_.part(k)].clear();
    }
}

}  // namespace sinew
