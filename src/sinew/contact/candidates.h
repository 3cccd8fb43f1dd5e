// Finds the active contacts and the longest admissible step of a collision mesh, configuration after configuration.
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/broad_phase.h"
#include "sinew/contact/contact_set.h"
#include "sinew/contact/step_bound.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

// Keeps the pairs that are closer than a radius dhat + slack at some configuration, and reuses them as long as nothing
// can have come within dhat that was not among them (a Verlet list): the distance of a pair changes by at most the
// relative motion of its primitives. Results are the same bits as those of a fresh detector.
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
  std::size_t rebuild_count() const { return rebuilds_; }
  std::size_t candidate_count() const { return candidates_.size(); }

 private:
  // Motion since the list was built.
  struct OwnerMotion {
    Vec3 mean = Vec3::Zero();
    double spread = 0;  // largest distance of a vertex's motion from the mean [m]
    FloatBox bounds;    // at x from origin_, grown by the margin
  };

  bool list_covers(const Points& x, double dhat);
  void measure_motion(const Points& x, double margin);
  void rebuild(const Points& x, double dhat);
  void adapt_slack();
  void collect(const Points& x, std::span<const PlaneState> planes, double dhat);

  const CollisionMesh& mesh_;
  BroadPhase broad_;
  std::vector<std::vector<Index>> owned_;  // surface vertices (ids) by owner
  std::vector<char> moving_;               // by owner: not kinematic

  std::vector<PrimitivePair> candidates_;
  Points built_at_;
  double radius_ = 0;       // of the list; 0: none
  double rounding_ = 0;     // of differences of positions [m]
  double slack_ratio_ = 1;  // slack / dhat
  int uses_ = 0;            // of the list
  std::size_t rebuilds_ = 0;

  std::vector<OwnerMotion> motion_;
  Vec3 origin_ = Vec3::Zero();
  std::vector<std::vector<PrimitivePair>> found_;    // by batch
  std::vector<std::vector<ContactStencil>> chunks_;  // active, by chunk of candidates, then of vertices
  std::vector<double> chunk_distance2_;
  ContactSet active_;
};

}  // namespace sinew
