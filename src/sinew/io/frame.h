// Fields of a state for output formats, in the user's numbering. Each is computed once, when first asked for.
#pragma once

#include <optional>
#include <vector>

#include "sinew/dynamics/simulation.h"

namespace sinew {

class Frame {
 public:
  // The present state. The simulation must not step while the frame is in use.
  explicit Frame(const Simulation& simulation) : simulation_(simulation) {}

  const System& system() const { return simulation_.system(); }
  const State& state() const { return simulation_.state(); }  // simulation numbering, obstacles included
  int step() const { return simulation_.clock().step; }
  double time() const { return simulation_.clock().time; }  // [s]

  // 3 x user_vertex_count; nodes that no tet uses are at rest.
  const Points& positions();           // [m]
  const Points& displacement();        // from the rest shape [m]
  const Points& velocity();            // [m/s]
  const Points& contact_force();       // [N]
  const Points& friction_force();      // [N]
  const Points& reaction_force();      // [N]
  const Points& mean_contact_force();  // contact and friction, of the whole step [N]

  // By tet in the user's order.
  const std::vector<double>& cauchy_stress();  // 6 each: XX YY ZZ XY YZ XZ [Pa]
  const std::vector<double>& von_mises();      // [Pa]

  // Method `adaptive`, else empty: 1 at user vertices outside the subspace, 0 at the others; and the region of each
  // user tet.
  std::vector<double> enriched() const;
  std::vector<Index> regions() const;

 private:
  void compute_forces();
  void compute_stress();

  const Simulation& simulation_;
  std::optional<Points> positions_, displacement_, velocity_, contact_, friction_, reaction_, mean_contact_;
  std::vector<double> cauchy_, von_mises_;
};

// Values by simulation tet in the user's order; tets that are in no group get 0.
std::vector<Index> by_user_tet(const System& system, const std::vector<Index>& values);

}  // namespace sinew
