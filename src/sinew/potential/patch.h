// Patches: the incremental potential of a few vertices, with all others fixed, at a cost in proportion to the few.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

// A part of a system in a step. Vertices [0, moving) are the few. The other vertices with equations share tets and
// springs with them and are prescribed where they are. Surface samples that follow the few come next. All further
// vertices are what these may touch, and are kinematic. As long as no vertex moves by more than the patch's reach, E of
// the patch is that of the whole system up to a constant. Gradients and Hessians at the few are those of the whole.
struct Patch {
  std::shared_ptr<const System> system;
  std::unique_ptr<StepContext> context;  // `potential` refers to it
  std::unique_ptr<IncrementalPotential> potential;
  std::vector<Index> vertices;  // by vertex of the patch: its number in the whole system
  Index moving = 0;
  Points x;  // 3 x vertices.size(): positions at which the patch was made [m]
};

class PatchMaker {
 public:
  // The system must outlive this. O(n).
  explicit PatchMaker(const System& system);

  // Whether the system can have patches: contact is by barriers, no vertex but surface samples follows others, and
  // nothing is tied.
  static bool possible(const System& system);

  // Whether a vertex may be one of the few. Vertices of springs and under pressure may not, because these terms join
  // vertices that do not share a tet.
  bool may_move(Index vertex) const { return held_[vertex] == 0; }
  // Adds the neighbours of the vertices (ascending) that may move.
  void grow(std::vector<Index>& vertices) const;
  // Mean edge length of the surface around those of the vertices that are on it, at rest [m]; 0 if none are.
  double edge_length(std::span<const Index> vertices) const;

  // Makes the patch of the vertices `moving` (ascending, all may move) at x (3 x n_all), where the contacts of `whole`
  // must be set. It has the contact stiffness and the lagged friction of `whole`. reach: longest motion of a vertex
  // [m].
  Patch make(const IncrementalPotential& whole, const Points& x, std::span<const Index> moving, double reach);

 private:
  // Lists of elements by vertex, compressed.
  struct Incidence {
    std::vector<Index> begin, elements;
    std::span<const Index> of(Index vertex) const {
      return {elements.data() + begin[vertex], static_cast<std::size_t>(begin[vertex + 1] - begin[vertex])};
    }
  };
  template <class Visit>
  static Incidence incidence(Index vertices, Index elements, Visit&& visit);
  void find_edges_of_triangles();
  void find_samples_of_triangles();
  // Calls visit(v) for the samples of a surface triangle, ascending; an obstacle's has none.
  template <class Visit>
  void for_each_sample(Index triangle, Visit&& visit) const {
    if (sample_begin_.empty() || sample_begin_[triangle] < 0) return;
    for (int s = 0; s < system_.collision.samples_of_triangle; ++s) visit(sample_begin_[triangle] + s);
  }

  Index number(Index vertex);
  void add_elements(std::span<const Index> moving, System& part);
  void add_quadratic_tets(std::span<const Index> tets, System& part);
  void add_bodies(System& part) const;
  std::vector<Index> triangles_around(std::span<const Index> vertices) const;
  void add_samples(std::span<const Index> own, System& part);
  void number_fixed_samples(std::span<const Index> near, CollisionMesh& mesh);
  void add_surface(std::span<const Index> near, System& part);
  void add_owners(std::span<const Index> corners, CollisionMesh& mesh) const;
  std::vector<FrictionStencil> add_friction(const ContactModel& contact, const System& part, Index moving);
  void set_context(const StepContext& whole, Patch& patch) const;
  void gather(const Points& values, Index count, Points& to) const;

  const System& system_;
  std::vector<char> held_;                   // by vertex with equations
  Incidence tets_, springs_, triangles_;     // by vertex with equations: elastic tets, edge springs, surface triangles
  std::vector<std::array<Index, 3>> edges_;  // by surface triangle: its edges
  std::vector<Index> sample_begin_;          // by surface triangle: its first sample, or -1; empty without samples
  std::vector<Index> on_surface_;            // by vertex: its index in CollisionMesh::vertices, or -1

  // The patch that is being made:
  std::vector<Index> number_;    // by vertex of the whole system: its number in the patch, or -1
  std::vector<Index> vertices_;  // by vertex of the patch
};

}  // namespace sinew
