#include "sinew/io/report_inside.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>

#include "sinew/core/sort_unique.h"
#include "sinew/io/report_format.h"

namespace sinew {
namespace {

constexpr int whole_weight = 256;  // of a prediction
constexpr int coarsest = 8;        // edges between the first vertices of the order
constexpr std::size_t most_candidates = 12;
constexpr int position_unit = 8;     // levels: positions inside to 1/8191 of the body's extent
constexpr int colour_steps = 256;    // that a field's usual range has at least
constexpr double usual_part = 0.98;  // of the values, from zero to the end of that range
// Vertices inside whose values are stored, for each vertex on the surface, and at least.
constexpr double stored_share = 1.0;
constexpr std::size_t least_stored = 300;

std::int32_t level_of(double value, const ValueRange& range, std::int32_t levels) {
  const double scale = range.high > range.low ? levels / (range.high - range.low) : 0;
  const double level = (value - range.low) * scale;
  const double most = 2.0 * levels;
  return std::isfinite(level) ? static_cast<std::int32_t>(std::floor(std::clamp(level, -most, most) + 0.5)) : 0;
}

// The unit in which differences of a field are stored: small steps of the colours that the usual range has.
int field_unit(std::vector<std::int32_t> levels) {
  std::erase(levels, 0);
  if (levels.empty()) return 1;
  const auto place = static_cast<std::ptrdiff_t>(usual_part * static_cast<double>(levels.size() - 1));
  std::ranges::nth_element(levels, levels.begin() + place);
  return std::max(1, levels[place] / colour_steps);
}

}  // namespace

BodyInside::BodyInside(const Tets& tets, std::span<const Index> materials, std::vector<Index> surface,
                       const Points& rest)
    : surface_(std::move(surface)) {
  std::vector<Index> all(tets.data(), tets.data() + tets.size());
  sort_unique(all);
  std::ranges::set_difference(all, surface_, std::back_inserter(vertices_));
  const auto rank = [&](Index v) { return static_cast<Index>(std::ranges::lower_bound(all, v) - all.begin()); };

  // By rank: place in surface_, then in vertices_, as long as these are ascending.
  std::vector<Index> place(all.size());
  for (std::size_t k = 0; k < surface_.size(); ++k) place[rank(surface_[k])] = static_cast<Index>(k);
  for (std::size_t k = 0; k < vertices_.size(); ++k)
    place[rank(vertices_[k])] = static_cast<Index>(surface_.size() + k);
  std::vector<std::vector<Index>> neighbours(all.size());  // by place
  std::vector<Index> material(all.size(), 0);
  std::vector<std::pair<Index, std::array<Index, 4>>> sorted;
  for (Index t = 0; t < tets.cols(); ++t) {
    std::array<Index, 4> tet{};
    for (int k = 0; k < 4; ++k) tet[k] = rank(tets(k, t));
    for (const Index a : tet) {
      material[place[a]] = materials[t];
      for (const Index b : tet)
        if (a != b) neighbours[place[a]].push_back(place[b]);
    }
    std::ranges::sort(tet);
    sorted.emplace_back(materials[t], tet);
  }
  for (std::vector<Index>& list : neighbours) sort_unique(list);
  std::ranges::sort(sorted);
  for (const auto& [of, tet] : sorted) {
    if (groups_.empty() || groups_.back().first != of) groups_.emplace_back(of, 0);
    ++groups_.back().second;
    tets_.push_back(tet);
  }

  stored_ = std::max(static_cast<std::size_t>(stored_share * static_cast<double>(surface_.size())), least_stored);
  stored_ = std::min(stored_, vertices_.size());
  const std::vector<Index> before = vertices_;
  order_vertices(neighbours);
  std::vector<Index> moved(all.size());  // from the places before to those now
  std::iota(moved.begin(), moved.end(), 0);
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const auto old = std::ranges::lower_bound(before, vertices_[k]) - before.begin() + surface_.size();
    moved[old] = static_cast<Index>(surface_.size() + k);
    ranks_.push_back(rank(vertices_[k]));
    vertex_materials_.push_back(material[old]);
  }
  std::vector<std::vector<Index>> now(all.size());
  for (std::size_t v = 0; v < all.size(); ++v) {
    for (const Index other : neighbours[v]) now[moved[v]].push_back(moved[other]);
  }
  find_predictions(now, rest);
}

// From coarse to fine: a vertex is taken if it is `gap` edges from all that are taken and from the surface.
void BodyInside::order_vertices(const std::vector<std::vector<Index>>& neighbours) {
  const auto first = static_cast<Index>(surface_.size()), count = static_cast<Index>(neighbours.size());
  std::vector<int> distance(neighbours.size(), coarsest);
  std::vector<Index> front;
  // Shortens the distances around vertices at `distance` 0.
  const auto spread = [&](std::vector<Index> from, int reach) {
    for (int d = 1; d < reach && !from.empty(); ++d) {
      front.clear();
      for (const Index v : from) {
        for (const Index other : neighbours[v]) {
          if (distance[other] <= d) continue;
          distance[other] = d;
          front.push_back(other);
        }
      }
      std::swap(from, front);
    }
  };
  std::vector<Index> taken(static_cast<std::size_t>(first));
  std::iota(taken.begin(), taken.end(), 0);
  for (const Index v : taken) distance[v] = 0;
  spread(taken, coarsest);
  std::vector<Index> order, visits(static_cast<std::size_t>(count - first));
  std::iota(visits.begin(), visits.end(), first);
  for (int gap = coarsest; gap >= 1; gap /= 2) {
    // The last ones in a mixed order: those with values then lie everywhere in the body.
    if (gap == 1) std::ranges::sort(visits, {}, [](Index v) { return static_cast<std::uint32_t>(v) * 2654435769u; });
    for (const Index v : visits) {
      if (distance[v] < gap) continue;
      distance[v] = 0;
      order.push_back(vertices_[v - first]);
      spread({v}, gap);
    }
  }
  vertices_ = std::move(order);
}

Index BodyInside::user(Index place) const {
  const auto first = static_cast<Index>(surface_.size());
  return place < first ? surface_[place] : vertices_[place - first];
}

void BodyInside::find_predictions(const std::vector<std::vector<Index>>& neighbours, const Points& rest) {
  const auto first = static_cast<Index>(surface_.size());
  const auto stored = first + static_cast<Index>(stored_);
  std::vector<Index> seen(neighbours.size(), -1), ring, next;
  predictions_.reserve(vertices_.size());
  for (Index v = first; v < static_cast<Index>(neighbours.size()); ++v) {
    // Rings of edges around the vertex, until enough of them have values.
    std::vector<Index> candidates;
    ring.assign(1, v);
    seen[v] = v;
    while (!ring.empty() && candidates.size() < most_candidates) {
      next.clear();
      for (const Index from : ring) {
        for (const Index other : neighbours[from]) {
          if (seen[other] == v) continue;
          seen[other] = v;
          next.push_back(other);
          if (other < std::min(v, stored)) candidates.push_back(other);
        }
      }
      std::swap(ring, next);
    }
    predictions_.push_back(prediction(v, std::move(candidates), rest));
  }
}

// Weights of moving least squares with linear functions: exact for affine motions, as far as the candidates lie around
// the vertex. Slopes are damped, so that candidates on one side do not extrapolate far.
BodyInside::Prediction BodyInside::prediction(Index place, std::vector<Index> candidates, const Points& rest) const {
  constexpr double damping = 0.002, softening = 0.05;
  Prediction result;
  if (candidates.empty()) {
    result.weights[0] = whole_weight;
    return result;
  }
  const Vec3 at = rest.col(user(place));
  const auto square = [&](Index c) { return (rest.col(user(c)) - at).squaredNorm(); };
  std::ranges::sort(candidates, {}, [&](Index c) { return std::pair{square(c), c}; });
  candidates.resize(std::min<std::size_t>(candidates.size(), parent_count));
  const double size = std::max(std::sqrt(square(candidates.back())), 1e-300);
  const auto count = static_cast<int>(candidates.size());
  Eigen::Matrix<double, Eigen::Dynamic, 4> rows(count, 4);
  VecX near(count);
  for (int k = 0; k < count; ++k) {
    rows.row(k) << 1, ((rest.col(user(candidates[k])) - at) / size).transpose();
    near[k] = 1 / (square(candidates[k]) / (size * size) + softening);
  }
  Eigen::Matrix4d matrix = rows.transpose() * near.asDiagonal() * rows;
  for (int k = 1; k < 4; ++k) matrix(k, k) += damping * near.sum();
  const VecX weights = near.asDiagonal() * (rows * matrix.ldlt().solve(Eigen::Vector4d::Unit(0)));
  Index sum = 0;
  for (int k = 0; k < parent_count; ++k) {
    result.parents[k] = candidates[std::min(k, count - 1)];
    if (k >= count) continue;
    result.weights[k] = static_cast<Index>(std::lround(std::clamp(weights[k], -4.0, 4.0) * whole_weight));
    sum += result.weights[k];
  }
  *std::ranges::max_element(result.weights) += whole_weight - sum;
  return result;
}

Json BodyInside::facts() const {
  Json groups = Json::array();
  for (const auto& [material, count] : groups_) groups.push_back({material, count});
  return {{"vertices", vertices_.size()}, {"stored", stored_}, {"tets", groups}};
}

void BodyInside::add_mesh(ReportEncoder& encoder) const {
  encoder.integers(ranks_);
  std::vector<Index> numbers;
  for (int k = 0; k < 4; ++k) {
    numbers.clear();
    for (const std::array<Index, 4>& tet : tets_) numbers.push_back(k == 0 ? tet[0] : tet[k] - tet[k - 1]);
    encoder.integers(numbers, k > 0);
  }
  for (int k = 0; k < parent_count; ++k) {
    numbers.clear();
    for (const Prediction& prediction : predictions_) numbers.push_back(prediction.parents[k]);
    encoder.integers(numbers);
    numbers.clear();
    for (const Prediction& prediction : predictions_) numbers.push_back(prediction.weights[k]);
    encoder.integers(numbers, /*plain=*/true);
  }
}

void BodyInside::add_positions(ReportEncoder& encoder, const Points& all, const std::array<ValueRange, 3>& box) const {
  std::vector<std::int32_t> levels(surface_.size() + vertices_.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 0; k < levels.size(); ++k)
      levels[k] = level_of(all(axis, user(static_cast<Index>(k))), box[axis], position_levels);
    add_residuals(encoder, levels, position_unit, -1);
  }
}

void BodyInside::add_field(ReportEncoder& encoder, const VecX& all, const ValueRange& range) const {
  std::vector<std::int32_t> levels(surface_.size() + vertices_.size());
  for (std::size_t k = 0; k < levels.size(); ++k)
    levels[k] = level_of(all[user(static_cast<Index>(k))], range, field_levels);
  const int unit = field_unit(levels);
  encoder.number(unit);
  add_residuals(encoder, std::move(levels), unit, field_levels);
}

// The page makes the same integers: what rounding loses in a vertex does not add up in those predicted from it.
void BodyInside::add_residuals(ReportEncoder& encoder, std::vector<std::int32_t> levels, int unit,
                               std::int32_t most) const {
  std::vector<std::int16_t> residuals(stored_);
  for (std::size_t k = 0; k < stored_; ++k) {
    std::int32_t sum = whole_weight / 2;
    const Prediction& from = predictions_[k];
    for (int p = 0; p < parent_count; ++p) sum += from.weights[p] * levels[from.parents[p]];
    const std::int32_t predicted = sum >> 8;
    std::int32_t& level = levels[surface_.size() + k];
    const double difference = std::round(static_cast<double>(level - predicted) / unit);
    residuals[k] = static_cast<std::int16_t>(std::clamp(difference, -32768.0, 32767.0));
    level = predicted + unit * residuals[k];
    if (most >= 0) level = std::clamp(level, 0, most);
  }
  encoder.residuals(residuals);
}

}  // namespace sinew
