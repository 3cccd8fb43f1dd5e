// Computes fields of a state for output formats, in the user's numbering. Each field is computed once, at first use.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/dynamics/simulation.h"

namespace sinew {

class Frame {
 public:
  // Refers to the current state. The simulation must not step while the frame is in use.
  explicit Frame(const Simulation& simulation) : simulation_(simulation) {}

  const System& system() const { return simulation_.system(); }
  const State& state() const { return simulation_.state(); }  // in the simulation's numbering, including obstacles
  // See Simulation.
  std::unique_ptr<PointProbe> make_probe(std::vector<PointRow> rows) const {
    return simulation_.make_probe(std::move(rows));
  }
  const Points& own_positions() const { return simulation_.own_positions(); }
  std::pair<int, int> space() const { return simulation_.space(); }
  int step() const { return simulation_.clock().step; }
  double time() const { return simulation_.clock().time; }  // [s]

  // Each is 3 x user_vertex_count; nodes that no element uses are at rest.
  const Points& positions();           // [m]
  const Points& displacement();        // from the rest shape [m]
  const Points& velocity();            // [m/s]
  const Points& contact_force();       // [N]
  const Points& friction_force();      // [N]
  const Points& reaction_force();      // [N]
  const Points& mean_contact_force();  // contact and friction, mean over the step [N]

  // By tet, in the user's order.
  const std::vector<double>& cauchy_stress();          // 6 values for each tet: XX YY ZZ XY YZ XZ [Pa]
  const std::vector<double>& von_mises();              // [Pa]
  std::vector<double> plastic_strain() const;          // empty: no material flows
  std::vector<double> energy_density() const;          // [J/m^3]
  const std::vector<double>& deformation_gradients();  // F, row-major, 9 numbers each

  // Only for method `adaptive`, else empty. enriched(): 1 at user vertices outside the subspace, 0 at other vertices.
  // regions(): the region of each user tet.
  std::vector<double> enriched() const;
  std::vector<Index> regions() const;

 private:
  void compute_forces();
  void compute_stress();

  const Simulation& simulation_;
  std::optional<Points> positions_, displacement_, velocity_, contact_, friction_, reaction_, mean_contact_;
  std::vector<double> cauchy_, von_mises_, gradients_;
};

// Reorders values by simulation tet to the user's order; tets without an elastic group get 0.
std::vector<Index> by_user_tet(const System& system, const std::vector<Index>& values);

}  // namespace sinew
