// The elastic energy sum_e sum_q V_eq W(F_eq) of ten-node tets, with four quadrature points q each
// (material/quadratic_tet_kernel.h).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/ordered_chunks.h"
#include "sinew/potential/quadratic_tet_layout.h"

namespace sinew {

struct PointStates;

// Sums are made as in LinearTetEnergy (potential/linear_tet_energy.h): the same bits for any number of threads, and
// nothing is allocated after the first call with a pattern. No concurrent calls on one object.
class QuadraticTetEnergy final : public Energy {
 public:
  // rest: rest positions, 3 x n [m]. tets: 10 x m, sorted by group. groups: consecutive ranges that cover all tets.
  // Only vertices below dynamic_count have equations.
  QuadraticTetEnergy(const Points& rest, const QuadraticTets& tets, std::vector<ElasticGroup> groups,
                     Index dynamic_count);
  ~QuadraticTetEnergy() override;

  std::string_view name() const override { return "quadratic elastic"; }
  EnergyKind kind() const override { return EnergyKind::elastic; }
  bool empty() const override { return layout_.tet_count() == 0; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  // Each tet times its factor.
  void add_gradient(const Points& x, std::span<const double> factors, double scale, Points& g) const;
  void add_derivatives(const Points& x, std::span<const double> factors, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;

  Index tet_count() const { return layout_.tet_count(); }
  std::span<const ElasticGroup> groups() const { return groups_; }
  // Replaces the parameters; the groups must have the same tets.
  void set_groups(const std::vector<ElasticGroup>& groups) { groups_ = groups; }
  // Adds p_q V_q det F_q at the points of mixed groups to gradients and Hessians, not to values
  // (potential/nodal_volume.h). p: four for each tet from the first mixed one on [Pa], kept by reference; empty: none.
  void set_pressures(std::span<const double> p, Index first_tet) { pressures_ = p, first_pressure_ = first_tet; }
  // The states of inelastic materials by point, kept by reference; null: none.
  void set_states(const PointStates* states) { states_ = states; }
  std::span<const double> point_volumes() const { return layout_.volumes(); }  // at rest, 4 m [m^3]

  // out: F of the motion at each point of each tet, row-major, 36 m entries.
  void deformation_gradients(const Points& x, std::span<double> out) const;
  // Cauchy stress at each point, XX YY ZZ XY YZ XZ [Pa], 24 m entries.
  void stress(const Points& x, std::span<double> cauchy) const;
  // out: the energy density at each quadrature point, by tet [J/m^3].
  void energy_densities(const Points& x, std::span<double> out) const;

 private:
  struct Sums;
  template <class F>
  void for_each_pack(Index chunk, const Points& x, const PointStates* states, F&& f) const;
  template <class F>
  void sum_in_order(Points& g, SymBlockMatrix* H, F&& add) const;

  std::vector<ElasticGroup> groups_;
  QuadraticTetLayout layout_;

  // Work arrays.
  mutable std::shared_ptr<const BlockPattern> slot_pattern_;
  mutable std::vector<Index> slots_;
  mutable OrderedChunks order_;
  mutable std::vector<Sums> sums_;
  mutable std::vector<double> chunk_values_;
  mutable std::span<const double> factors_;
  std::span<const double> pressures_;
  Index first_pressure_ = 0;
  const PointStates* states_ = nullptr;
};

}  // namespace sinew
