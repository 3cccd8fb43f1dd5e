#include "seeds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

namespace sinew::mesher {
namespace {

// Off the planes and lines on which shapes like to put their faces.
const Vec3 offset(0.37, 0.41, 0.29);

// A cube and an unordered pair of labels in one word.
std::uint64_t key_of(const Vec3& p, double spread, int a, int b) {
  std::uint64_t key = 0;
  for (int k = 0; k < 3; ++k) key = (key << 17) | static_cast<std::uint64_t>(p[k] / spread);
  const auto [low, high] = std::minmax(a, b);
  return key * 4099 + static_cast<std::uint64_t>(low) * 61 + static_cast<std::uint64_t>(high);
}

}  // namespace

Survey survey(const Solid& solid, double pitch, double spread) {
  Survey result;
  result.volumes.resize(solid.regions.size() + 1);
  const Vec3 lower = solid.bounds.min();
  std::array<std::size_t, 3> count;
  for (int k = 0; k < 3; ++k) count[static_cast<std::size_t>(k)] = static_cast<std::size_t>(std::ceil(solid.bounds.sizes()[k] / pitch)) + 1;
  // Labels of this plane and of the one before it.
  std::vector<int> plane(count[1] * count[2]), previous(plane.size());
  std::unordered_set<std::uint64_t> taken;
  const auto cross = [&](const Vec3& from, int label_from, const Vec3& to, int label_to) {
    if (label_from == label_to) return;
    const Vec3 middle = 0.5 * (from + to) - lower + Vec3::Constant(pitch);
    if (taken.insert(key_of(middle, spread, label_from, label_to)).second) result.crossings.push_back({from, to, label_from, label_to});
  };
  for (std::size_t i = 0; i < count[0]; ++i) {
    std::swap(plane, previous);
    for (std::size_t j = 0; j < count[1]; ++j) {
      for (std::size_t k = 0; k < count[2]; ++k) {
        const Vec3 p = lower + pitch * (Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)) - offset);
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
