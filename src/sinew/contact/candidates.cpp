#include "sinew/contact/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/contact/accd.h"
#include "sinew/contact/pair_distance.h"
#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t kPairChunk = 512;  // pairs bounded together
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Sizes of lists.
constexpr double kLeastSkin = 0.125, kMostSkin = 8;  // bounds of the skin, as multiples of dhat
constexpr int kFewUses = 3;                          // a list that serves fewer configurations gets a wider skin
constexpr std::size_t kLongList = 6;                 // pairs for each vertex beyond which the skin gets narrower
constexpr double kTooLong = 2;                       // a list this much longer than a new one is made anew
constexpr double kDrift = 0.2;                       // share of the skin that vertices may drift; under a third
constexpr double kMostMoved = 0.3;                   // share of vertices beyond which all are searched,
constexpr double kMostMovedInStep = 0.1;             // and beyond which all are swept
constexpr std::size_t kFrameChunk = 4096;            // vertices
constexpr double kLeastShrink = 0.7;                 // of rotations that are worth following
constexpr double kLeft = 0.5;  // share of its distance that a pair that is not listed keeps in a step without a sweep

// Symbols: dhat the contact distance, longest that of the longest barrier (dhat or more), radius = longest + skin that
// of a list, d the distance of a pair, xi the offset of its owners, g = d - xi its gap [m].

// The most by which the distance of two points of different owners can have shrunk: |difference of the mean motions|
// plus both largest differences from the mean.
double between_motion(Index a, Index b, const std::vector<MeanMotion>& motion) {
  return (motion[a].mean - motion[b].mean).norm() + motion[a].spread + motion[b].spread;
}

}  // namespace

ContactDetector::ContactDetector(const CollisionMesh& mesh, const Embedding& embedding)
    : mesh_(mesh),
      broad_(mesh),
      owners_(mesh, embedding),
      collector_(mesh, owners_.runs()),
      within_(mesh.owner_count),
      since_(mesh.owner_count),
      step_(mesh.owner_count) {
  local_.assign(mesh.vertex_owner.size(), -1);
  for (std::size_t o = 0; o < owners_.count(); ++o) {
    const std::vector<Index>& ids = owners_.owned(o).ids;
    for (std::size_t i = 0; i < ids.size(); ++i) local_[ids[i]] = static_cast<Index>(i);
  }
}

// Listed pairs between owners lack those across a tie that has ended, and have those of one that is back.
void ContactDetector::set_glue(std::span<const char> held) {
  if (std::ranges::equal(held_, held)) return;
  held_.assign(held.begin(), held.end());
  broad_.set_glue(held);
  between_.radius = 0;
}

bool ContactDetector::has_within(std::size_t owner) const {
  const auto o = static_cast<Index>(owner);
  return owners_.moving(owner) && mesh_.owners_may_touch(o, o);
}

// Whether the gap of a pair is at most the radius.
bool ContactDetector::is_within(const PrimitivePair& pair, const Points& x, double radius) const {
  const double distance = radius + pair_offset(mesh_, pair);
  return pair_within(mesh_, pair, x, distance * distance);
}

// Marks the vertices of an owner that are further than `drift` from their place in its frame, or whose motion along a
// step is above `most_margin` [m], and decides whether their pairs or all are searched. Returns whether some have left
// their place.
bool ContactDetector::mark_moved(std::size_t owner, const Points& x, double most_margin) {
  WithinList& list = within_[owner];
  const std::vector<Index>& ids = owners_.owned(owner).ids;
  struct Counts {
    std::size_t moved = 0, left = 0;
    Counts& operator+=(const Counts& other) {
      moved += other.moved;
      left += other.left;
      return *this;
    }
  };
  const auto counts = parallel_sum_chunks<Counts>(ids.size(), kFrameChunk, [&](std::size_t b, std::size_t e) {
    Counts chunk;
    for (std::size_t i = b; i < e; ++i) {
      const Index v = ids[i];
      const double moved2 = (list.frame.to_body(x.col(v)) - searched_at_.col(v)).squaredNorm();
      const bool left = !(moved2 <= list.drift * list.drift);
      chunk.left += left;
      chunk.moved += moved_[v] = left || !(margin_[v] <= most_margin);
    }
    return chunk;
  });
  list.most_margin = most_margin;
  list.moved.clear();
  if (counts.moved > 0) list.search = Within::moved;
  const double most = std::isfinite(most_margin) ? kMostMovedInStep : kMostMoved;
  if (counts.moved > most * static_cast<double>(ids.size())) list.search = Within::all;
  if (list.search == Within::moved)
    for (const Index v : ids)
      if (moved_[v]) list.moved.push_back(v);
  return counts.left > 0;
}

// Decides for each owner which of its own pairs to search for the configuration x. With every vertex within `drift` of
// its place, pairs that are not listed are at least radius - 3 drift apart; where this is not above `longest` all are
// searched. So they are where a list was made for barriers that were much longer.
void ContactDetector::find_moved(const Points& x, double dhat, double longest) {
  parallel_for(
      within_.size(),
      [&](std::size_t o) {
        WithinList& list = within_[o];
        list.search = Within::none;
        if (!has_within(o)) return;
        const double least = longest * (1 + kDistanceSafety) + 3 * list.drift + rounding_;
        const bool too_long = list.radius > kTooLong * (longest + list.skin_ratio * dhat);
        if (too_long || !(least <= list.radius * (1 - kDistanceSafety))) {
          list.search = Within::all;
          return;
        }
        list.frame = fit_frame(owners_.owned(o).ids, searched_at_, x);
        mark_moved(o, x, kInfinity);
      },
      1);
}

// Decides whether the list between owners may lack a pair closer than `longest`: whether some two owners, whose bounds
// are within that, can have come nearer by more than the skin since the list was made. A list that was made for much
// longer barriers is stale, too.
void ContactDetector::find_stale(const Points& x, double dhat, double longest) {
  const double allowed = between_.radius * (1 - kDistanceSafety) - longest - rounding_;
  const bool too_long = between_.radius > kTooLong * (longest + between_.skin_ratio * dhat);
  between_.stale = false;
  bool measured = false;
  for (const auto& [a, b] : owners_.meetings(0.5 * longest * (1 + kDistanceSafety) + rounding_)) {
    if (between_.stale) break;
    if (!measured && between_.radius > 0) {
      measured = true;
      parallel_for(
          owners_.count(), [&](std::size_t o) { since_[o] = owners_.motion(o, between_at_, x); }, 1);
    }
    between_.stale = too_long || !(between_.radius > 0 && between_motion(a, b, since_) <= allowed);
  }
  if (!between_.stale) return;
  // The skin balances two costs: a wide one makes long lists, a narrow one frequent searches.
  BetweenList& list = between_;
  if (list.radius > 0 && list.uses < kFewUses) list.skin_ratio = std::min(kMostSkin, 2 * list.skin_ratio);
  if (list.pairs.size() > kLongList * mesh_.vertices.size())
    list.skin_ratio = std::max(kLeastSkin, list.skin_ratio / 2);
  list.target = longest + list.skin_ratio * dhat;
}

// Update of the lists where they may lack a pair closer than dhat, then the exact stencil of each listed pair.
const ContactSet& ContactDetector::active_set(const Points& x, std::span<const PlaneState> planes, double dhat) {
  owners_.check_finite(x);
  if (searched_at_.cols() != x.cols()) {
    searched_at_ = between_at_ = x;
    moved_.assign(x.cols(), 0);
    margin_.assign(x.cols(), 0);
    for (WithinList& list : within_) list.radius = 0;
    between_.radius = 0;
  }
  rounding_ = owners_.measure(x, nullptr);
  const double longest = std::max(dhat, longest_);
  find_moved(x, dhat, longest);
  find_stale(x, dhat, longest);
  search(x, dhat, longest);
  ++between_.uses;
  return collector_.collect(candidates_, x, planes, dhat);
}

// Places of an owner: where all its pairs are searched it takes its positions as places; otherwise only the moved
// vertices do, their listed pairs are dropped, and its trees follow.
void ContactDetector::renew_places(std::size_t owner, const Points& x, double dhat, double longest) {
  WithinList& list = within_[owner];
  if (list.search == Within::none) return;
  if (list.search == Within::all) {
    list.pairs.clear();
    list.radius = longest + list.skin_ratio * dhat;
    list.drift = kDrift * list.skin_ratio * dhat;
    list.frame = {};
    list.trees.clear();
    for (const Index v : owners_.owned(owner).ids) searched_at_.col(v) = x.col(v);
    return;
  }
  const auto touched = [&](const PrimitivePair& pair) {
    bool moved = false;
    for (const Index v : vertices_of(mesh_, pair)) moved |= moved_[v] != 0;
    return moved;
  };
  std::erase_if(list.pairs, touched);
  for (const Index v : list.moved) searched_at_.col(v) = list.frame.to_body(x.col(v));
  if (list.trees.empty()) {
    list.trees.build(mesh_, owners_.owned(owner), local_, searched_at_);
  } else {
    list.trees.move(local_, searched_at_, list.moved);
  }
}

// Sets up the broad phase for the lists that are searched as a whole: once, for the largest radius of those that are
// searched at all. Returns its batches, none where no list is searched as a whole.
std::span<const BroadPhase::Batch> ContactDetector::set_up_broad_phase(const Points& x) {
  std::vector<char> within(within_.size(), 0);  // owners of which all pairs are searched
  double radius = between_.stale ? between_.target : 0;
  for (std::size_t o = 0; o < within_.size(); ++o) {
    if (within_[o].search == Within::none) continue;
    within[o] = within_[o].search == Within::all;
    radius = std::max(radius, within_[o].radius);
  }
  const bool whole = between_.stale || std::find(within.begin(), within.end(), 1) != within.end();
  ++(whole ? rebuilds_ : refreshes_);
  if (between_.stale) {
    between_.radius = between_.target;
    between_.uses = 0;
    between_.pairs.clear();
    between_at_ = x;
  }
  if (!whole) return {};
  edge_length_ = mean_edge_length(mesh_, x);
  broad_.set_positions(x, radius * (1 + kDistanceSafety), {within, between_.stale});
  return broad_.batches();
}

// The pairs of one batch of the broad phase.
void ContactDetector::search_batch(const BroadPhase::Batch& batch, const Points& x,
                                   std::vector<PrimitivePair>& found) const {
  const auto [first, second] = broad_.owners(batch);
  const double reach = first == second ? within_[first].radius : between_.radius;
  broad_.visit(batch, [&](const PrimitivePair& pair) {
    if (is_within(pair, x, reach)) found.push_back(pair);
  });
}

// The pairs of moved vertices in one slice of an owner's trees. A box around places must reach as far as positions that
// may each be `drift` away from them.
void ContactDetector::search_trees(std::size_t owner, std::size_t slice, const Points& x,
                                   std::vector<PrimitivePair>& found) const {
  const WithinList& list = within_[owner];
  const double reach = list.radius * (1 + kDistanceSafety) + own_offset(owner) + 2 * list.drift + rounding_;
  list.trees.visit(
      slice, true, [&](const auto&) { return reach; },
      [&](const PrimitivePair& pair) {
        if (is_within(pair, x, list.radius)) found.push_back(pair);
      });
}

// Appends what the batches found to the lists, in their order, which does not depend on the number of threads.
void ContactDetector::append_found(std::span<const BroadPhase::Batch> batches) {
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const auto [first, second] = broad_.owners(batches[b]);
    auto& pairs = first == second ? within_[first].pairs : between_.pairs;
    pairs.insert(pairs.end(), found_[b].begin(), found_[b].end());
  }
  for (std::size_t b = 0; b < tree_batches_.size(); ++b) {
    auto& pairs = within_[tree_batches_[b].first].pairs;
    const auto& found = found_[batches.size() + b];
    pairs.insert(pairs.end(), found.begin(), found.end());
  }
}

// The candidates of all lists. A long list gets a narrower skin at its next search, a very long one is searched again
// at the next configuration; unless it is the barriers that are long.
void ContactDetector::join_lists(double longest) {
  candidates_ = between_.pairs;
  for (std::size_t o = 0; o < within_.size(); ++o) {
    WithinList& list = within_[o];
    candidates_.insert(candidates_.end(), list.pairs.begin(), list.pairs.end());
    const std::size_t pairs = list.pairs.size(), vertices = owners_.owned(o).ids.size();
    const bool wide = list.skin_ratio > kLeastSkin && list.radius > (1 + kLeastSkin) * longest;
    if (pairs > kLongList * vertices && wide) {
      list.skin_ratio = std::max(kLeastSkin, list.skin_ratio / 2);
      if (list.search == Within::all && pairs > 2 * kLongList * vertices && list.radius > kTooLong * longest)
        list.radius = 0;
    }
  }
}

// Brings the lists up to date: places; trees (the broad phase for whole lists, the owner's own trees for pairs of moved
// vertices); the search, whose batches run in parallel, each into its own buffer; and their concatenation.
void ContactDetector::search(const Points& x, double dhat, double longest) {
  parallel_for(
      within_.size(), [&](std::size_t o) { renew_places(o, x, dhat, longest); }, 1);
  const auto is_searched = [](const WithinList& list) { return list.search != Within::none; };
  if (!between_.stale && std::ranges::none_of(within_, is_searched)) return;
  list_tree_batches();
  const std::span<const BroadPhase::Batch> batches = set_up_broad_phase(x);
  const std::size_t count = batches.size() + tree_batches_.size();
  if (found_.size() < count) found_.resize(count);
  parallel_for(
      count,
      [&](std::size_t b) {
        found_[b].clear();
        if (b < batches.size()) {
          search_batch(batches[b], x, found_[b]);
        } else {
          const auto [owner, slice] = tree_batches_[b - batches.size()];
          search_trees(owner, slice, x, found_[b]);
        }
      },
      1);
  append_found(batches);
  join_lists(longest);
}

// The batches of those owners whose trees are searched around moved vertices.
void ContactDetector::list_tree_batches() {
  parallel_for(
      within_.size(),
      [&](std::size_t o) {
        if (within_[o].search == Within::moved) within_[o].trees.set_moved(local_, within_[o].moved);
      },
      1);
  tree_batches_.clear();
  for (std::size_t o = 0; o < within_.size(); ++o) {
    if (within_[o].search != Within::moved) continue;
    for (std::size_t b = 0; b < within_[o].trees.batch_count(); ++b) tree_batches_.emplace_back(o, b);
  }
}

// The step is the minimum over listed pairs, pairs that are not listed but that the motion may bring together, and
// planes. The cheap bound of the listed pairs comes first: it shortens the motion that the sweeps must cover.
double ContactDetector::max_step(const Points& x, const Points& d, std::span<const PlaneState> now,
                                 std::span<const PlaneState> end) {
  if (!owners_.finite(x) || !owners_.finite(d)) return 0;
  double step = 1;
  if (searched_at_.cols() != x.cols()) {  // no lists yet
    step = surface_step(mesh_, broad_, x, d);
  } else {
    rounding_ = owners_.measure(x, &d);
    step = listed_step(x, d);
    if (!(step > 0)) return 0;
    std::vector<char> within(within_.size(), 0);
    std::vector<double> least(within_.size(), 0);
    plan_between(x, d, step);
    if (between_.swept) step = surface_step(mesh_, broad_, x, d, {within, true, least, between_.least_motion}, step);
    if (!(step > 0)) return 0;
    plan_within(x, d, step);
    bool all = false, moved = false;
    for (std::size_t o = 0; o < within.size(); ++o) {
      moved |= within_[o].search == Within::moved;
      all |= within[o] = within_[o].search == Within::all;
      least[o] = within_[o].least_motion;
    }
    sweeps_ += all || moved;
    if (moved) step = moved_step(x, d, step);
    if (step > 0 && all) step = surface_step(mesh_, broad_, x, d, {within, false, least}, step);
  }
  return step > 0 ? std::min(step, planes_step(mesh_, owners_.runs(), x, d, now, end)) : 0;
}

// Finds the vertices of each owner whose pairs might limit a step of length `limit` though they are not listed. Split
// the motion of an owner's vertices into its best rigid motion and remainders m_v (body_frame.h). Along the step a pair
// keeps
//   shrink d - xi - limit (|m_v| + |m_w|) = shrink g - (1 - shrink) xi - limit (|m_v| + |m_w|),
// which is at least kLeft g for all pairs that are not listed, g >= apart, where
//   limit |m_v| <= ((shrink - kLeft) apart - (1 - shrink) xi) / 2.
// Vertices above that bound count as moved and are swept.
void ContactDetector::plan_within(const Points& x, const Points& d, double limit) {
  static_assert(kLeft > ccd::kFreeGap);
  parallel_for(
      within_.size(),
      [&](std::size_t o) {
        WithinList& list = within_[o];
        list.search = Within::none;
        if (!has_within(o)) return;
        const std::vector<Index>& ids = owners_.owned(o).ids;
        RigidStep rigid = fit_step(ids, x, d);
        if (rigid.shrink < kLeastShrink) rigid = {rigid.center, rigid.mean};
        const double reach = (1 + kDistanceSafety) / (rigid.shrink - ccd::kFreeGap);
        parallel_for(
            ids.size(),
            [&](std::size_t i) {
              margin_[ids[i]] = reach * rigid.rest(x.col(ids[i]), d.col(ids[i])).norm() + rounding_;
            },
            kFrameChunk);
        const double apart = list.radius * (1 - kDistanceSafety) - 3 * list.drift - rounding_;
        list.least_motion = std::max(0.0, (1 - kLeft) * apart - 2 * rounding_);
        const double lost = (1 - rigid.shrink) * own_offset(o);
        list.turned_offset = own_offset(o) + lost / (rigid.shrink - ccd::kFreeGap);
        const double allowed = 0.5 * ((rigid.shrink - kLeft) * apart - lost) - 2 * rounding_;
        if (!(list.radius > 0 && allowed > 0)) {
          list.search = Within::all;
          return;
        }
        if (mark_moved(o, x, reach * allowed / limit)) {  // not where it was last searched
          list.search = Within::all;
          list.least_motion = 0;
        }
        if (list.search == Within::moved && list.trees.empty())
          list.trees.build(mesh_, owners_.owned(o), local_, searched_at_);
      },
      1);
}

// Decides whether pairs between owners that are not listed, gap g >= apart, may limit a step of length `limit`: whether
// for some two owners limit times their relative motion is above (1 - kLeft) apart.
void ContactDetector::plan_between(const Points& x, const Points& d, double limit) {
  between_.swept = false;
  between_.least_motion = kInfinity;
  if (owners_.count() < 2) return;
  // A gap that falls to kFreeGap of itself by a relative motion m is then at most kFreeGap / (1 - kFreeGap) m, which
  // boxes along the step need not bridge. m is at most the sum of both owners' motions beside a common one.
  constexpr double kGap = ccd::kFreeGap / (1 - ccd::kFreeGap) * (1 + kDistanceSafety);
  parallel_for(
      owners_.count(), [&](std::size_t o) { step_[o] = owners_.motion(o, d); }, 1);
  Vec3 common = Vec3::Zero();
  for (const MeanMotion& motion : step_) common += motion.mean / static_cast<double>(step_.size());
  std::vector<double> closing(step_.size());
  for (std::size_t o = 0; o < step_.size(); ++o)
    closing[o] = kGap * limit * ((step_[o].mean - common).norm() + step_[o].spread);
  bool measured = false;
  for (const auto& [a, b] : owners_.meetings(rounding_, closing)) {
    if (!measured) {
      measured = true;
      parallel_for(
          owners_.count(), [&](std::size_t o) { since_[o] = owners_.motion(o, between_at_, x); }, 1);
    }
    const double apart = between_.radius * (1 - kDistanceSafety) - rounding_ - between_motion(a, b, since_);
    between_.least_motion = std::min(between_.least_motion, std::max(0.0, (1 - kLeft) * apart - rounding_));
    between_.swept |= !(apart > 0 && limit * between_motion(a, b, step_) + rounding_ <= (1 - kLeft) * apart);
  }
}

// The smallest step that a listed pair allows.
double ContactDetector::listed_step(const Points& x, const Points& d) const {
  return parallel_min(
      candidates_.size(), 1, [&](std::size_t i) { return pair_step(mesh_, candidates_[i], x, d, 1); }, kPairChunk);
}

// The smallest step that the pairs of moved vertices allow, interval by interval: in [0, to] a primitive can limit the
// step only with one within the sum of their motions, which is the reach of its query. With the motions m_v, m_w as in
// plan_within(), the gap falls to kFreeGap g only if
//   (shrink - kFreeGap) g <= (1 - shrink) xi + to (|m_v| + |m_w|).
double ContactDetector::moved_step(const Points& x, const Points& d, double limit) {
  list_tree_batches();
  double motion = 0;
  for (const WithinList& list : within_)
    if (list.search == Within::moved)
      for (const Index v : list.moved) motion = std::max(motion, margin_[v]);
  return step_by_intervals(motion, edge_length_, limit, [&](double, double to) {
    return parallel_min(
        tree_batches_.size(), to,
        [&](std::size_t b) {
          const WithinList& list = within_[tree_batches_[b].first];
          const auto reach = [&](const auto& vertices) {
            double own = 0;
            for (const Index v : vertices) own = std::max(own, to * margin_[v]);
            // Of two moved primitives the one with the larger motion finds the other.
            return own + std::max(own, to * list.most_margin) + list.turned_offset + 2 * list.drift + rounding_;
          };
          double step = to;
          list.trees.visit(tree_batches_[b].second, false, reach, [&](const PrimitivePair& pair) {
            step = std::min(step, pair_step(mesh_, pair, x, d, step));
          });
          return step;
        },
        1);
  });
}

}  // namespace sinew
