// The elastic energy of all tets that have an energy density: the sum over the kinds of elements of a scene.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/energy.h"
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
  // Sets the temperatures of the step's end.
  void begin_step(const StepContext& context) override;
  // Until warm(), bodies have the temperature of their mesh.
  void cool();
  void warm();

  // Sums over the tets tets[k], each times weights[k]. All parts of a ten-node tet are listed and have one weight, and
  // so have all mixed tets at a vertex.
  void add_derivatives(const Points& x, std::span<const Index> tets, std::span<const double> weights, double scale,
                       Projection projection, Points& g, SymBlockMatrix& H) const;

  // out: F of each tet, row-major, 9 m entries. Parts of a ten-node tet: at its corners that of the nearest quadrature
  // point, inside the mean of all.
  void deformation_gradients(const Points& x, std::span<double> out) const;
  // cauchy: XX YY ZZ XY YZ XZ of each tet [Pa], 6 m entries; parts as above. von_mises: m entries [Pa].
  void stress(const Points& x, std::span<double> cauchy, std::span<double> von_mises) const;
  // The smallest det F of all tets, of ten-node tets at points and corners; +infinity without tets. F is that of the
  // motion, also of heated bodies.
  double min_jacobian(const Points& x) const;

 private:
  // Mixed linear tets: the energy without k U(J), and k U at means around vertices.
  struct LinearMixed {
    LinearMixed(const System& system, Index begin, const std::vector<ElasticGroup>& groups);

    Index begin;
    LinearTetEnergy tets;
    NodalVolume volume;
  };
  // Means of the ten-node tets [begin, end), which are mixed.
  struct QuadraticMixed {
    Index begin, end;
    NodalVolume volume;
  };

  Index linear_count() const { return mixed_ ? mixed_->begin : quadratic_begin_; }
  void find_pressures(const Points& x) const;
  void set_groups(const std::vector<ElasticGroup>& groups);

  const System& system_;
  bool is_heated_;
  // Of the temperatures; not a number before the first step, in which bodies are cold.
  double time_ = std::numeric_limits<double>::quiet_NaN(), ramp_ = 0;
  Index tet_count_, quadratic_begin_;
  std::unique_ptr<LinearTetEnergy> linear_;
  std::unique_ptr<LinearMixed> mixed_;
  std::unique_ptr<QuadraticTetEnergy> quadratic_;
  std::unique_ptr<QuadraticTetBarrier> quadratic_barrier_;
  std::unique_ptr<QuadraticMixed> quadratic_mixed_;
  mutable std::vector<double> factors_, quadratic_factors_,
      listed_weights_;  // by tet, by ten-node tet, by entry of listed_
  mutable std::vector<Index> listed_;
};

}  // namespace sinew
