#include <algorithm>
#include <set>

#include "sinew/lint/check_parts.h"
#include "sinew/material/mass_spring.h"
#include "sinew/mesh/quadratic_tets.h"
#include "sinew/mesh/quality.h"
#include "sinew/model/affine_body.h"
#include "sinew/model/element_parameters.h"

namespace sinew {
namespace {

double poisson_ratio(const LameParameters& lame) {
  return lame.lambda / (2 * (lame.lambda + lame.mu));
}

void add_material(const BodySetup& body, const MaterialAssignment& assignment, BodyFacts& facts,
                  MaterialFacts& material) {
  const std::size_t elements = assignment.tets.empty() ? body.mesh.element_count() : assignment.tets.size();
  const bool springs = assignment.mass_spring;
  material.model = springs ? mass_spring().name() : assignment.model->name();
  const Index parts = is_quadratic(body.elements) ? parts_of_quadratic : 1;
  (body.mesh.is_cloth() ? material.triangles : material.tets) += static_cast<Index>(elements) / parts;
  for (std::size_t i = 0; i < elements; ++i) {
    const ElementParameters of = element_parameters(assignment, i);
    const double young = springs ? of.kernel[MassSpring::young] : assignment.model->equivalent_young(of.kernel);
    const double density = value_of(assignment.density, i);
    for (Range* range : {&facts.young, &material.young}) range->add(young);
    for (Range* range : {&facts.density, &material.density}) range->add(density);
    if (!springs) material.poisson.add(poisson_ratio(assignment.model->linearized(of.kernel)));
    const auto t = assignment.tets.empty() ? static_cast<Eigen::Index>(i) : assignment.tets[i];
    if (body.affine) continue;  // mass below
    const double volume = body.mesh.is_cloth() ? of.kernel[MassSpring::thickness] *
                                                     triangle_area(body.mesh.vertices, body.mesh.triangles, t)
                                               : tet_volume(body.mesh.vertices, body.mesh.tets, t);
    facts.mass += density * volume;
  }
}

}  // namespace

double SceneFacts::smallest_diagonal() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const BodyFacts& body : bodies) smallest = std::min(smallest, body.diagonal());
  return smallest;
}

SceneFacts scene_facts(const Setup& setup) {
  SceneFacts facts;
  for (const BodySetup& body : setup.bodies) {
    BodyFacts b;
    b.name = body.name;
    b.vertices = body.mesh.vertex_count();
    b.tets = is_quadratic(body.elements) ? static_cast<Index>(body.mesh.quadratic.cols()) : body.mesh.tet_count();
    b.triangles = static_cast<Index>(body.mesh.triangles.cols());
    b.lower = body.mesh.vertices.rowwise().minCoeff();
    b.upper = body.mesh.vertices.rowwise().maxCoeff();
    std::set<Index> fixed;
    for (const FixSetup& fix : body.fixes) fixed.insert(fix.vertices.begin(), fix.vertices.end());
    b.fixed = static_cast<Index>(fixed.size());
    for (const LoadSetup& load : body.loads) b.loaded_faces += static_cast<Index>(load.faces.cols());
    for (const SpringSetup& spring : body.springs) b.springs += static_cast<Index>(spring.vertices.size());
    if (body.affine) b.mass = mass_moments(body).mass;
    for (const MaterialAssignment& assignment : body.materials) {
      add_material(body, assignment, b, facts.materials[assignment.name]);
      b.materials.push_back(assignment.name);
    }
    facts.bodies.push_back(std::move(b));
  }
  return facts;
}

}  // namespace sinew
