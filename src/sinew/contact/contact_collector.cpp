#include "sinew/contact/contact_collector.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/contact/gap.h"
#include "sinew/contact/pair_distance.h"
#include "sinew/contact/sample_stencils.h"
#include "sinew/contact/stencil_build.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kStencilChunk = 512;  // candidates or vertices evaluated together
constexpr std::size_t kRunChunk = kStencilChunk / VertexRun::most;

// With surface samples, share of the contact distance at which the barriers between vertices, edges and triangles
// begin. They carry what samples do not see, contact on vertices and sharp edges, and keep everything apart.
constexpr double kSharpReach = 0.25;

// Whether no vertex of a run that follows is lower over a plane than `height`.
bool all_above(const VertexRun& run, const PlaneState& plane, const Points& x, double height) {
  if (!run.follows()) return false;
  const AffineMap place(x, run.followed);
  AffineFunction over = place.along(plane.normal);
  over.value -= plane.normal.dot(plane.point);
  return run.lowest(over, place.size() + plane.point.cwiseAbs().sum()) >= height;
}

}  // namespace

// Where the barrier of a pair begins: at its gap at the start, between dhat and the longest reach.
double ContactCollector::reach_of(double at_start) const {
  return std::clamp(at_start, dhat_, longest_);
}

// Whether a pair is inside its barrier.
bool ContactCollector::reaches(double gap, double at_start, ContactStencil& stencil) const {
  const double reach = reach_of(at_start);
  if (reach > dhat_) stencil.reach = reach;
  return gap < reach;
}

// The stencils of a chunk of listed pairs whose gaps are below dhat.
void ContactCollector::collect_pairs(std::size_t chunk, std::span<const PrimitivePair> pairs, const Points& x,
                                     double dhat) {
  const double dhat2 = dhat * dhat;
  const bool offsets = !mesh_.owner_offset.empty();
  double offset = 0, within2 = dhat2;  // of the pair
  const auto gap_at_start = [&](const PrimitivePair& pair) {
    return std::sqrt(pair_distance2(mesh_, pair, *start_)) - offset;
  };
  for (std::size_t i = chunk * kStencilChunk; i < std::min(pairs.size(), (chunk + 1) * kStencilChunk); ++i) {
    if (offsets) {
      offset = pair_offset(mesh_, pairs[i]);
      within2 = (dhat + offset) * (dhat + offset);
    }
    if (pair_beyond(mesh_, pairs[i], x, within2)) continue;
    const auto& [kind, first, second] = pairs[i];
    if (kind == PairKind::vertex_face && mesh_.is_sample(mesh_.vertices[first])) {
      const double reach = longest_ > 0 ? reach_of(gap_at_start(pairs[i])) : dhat_;
      const double distance2 = sample_stencils(mesh_, first, second, x, dhat_, reach, chunks_[chunk], offset);
      chunk_gap2_[chunk] = std::min(chunk_gap2_[chunk], squared_gap(distance2, offset));
      continue;
    }
    const StencilAtDistance contact = kind == PairKind::vertex_face ? point_triangle_stencil(mesh_, first, second, x)
                                                                    : edge_edge_stencil(mesh_, first, second, x);
    const double gap2 = squared_gap(contact.distance2, offset);
    if (!(gap2 < dhat2)) continue;
    ContactStencil stencil = contact.stencil;
    stencil.offset = offset;
    if (mesh_.has_samples()) {  // samples carry the pressure, and only they have longer barriers
      stencil.reach = kSharpReach * dhat_;
      if (!(gap2 < stencil.reach * stencil.reach)) continue;
    } else if (longest_ > 0 && !reaches(std::sqrt(gap2), gap_at_start(pairs[i]), stencil)) {
      continue;
    }
    chunks_[chunk].push_back(stencil);
    chunk_gap2_[chunk] = std::min(chunk_gap2_[chunk], gap2);
  }
}

// The stencils of planes and vertices of a few runs whose gaps are below dhat. A vertex whose surface is on or behind
// that of a plane counts as at gap zero.
void ContactCollector::collect_planes(std::size_t chunk, std::size_t first_run, const Points& x,
                                      std::span<const PlaneState> planes, double dhat) {
  for (std::size_t r = first_run; r < std::min(runs_.size(), first_run + kRunChunk); ++r) {
    for (std::size_t p = 0; p < planes.size(); ++p) {
      // A run that follows has a single owner.
      const Index plane_owner = mesh_.planes[p].owner, owner = mesh_.vertex_owner[mesh_.vertices[runs_[r].begin]];
      if (all_above(runs_[r], planes[p], x, dhat + mesh_.offset(owner, plane_owner))) continue;
      for (std::size_t i = runs_[r].begin; i < runs_[r].end; ++i) {
        const Index v = mesh_.vertices[i];
        if (mesh_.kinematic(v) || mesh_.is_sample(v) || !mesh_.owners_may_touch(mesh_.vertex_owner[v], plane_owner))
          continue;
        ++chunk_plane_tests_[chunk];
        double height = 0;
        const StencilAtDistance contact =
            point_plane_stencil(mesh_, static_cast<Index>(i), static_cast<Index>(p), planes[p], x, &height);
        const double offset = mesh_.offset(mesh_.vertex_owner[v], plane_owner), gap = height - offset;
        if (!(gap < dhat)) continue;
        ContactStencil stencil = contact.stencil;
        stencil.offset = offset;
        if (longest_ > 0) {
          const PlaneState& before = (*start_planes_)[p];
          if (!reaches(gap, before.normal.dot(start_->col(v) - before.point) - offset, stencil)) continue;
        }
        chunks_[chunk].push_back(stencil);
        chunk_gap2_[chunk] = std::min(chunk_gap2_[chunk], gap < 0 ? 0 : gap * gap);
      }
    }
  }
}

// Makes the stencils of all listed pairs and all planes' vertices with gaps below dhat, chunk by chunk, and merges
// equal ones.
const ContactSet& ContactCollector::collect(std::span<const PrimitivePair> pairs, const Points& x,
                                            std::span<const PlaneState> planes, double dhat) {
  dhat_ = dhat;
  dhat = std::max(dhat, longest_);
  // Chunks of pairs come first, then chunks of the runs that may touch planes.
  const std::size_t pair_chunks = (pairs.size() + kStencilChunk - 1) / kStencilChunk;
  const std::size_t runs = mesh_.planes.empty() ? 0 : runs_.size();
  const std::size_t chunks = pair_chunks + (runs + kRunChunk - 1) / kRunChunk;
  if (chunks_.size() < chunks) chunks_.resize(chunks);
  chunk_gap2_.assign(chunks, std::numeric_limits<double>::infinity());
  chunk_plane_tests_.assign(chunks, 0);
  parallel_for(
      chunks,
      [&](std::size_t chunk) {
        chunks_[chunk].clear();
        if (chunk < pair_chunks) {
          collect_pairs(chunk, pairs, x, dhat);
        } else {
          collect_planes(chunk, (chunk - pair_chunks) * kRunChunk, x, planes, dhat);
        }
      },
      1);

  // The chunks' stencils in order, then sorted and merged.
  active_.stencils.clear();
  double gap2 = std::numeric_limits<double>::infinity();
  plane_tests_ = 0;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    active_.stencils.insert(active_.stencils.end(), chunks_[chunk].begin(), chunks_[chunk].end());
    gap2 = std::min(gap2, chunk_gap2_[chunk]);
    plane_tests_ += chunk_plane_tests_[chunk];
  }
  active_.min_distance = std::sqrt(gap2);
  active_.sort_and_merge(static_cast<Index>(x.cols()));
  return active_;
}

}  // namespace sinew
