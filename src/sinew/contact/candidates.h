// Finds the active contacts and the longest admissible step of a collision mesh, configuration after configuration.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "sinew/contact/body_frame.h"
#include "sinew/contact/broad_phase.h"
#include "sinew/contact/contact_set.h"
#include "sinew/contact/place_trees.h"
#include "sinew/contact/step_bound.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// Keeps the pairs that are closer than a radius dhat + slack at some configuration, and reuses them as long as nothing
// can have come within dhat that was not among them (Verlet lists): the distance of a pair changes by at most the
// relative motion of its primitives. Within an owner motion counts in the frame that follows it, and only what moved is
// searched anew. Steps are bounded by the listed pairs, and by a sweep of what moves so far that another pair might
// limit them. Results are the same bits as those of a fresh detector.
class ContactDetector {
 public:
  // The mesh must outlive this.
  explicit ContactDetector(const CollisionMesh& mesh);

  // All contacts with distance < dhat [m] at x (3 x n_all) [m], vertices on or behind a plane included. Valid until
  // the next call. planes: state of each of the mesh's planes. Throws SimulationError where a surface vertex is not
  // finite.
  const ContactSet& active_set(const Points& x, std::span<const PlaneState> planes, double dhat);

  // Largest alpha found in [0, 1] with no contact along x + alpha d; d (3 x n_all) [m] moves kinematic vertices too,
  // and the planes go from `now` to `end` as alpha goes from 0 to 1. See surface_step and plane_step.
  double max_step(const Points& x, const Points& d, std::span<const PlaneState> now, std::span<const PlaneState> end);

  // For tests and tuning.
  std::size_t rebuild_count() const { return rebuilds_; }   // of whole lists
  std::size_t refresh_count() const { return refreshes_; }  // of what moved
  std::size_t sweep_count() const { return sweeps_; }       // in max_step()
  std::size_t candidate_count() const { return candidates_.size(); }

 private:
  // What is searched of an owner's own pairs: nothing, those of lively vertices, or all.
  enum class Within : char { none, lively, all };

  // Pairs within one owner. Every vertex has stayed within `calm` of where it was (in the owner's frame) when it was
  // last searched; so a pair that is not listed is at least radius - 3 calm apart.
  struct WithinList {
    std::vector<PrimitivePair> pairs;
    double radius = 0;       // 0: no list [m]
    double calm = 0;         // [m]
    double slack_ratio = 4;  // (radius - dhat) / dhat
    Within search = Within::none;
    BodyFrame frame;
    std::vector<Index> lively;  // vertices (ids), where some are searched
    double most_margin = 0;     // of those that are not, along a step [m]
    double least_motion = 0;    // relative to each other, without which pairs that are not listed limit no step [m]
    PlaceTrees trees;           // made when first needed
  };
  // Pairs between owners, all searched together.
  struct BetweenList {
    std::vector<PrimitivePair> pairs;
    double radius = 0;
    double slack_ratio = 1;
    double target = 0;        // radius of the next one [m]
    double least_motion = 0;  // as within
    int uses = 0;
    bool stale = false, swept = false;
  };
  struct Bounds {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    FloatBox box(const Vec3& origin, double margin) const;
  };

  bool has_within(std::size_t owner) const;
  void check_finite(const Points& x) const;
  void measure_bounds(const Points& x, const Points* d);
  template <class F>
  void for_meetings(double margin, F&& f) const;
  double between_motion(Index a, Index b, const std::vector<MeanMotion>& motion) const;
  bool mark_lively(std::size_t owner, const Points& x, double most_margin);
  void find_lively(const Points& x, double dhat);
  void find_stale(const Points& x, double dhat);
  void search(const Points& x, double dhat);
  void plan_within(const Points& x, const Points& d, double limit);
  void plan_between(const Points& x, const Points& d, double limit);
  double listed_step(const Points& x, const Points& d) const;
  double lively_step(const Points& x, const Points& d, double limit);
  void list_tree_batches();
  void collect(const Points& x, std::span<const PlaneState> planes, double dhat);

  const CollisionMesh& mesh_;
  BroadPhase broad_;
  std::vector<OwnedPrimitives> owned_;  // by owner
  std::vector<Index> local_;            // by vertex id: its place in owned_[owner].ids
  double edge_length_ = 0;              // mean, when a list was last made [m]
  std::vector<char> moving_;            // by owner: not kinematic

  std::vector<WithinList> within_;  // by owner
  Points searched_at_;              // by vertex, in its owner's frame
  std::vector<char> lively_;        // by vertex
  std::vector<double> margin_;      // by vertex: motion along a step in its owner's frame [m]
  BetweenList between_;
  Points between_at_;                      // where that list was made
  std::vector<PrimitivePair> candidates_;  // of all lists
  double dhat_ = 0;                        // of the last active_set()
  double rounding_ = 0;                    // of differences of positions [m]
  std::size_t rebuilds_ = 0, refreshes_ = 0, sweeps_ = 0;

  std::vector<MeanMotion> since_, step_;                           // by owner: since between_ was made, along a step
  std::vector<Bounds> bounds_;                                     // by owner, at x (and x + d)
  Vec3 origin_ = Vec3::Zero();                                     // of boxes
  std::vector<std::vector<PrimitivePair>> found_;                  // by batch
  std::vector<std::pair<std::size_t, std::size_t>> tree_batches_;  // owner and slice of its trees
  std::vector<std::vector<ContactStencil>> chunks_;                // active, by chunk of candidates, then of vertices
  std::vector<double> chunk_distance2_;
  ContactSet active_;
};

}  // namespace sinew
