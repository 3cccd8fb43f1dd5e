#include "sinew/contact/layer_overlap.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sinew/contact/broad_phase.h"
#include "sinew/contact/pair_distance.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr double rounding = 1e-12;  // of the offset: a smaller gap is none

// Adds pairs to what is known of the same owners.
void add(const LayerOverlap& more, LayerOverlap& known) {
  const long count = known.count + more.count;
  if (known.count == 0 || more.distance < known.distance) known = more;
  known.count = count;
}

// Distances of the surfaces' pairs that the broad phase finds within their offsets: the sum of each batch.
std::vector<LayerOverlap> near_pairs(const CollisionMesh& mesh, const Points& x, std::span<const char> held) {
  BroadPhase broad(mesh);
  broad.set_glue(held);
  broad.set_positions(x, 0);
  const auto& batches = broad.batches();
  std::vector<LayerOverlap> by_batch(batches.size());
  parallel_for(
      batches.size(),
      [&](std::size_t b) {
        const std::pair<Index, Index> owners = broad.owners(batches[b]);
        const double offset = mesh.offset(owners.first, owners.second), touch = offset * (1 + rounding);
        if (!(offset > 0)) return;
        broad.visit(batches[b], [&](const PrimitivePair& pair) {
          const bool face = pair.kind == PairKind::vertex_face;
          if (face && mesh.is_sample(mesh.vertices[pair.first])) return;
          if (pair_beyond(mesh, pair, x, touch * touch)) return;
          const double distance2 = pair_distance2(mesh, pair, x);
          if (distance2 > touch * touch) return;
          const auto [low, high] = std::minmax(owners.first, owners.second);
          add({low, high, offset, std::sqrt(distance2), 1, vertices_of(mesh, pair), face ? 1 : 2}, by_batch[b]);
        });
      },
      1);
  return by_batch;
}

}  // namespace

std::vector<LayerOverlap> find_layer_overlaps(const CollisionMesh& mesh, const Points& x,
                                              std::span<const PlaneState> planes, std::span<const char> held) {
  if (mesh.owner_offset.empty()) return {};
  std::map<std::pair<Index, Index>, LayerOverlap> found;
  for (const LayerOverlap& one : near_pairs(mesh, x, held))
    if (one.count > 0) add(one, found[{one.a, one.b}]);
  for (const Index v : mesh.vertices) {
    if (mesh.kinematic(v) || mesh.is_sample(v)) continue;
    for (std::size_t p = 0; p < planes.size(); ++p) {
      const Index owner = mesh.vertex_owner[v], other = mesh.planes[p].owner;
      const double offset = mesh.offset(owner, other);
      if (!(offset > 0) || !mesh.owners_may_touch(owner, other)) continue;
      const double height = planes[p].normal.dot(x.col(v) - planes[p].point);
      if (height <= offset * (1 + rounding))
        add({owner, other, offset, height, 1, {v, -1, -1, -1}, 1}, found[{owner, other}]);
    }
  }
  std::vector<LayerOverlap> list;
  for (const auto& [key, overlap] : found) list.push_back(overlap);
  return list;
}

}  // namespace sinew
