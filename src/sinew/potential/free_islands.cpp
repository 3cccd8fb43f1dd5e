#include "sinew/potential/free_islands.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

// Defects below this share of the sums are their rounding.
constexpr double least_defect = 1e-14;

}  // namespace

Index FreeIslands::root(Index body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

// The smaller number becomes the root.
void FreeIslands::join(Index a, Index b) {
  const auto [first, second] = std::minmax({root(a), root(b)});
  parent_[second] = first;
  held_[first] |= held_[second];
}

// The vertices of one contact or spring: their bodies become one island, held where a plane or an obstacle takes part.
void FreeIslands::join_or_hold(std::span<const Index> vertices, bool plane) {
  Index first = -1;
  bool outside = plane;
  for (const Index v : vertices) {
    if (v < 0) continue;
    if (v >= system_.body_vertex_count()) {
      outside = true;
    } else if (first < 0) {
      first = system_.vertex_body[v];
    } else {
      join(first, system_.vertex_body[v]);
    }
  }
  if (outside && first >= 0) hold(first);
}

// Held are bodies with prescribed vertices, damping by mass, loads that depend on positions, or a spring to a point;
// and what they touch.
void FreeIslands::find(const StepContext& context, const ContactModel& contact) {
  const auto count = static_cast<Index>(system_.bodies.size());
  if (vertices_.empty()) {
    vertices_.resize(count);
    for (Index i = 0; i < system_.dynamic_count; ++i) vertices_[system_.vertex_body[i]].push_back(i);
  }
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), Index{0});
  held_.assign(count, 0);
  for (Index b = 0; b < count; ++b) {
    bool held = system_.bodies[b].damping_mass > 0 || system_.setup.spin.has_value();
    for (const Index v : vertices_[b])
      for (int k = 0; k < 3; ++k) held |= context.prescribed[3 * static_cast<std::size_t>(v) + k] != 0;
    held_[b] = held;
  }
  for (const FaceLoad& load : system_.loads)
    if (!is_dead(load.kind) && load.faces.cols() > 0) hold(system_.vertex_body[load.faces(0, 0)]);
  for (const Spring& spring : system_.springs) {
    join_or_hold(std::array{spring.vertex}, spring.others.empty());
    for (const Index other : spring.others) join_or_hold(std::array{spring.vertex, other}, false);
  }
  for (const ContactStencil& stencil : contact.contacts()) join_or_hold(stencil.v, stencil.plane >= 0);
  for (const FrictionStencil& stencil : contact.friction().stencils()) join_or_hold(stencil.v, stencil.v[1] < 0);
  for (Index b = 0; b < count; ++b) parent_[b] = root(b);
}

// 1. Islands.
// 2. Sums over each body, then over each island.
// 3. d_i += u with u = -sum (g + m d) / sum m.
void FreeIslands::translate(const StepContext& context, const ContactModel& contact, const Points& g, Points& d) {
  if (!context.inertia || !system_.ties.empty()) return;
  // Step 1.
  find(context, contact);
  // Step 2.
  sums_.assign(system_.bodies.size(), {});
  parallel_for(
      sums_.size(),
      [&](std::size_t b) {
        if (held_[parent_[b]]) return;
        Sums& sum = sums_[b];
        for (const Index i : vertices_[b]) {
          const Vec3 momentum = system_.mass[i] * d.col(i);
          sum.defect += g.col(i) + momentum;
          sum.size += g.col(i).norm() + momentum.norm();
          sum.mass += system_.mass[i];
        }
      },
      1);
  for (Index b = 0; b < static_cast<Index>(sums_.size()); ++b) {
    const Index r = parent_[b];
    if (r == b) continue;
    sums_[r].defect += sums_[b].defect;
    sums_[r].size += sums_[b].size;
    sums_[r].mass += sums_[b].mass;
  }
  // Step 3.
  parallel_for(
      sums_.size(),
      [&](std::size_t b) {
        const Index r = parent_[b];
        const Sums& sum = sums_[r];
        if (held_[r] || !(sum.mass > 0) || !(sum.defect.norm() > least_defect * sum.size)) return;
        const Vec3 u = -sum.defect / sum.mass;
        for (const Index i : vertices_[b]) d.col(i) += u;
      },
      1);
}

}  // namespace sinew
