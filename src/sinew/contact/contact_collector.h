// Collects the active contacts of a configuration from pairs that are near each other, and from planes.
#pragma once

#include <span>
#include <vector>

#include "sinew/contact/broad_phase.h"
#include "sinew/contact/contact_set.h"
#include "sinew/contact/vertex_runs.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

class ContactCollector {
 public:
  // runs: all surface vertices. Mesh and runs must outlive this.
  ContactCollector(const CollisionMesh& mesh, std::span<const VertexRun> runs) : mesh_(mesh), runs_(runs) {}

  // Returns all contacts with a gap < dhat [m] among the pairs, and between vertices and planes, at x (3 x n_all) [m],
  // each once. The gap is the distance less CollisionMesh::offset(). Valid until the next call.
  const ContactSet& collect(std::span<const PrimitivePair> pairs, const Points& x, std::span<const PlaneState> planes,
                            double dhat);
  // From the next call on, barriers begin at ContactStencil::reach: the gap of the pair at positions `start` and
  // `planes`, at least dhat and at most `longest` [m]. Both are kept by reference. longest = 0: all begin at dhat.
  void set_reach(double longest, const Points& start, const std::vector<PlaneState>& planes) {
    longest_ = longest;
    start_ = &start;
    start_planes_ = &planes;
  }
  // Number of vertices that the last call tested against a plane one by one.
  std::size_t plane_test_count() const { return plane_tests_; }

 private:
  double reach_of(double at_start) const;
  bool reaches(double gap, double at_start, ContactStencil& stencil) const;
  void collect_pairs(std::size_t chunk, std::span<const PrimitivePair> pairs, const Points& x, double dhat);
  void collect_planes(std::size_t chunk, std::size_t first_run, const Points& x, std::span<const PlaneState> planes,
                      double dhat);

  const CollisionMesh& mesh_;
  std::span<const VertexRun> runs_;
  double dhat_ = 0, longest_ = 0;  // [m]
  const Points* start_ = nullptr;
  const std::vector<PlaneState>* start_planes_ = nullptr;
  std::vector<std::vector<ContactStencil>> chunks_;  // active contacts by chunk of pairs, then by chunk of vertices
  std::vector<double> chunk_gap2_;
  std::vector<std::size_t> chunk_plane_tests_;
  std::size_t plane_tests_ = 0;
  ContactSet active_;
};

}  // namespace sinew
