#include "sinew/potential/nodal_volume.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <Eigen/Geometry>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/material/quadratic_tet_kernel.h"
#include "sinew/model/element_parameters.h"
#include "sinew/potential/point_states.h"
#include "sinew/potential/volume_energy.h"

namespace sinew {
namespace {

// k of a tet and the part that its points keep [Pa].
std::pair<double, double> stiffness_of(const ElasticGroup& group, Index t) {
  const ElementParameters of = element_parameters(group, static_cast<std::size_t>(t - group.tet_begin));
  const double k = of.kernel[group.model->volume_part().parameter];
  return {k, std::min(k, group.model->linearized(of.kernel).mu)};
}

using Corners = std::array<Vec3, 4>;

// The corners of the linear tet of a point (material/quadratic_tet_kernel.h): the tet itself, or y_i = sum_a c_ia x_a.
Corners corners_of(const Points& x, const Index* nodes, Index width, int point) {
  Corners y;
  for (int i = 0; i < 4; ++i) {
    if (width == 4) {
      y[i] = x.col(nodes[i]);
      continue;
    }
    y[i].setZero();
    for (Index a = 0; a < width; ++a) y[i] += quadratic_tet_weights[point][i][a] * x.col(nodes[a]);
  }
  return y;
}

// Six times the volume of a tet, and its gradient.
double determinant(const Corners& y) {
  return (y[1] - y[0]).cross(y[2] - y[0]).dot(y[3] - y[0]);
}
Corners determinant_gradient(const Corners& y) {
  const Vec3 a = y[1] - y[0], b = y[2] - y[0], c = y[3] - y[0];
  Corners g{Vec3::Zero(), b.cross(c), c.cross(a), a.cross(b)};
  g[0] = -(g[1] + g[2] + g[3]);
  return g;
}

// The share of a point in the unit tet, whose volume is 1/6.
double point_share(Index width) {
  return width == 4 ? 1.0 / 6 : 1.0 / 24;
}

}  // namespace

ElasticGroup NodalVolume::kept(const ElasticGroup& group) {
  ElasticGroup result = group;
  std::vector<double> values;
  for (Index t = group.tet_begin; t < group.tet_end; ++t) values.push_back(stiffness_of(group, t).second);
  if (std::ranges::all_of(values, [&](double v) { return v == values[0]; })) values.resize(1);
  result.parameters[group.model->volume_part().parameter] = std::move(values);
  return result;
}

template <class Elements>
NodalVolume::NodalVolume(const Points& rest, const Elements& tets, std::span<const ElasticGroup> groups,
                         std::span<const Index> material, Index dynamic_count)
    : dynamic_count_(dynamic_count),
      width_(static_cast<Index>(tets.rows())),
      vertices_(tets.data(), tets.data() + tets.size()) {
  tet_nodes_.resize(tets.cols());
  find_nodes(groups, material);
  find_stars();
  find_changes(rest);
  rest_volume_ = current_;
  set_groups(groups);
}

template NodalVolume::NodalVolume(const Points&, const Tets&, std::span<const ElasticGroup>, std::span<const Index>,
                                  Index);
template NodalVolume::NodalVolume(const Points&, const QuadraticTets&, std::span<const ElasticGroup>,
                                  std::span<const Index>, Index);

// The corners of tets, by vertex, group and material.
void NodalVolume::find_nodes(std::span<const ElasticGroup> groups, std::span<const Index> material) {
  using Corner = std::tuple<Index, Index, Index, Index, Index>;  // vertex, group, material, tet, corner
  std::vector<Corner> corners;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (Index t = groups[g].tet_begin; t < groups[g].tet_end; ++t)
      for (Index i = 0; i < 4; ++i)
        corners.emplace_back(vertices_[t * width_ + i], static_cast<Index>(g), material[t], t, i);
  std::ranges::sort(corners);
  const auto place = [](const Corner& c) { return std::tuple(std::get<0>(c), std::get<1>(c), std::get<2>(c)); };
  for (std::size_t u = 0; u < corners.size(); ++u) {
    if (u == 0 || place(corners[u]) != place(corners[u - 1])) {
      nodes_.emplace_back();
      nodes_.back().group = std::get<1>(corners[u]);
      nodes_.back().use_begin = static_cast<Index>(u);
    }
    nodes_.back().use_end = static_cast<Index>(u) + 1;
    const auto [vertex, group, of, t, i] = corners[u];
    uses_.push_back({t, i});
    tet_nodes_[t][i] = static_cast<Index>(nodes_.size()) - 1;
  }
}

// The vertices whose motion changes the mean of a node, and for each vertex the nodes whose mean it changes.
void NodalVolume::find_stars() {
  std::vector<std::pair<Index, Row>> rows;
  std::int64_t pairs = 0;
  for (std::size_t a = 0; a < nodes_.size(); ++a) {
    Node& node = nodes_[a];
    std::vector<Index> vertices;
    for (Index k = node.use_begin; k < node.use_end; ++k) {
      const auto first = vertices_.begin() + uses_[k].tet * width_;
      vertices.insert(vertices.end(), first, first + width_);
    }
    sort_unique(vertices);
    for (Index k = node.use_begin; k < node.use_end; ++k)
      for (Index b = 0; b < width_; ++b)
        place_.push_back(static_cast<Index>(std::ranges::lower_bound(vertices, vertices_[uses_[k].tet * width_ + b]) -
                                            vertices.begin()));
    node.star_begin = static_cast<Index>(star_.size());
    star_.insert(star_.end(), vertices.begin(), vertices.end());
    node.star_end = static_cast<Index>(star_.size());
    node.pair_begin = pairs;
    const auto n = static_cast<std::int64_t>(vertices.size());
    pairs += n * (n - 1) / 2;
    for (std::size_t i = 0; i < vertices.size(); ++i)
      if (vertices[i] < dynamic_count_) rows.push_back({vertices[i], {static_cast<Index>(a), static_cast<Index>(i)}});
  }
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.first; });
  row_begin_.assign(static_cast<std::size_t>(dynamic_count_) + 1, 0);
  for (const auto& [vertex, row] : rows) {
    ++row_begin_[vertex + 1];
    rows_.push_back(row);
  }
  for (Index v = 0; v < dynamic_count_; ++v) row_begin_[v + 1] += row_begin_[v];
}

void NodalVolume::set_groups(std::span<const ElasticGroup> groups) {
  if (volume_.empty()) volume_ = rest_volume_;
  forms_.clear();
  averaged_.resize(tet_nodes_.size());
  for (const ElasticGroup& group : groups) {
    forms_.push_back(group.model->volume_part().form);
    for (Index t = group.tet_begin; t < group.tet_end; ++t) {
      const auto [k, kept] = stiffness_of(group, t);
      averaged_[t] = k - kept;
    }
  }
  weigh_nodes();
}

void NodalVolume::set_states(const PointStates* states, std::size_t first_point, std::size_t first_group) {
  volume_ = rest_volume_;
  if (states && !states->release.empty())
    parallel_for(
        volume_.size(),
        [&](std::size_t q) {
          if (states->groups[first_group + nodes_[tet_nodes_[q / points()][0]].group].has_release)
            volume_[q] /= determinant3(states->release.data() + 9 * (first_point + q));
        },
        1024);
  for (Node& node : nodes_) {
    node.factor = 1;
    if (!states || !states->with_history) continue;
    const PointStates::Group& group = states->groups[first_group + node.group];
    if (group.bulk < 0) node.factor = group.factor;
  }
  weigh_nodes();
}

// V_a and K_a.
void NodalVolume::weigh_nodes() {
  parallel_for(
      nodes_.size(),
      [&](std::size_t a) {
        Node& node = nodes_[a];
        node.volume = node.stiffness = 0;
        for (Index k = node.use_begin; k < node.use_end; ++k) {
          const auto [t, corner] = uses_[k];
          for (int q = 0; q < points(); ++q) {
            const double share = hat(corner, q) * volume_[static_cast<std::size_t>(t) * points() + q];
            node.volume += share;
            node.stiffness += averaged_[t] * share;
          }
        }
      },
      256);
}

double NodalVolume::hat(int corner, int point) const {
  return width_ == 4 ? 0.25 : quadrature_coordinate(point, corner);
}

double NodalVolume::point_volume(const Points& x, Index tet, int point) const {
  return point_share(width_) * determinant(corners_of(x, vertices_.data() + tet * width_, width_, point));
}

// V_q J_q.
void NodalVolume::find_changes(const Points& x) const {
  current_.resize(tet_nodes_.size() * points());
  parallel_for(
      current_.size(),
      [&](std::size_t q) {
        const auto tet = static_cast<Index>(q) / points();
        current_[q] = point_volume(x, tet, static_cast<int>(q) % points());
      },
      1024);
}

// J_a.
double NodalVolume::mean(const Node& node) const {
  double sum = 0;
  for (Index k = node.use_begin; k < node.use_end; ++k)
    for (int q = 0; q < points(); ++q)
      sum += hat(uses_[k].corner, q) * current_[static_cast<std::size_t>(uses_[k].tet) * points() + q];
  return sum / node.volume;
}

double NodalVolume::value(const Points& x) const {
  find_changes(x);
  return parallel_sum(nodes_.size(), [&](std::size_t a) {
    const Node& node = nodes_[a];
    if (node.stiffness == 0) return 0.0;
    return node.factor * node.stiffness * volume_energy(forms_[node.group], mean(node)).value;
  });
}

// The energy of a vertex belongs to all vertices whose motion changes it.
void NodalVolume::add_vertex_energies(const Points& x, double scale, std::span<double> values) const {
  find_changes(x);
  for (const Node& node : nodes_) {
    const double energy = node.factor * node.stiffness * volume_energy(forms_[node.group], mean(node)).value;
    for (const Index v : star(node))
      if (v < dynamic_count_) values[v] += scale * energy;
  }
}

std::vector<double> NodalVolume::energy_densities(const Points& x) const {
  find_changes(x);
  std::vector<double> of_node, result(current_.size(), 0.0);
  for (const Node& node : nodes_)
    of_node.push_back(node.factor * node.stiffness * volume_energy(forms_[node.group], mean(node)).value / node.volume);
  for (std::size_t q = 0; q < result.size(); ++q)
    for (int i = 0; i < 4; ++i)
      result[q] +=
          volume_[q] / rest_volume_[q] * hat(i, static_cast<int>(q) % points()) * of_node[tet_nodes_[q / points()][i]];
  return result;
}

// p_q = sum of l_a K_a U'(J_a) / V_a over the corners a.
std::span<const double> NodalVolume::pressures(const Points& x) const {
  find_changes(x);
  pressure_.resize(current_.size());
  of_node_.resize(nodes_.size());
  parallel_for(
      nodes_.size(),
      [&](std::size_t a) {
        const Node& node = nodes_[a];
        of_node_[a] = node.stiffness * volume_energy(forms_[node.group], mean(node)).first / node.volume;
      },
      256);
  parallel_for(
      pressure_.size(),
      [&](std::size_t q) {
        const std::array<Index, 4>& corners = tet_nodes_[q / points()];
        pressure_[q] = 0;
        for (int i = 0; i < 4; ++i) pressure_[q] += hat(i, static_cast<int>(q) % points()) * of_node_[corners[i]];
      },
      1024);
  return pressure_;
}

void NodalVolume::smooth(std::span<double> values) const {
  std::vector<double> means(nodes_.size());
  for (std::size_t a = 0; a < nodes_.size(); ++a)
    for (Index k = nodes_[a].use_begin; k < nodes_[a].use_end; ++k)
      for (int q = 0; q < points(); ++q) {
        const std::size_t at = static_cast<std::size_t>(uses_[k].tet) * points() + q;
        means[a] += hat(uses_[k].corner, q) * volume_[at] / nodes_[a].volume * values[at];
      }
  for (std::size_t q = 0; q < values.size(); ++q) {
    values[q] = 0;
    for (int i = 0; i < 4; ++i)
      values[q] += hat(i, static_cast<int>(q) % points()) * means[tet_nodes_[q / points()][i]];
  }
}

// dJ_a/dx = sum_q l_a d(V_q J_q)/dx / V_a: by tet and corner a first, then summed over the tets at each node.
void NodalVolume::find_gradients(const Points& x) const {
  of_corner_.resize(tet_nodes_.size() * 4 * width_);
  parallel_for(
      tet_nodes_.size(),
      [&](std::size_t t) {
        Vec3* own = of_corner_.data() + t * 4 * width_;  // by corner and node of the tet
        std::fill(own, own + 4 * width_, Vec3::Zero());
        for (int q = 0; q < points(); ++q) {
          const Corners slope = determinant_gradient(corners_of(x, vertices_.data() + t * width_, width_, q));
          for (Index b = 0; b < width_; ++b) {
            Vec3 of_node = Vec3::Zero();
            for (int i = 0; i < 4; ++i)
              of_node += (width_ == 4 ? double(i == b) : quadratic_tet_weights[q][i][b]) * slope[i];
            for (int a = 0; a < 4; ++a) own[a * width_ + b] += point_share(width_) * hat(a, q) * of_node;
          }
        }
      },
      256);
  gradient_.resize(star_.size());
  parallel_for(
      nodes_.size(),
      [&](std::size_t a) {
        const Node& node = nodes_[a];
        std::fill(gradient_.begin() + node.star_begin, gradient_.begin() + node.star_end, Vec3::Zero());
        for (Index k = node.use_begin; k < node.use_end; ++k) {
          const Vec3* own = of_corner_.data() + (std::size_t{4} * uses_[k].tet + uses_[k].corner) * width_;
          for (Index b = 0; b < width_; ++b)
            gradient_[node.star_begin + place_[std::size_t{1} * k * width_ + b]] += own[b] / node.volume;
        }
      },
      64);
}

void NodalVolume::find_slots(const BlockPattern& pattern) const {
  slots_.clear();
  for (const Node& node : nodes_) {
    const std::span<const Index> vertices = star(node);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      for (std::size_t j = i + 1; j < vertices.size(); ++j)
        slots_.push_back(vertices[j] < dynamic_count_ ? static_cast<Index>(pattern.find(vertices[i], vertices[j]))
                                                      : -1);
  }
}

// Row by row: each vertex adds the terms of all nodes whose mean it changes, in their order.
void NodalVolume::add_hessian(const Points& x, std::span<const double> factors, double scale, Projection projection,
                              SymBlockMatrix& H) const {
  if (slot_pattern_ != H.shared_pattern()) {
    find_slots(H.pattern());
    slot_pattern_ = H.shared_pattern();
  }
  find_changes(x);
  find_gradients(x);
  of_node_.resize(nodes_.size());
  parallel_for(
      nodes_.size(),
      [&](std::size_t a) {
        const Node& node = nodes_[a];
        const double second = volume_energy(forms_[node.group], mean(node)).second;
        of_node_[a] =
            scale * node.factor * node.stiffness * (projection == Projection::psd ? std::max(second, 0.0) : second);
        if (!factors.empty()) of_node_[a] *= factors[uses_[node.use_begin].tet];
      },
      256);
  parallel_for(
      dynamic_count_,
      [&](std::size_t v) {
        double* diagonal = H.block(H.pattern().row_begin[v]);
        for (Index r = row_begin_[v]; r < row_begin_[v + 1]; ++r) {
          const Node& node = nodes_[rows_[r].node];
          const Index n = node.star_end - node.star_begin, i = rows_[r].position;
          const Vec3 own = of_node_[rows_[r].node] * gradient_[node.star_begin + i];
          const auto add = [&](double* block, const Vec3& other) {
            for (int c = 0; c < 3; ++c)
              for (int k = 0; k < 3; ++k) block[3 * c + k] += own[k] * other[c];
          };
          add(diagonal, gradient_[node.star_begin + i]);
          const Index* slots = slots_.data() + node.pair_begin + std::int64_t{i} * (2 * n - 1 - i) / 2;
          for (Index j = i + 1; j < n; ++j)
            if (slots[j - i - 1] >= 0) add(H.block(slots[j - i - 1]), gradient_[node.star_begin + j]);
        }
      },
      64);
}

void NodalVolume::collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const {
  for (const Node& node : nodes_) {
    const std::span<const Index> vertices = star(node);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      for (std::size_t j = i + 1; j < vertices.size(); ++j)
        if (vertices[j] < dynamic_count_) pairs.emplace_back(vertices[i], vertices[j]);
  }
}

}  // namespace sinew
