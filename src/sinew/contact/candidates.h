// Finds the active contacts and the longest admissible step of a collision mesh, configuration after configuration.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "sinew/contact/body_frame.h"
#include "sinew/contact/broad_phase.h"
#include "sinew/contact/contact_collector.h"
#include "sinew/contact/contact_owners.h"
#include "sinew/contact/place_trees.h"
#include "sinew/contact/step_bound.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// Verlet lists (Verlet 1967) of primitive pairs. A list holds all pairs whose gaps are below a radius dhat + skin at
// one configuration. The gap is the distance less the offset of the owners (CollisionMesh::offset()). It changes by at
// most the relative motion of the primitives. The list therefore serves later configurations until a relative motion
// uses up the skin.
//
// Each owner (body or obstacle) has a list of the pairs within it. Motion is measured in a frame that follows the
// owner, and only pairs of moved vertices are searched again. One more list has the pairs between owners; it is always
// rebuilt as a whole. A step is bounded by the listed pairs, and by a sweep of the vertices that move far enough for an
// unlisted pair to limit it. Results are the same, bit for bit, as without lists.
class ContactDetector {
 public:
  // The mesh must outlive this. `embedding` names the vertices that follow others. For a body whose vertices mostly
  // follow others, only the part near a contact is computed.
  explicit ContactDetector(const CollisionMesh& mesh, const Embedding& embedding = {});

  // Sets which ties hold, one flag for each (BroadPhase::set_glue).
  void set_glue(std::span<const char> held);

  // Returns all contacts with a gap < dhat [m] at x (3 x n_all) [m], including vertices on or behind a plane. Valid
  // until the next call. planes: the state of each of the mesh's planes. Throws SimulationError if a surface vertex is
  // not finite.
  const ContactSet& active_set(const Points& x, std::span<const PlaneState> planes, double dhat);

  // ContactCollector::set_reach().
  void set_reach(double longest, const Points& start, const std::vector<PlaneState>& planes) {
    longest_ = longest;
    collector_.set_reach(longest, start, planes);
  }

  // Largest alpha found in [0, 1] with no contact along x + alpha d. d (3 x n_all) [m] moves kinematic vertices too.
  // The planes go from `now` to `end` as alpha goes from 0 to 1. See surface_step and plane_step.
  double max_step(const Points& x, const Points& d, std::span<const PlaneState> now, std::span<const PlaneState> end);

  // Counts, for tests and tuning.
  std::size_t rebuild_count() const { return rebuilds_; }   // lists rebuilt as a whole
  std::size_t refresh_count() const { return refreshes_; }  // searches of moved vertices only
  std::size_t sweep_count() const { return sweeps_; }       // sweeps in max_step()
  std::size_t candidate_count() const { return candidates_.size(); }
  // Number of vertices that the last active_set() tested against a plane one by one.
  std::size_t plane_test_count() const { return collector_.plane_test_count(); }

 private:
  // The pairs within an owner to search: none, those with a moved vertex, or all.
  enum class Within : char { none, moved, all };

  // Pairs within one owner. Each vertex has a place in the owner's frame: its position when its pairs were last
  // searched. A vertex within `drift` of its place need not be searched again. A search finds all pairs within `radius`
  // of the searched vertex. The other primitive was within `drift` of its place at that search, and both are within
  // `drift` at present. A pair that is not listed therefore has a gap of at least radius - 3 drift.
  struct WithinList {
    std::vector<PrimitivePair> pairs;
    double radius = 0;      // 0: no list [m]
    double drift = 0;       // see above [m]
    double skin_ratio = 4;  // (radius - longest barrier) / dhat
    Within search = Within::none;
    BodyFrame frame;
    std::vector<Index> moved;  // vertex ids; filled where search is Within::moved
    double most_margin = 0;    // largest motion along a step among the vertices that are not in `moved` [m]
    double least_motion = 0;   // unlisted pairs with less relative motion than this [m] limit no step
    double turned_offset = 0;  // distance from which a rotation along a step shrinks to the offset, at most [m]
    PlaceTrees trees;          // built when first needed
  };
  // Pairs between owners, all searched together.
  struct BetweenList {
    std::vector<PrimitivePair> pairs;
    double radius = 0;        // 0: no list [m]
    double skin_ratio = 1;    // (radius - longest barrier) / dhat
    double target = 0;        // radius of the next list [m]
    double least_motion = 0;  // unlisted pairs with less relative motion than this [m] limit no step
    int uses = 0;             // configurations that the list has served
    bool stale = false;       // a pair closer than dhat may be missing
    bool swept = false;       // an unlisted pair may limit the step
  };

  bool has_within(std::size_t owner) const;
  double own_offset(std::size_t owner) const {
    return mesh_.offset(static_cast<Index>(owner), static_cast<Index>(owner));
  }
  bool is_within(const PrimitivePair& pair, const Points& x, double radius) const;
  bool mark_moved(std::size_t owner, const Points& x, double most_margin);
  void find_moved(const Points& x, double dhat, double longest);
  void find_stale(const Points& x, double dhat, double longest);
  void search(const Points& x, double dhat, double longest);
  void renew_places(std::size_t owner, const Points& x, double dhat, double longest);
  std::span<const BroadPhase::Batch> set_up_broad_phase(const Points& x);
  void search_batch(const BroadPhase::Batch& batch, const Points& x, std::vector<PrimitivePair>& found) const;
  void search_trees(std::size_t owner, std::size_t slice, const Points& x, std::vector<PrimitivePair>& found) const;
  void append_found(std::span<const BroadPhase::Batch> batches);
  void join_lists(double longest);
  void plan_within(const Points& x, const Points& d, double limit);
  void plan_between(const Points& x, const Points& d, double limit);
  double listed_step(const Points& x, const Points& d) const;
  double moved_step(const Points& x, const Points& d, double limit);
  void list_tree_batches();

  const CollisionMesh& mesh_;
  BroadPhase broad_;
  double longest_ = 0;
  std::vector<char> held_;  // by tie
  ContactOwners owners_;
  ContactCollector collector_;
  std::vector<Index> local_;  // by vertex id: its index among the ids of its owner
  double edge_length_ = 0;    // mean edge length when a list was last built [m]

  std::vector<WithinList> within_;  // by owner
  Points searched_at_;              // by vertex: its place when last searched, in its owner's frame
  std::vector<char> moved_;         // by vertex
  std::vector<double> margin_;      // by vertex: motion along a step in its owner's frame [m]
  BetweenList between_;
  Points between_at_;                      // positions when the list between owners was built
  std::vector<PrimitivePair> candidates_;  // pairs of all lists
  double rounding_ = 0;                    // rounding of a difference of positions [m]
  std::size_t rebuilds_ = 0, refreshes_ = 0, sweeps_ = 0;

  std::vector<MeanMotion> since_, step_;           // by owner: motion since between_ was built, and along a step
  std::vector<std::vector<PrimitivePair>> found_;  // pairs found, by batch
  std::vector<std::pair<std::size_t, std::size_t>> tree_batches_;  // owner, and batch of its trees
};

}  // namespace sinew
