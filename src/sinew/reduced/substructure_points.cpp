#include "sinew/reduced/substructure_points.h"

#include <algorithm>
#include <map>

#include "sinew/reduced/mode_hessian.h"

namespace sinew {

SubstructurePointMaker::SubstructurePointMaker(const System& system, const std::vector<Substructure>& parts)
    : system_(system), parts_(parts), shares_(system.dynamic_count) {
  for (Index p = 0; p < static_cast<Index>(parts.size()); ++p)
    for (Index v = 0; v < parts[p].vertex_count(); ++v) {
      const Index vertex = parts[p].vertices[v];
      shares_[vertex].emplace_back(p, parts[p].mass[v] / system.mass[vertex]);
    }
}

// A row over vertices as a material point for each part that it touches. A vertex of several parts counts in each by
// its share of the mass, as its place is the mean by mass.
SubstructurePoint SubstructurePointMaker::make(const PointRow& row) const {
  std::map<Index, PointRow> of_part;
  for (const auto& [vertex, weight] : row)
    for (const auto& [part, share] : shares_[vertex])
      of_part[part].emplace_back(vertex, shares_[vertex].size() > 1 ? weight * share : weight);
  SubstructurePoint material_points;
  for (const auto& [part, vertices] : of_part) {
    if (parts_[part].is_warped())
      for (const auto& [vertex, weight] : vertices) material_points.push_back(this->of_part(part, vertex, weight));
    else
      material_points.push_back(make_material_point(system_, parts_, part, vertices));
  }
  return material_points;
}

std::vector<SubstructurePoint> SubstructurePointMaker::make_all(const std::vector<PointRow>& rows) const {
  std::vector<SubstructurePoint> points;
  for (const PointRow& row : rows) points.push_back(make(row));
  return points;
}

MaterialPoint SubstructurePointMaker::of_part(Index part, Index vertex, double weight) const {
  const std::pair<Index, double> one(vertex, weight);
  return make_material_point(system_, parts_, part, {&one, 1});
}

// All numbers of a point in one vector, for merging springs: a sum of point springs is one of a few points if their
// rows span few dimensions.
VecX numbers_of(const SubstructurePoint& point) {
  Eigen::Index size = 0;
  for (const MaterialPoint& summand : point) size += 4 + summand.modes.size() + summand.prescribed.size();
  VecX numbers(size);
  Eigen::Index at = 0;
  for (const MaterialPoint& summand : point) {
    numbers[at] = summand.weight;
    numbers.segment<3>(at + 1) = summand.rest;
    numbers.segment(at + 4, summand.modes.size()) = summand.modes.reshaped();
    at += 4 + summand.modes.size();
    numbers.segment(at, summand.prescribed.size()) = summand.prescribed.reshaped();
    at += summand.prescribed.size();
  }
  return numbers;
}

void set_numbers(const VecX& numbers, SubstructurePoint& point) {
  Eigen::Index at = 0;
  for (MaterialPoint& summand : point) {
    summand.weight = numbers[at];
    summand.rest = numbers.segment<3>(at + 1);
    summand.modes.reshaped() = numbers.segment(at + 4, summand.modes.size());
    at += 4 + summand.modes.size();
    summand.prescribed.reshaped() = numbers.segment(at, summand.prescribed.size());
    at += summand.prescribed.size();
  }
}

std::vector<Index> key_of(const SubstructurePoint& point) {
  std::vector<Index> parts;
  for (const MaterialPoint& summand : point) parts.push_back(summand.part);
  return parts;
}

// Warped points are no linear functions of coordinates, so that they cannot be merged.
bool is_linear(const SubstructurePoint& point) {
  return std::ranges::none_of(point, [](const MaterialPoint& summand) { return summand.turns.size() > 0; });
}

namespace {

std::vector<MaterialPoint> all_material_points(const std::vector<SubstructurePoint>& points,
                                               std::vector<Index>& begin) {
  std::vector<MaterialPoint> material_points;
  begin.assign(1, 0);
  for (const SubstructurePoint& point : points) {
    material_points.insert(material_points.end(), point.begin(), point.end());
    begin.push_back(static_cast<Index>(material_points.size()));
  }
  return material_points;
}

}  // namespace

SubstructurePoints::SubstructurePoints(const std::vector<Substructure>& parts, const FrameCoordinates& coordinates,
                                       const std::vector<SubstructurePoint>& points)
    : coordinates_(coordinates),
      material_points_(parts, coordinates, all_material_points(points, begin_)),
      before_(3, static_cast<Index>(points.size())),
      of_part_(parts.size()),
      reached_(parts.size()),
      number_(material_points_.count(), -1),
      is_reached_(material_points_.count(), 0),
      rows_(parts.size()) {
  Index widest = 0;
  std::vector<Index> count(parts.size(), 0);
  for (Index s = 0; s < material_points_.count(); ++s) ++count[material_points_.part(s)];
  for (std::size_t p = 0; p < parts.size(); ++p) {
    of_part_[p].reserve(count[p]);
    reached_[p].reserve(count[p]);
    rows_[p].resize(parts[p].freedom(), 3 * count[p]);
    widest = std::max(widest, parts[p].freedom());
  }
  row_.resize(3, widest);
  x_.resize(3, material_points_.count());
  product_.resize(widest, 3 * material_points_.count());
}

// x of a point: the sum over its parts.
void SubstructurePoints::add_up(Points& out) const {
  for (Index s = 0; s < count(); ++s) {
    out.col(s) = x_.col(begin_[s]);
    for (Index k = begin_[s] + 1; k < begin_[s + 1]; ++k) out.col(s) += x_.col(k);
  }
}

void SubstructurePoints::positions(const MatX& y, Points& out) {
  coordinates_.place(y, at_);
  material_points_.positions(at_, x_);
  add_up(out);
}

// Of a y that the integrator combines, which is no position: linear in C.
void SubstructurePoints::reference(const MatX& y, Points& out) {
  material_points_.combined(y, x_);
  add_up(out);
}

void SubstructurePoints::displacement(const MatX& from, const MatX& to, Points& out) {
  positions(from, before_);
  positions(to, out);
  out.leftCols(count()) -= before_;
}

// G += sum_s f_s phi_s^T, by parts.
void SubstructurePoints::add_gradient(const MatX& y, const Points& f, MatX& G) {
  coordinates_.place(y, at_);
  material_points_.settle(at_);
  for (Index s = 0; s < count(); ++s) {
    if (f.col(s).isZero(0)) continue;
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) material_points_.add_gradient(k, f.col(s), G);
  }
}

// H += J^T H_p J over the touched points, part by part:
//
// 1. J of each touched point, transposed.
// 2. For each part b: T_i = sum_j (H_p)_ij J_j over its material points j.
// 3. For each part a >= b: block (a, b) += sum_i J_i^T T_i over the material points i of a.
//
// Products with J cost O(m r) flops for each block of H_p, and O(m r^2) for the sums.
void SubstructurePoints::add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& sum) {
  auto& of_modes = in_layout<ModeHessian>(sum);
  const Placement& at = of_modes.at();
  BlockCholesky& H = of_modes.blocks();
  material_points_.settle(at);
  for (const Index s : touched)
    for (Index k = begin_[s]; k < begin_[s + 1]; ++k) {
      const Index p = material_points_.part(k);
      number_[k] = static_cast<Index>(of_part_[p].size());
      of_part_[p].push_back(k);
      material_points_.row(at, k, row_);
      rows_[p].middleCols<3>(3 * number_[k]) = row_.leftCols(rows_[p].rows()).transpose();
    }
  const BlockPattern& pattern = Hp.pattern();
  const auto parts = static_cast<Index>(of_part_.size());
  for (Index b = 0; b < parts; ++b) {
    if (of_part_[b].empty()) continue;
    auto T = product_.topRows(rows_[b].rows());              // (T_i)^T for the material points i of all substructures
    const auto add = [&](Index i, Index j, const Mat3& B) {  // B = (H_p)_ij of their points
      if (material_points_.part(j) != b || material_points_.part(i) < b || number_[i] < 0 || number_[j] < 0) return;
      auto Ti = T.middleCols<3>(3 * i);
      if (!is_reached_[i]) {
        is_reached_[i] = 1;
        reached_[material_points_.part(i)].push_back(i);
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
      of_part_[material_points_.part(k)].clear();
    }
}

}  // namespace sinew
