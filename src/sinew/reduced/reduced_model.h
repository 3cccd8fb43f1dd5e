// The parts of a simulation in a subspace, made by solver.subspace and solver.cubature: kinematics, cubature points,
// and the terms of the potential as functions of the coordinates.
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

  // E_q, the sum of the energies and of contact, with the contacts found last. `step` must outlive the step, which
  // starts at `start`.
  void begin_step(const CoordinateStep& step, const MatX& start) const;
  double value(const MatX& y) const;
  // G: by y, unspecified where y is prescribed; g: by the unknowns.
  void gradient(const MatX& y, MatX& G, MatX& g) const;
  // H = d2E_q at y. G: null, or the gradient by y, which adds the curvature of y by the unknowns.
  void begin_hessian(const MatX& y, const MatX* G, Projection projection, CoordinateHessian& H) const;

  // The sum of one reported quantity over the energies [J].
  template <class Member>
  double report(Member member, const MatX& y) const {
    double sum = 0;
    for (const auto& energy : energies) sum += (*energy.*member)(y);
    return sum;
  }
};

// Throws the InputError of make_reduced_model() as far as it is known before anything is computed.
void check_subspace(const System& system, double time);

// For the vertices that are prescribed at a time [s].
ReducedModel make_reduced_model(const System& system, double time);

}  // namespace sinew
