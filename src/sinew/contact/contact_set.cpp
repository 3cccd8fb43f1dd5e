#include "sinew/contact/contact_set.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "sinew/contact/stencil_build.h"

namespace sinew {
namespace {

constexpr int kKinds = 6;

// Order within a bucket, by which merge_equal() sorts, too.
bool before(const ContactStencil& a, const ContactStencil& b) {
  return std::tie(a.v, a.plane, a.reach, a.weight) < std::tie(b.v, b.plane, b.reach, b.weight);
}

}  // namespace

// Sorts the stencils and merges equal ones, whose weights are added; O(stencils) but for sorts of small buckets. Few of
// them are sorted without buckets, which are as many as the vertices.
void ContactSet::sort_and_merge(Index vertex_count) {
  if (stencils.size() < 256 || stencils.size() < static_cast<std::size_t>(vertex_count) / 64)
    return merge_equal(stencils);
  // Counting sort by (kind, first vertex); each bucket holds a handful of stencils.
  const std::size_t buckets = static_cast<std::size_t>(kKinds) * vertex_count;
  const auto bucket = [&](const ContactStencil& s) {
    return static_cast<std::size_t>(s.kind) * vertex_count + static_cast<std::size_t>(s.v[0]);
  };
  start_.assign(buckets + 1, 0);
  for (const ContactStencil& s : stencils) ++start_[bucket(s) + 1];
  for (std::size_t b = 0; b < buckets; ++b) start_[b + 1] += start_[b];
  scratch_.resize(stencils.size());
  for (const ContactStencil& s : stencils) scratch_[start_[bucket(s)]++] = s;
  // start_[b] is now the end of bucket b.
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < scratch_.size();) {
    const std::size_t end = start_[bucket(scratch_[begin])];
    std::sort(scratch_.begin() + begin, scratch_.begin() + end, before);
    kept += merge_sorted(std::span(scratch_).subspan(begin, end - begin), stencils.data() + kept);
    begin = end;
  }
  stencils.resize(kept);
}

}  // namespace sinew
