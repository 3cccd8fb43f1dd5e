// Short ways to set up scenes in tests.
#pragma once

#include <string>
#include <vector>

#include "sinew/material/registry.h"
#include "sinew/mesh/primitives.h"
#include "sinew/model/setup.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"

namespace sinew::test {

inline MaterialAssignment material(const std::string& model, double young, double poisson, double density = 1000,
                                   const std::string& name = "material") {
  MaterialAssignment assignment;
  assignment.name = name;
  assignment.model = shared_material_model(model);
  assignment.parameters = assignment.model->resolve({{"young", {young}}, {"poisson", {poisson}}});
  assignment.density = {density};
  return assignment;
}

inline HeatSetup heat(double value, Keyframes keys = {}) {
  HeatSetup heat;
  heat.value = value;
  heat.keys = std::move(keys);
  return heat;
}

inline BodySetup body(const std::string& name, TetMesh mesh, MaterialAssignment material, Vec3 offset = Vec3::Zero()) {
  BodySetup body;
  body.name = name;
  body.mesh = std::move(mesh);
  body.mesh.vertices.colwise() += offset;
  body.materials.push_back(std::move(material));
  return body;
}

inline ObstacleSetup floor_plane(double height = 0) {
  ObstacleSetup floor;
  floor.name = "floor";
  floor.plane = PlaneSetup{Vec3(0, height, 0), Vec3::UnitY()};
  return floor;
}

// Springs on edges: of cloth with a thickness.
inline MaterialAssignment springs(double young, double density, double thickness = 0, double bending = 0,
                                  const std::string& name = "springs", double stretch_limit = 0) {
  MaterialAssignment assignment;
  assignment.name = name;
  assignment.mass_spring = true;
  assignment.parameters = {{young}, {thickness}, {bending}, {stretch_limit}};
  assignment.density = {density};
  return assignment;
}

inline BodySetup cloth(const std::string& name, TriMesh mesh, MaterialAssignment material, Vec3 offset = Vec3::Zero()) {
  TetMesh own;
  own.vertices = std::move(mesh.vertices);
  own.triangles = std::move(mesh.triangles);
  return body(name, std::move(own), std::move(material), offset);
}

// Ids of the vertices for which `inside` holds.
template <class Predicate>
std::vector<Index> select_vertices(const TetMesh& mesh, Predicate inside) {
  std::vector<Index> ids;
  for (Index i = 0; i < mesh.vertex_count(); ++i)
    if (inside(Vec3(mesh.vertices.col(i)))) ids.push_back(i);
  return ids;
}

// A step of implicit Euler from rest, without forces.
inline StepContext resting_context(const System& system) {
  StepContext context;
  context.step = context.reference_step = system.setup.time.step;
  context.scale = context.step * context.step;
  context.start = context.reference = context.target = system.rest;
  context.predictor = system.rest.leftCols(system.dynamic_count);
  context.prescribed.assign(3 * static_cast<std::size_t>(system.dynamic_count), 0);
  for (const PrescribedVertex& p : system.prescribed)
    for (int k = 0; k < 3; ++k) context.prescribed[3 * static_cast<std::size_t>(p.vertex) + k] = p.axes[k];
  context.ties = system.tied;
  if (system.tied)
    for (const Index v : system.tied->followers())
      for (int k = 0; k < 3; ++k) context.prescribed[3 * static_cast<std::size_t>(v) + k] = tied_flag;
  return context;
}

}  // namespace sinew::test
