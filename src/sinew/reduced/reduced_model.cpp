#include "sinew/reduced/reduced_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/muscle.h"
#include "sinew/potential/point_energy.h"
#include "sinew/reduced/handle_kinematics.h"
#include "sinew/reduced/mesh_sums.h"
#include "sinew/reduced/mode_model.h"
#include "sinew/reduced/point_gradients.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/vertex_model.h"

namespace sinew {
namespace {

// What a simulation in a subspace consists of:
//
// 1. basis U and cubature rule (reduced/reduced_basis.h),
// 2. points with weights, F_c(y) and their materials,
// 3. kinematics: handles, or modes of substructures with frames,
// 4. energies at few points of the bodies: springs, pressure, loads,
// 5. contact over samples of the surface.
ReducedModel over_basis(const System& system, const std::vector<double>& volumes, double time,
                        std::shared_ptr<const ReducedBasis> basis) {
  ReducedModel model;
  // Step 1.
  if (!basis) basis = make_reduced_basis(system, time);
  model.basis = basis;
  // Step 2. Weights of modal cubature are of forces by coordinate: the points themselves count once. Their weights for
  // the energy are kept beside them.
  const bool modal = basis->has_mode_weights();
  Cubature points = basis->cubature;
  if (modal) points.weights.assign(points.tets.size(), 1.0);
  model.points = std::make_unique<ElasticPoints>(system, points, volumes, basis->point_part);
  if (modal) model.energy = std::make_unique<ElasticPoints>(system, basis->cubature, volumes, basis->point_part);
  // Step 3.
  if (basis->is_dense()) {
    add_modes(system, time, model);
  } else {
    auto kinematics = std::make_unique<HandleKinematics>(system, basis, *model.points);
    model.gradients = std::make_unique<PointGradients>(system, *basis, *model.points);
    model.energies.push_back(kinematics->make_quadratic_energy());
    if (system.setup.spin) model.energies.push_back(kinematics->make_spin_energy());
    model.kinematics = std::move(kinematics);
  }
  // Step 4.
  const Kinematics& kinematics = *model.kinematics;
  std::ranges::move(point_energies(system, kinematics, time), std::back_inserter(model.energies));
  if (!system.setup.contact.enabled) return model;
  // Step 5. Contact acts on samples of the surface (coarse_surface.h).
  CoarseSurface surface =
      basis->sums ? basis->sums->surface : make_coarse_surface(system, system.setup.contact.surface_samples);
  if (!surface.may_touch()) return model;
  std::vector<PointRow> rows = surface.rows();
  resolve_followers(system.embedding, rows);
  auto samples = kinematics.make_points(rows);
  model.contact = std::make_unique<ReducedContact>(system, std::move(surface), std::move(samples));
  return model;
}

}  // namespace

// Each part makes anew what depends on the change.
void ReducedModel::adapt(const System& system, Change change, double time) const {
  if (change == Change::materials || change == Change::fibers) set_parameters(system, time);
  for (const auto& term : energies) term->adapt(change);
  if (contact) contact->adapt(change);
}

void ReducedModel::set_parameters(const System& system, double time) const {
  points->set_parameters(system, time);
  if (energy) energy->set_parameters(system, time);
}

// The cubature points are few: all of their parameters are read anew.
void ReducedModel::move_fibers(const System& system, double time) const {
  if (moves_fibers(system)) set_parameters(system, time);
}

void ReducedModel::begin_step(const CoordinateStep& step, const MatX& start) const {
  for (const auto& term : energies) term->begin_step(step, start);
}

// E_q + energies of points at y, without elasticity and contact, which the potential adds.
double ReducedModel::value(const MatX& y) const {
  double sum = 0;
  for (const auto& term : energies) sum += term->value(y);
  return sum;
}

// g = J^T G, G = dE/dC by the linear coordinates C and J = dC/d(unknowns), plus what depends on the unknowns alone.
void ReducedModel::gradient(const MatX& y, MatX& G, MatX& g) const {
  G.setZero(kinematics->rows(), kinematics->columns());
  for (const auto& term : energies) term->add_gradient(y, G);
  if (contact) contact->add_gradient(y, G);
  kinematics->pull_back(y, G, g);
  for (const auto& term : energies) term->add_unknown_gradient(y, g);
}

// H = J^T (d2E/dC2) J + G : d2C. The second term is the curvature of the set of positions; without G it is left out.
void ReducedModel::begin_hessian(const MatX& y, const MatX* G, Projection projection, CoordinateHessian& H) const {
  H.begin(y);
  for (const auto& term : energies) term->add_hessian(y, projection, H);
  if (contact) contact->add_hessian(projection, H);
  if (G) kinematics->add_curvature(y, *G, H);
}

void check_subspace(const System& system, double time) {
  if (system.setup.solver.subspace != "full") check_reduced_setup(system, time);
}

// All vertices and all tets with solver.subspace "full"; else a basis and its cubature points.
ReducedModel make_reduced_model(const System& system, double time, std::shared_ptr<const ReducedBasis> basis) {
  if (!basis) check_subspace(system, time);
  std::vector<double> volumes(system.tet_count());
  parallel_for(volumes.size(), [&](std::size_t t) { volumes[t] = tet_volume(system.rest, system.tets, t); });
  return system.setup.solver.subspace == "full" ? make_vertex_model(system, volumes, time)
                                                : over_basis(system, volumes, time, std::move(basis));
}

}  // namespace sinew
