#include "sinew/model/skin.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double least_weight = 1e-4;
constexpr double flat = 1e-9;  // of the determinant of a map

Vec3 apply(const Skin::Map& map, const Vec3& x) {
  return map.leftCols<3>() * x + map.col(3);
}

}  // namespace

Skin::Skin(Index body, std::vector<Motion> bones, std::vector<Index> vertices, const MatX& weights)
    : body_(body), bones_(std::move(bones)), vertices_(std::move(vertices)), begin_(1, 0) {
  for (Eigen::Index i = 0; i < weights.rows(); ++i) {
    double sum = 0;
    for (Eigen::Index b = 0; b < weights.cols(); ++b)
      if (weights(i, b) >= least_weight) sum += weights(i, b);
    for (Eigen::Index b = 0; b < weights.cols(); ++b) {
      if (weights(i, b) < least_weight) continue;
      bone_.push_back(static_cast<Index>(b));
      weight_.push_back(weights(i, b) / sum);
    }
    begin_.push_back(static_cast<Index>(bone_.size()));
  }
}

std::vector<Skin::Map> Skin::maps(double time) const {
  std::vector<Map> maps;
  for (const Motion& bone : bones_) maps.push_back(bone.map(time));
  return maps;
}

Skin::Map Skin::at(const std::vector<Map>& maps, Index i) const {
  Map sum = Map::Zero();
  for_each(i, [&](Index bone, double weight) { sum += weight * maps[bone]; });
  return sum;
}

void Skin::place(double time, Points& x) const {
  const std::vector<Map> maps = this->maps(time);
  parallel_for(
      vertices_.size(), [&](std::size_t i) { x.col(vertices_[i]) = apply(at(maps, i), x.col(vertices_[i])); }, 4096);
}

void Skin::undo(double time, Points& x) const {
  const std::vector<Map> maps = this->maps(time);
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const Map map = at(maps, static_cast<Index>(i));
    const Mat3 A = map.leftCols<3>();
    if (!(std::abs(A.determinant()) > flat))
      throw SimulationError(code::step_failed,
                            fmt::format("the bones flatten the body at t = {:.6g} s: their maps cancel at a vertex; "
                                        "let neighbouring bones turn by less against each other",
                                        time));
    x.col(vertices_[i]) = A.inverse() * (x.col(vertices_[i]) - map.col(3));
  }
}

void Skin::place_velocity(double time, double step, const Points& x, Points& v) const {
  const std::vector<Map> now = maps(time), before = maps(time - step);
  parallel_for(
      vertices_.size(),
      [&](std::size_t i) {
        const Map map = at(now, static_cast<Index>(i)), change = (map - at(before, static_cast<Index>(i))) / step;
        v.col(vertices_[i]) = map.leftCols<3>() * v.col(vertices_[i]) + apply(change, x.col(vertices_[i]));
      },
      4096);
}

void Skin::undo_velocity(double time, double step, const Points& x, Points& v) const {
  const std::vector<Map> now = maps(time), before = maps(time - step);
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    const Map map = at(now, static_cast<Index>(i)), change = (map - at(before, static_cast<Index>(i))) / step;
    const Mat3 A = map.leftCols<3>();
    v.col(vertices_[i]) = A.inverse() * (v.col(vertices_[i]) - apply(change, x.col(vertices_[i])));
  }
}

SkinLoad::SkinLoad(const Skin& skin, const Points& rest, const std::vector<std::pair<Index, double>>& masses) {
  std::map<Index, Part> parts;
  double total = 0;
  for (const auto& entry : masses) {
    const Index vertex = entry.first;
    const double mass = entry.second;
    total += mass;
    const auto i = static_cast<Index>(std::ranges::lower_bound(skin.vertices(), vertex) - skin.vertices().begin());
    skin.for_each(i, [&](Index bone, double weight) {
      Part& part = parts.try_emplace(bone, Part{bone, 0, Eigen::Vector4d::Zero()}).first->second;
      part.weight += mass * weight;
      part.place += mass * weight * rest.col(vertex).homogeneous();
    });
  }
  for (auto& [bone, part] : parts) {
    part.weight /= total;
    part.place /= total;
    parts_.push_back(part);
  }
}

Vec3 SkinLoad::acceleration(const std::vector<Skin::Map>& before, const std::vector<Skin::Map>& now,
                            const std::vector<Skin::Map>& after, double step, const Vec3& gravity) const {
  Mat3 A = Mat3::Zero();
  Vec3 moved = Vec3::Zero();
  for (const Part& part : parts_) {
    const Skin::Map second = (after[part.bone] - 2 * now[part.bone] + before[part.bone]) / (step * step);
    A += part.weight * now[part.bone].leftCols<3>();
    moved += second * part.place;
  }
  return A.transpose() * (gravity - moved);
}

}  // namespace sinew
