// The parts of a simulation in a subspace, made according to solver.subspace and solver.cubature: kinematics, cubature
// points, and the terms of the potential as functions of the coordinates.
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

struct ReducedBasis;

struct ReducedModel {
  std::shared_ptr<const ReducedBasis> basis;  // null: all vertices
  std::unique_ptr<ElasticPoints> points;
  // Modal cubature: the same slots with the weights for the energy; else null.
  std::unique_ptr<ElasticPoints> energy;
  std::unique_ptr<Kinematics> kinematics;
  std::unique_ptr<GradientSet> gradients;  // at the cubature points
  // All terms of the potential except contact and the elasticity at points.
  std::vector<std::unique_ptr<CoordinateEnergy>> energies;
  std::unique_ptr<ReducedContact> contact;  // contact of the surface samples; null: nothing may touch

  // Call when the system has changed. The basis and the cubature are not rebuilt: they fit the initial stiffnesses.
  // time: at which fibers are [s].
  void adapt(const System& system, Change change, double time) const;
  // Sets the fibers that keyframes move to those of a time [s].
  void move_fibers(const System& system, double time) const;
  void set_parameters(const System& system, double time) const;

  // The following are about E_q, the sum of `energies` and contact, with the contacts found last. `step` must outlive
  // the time step, which starts at y = start.
  void begin_step(const CoordinateStep& step, const MatX& start) const;
  double value(const MatX& y) const;
  // Sets G, the gradient by y (unspecified where y is prescribed), and g, the gradient by the unknowns.
  void gradient(const MatX& y, MatX& G, MatX& g) const;
  // Sets H to the Hessian of E_q at y. G: the gradient by y, which adds the curvature of y by the unknowns; null:
  // without.
  void begin_hessian(const MatX& y, const MatX* G, Projection projection, CoordinateHessian& H) const;

  // Sums one reported energy, such as kinetic, over `energies` [J].
  template <class Member>
  double report(Member member, const MatX& y) const {
    double sum = 0;
    for (const auto& energy : energies) sum += (*energy.*member)(y);
    return sum;
  }
};

// Throws those InputErrors of make_reduced_model() that need no computation.
void check_subspace(const System& system, double time);

// Makes the model for the vertices that are prescribed at `time` [s]. basis: made for these already; null: makes one.
ReducedModel make_reduced_model(const System& system, double time, std::shared_ptr<const ReducedBasis> basis = {});

}  // namespace sinew
