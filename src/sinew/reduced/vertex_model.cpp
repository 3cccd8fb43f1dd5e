#include "sinew/reduced/vertex_model.h"

#include "sinew/cubature/make_cubature.h"
#include "sinew/kinematics/vertex_kinematics.h"
#include "sinew/potential/vertex_energy.h"
#include "sinew/reduced/vertex_gradients.h"

namespace sinew {

// y are the displacements of all vertices and the points all tets, so that the condensed matrix is
// sparse. It shows what a subspace loses.
ReducedModel make_vertex_model(const System& system, const std::vector<double>& volumes, double time) {
  ReducedModel model;
  model.points = std::make_unique<ElasticPoints>(system, full_cubature(system.tet_count()), volumes);
  model.gradients = std::make_unique<VertexGradients>(system, *model.points);
  auto energy = std::make_unique<VertexEnergy>(system, time);
  auto kinematics = std::make_unique<VertexKinematics>(system, energy->pattern(), time);
  model.energies.push_back(std::move(energy));
  if (system.setup.contact.enabled) {
    CoarseSurface surface = whole_surface(system);
    auto samples = kinematics->make_points(surface.rows(), nullptr);
    model.contact = std::make_unique<ReducedContact>(system, std::move(surface), std::move(samples));
  }
  model.kinematics = std::move(kinematics);
  return model;
}

}  // namespace sinew
