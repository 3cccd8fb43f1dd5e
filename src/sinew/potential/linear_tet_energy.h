// The elastic energy Psi(x) = sum_e V_e W_e(F_e) over linear tets, or over a weighted list of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/elastic_layout.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/ordered_chunks.h"

namespace sinew {

struct PointStates;

namespace elastic_detail {
struct ChunkSums;
struct ElasticTarget;
}  // namespace elastic_detail

// Tets are processed in batches of SIMD lanes, chunk by chunk. Each chunk sums its gradient and Hessian locally. Chunks
// that share vertices then add their sums to those of the mesh in a fixed order. Results are the same, bit for bit, for
// any number of threads, and scale exactly with powers of two of lengths and stiffnesses. Nothing is allocated after
// the first call with a pattern. Work arrays are kept between calls: no concurrent calls on one object.
class LinearTetEnergy final : public Energy {
 public:
  // rest: rest positions, 3 x n [m]. tets: 4 x m, sorted by group and, for speed, by locality. groups: consecutive
  // ranges from the first tet on. Tets behind the last group have no elastic energy (springs hold them); queries of
  // single tets skip these. Only vertices below dynamic_count have equations.
  LinearTetEnergy(const Points& rest, const Tets& tets, std::vector<ElasticGroup> groups, Index dynamic_count);
  ~LinearTetEnergy() override;

  std::string_view name() const override { return "elastic"; }
  EnergyKind kind() const override { return EnergyKind::elastic; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

  // Sums over the tets tets[k], each times weights[k].
  double value(const Points& x, std::span<const Index> tets, std::span<const double> weights) const;
  void add_gradient(const Points& x, std::span<const Index> tets, std::span<const double> weights, double scale,
                    Points& g) const;
  void add_derivatives(const Points& x, std::span<const Index> tets, std::span<const double> weights, double scale,
                       Projection projection, Points& g, SymBlockMatrix& H) const;

  Index tet_count() const { return layout_.tet_count(); }
  std::span<const ElasticGroup> groups() const { return groups_; }
  // Replaces the parameters; the groups must have the same tets.
  void set_groups(const std::vector<ElasticGroup>& groups) { groups_ = groups; }
  // Adds p_e V_e det F_e to gradients and Hessians, not to values: what mixed elements have (potential/nodal_volume.h).
  // p: one for each tet [Pa], kept by reference; empty: none.
  void set_pressures(std::span<const double> p) { pressures_ = p; }
  // The states of inelastic materials by tet, kept by reference; null: none.
  void set_states(const PointStates* states) { states_ = states; }
  std::span<const double> rest_volumes() const { return layout_.volumes(); }  // m [m^3]
  bool requires_positive_volume(Index tet) const;
  bool requires_positive_volume() const;  // whether a tet's energy is infinite for det F <= 0

  // out: F of the motion of each tet, row-major, 9 m entries.
  void deformation_gradients(const Points& x, std::span<double> out) const;
  // cauchy: XX YY ZZ XY YZ XZ of each tet [Pa], 6 m entries. von_mises: m entries [Pa].
  void stress(const Points& x, std::span<double> cauchy, std::span<double> von_mises) const;
  // out: the energy of each tet [J].
  void tet_energies(const Points& x, std::span<double> out) const;
  // The smallest det F of all tets; +infinity without tets.
  double min_jacobian(const Points& x) const;

 private:
  struct Selection;
  template <class F>
  void for_each_batch(Index chunk, const Points& x, const PointStates* states, const Selection* selection, F&& f) const;
  template <class F>
  void for_each_tet_batch(const Points& x, const PointStates* states, F&& f) const;
  template <class F>
  void for_each_chunk_in_order(const Selection* selection, const elastic_detail::ElasticTarget& target, F&& add) const;
  Selection select(std::span<const Index> tets, std::span<const double> weights) const;
  double sum_values(const Points& x, const Selection* selection) const;
  void sum_gradients(const Points& x, double scale, const Selection* selection, Points& g) const;
  void sum_derivatives(const Points& x, double scale, Projection projection, const Selection* selection, Points& g,
                       SymBlockMatrix& H) const;

  std::vector<ElasticGroup> groups_;
  ElasticLayout layout_;
  std::span<const double> pressures_;
  const PointStates* states_ = nullptr;

  // Work arrays.
  mutable std::shared_ptr<const BlockPattern> slot_pattern_;  // the pattern that edge_slots_ refers to
  mutable std::vector<Index> edge_slots_;
  mutable OrderedChunks order_;
  mutable std::vector<elastic_detail::ChunkSums> sums_;  // by slot of order_
  mutable std::vector<double> chunk_values_;
  mutable std::vector<Index> selected_begin_, selected_tets_;  // by chunk
  mutable std::vector<double> selected_weights_;
};

}  // namespace sinew
