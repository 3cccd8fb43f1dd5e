// The elastic energy of all tets that have an energy density: the sum over the kinds of elements of a scene.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/inelastic_strain.h"
#include "sinew/potential/linear_tet_energy.h"
#include "sinew/potential/nodal_volume.h"
#include "sinew/potential/quadratic_barrier.h"
#include "sinew/potential/quadratic_tet_energy.h"

namespace sinew {

// Tets are those of the system: a ten-node tet is eight of them, which have equal parameters. No concurrent calls on
// one object.
// The system must outlive this.
class ElasticEnergy final : public Energy {
 public:
  explicit ElasticEnergy(const System& system);

  std::string_view name() const override { return "elastic"; }
  EnergyKind kind() const override { return EnergyKind::elastic; }
  double value(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const override;
  // Reads the materials again if they have changed; the groups must have the same tets.
  void adapt(Change change) override;
  // Sets temperatures, plastic strain and what history leaves of stress (potential/inelastic_strain.h).
  void begin_step(const StepContext& context) override;
  // State::material_history at the end of the step, where vertices are at x.
  std::size_t history_size() const;
  void end_step(const Points& x, std::vector<double>& history) const;
  // Whether materials have the states that the step gives them; without, they are elastic and at the temperature of
  // their mesh. Returns what was before.
  bool set_states(bool with);
  // Whether states have what history leaves: without, viscous materials have relaxed and nothing flows.
  void set_history(bool with);

  // The gradient of the listed tets alone. All parts of a ten-node tet are listed.
  void add_gradient(const Points& x, std::span<const Index> tets, double scale, Points& g) const;
  // Sums over the tets tets[k], each times weights[k]. All parts of a ten-node tet are listed and have one weight, and
  // so have all mixed tets at a vertex.
  void add_derivatives(const Points& x, std::span<const Index> tets, std::span<const double> weights, double scale,
                       Projection projection, Points& g, SymBlockMatrix& H) const;

  // out: F of each tet, row-major, 9 m entries. Parts of a ten-node tet: at its corners that of the nearest quadrature
  // point, inside the mean of all.
  void deformation_gradients(const Points& x, std::span<double> out) const;
  // cauchy: XX YY ZZ XY YZ XZ of each tet [Pa], 6 m entries; parts as above. von_mises: m entries [Pa].
  void stress(const Points& x, std::span<double> cauchy, std::span<double> von_mises) const;
  // out: the energy of each tet over its volume at rest [J/m^3], m entries; parts as above.
  void energy_density(const Points& x, std::span<double> out) const;
  // The equivalent plastic strain of each tet in a State::material_history; empty: no material flows.
  std::vector<double> plastic_strain(const std::vector<double>& history) const;
  // The smallest det F of all tets, of ten-node tets at points and corners; +infinity without tets. F is that of the
  // motion, also of heated bodies.
  double min_jacobian(const Points& x) const;

 private:
  // Tets of one kind, which may have a second, parallel solid (material/hencky_plastic.h): it has tets of its own,
  // after the others.
  template <class TetEnergy>
  struct Part {
    std::unique_ptr<TetEnergy> energy;
    std::vector<Index> parallel;  // by tet of the parallel solids: the tet that they belong to
    std::unique_ptr<InelasticStrain> inelastic;
    std::size_t history_begin = 0;

    Index own_count() const { return energy->tet_count() - static_cast<Index>(parallel.size()); }
    std::span<const double> history_of(const std::vector<double>& all) const {
      return std::span(all).subspan(history_begin, inelastic->history_size());
    }
  };

  // f(part, its NodalVolume or null, the first point and group of that) for the parts with tets.
  template <class F>
  void for_each_part(F&& f) const;
  template <class TetEnergy>
  std::vector<double> gradients(const Part<TetEnergy>& part, const Points& x) const;
  template <class TetEnergy>
  std::span<const double> pressures(const Part<TetEnergy>& part, const Points& x, std::vector<double>& space) const;
  template <class TetEnergy>
  static void add_parallel(const Part<TetEnergy>& part, std::size_t width, std::vector<double>& stress);
  Index linear_count() const { return linear_.own_count(); }
  void find_pressures(const Points& x) const;
  void list(std::span<const Index> tets, std::span<const double> weights) const;
  void list_of(const Part<LinearTetEnergy>& part, Index begin) const;
  void set_quadratic_factors() const;
  void set_groups(const std::vector<ElasticGroup>& groups);
  void set_start();

  const System& system_;
  bool is_inelastic_, has_states_ = false;
  Index tet_count_, quadratic_begin_;
  Part<LinearTetEnergy> linear_;
  // Mixed linear tets: the energy without k U(J), and k U at means around vertices.
  Part<LinearTetEnergy> mixed_;
  std::unique_ptr<NodalVolume> linear_volume_;
  Part<QuadraticTetEnergy> quadratic_;
  std::unique_ptr<QuadraticTetBarrier> quadratic_barrier_;
  // Means of the mixed ten-node tets, the last ones.
  std::unique_ptr<NodalVolume> quadratic_volume_;
  Index first_mixed_quadratic_ = 0, first_mixed_group_ = 0;
  std::vector<double> history_;  // at the start of the step
  // By tet, by ten-node tet, by entry of listed_.
  mutable std::vector<double> factors_, quadratic_factors_, listed_weights_;
  mutable std::vector<Index> listed_;
};

}  // namespace sinew
