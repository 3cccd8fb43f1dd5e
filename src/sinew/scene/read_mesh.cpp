#include "sinew/scene/read_mesh.h"

#include <algorithm>

#include "sinew/formats/read.h"
#include "sinew/material/mass_spring.h"
#include "sinew/mesh/primitives.h"
#include "sinew/mesh/round_edges.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/validate.h"
#include "sinew/scene/read_inline_mesh.h"

namespace sinew {
namespace {

Axis axis_of(const Node& node) {
  const std::string axis = node["axis"].text();
  return axis == "x" ? Axis::x : axis == "y" ? Axis::y : Axis::z;
}

// The edge length of a round primitive, which has two names.
double edge_of(const Node& node, double automatic) {
  return node.has("size") ? node["size"].number() : node.has("edge") ? node["edge"].number() : automatic;
}

TetMesh box(const Node& node) {
  const Vec3 size = node["size"].vector();
  if (!node.has("cells")) return make_box(size, node.has("edge") ? node["edge"].number() : size.minCoeff() / 4);
  const Node cells = node["cells"];
  return make_box(size, {cells[0].integer(), cells[1].integer(), cells[2].integer()});
}

TriMesh sheet(const Node& node) {
  const std::array<double, 2> size{node["size"][0].number(), node["size"][1].number()};
  if (!node.has("cells")) {
    const double edge = node.has("edge") ? node["edge"].number() : std::min(size[0], size[1]) / 20;
    return make_sheet(size, edge, axis_of(node));
  }
  const Node cells = node["cells"];
  return make_sheet(size, {cells[0].integer(), cells[1].integer()}, axis_of(node));
}

TetMesh cloth(TriMesh surface) {
  TetMesh result;
  result.vertices = std::move(surface.vertices);
  result.triangles = std::move(surface.triangles);
  return result;
}

TriMesh boundary(const TetMesh& mesh) {
  return compacted(mesh.vertices, boundary_triangles(mesh.tets));
}

// mid_nodes: whether edges on round surfaces get nodes there.
TetMesh primitive(const Node& mesh, MidNodes mid_nodes) {
  if (mesh.has("box")) return box(mesh["box"]);
  const bool rounded = mid_nodes == MidNodes::kept;
  if (mesh.has("sphere")) {
    const double radius = mesh["sphere"]["radius"].number();
    TetMesh result = make_sphere(radius, edge_of(mesh["sphere"], radius / 5));
    if (rounded) round_sphere(result, radius);
    return result;
  }
  if (mesh.has("cylinder")) {
    const Node node = mesh["cylinder"];
    const double radius = node["radius"].number(), height = node["height"].number();
    const Axis axis = axis_of(node);
    TetMesh result = make_cylinder(radius, height, edge_of(node, std::min(radius, height) / 4), axis);
    if (rounded) round_cylinder(result, radius, axis);
    return result;
  }
  const Node node = mesh["torus"];
  const double radius = node["radius"].number(), tube = node["tube"].number();
  const Axis axis = axis_of(node);
  TetMesh result = make_torus(radius, tube, edge_of(node, tube / 2), axis);
  if (rounded) round_torus(result, radius, tube, axis);
  return result;
}

// Errors of readers and primitives, with the place in the scene in front.
template <class Make>
auto located(const Node& mesh, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    mesh.fail(error.code(), "{}", error.what());
  }
}

std::string file_path(const Node& mesh, const std::filesystem::path& base_dir) {
  return (base_dir / mesh.text()).string();
}

}  // namespace

TetMesh read_body_mesh(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes,
                       MidNodes mid_nodes) {
  if (mesh.has("shape")) return shapes.tets(mesh);
  if (mesh.has("sheet"))
    mesh["sheet"].fail(code::material_model, "a sheet has no volume: as a body it needs a material of model \"{}\"",
                       mass_spring_name);
  if (is_inline_surface(mesh))
    mesh.fail(
        code::material_model,
        "a surface has no volume: as a body it needs a material of model \"{}\". For a solid, fill it with tets by "
        "sinew-mesh, or in Python by sinew.tetrahedralize()",
        mass_spring_name);
  if (mesh.has("tets")) return read_inline_tets(mesh);
  return located(mesh, [&] {
    if (!mesh.json().is_string()) return primitive(mesh, mid_nodes);
    const std::string path = file_path(mesh, base_dir);
    TetMesh result = read_tet_mesh(path, mid_nodes);
    validate(result, path);
    return result;
  });
}

TetMesh read_surface_or_tets(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes) {
  if (mesh.has("sheet")) return located(mesh, [&] { return cloth(sheet(mesh["sheet"])); });
  if (is_inline_surface(mesh)) return cloth(read_inline_surface(mesh));
  if (!mesh.json().is_string()) return read_body_mesh(mesh, base_dir, shapes);
  return located(mesh, [&] {
    const std::string path = file_path(mesh, base_dir);
    MeshFile file = read_mesh_file(path);
    if (file.volume.tets.cols() > 0) {
      validate(file.volume, path);
      return std::move(file.volume);
    }
    TriMesh surface = surface_of(file, path);
    validate(surface, path);
    return cloth(std::move(surface));
  });
}

TriMesh read_obstacle_mesh(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes) {
  if (mesh.has("shape")) return shapes.surface(mesh);
  if (mesh.has("sheet")) return located(mesh, [&] { return sheet(mesh["sheet"]); });
  if (is_inline_surface(mesh)) return read_inline_surface(mesh);
  if (mesh.has("tets")) return boundary(read_inline_tets(mesh));
  return located(mesh, [&] {
    if (!mesh.json().is_string()) return boundary(primitive(mesh, MidNodes::dropped));
    const std::string path = file_path(mesh, base_dir);
    TriMesh result = read_tri_mesh(path);
    validate(result, path);
    return result;
  });
}

RenderSurface read_render_surface(const Node& mesh, const std::filesystem::path& base_dir, ShapeMesher& shapes) {
  RenderSurface surface;
  surface.mesh = read_obstacle_mesh(mesh, base_dir, shapes);
  if (mesh.json().is_string()) surface.layout = located(mesh, [&] { return read_layout(file_path(mesh, base_dir)); });
  return surface;
}

}  // namespace sinew
