// What a simulation in a subspace is made of, as solver.subspace and solver.cubature ask: where the vertices are, where
// elasticity is seen, and the terms of the potential as functions of the coordinates.
#pragma once

#include <memory>
#include <vector>

#include "sinew/kinematics/gradient_set.h"
#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"
#include "sinew/potential/coordinate_energy.h"
#include "sinew/reduced/elastic_points.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {

struct ReducedModel {
  std::unique_ptr<ElasticPoints> points;
  std::unique_ptr<ElasticPoints> energy;  // modal cubature: the same slots with the weights of the energy; else null
  std::unique_ptr<Kinematics> kinematics;
  std::unique_ptr<GradientSet> gradients;                   // at the points
  std::vector<std::unique_ptr<CoordinateEnergy>> energies;  // all of the potential but elasticity of points and contact
  std::unique_ptr<ReducedContact> contact;                  // of samples of the surfaces; null: nothing may touch

  // The system has changed. The basis and the cubature stay those of the start, made for its stiffnesses.
  void adapt(const System& system, Change change) const;

  // E_q, the sum of the energies and of contact, which has values of its own. Contacts are those found last. `step`
  // must outlive the step, which starts at `start`.
  void begin_step(const CoordinateStep& step, const MatX& start) const;
  double value(const MatX& y) const;
  // G: by y, unspecified where y is prescribed; g: by the unknowns.
  void gradient(const MatX& y, MatX& G, MatX& g) const;
  // H = d2E_q at y, with the curvature of y by the unknowns where a gradient G by y is given.
  void begin_hessian(const MatX& y, const MatX* G, Projection projection, CoordinateHessian& H) const;

  // The sum of what the energies count in reports [J].
  template <class Member>
  double report(Member member, const MatX& y) const {
    double sum = 0;
    for (const auto& energy : energies) sum += (*energy.*member)(y);
    return sum;
  }
};

// Throws InputError where make_reduced_model() would, as far as that is known before anything is computed.
void check_subspace(const System& system, double time);

// For the vertices that are prescribed at a time [s].
ReducedModel make_reduced_model(const System& system, double time);

}  // namespace sinew
