// The active modes of a library and the enriched vertices, which have their own unknowns (TS, sections 3.6 and 3.11;
// theory, section 8).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/adaptive/mode_library.h"
#include "sinew/core/archive.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/subspace/mode_basis.h"

namespace sinew {

// Candidates are the handles and dense modes of the library. Members are the active candidates; their columns are U_a.
// A step begins with the set of the previous step.
class ActiveSet {
 public:
  // The data that prepare() has rebuilt because the prescribed coordinates have changed.
  enum class Renewed { nothing, basis, library };
  struct Dropped {
    Index handles = 0, vertices = 0;
  };

  explicit ActiveSet(const System& system) : system_(system) {}

  // Prepares library and set for the prescribed coordinates of a step (3 dynamic_count flags).
  Renewed prepare(const std::vector<char>& fixed);
  // As the first prepare(), with a library that was made for these coordinates.
  Renewed take_over(std::shared_ptr<const ModeLibrary> library, std::vector<char> fixed);
  // Resets the sums over the step. Enriches vertices next to prescribed vertices that move.
  void begin_step(const StepContext& context);

  std::shared_ptr<const ModeLibrary> library() const { return library_; }
  const std::vector<char>& fixed() const { return fixed_; }  // 3 dynamic_count
  const std::vector<Index>& vertex_region() const { return vertex_region_; }
  Index region_count() const { return static_cast<Index>(region_vertices_.size()); }

  // active(): flags of the candidates. enriched(): flags of the vertices.
  const std::vector<char>& active() const { return active_; }
  const std::vector<char>& enriched() const { return enriched_; }
  // Vertices that are enriched, or prescribed and moving: no tet with such a vertex is soft.
  const std::vector<char>& rigid() const { return rigid_; }
  Index enriched_count() const;
  const std::vector<Index>& members() const { return members_; }  // handles, then dense modes, both ascending
  const ModeBasis& basis() const { return basis_; }               // U_a, valid until the next collect()

  // Activates a candidate; call collect() afterwards.
  void activate(std::size_t candidate) { active_[candidate] = 1; }
  // Enriches the vertices of a region, as far as they may be enriched. Returns whether it enriched any.
  bool enrich_region(Index region);
  // Rebuilds U_a from the flags.
  void collect();

  // Like activate() and enrich(), but requested by acceptance: drop_unused() then uses the threshold `asked`.
  void activate_asked(std::size_t candidate);
  void enrich_asked(std::span<const Index> vertices);
  const std::vector<char>& asked_vertices() const { return asked_vertices_; }

  // Adds coordinates of basis() to the sums over the step.
  void add(const VecX& q);
  // Drops modes and vertices that moved little in the step from context.start to x_end (3 x dynamic_count). The
  // threshold is `usual` [m], or `asked` [m] for those that acceptance requested. Calls collect() if it has dropped
  // any.
  Dropped drop_unused(const StepContext& context, const Points& x_end, double usual, double asked);

  void save(ArchiveWriter& archive) const;
  // Does nothing if the archive has no set, because another method wrote it.
  Renewed load(const ArchiveReader& archive);

 private:
  void take_library(std::shared_ptr<const ModeLibrary> library, std::vector<char> fixed_vertices);
  void collect_dense(Index first);
  void measure(std::vector<double>& farthest, Points& by_modes) const;

  const System& system_;
  std::vector<char> fixed_;           // 3 dynamic_count flags, of the current step
  std::vector<char> fixed_vertices_;  // flags of the vertices that the library treats as fixed
  std::shared_ptr<const ModeLibrary> library_;
  std::vector<std::vector<Index>> region_vertices_;
  std::vector<Index> vertex_region_;

  std::vector<char> active_, enriched_;
  std::vector<char> moved_;  // prescribed vertices that move in this step; their tets are never soft
  std::vector<char> rigid_;
  std::vector<char> asked_modes_, asked_vertices_;  // requested by acceptance; flags like active_ and enriched_
  std::vector<Index> members_;
  ModeBasis basis_;
  std::vector<double> total_q_;  // coordinates over the whole time step: 12 for each handle, 1 for each dense mode
};

}  // namespace sinew
