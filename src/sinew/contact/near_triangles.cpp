#include "sinew/contact/near_triangles.h"

#include <algorithm>

#include "sinew/contact/bvh.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kTriangleChunk = 2048;

// The box of a triangle relative to `origin`, grown by `margin`.
FloatBox box_of(const CollisionMesh& mesh, Index triangle, const Points& x, const Vec3& origin, double margin) {
  FloatBox box;
  const auto v = mesh.triangles.col(triangle);
  for (int c = 0; c < 3; ++c) {
    const auto [low, high] = std::minmax({x(c, v[0]), x(c, v[1]), x(c, v[2])});
    box.low[c] = float_below(low - origin[c] - margin);
    box.high[c] = float_above(high - origin[c] + margin);
  }
  return box;
}

}  // namespace

// The few, grown by the reach, become a tree; every triangle of the mesh asks it.
std::vector<Index> near_triangles(const CollisionMesh& mesh, std::span<const Index> few, const Points& x,
                                  double reach) {
  std::vector<Index> near;
  if (few.empty()) return near;
  const Vec3 origin = x.col(mesh.triangles(0, few[0]));
  std::vector<FloatBox> boxes;
  boxes.reserve(few.size());
  for (const Index t : few) boxes.push_back(box_of(mesh, t, x, origin, reach));
  Bvh tree;
  tree.build(boxes);
  const FloatBox bounds = tree.bounds();
  const auto count = static_cast<std::size_t>(mesh.triangles.cols());
  std::vector<std::vector<Index>> found((count + kTriangleChunk - 1) / kTriangleChunk);
  parallel_chunks(count, kTriangleChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const FloatBox box = box_of(mesh, static_cast<Index>(t), x, origin, 0);
      if (!box.overlaps(bounds)) continue;
      bool meets = false;
      tree.query(box, 0, [&](std::size_t) { meets = true; });
      if (meets) found[begin / kTriangleChunk].push_back(static_cast<Index>(t));
    }
  });
  for (const std::vector<Index>& part : found) near.insert(near.end(), part.begin(), part.end());
  return near;
}

}  // namespace sinew
