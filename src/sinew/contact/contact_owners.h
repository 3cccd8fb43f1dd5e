// Bodies and obstacles as wholes (owners): their primitives, bounds and motions, and which of them may meet.
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sinew/contact/body_frame.h"
#include "sinew/contact/bvh_box.h"
#include "sinew/contact/place_trees.h"
#include "sinew/contact/vertex_runs.h"
#include "sinew/model/collision_mesh.h"
#include "sinew/model/embedding.h"

namespace sinew {

class ContactOwners {
 public:
  // The mesh must outlive this.
  ContactOwners(const CollisionMesh& mesh, const Embedding& embedding);

  std::size_t count() const { return owned_.size(); }
  const OwnedPrimitives& owned(std::size_t owner) const { return owned_[owner]; }
  std::span<const VertexRun> runs() const { return runs_; }             // all surface vertices
  bool moving(std::size_t owner) const { return moving_[owner] != 0; }  // not kinematic

  // Whether the positions of all surface vertices (3 x n_all) are finite.
  bool finite(const Points& x) const;
  // Throws SimulationError naming the vertex if one is not finite.
  void check_finite(const Points& x) const;

  // The mean motion of an owner between two positions (3 x n_all), and a bound of the largest difference from it.
  MeanMotion motion(std::size_t owner, const Points& from, const Points& to) const;
  MeanMotion motion(std::size_t owner, const Points& d) const;

  // Computes the bounds of all owners at x, and at x + d if d is not null (both 3 x n_all). Returns the rounding of a
  // difference of these positions [m].
  double measure(const Points& x, const Points* d);
  // Returns the pairs of different owners that may touch and whose bounds, grown by the margin and by the owner's
  // offset [m], overlap.
  std::vector<std::pair<Index, Index>> meetings(double margin, std::span<const double> own = {}) const;

 private:
  struct Bounds {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    FloatBox box(const Vec3& origin, double margin) const;
  };
  // An owner whose vertices all follow the same four vertices: one run of all, and the runs in runs_ that it consists
  // of.
  struct Whole {
    VertexRun all;
    std::span<const VertexRun> parts;
  };

  void find_wholes();
  bool is_finite(const VertexRun& run, const Points& x) const;
  Bounds bounds_of(std::size_t owner, const Points& x, const Points* d) const;

  const CollisionMesh& mesh_;
  std::vector<OwnedPrimitives> owned_;
  std::vector<VertexRun> runs_;
  std::vector<Whole> wholes_;
  std::vector<char> moving_;
  std::vector<Bounds> bounds_;  // at x, and at x + d if given
  Vec3 origin_ = Vec3::Zero();  // subtracted from the bounds before they become boxes in single precision
};

}  // namespace sinew
