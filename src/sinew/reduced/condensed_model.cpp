#include "sinew/reduced/condensed_model.h"

#include "sinew/core/parallel.h"
#include "sinew/cubature/make_cubature.h"
#include "sinew/mesh/quality.h"
#include "sinew/reduced/full_space.h"
#include "sinew/reduced/reduced_basis.h"
#include "sinew/reduced/reduced_space.h"
#include "sinew/reduced/substructure_space.h"

namespace sinew {

void check_condensed_setup(const System& system, double time) {
  if (system.setup.solver.subspace != "full") check_reduced_setup(system, time);
}

// All vertices and all tets with solver.subspace "full"; else the handles of a basis and its cubature points.
CondensedModel make_condensed_model(const System& system, double time) {
  check_condensed_setup(system, time);
  std::vector<double> volumes(system.tet_count());
  parallel_for(volumes.size(), [&](std::size_t t) { volumes[t] = tet_volume(system.rest, system.tets, t); });
  CondensedModel model;
  if (system.setup.solver.subspace == "full") {
    model.points = std::make_unique<ElasticPoints>(system, full_cubature(system.tet_count()), volumes);
    model.space = std::make_unique<FullSpace>(system, *model.points, time);
    return model;
  }
  auto basis = make_reduced_basis(system, time);
  // Weights of modal cubature are of forces by coordinate: the points themselves count once, and have those that the
  // cubature gives the energy by beside them.
  const bool modal = basis->has_mode_weights();
  Cubature points = basis->cubature;
  if (modal) points.weights.assign(points.tets.size(), 1.0);
  model.points = std::make_unique<ElasticPoints>(system, points, volumes, basis->point_part);
  if (modal) model.energy = std::make_unique<ElasticPoints>(system, basis->cubature, volumes, basis->point_part);
  if (basis->is_dense())
    model.space = std::make_unique<SubstructureSpace>(system, std::move(basis), *model.points, time);
  else
    model.space = std::make_unique<ReducedSpace>(system, std::move(basis), *model.points, time);
  return model;
}

}  // namespace sinew
