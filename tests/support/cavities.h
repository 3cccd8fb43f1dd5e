// Hollow bodies that hold gas.
#pragma once

#include "support/bodies.h"

#include "sinew/mesh/surface.h"

namespace sinew::test {

// A box of 0.3 m whose middle cell, of 0.1 m, is empty. cells: along each edge, a multiple of three.
inline TetMesh hollow_box(Index cells = 3) {
  TetMesh mesh = make_box(Vec3::Constant(0.3), {cells, cells, cells});
  std::vector<Index> kept;
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    Vec3 center = Vec3::Zero();
    for (int k = 0; k < 4; ++k) center += mesh.vertices.col(mesh.tets(k, t)) / 4;
    if (center.cwiseAbs().maxCoeff() > 0.05) kept.push_back(t);
  }
  mesh.tets = Tets(mesh.tets(Eigen::all, kept));
  mesh.regions.clear();
  mesh.groups.clear();
  if (cells > 3) {  // vertices inside the cavity belong to no tet
    const std::vector<Index> used = used_vertices(mesh);
    std::vector<Index> number(mesh.vertices.cols(), -1);
    for (std::size_t i = 0; i < used.size(); ++i) number[used[i]] = static_cast<Index>(i);
    mesh.vertices = Points(mesh.vertices(Eigen::all, used));
    for (Index i = 0; i < mesh.tets.size(); ++i) mesh.tets.data()[i] = number[mesh.tets.data()[i]];
  }
  return mesh;
}

inline LoadSetup gas_in(const TetMesh& mesh, double pressure = 0, double exponent = 1) {
  LoadSetup load;
  load.kind = LoadKind::gas;
  load.faces = mesh.is_cloth() ? mesh.triangles : boundary_triangles(mesh.tets);
  load.pressure = pressure;
  load.gas.exponent = exponent;
  return load;
}

// A piston on the gas: the cover of a hollow box of stiff and heavy cells, on walls that weigh and carry nothing. All
// vertices move along y alone, those of the bottom not at all. The gas has 0.1 m on each side.
inline sinew::Setup gas_piston(double exponent) {
  sinew::Setup setup;
  setup.gravity.setZero();
  setup.contact.enabled = false;
  setup.solver.method = "newton";
  setup.solver.tolerance = 1e-10;
  const TetMesh mesh = hollow_box();
  setup.bodies.push_back(body("chamber", mesh, material("neo_hookean", 1e9, 0.0, 1000, "cover")));
  BodySetup& chamber = setup.bodies[0];
  chamber.materials.push_back(material("neo_hookean", 1, 0.0, 1e-3, "wall"));
  for (Index t = 0; t < mesh.tet_count(); ++t) {
    double height = 0;
    for (int k = 0; k < 4; ++k) height += mesh.vertices(1, mesh.tets(k, t)) / 4;
    chamber.materials[height > 0.05 ? 0 : 1].tets.push_back(t);
  }
  FixSetup rails, bottom;
  bottom.vertices = select_vertices(mesh, [](const Vec3& x) { return x[1] < -0.04; });
  rails.vertices = select_vertices(mesh, [](const Vec3&) { return true; });
  rails.axes = {true, false, true};
  chamber.fixes = {bottom, rails};
  chamber.loads = {gas_in(mesh, 0, exponent)};
  return setup;
}

// Of the cover: it has nine cells, and shares the mass of its vertices alone.
inline constexpr double piston_mass = 9, piston_area = 0.01, piston_volume = 1e-3, air = 101325;

}  // namespace sinew::test
