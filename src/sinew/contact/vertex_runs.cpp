#include "sinew/contact/vertex_runs.h"

namespace sinew {
namespace {

using Four = std::array<Index, 4>;

constexpr Four nothing{-1, -1, -1, -1};

// The four that a vertex follows; nothing where it follows others, or fewer.
Four followed_by(const Embedding& embedding, Index vertex) {
  if (!embedding.follows(vertex) || embedding.row(vertex).size() != 4) return nothing;
  Four four;
  for (std::size_t a = 0; a < 4; ++a) four[a] = embedding.row(vertex)[a].vertex;
  return four;
}

// y = C^T w.
Vec3 weight_coordinates(std::span<const Embedding::Entry> row) {
  const double a = row[0].weight, b = row[1].weight, c = row[2].weight, d = row[3].weight;
  return {(a + b) - (c + d), (a - b) + (c - d), (a - b) - (c - d)};
}

void set_box(const Vec3& low, const Vec3& high, VertexRun& run) {
  run.middle = 0.5 * (low + high);
  run.reach = 0.5 * (high - low) + 0x1p-50 * (low.cwiseAbs() + high.cwiseAbs());
}

}  // namespace

// Vertices that follow the same four lie next to each other, in an order that keeps near what is near
// (model/build_vertices.cpp).
std::vector<VertexRun> vertex_runs(const CollisionMesh& mesh, const Embedding& embedding) {
  std::vector<VertexRun> runs;
  std::vector<Four> followed;
  for (const Index v : mesh.vertices) followed.push_back(followed_by(embedding, v));
  for (std::size_t begin = 0, end = 0; begin < followed.size(); begin = end) {
    const auto same = [&](std::size_t i) { return i < followed.size() && followed[i] == followed[begin]; };
    while (same(end) && end - begin < VertexRun::most) ++end;
    if (followed[begin] != nothing && end - begin >= VertexRun::least) {
      // A short rest would not follow: it goes along.
      std::size_t rest = end;
      while (same(rest) && rest - end < VertexRun::least) ++rest;
      if (!same(rest) && rest - end < VertexRun::least) end = rest;
      VertexRun run{begin, end};
      run.followed = followed[begin];
      Vec3 low = weight_coordinates(embedding.row(mesh.vertices[begin])), high = low;
      for (std::size_t i = begin; i < end; ++i) {
        const Vec3 y = weight_coordinates(embedding.row(mesh.vertices[i]));
        low = low.cwiseMin(y);
        high = high.cwiseMax(y);
      }
      set_box(low, high, run);
      runs.push_back(run);
    } else if (!runs.empty() && !runs.back().follows() && runs.back().end - runs.back().begin < VertexRun::most) {
      // One by one anyhow: what follows nothing in common goes on in the run before.
      end = std::min(end, runs.back().begin + VertexRun::most);
      runs.back().end = end;
    } else {
      runs.push_back({begin, end});
    }
  }
  return runs;
}

VertexRun joined(std::span<const VertexRun> runs) {
  if (runs.empty()) return {};
  VertexRun all{runs.front().begin, runs.back().end};
  Vec3 low = runs.front().middle, high = low;
  for (const VertexRun& run : runs) {
    if (!run.follows() || run.followed != runs.front().followed) return all;
    low = low.cwiseMin(run.middle - run.reach);
    high = high.cwiseMax(run.middle + run.reach);
  }
  all.followed = runs.front().followed;
  set_box(low, high, all);
  return all;
}

}  // namespace sinew
