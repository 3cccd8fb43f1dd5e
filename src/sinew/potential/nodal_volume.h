// The volume energy of solids that hardly change their volume, with means of the volume change around vertices. At
// quadrature points q with volumes V_q, and l_a the hat functions of the corners a of the tets,
//
//   sum_a K_a U(J_a),   J_a = sum_q l_a V_q J_q / V_a,   V_a = sum_q l_a V_q,   K_a = sum_q l_a V_q k.
//
// In linear tets these are the means of Bonet and Burton (1998): displacements do not lock, but pressures may alternate
// from vertex to vertex. In ten-node tets they are the element of Taylor and Hood (1973), linear pressures with
// quadratic displacements, whose compressibility has a lumped matrix: it neither locks nor alternates.
//
// The part of k up to the shear modulus stays with each point: so much does not lock, and single tets resist volume
// changes that the means do not see. Vertices between materials have one mean for each.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sinew/linalg/block_matrix.h"
#include "sinew/material/model.h"
#include "sinew/model/system.h"
#include "sinew/potential/energy.h"

namespace sinew {

struct PointStates;

// Work arrays are kept between calls: no concurrent calls on one object. Sums have the same bits for any number of
// threads.
class NodalVolume {
 public:
  // tets: 4 x m or 10 x m, all of mixed groups. groups: consecutive ranges from the first tet on. material: by tet.
  template <class Elements>
  NodalVolume(const Points& rest, const Elements& tets, std::span<const ElasticGroup> groups,
              std::span<const Index> material, Index dynamic_count);

  void set_groups(std::span<const ElasticGroup> groups);
  // The states of the points, from the number first_point on, and of the groups, from first_group on; null: none.
  void set_states(const PointStates* states, std::size_t first_point, std::size_t first_group);

  double value(const Points& x) const;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const;
  // By point: V_q sum_a l_a K_a U(J_a) / V_a over its volume at rest [J/m^3].
  std::vector<double> energy_densities(const Points& x) const;
  // Pressures p_q by point, with which sum_q p_q V_q dJ_q is the derivative of value() [Pa].
  std::span<const double> pressures(const Points& x) const;
  // Makes values at points means over vertices of the means around these.
  void smooth(std::span<double> values) const;
  // H += scale sum_a K_a U''(J_a) grad J_a grad J_a^T. factors: by tet, equal for all tets at a vertex; empty: 1.
  void add_hessian(const Points& x, std::span<const double> factors, double scale, Projection projection,
                   SymBlockMatrix& H) const;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const;

  // A group whose points keep only the part of k that does not lock.
  static ElasticGroup kept(const ElasticGroup& group);

 private:
  struct Node {
    Index group = 0;
    Index use_begin = 0, use_end = 0;    // into uses_
    Index star_begin = 0, star_end = 0;  // into star_: the vertices of its tets, ascending
    std::int64_t pair_begin = 0;         // into slots_
    double volume = 0, stiffness = 0;    // V_a [m^3] and K_a [J]
    double factor = 1;                   // c of viscous materials
  };
  // A corner of a tet.
  struct Use {
    Index tet = 0, corner = 0;
  };
  struct Row {
    Index node = 0, position = 0;  // in the star of the node
  };

  std::span<const Index> star(const Node& node) const {
    return std::span(star_).subspan(node.star_begin, node.star_end - node.star_begin);
  }
  Index tet_count() const { return static_cast<Index>(tet_nodes_.size()); }
  int points() const { return width_ == 4 ? 1 : 4; }
  double hat(int corner, int point) const;  // l_a at a point
  double point_volume(const Points& x, Index tet, int point) const;
  double mean(const Node& node) const;
  void find_changes(const Points& x) const;
  void find_gradients(const Points& x) const;
  void find_slots(const BlockPattern& pattern) const;
  void weigh_nodes();
  void find_nodes(std::span<const ElasticGroup> groups, std::span<const Index> material);
  void find_stars();

  Index dynamic_count_;
  Index width_;                      // nodes of a tet
  std::vector<Index> vertices_;      // of the tets
  std::vector<double> rest_volume_;  // by point [m^3]
  std::vector<double> volume_;       // V_q: with G of potential/point_states.h, that over det G
  std::vector<double> averaged_;     // by tet, what the means have of k [Pa]
  std::vector<VolumeEnergy> forms_;  // by group
  std::vector<Node> nodes_;
  std::vector<Use> uses_;
  std::vector<Index> star_;
  std::vector<Index> place_;                     // by use and node of its tet: in the star of the use's node
  std::vector<std::array<Index, 4>> tet_nodes_;  // of the corners
  std::vector<Index> row_begin_;                 // by vertex
  std::vector<Row> rows_;

  // Work arrays.
  mutable std::vector<double> current_, pressure_, of_node_;  // V_q J_q and p_q by point; by node
  mutable std::vector<Vec3> gradient_;                        // by entry of star_: dJ_a/dx
  mutable std::vector<Vec3> of_corner_;                       // by tet, corner and node
  mutable std::shared_ptr<const BlockPattern> slot_pattern_;
  mutable std::vector<Index> slots_;
};

}  // namespace sinew
