// Rayleigh damping as a potential: 1/(2 h^) |x - x^|^2 in the metric zeta M + xi K_t (theory, section 1).
#pragma once

#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/potential/edge_springs.h"
#include "sinew/potential/elastic_energy.h"
#include "sinew/potential/energy.h"

namespace sinew {

// Whether at least one body is damped.
bool has_damping(const System& system);

class DampingEnergy : public Energy {
 public:
  // `elastic` must outlive this; null: only mass damping. `mesh_pattern` must contain the tets' edges.
  DampingEnergy(const System& system, ElasticEnergy* elastic, std::shared_ptr<const BlockPattern> mesh_pattern);

  // Fixes K_t, the projected elastic Hessian at the step's start, and x^ and h^ of the context.
  void begin_step(const StepContext& context) override;

  bool empty() const override { return !context_->inertia || (!mass_ && !stiffness_); }
  std::string_view name() const override { return "damping"; }
  double value(const Points& x) const override;
  double value_rounding(const Points& x) const override;
  void add_vertex_energies(const Points& x, double scale, std::span<double> values) const override;
  void add_gradient(const Points& x, double scale, Points& g) const override;
  void add_derivatives(const Points& x, double scale, Projection projection, Points& g,
                       SymBlockMatrix& H) const override;
  void collect_pairs(std::vector<std::pair<Index, Index>>&) const override {}  // only the mesh's edges

 private:
  void multiply(const Points& x, Points& u, Points& Du) const;  // sets u = x - x^, Du = (zeta M + xi K_t) u

  const System& system_;
  ElasticEnergy* elastic_;
  std::shared_ptr<const BlockPattern> mesh_pattern_;
  bool mass_ = false, stiffness_ = false;
  std::vector<double> vertex_mass_rate_;            // zeta m of each vertex [kg/s]
  std::vector<Index> damped_tets_;                  // tets of bodies with xi > 0
  std::vector<double> tet_weight_;                  // xi of each of these [s]
  std::unique_ptr<EdgeSpringEnergy> edge_springs_;  // null if no body has xi > 0
  std::vector<double> body_weight_;                 // xi of each body [s]
  SymBlockMatrix stiffness_matrix_;                 // xi K_t
  const StepContext* context_ = nullptr;
  mutable Points u_, Du_;  // work space
};

}  // namespace sinew
