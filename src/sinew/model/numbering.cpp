#include "sinew/model/numbering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace sinew {
namespace {

constexpr int bits = 20;  // of each coordinate

// Position along the Hilbert curve of cell (a0, a1, a2) (Skilling 2004: undo excess work, then Gray encode).
std::uint64_t hilbert_key(std::array<std::uint32_t, 3> a) {
  const std::uint32_t top = 1u << (bits - 1);
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    const std::uint32_t low = q - 1;
    for (int i = 0; i < 3; ++i) {
      if (a[i] & q) {
        a[0] ^= low;
      } else {
        const std::uint32_t t = (a[0] ^ a[i]) & low;
        a[0] ^= t;
        a[i] ^= t;
      }
    }
  }
  for (int i = 1; i < 3; ++i) a[i] ^= a[i - 1];
  std::uint32_t t = 0;
  for (std::uint32_t q = top; q > 1; q >>= 1)
    if (a[2] & q) t ^= q - 1;
  for (std::uint32_t& c : a) c ^= t;
  std::uint64_t key = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (int i = 0; i < 3; ++i) key = (key << 1) | ((a[i] >> b) & 1u);
  return key;
}

}  // namespace

std::vector<Index> hilbert_order(const Points& points, const std::vector<Index>& vertices) {
  if (vertices.empty()) return {};
  Vec3 low = points.col(vertices[0]), high = low;
  for (Index v : vertices) {
    low = low.cwiseMin(points.col(v));
    high = high.cwiseMax(points.col(v));
  }
  const double extent = (high - low).maxCoeff();
  const double scale = extent > 0 ? ((1u << bits) - 1) / extent : 0;
  std::vector<std::pair<std::uint64_t, Index>> keyed(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    std::array<std::uint32_t, 3> cell;
    for (int k = 0; k < 3; ++k) cell[k] = static_cast<std::uint32_t>((points(k, vertices[i]) - low[k]) * scale);
    keyed[i] = {hilbert_key(cell), vertices[i]};
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<Index> order(vertices.size());
  std::transform(keyed.begin(), keyed.end(), order.begin(), [](const auto& entry) { return entry.second; });
  return order;
}

}  // namespace sinew
