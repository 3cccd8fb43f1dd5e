#include "seeds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_set>

namespace sinew::mesher {
namespace {

// Off the planes and lines on which shapes like to put their faces.
const Vec3 offset(0.37, 0.41, 0.29);

// Keeps one crossing for each pair of labels in a cube.
class Thinning {
 public:
  explicit Thinning(double spread) : spread_(spread) {}

  bool keeps(const Crossing& crossing) {
    const Vec3 middle = 0.5 * (crossing.from + crossing.to);
    Key key;
    for (std::size_t k = 0; k < 3; ++k)
      key[k] = static_cast<std::int64_t>(std::floor(middle[static_cast<int>(k)] / spread_));
    const auto [low, high] = std::minmax(crossing.label_from, crossing.label_to);
    key[3] = (static_cast<std::int64_t>(low) << 32) + high;
    return taken_.insert(key).second;
  }

 private:
  using Key = std::array<std::int64_t, 4>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t sum = 0;
      for (const std::int64_t part : key)
        sum = (sum ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u, sum ^= sum >> 29;
      return sum;
    }
  };

  double spread_;
  std::unordered_set<Key, Hash> taken_;
};

}  // namespace

std::vector<Crossing> thinned(const std::vector<Crossing>& crossings, double spread) {
  Thinning thinning(spread);
  std::vector<Crossing> kept;
  for (const Crossing& crossing : crossings) {
    if (thinning.keeps(crossing)) kept.push_back(crossing);
  }
  return kept;
}

Survey survey(const Solid& solid, double pitch, double spread) {
  Survey result;
  result.volumes.resize(solid.regions.size() + 1);
  const Vec3 lower = solid.bounds.min();
  std::array<std::size_t, 3> count;
  for (int k = 0; k < 3; ++k)
    count[static_cast<std::size_t>(k)] = static_cast<std::size_t>(std::ceil(solid.bounds.sizes()[k] / pitch)) + 1;
  // Labels of this plane and of the one before it.
  std::vector<int> plane(count[1] * count[2]), previous(plane.size());
  Thinning thinning(spread);
  const auto cross = [&](const Vec3& from, int label_from, const Vec3& to, int label_to) {
    if (label_from == label_to) return;
    const Crossing crossing{from, to, label_from, label_to};
    if (thinning.keeps(crossing)) result.crossings.push_back(crossing);
  };
  for (std::size_t i = 0; i < count[0]; ++i) {
    std::swap(plane, previous);
    for (std::size_t j = 0; j < count[1]; ++j) {
      for (std::size_t k = 0; k < count[2]; ++k) {
        const Vec3 p =
            lower + pitch * (Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)) - offset);
        const std::size_t at = j * count[2] + k;
        const int label = plane[at] = solid.label(p);
        result.volumes[static_cast<std::size_t>(label)] += pitch * pitch * pitch;
        if (i > 0) cross(p - pitch * Vec3::UnitX(), previous[at], p, label);
        if (j > 0) cross(p - pitch * Vec3::UnitY(), plane[at - count[2]], p, label);
        if (k > 0) cross(p - pitch * Vec3::UnitZ(), plane[at - 1], p, label);
      }
    }
  }
  return result;
}

}  // namespace sinew::mesher
