#include "sinew/scene/read_inline_mesh.h"

#include <algorithm>

#include "sinew/mesh/heightfield.h"
#include "sinew/mesh/validate.h"
#include "sinew/scene/inline_array.h"

namespace sinew {
namespace {

Points read_points(const Node& node) {
  const InlineArray<double> array = read_reals(node, {ArrayShape::any, 3});
  return Eigen::Map<const Points>(array.values.data(), 3, array.rows);
}

// Elements with `corners` vertices each.
template <class Elements>
Elements read_corners(const Node& node, int corners) {
  const InlineArray<Index> array = read_integers(node, {ArrayShape::any, corners});
  return Eigen::Map<const Elements>(array.values.data(), corners, array.rows);
}

void check_ids(const Node& node, const Index* ids, Eigen::Index size, Index count, const char* what) {
  for (Eigen::Index i = 0; i < size; ++i) {
    if (ids[i] < 0 || ids[i] >= count)
      node.fail(code::scene_value, "found {}, expected ids of {} from 0 to {}", ids[i], what, count - 1);
  }
}

std::vector<Index> read_ids(const Node& node, Index count, const char* what) {
  std::vector<Index> ids = read_integers(node, {ArrayShape::any, 0}).values;
  check_ids(node, ids.data(), static_cast<Eigen::Index>(ids.size()), count, what);
  return ids;
}

ElementGroup read_group(const Node& node, int id, const TetMesh& mesh) {
  ElementGroup group;
  group.id = node.has("id") ? node["id"].integer() : id;
  if (node.has("name")) group.name = node["name"].text();
  if (node.has("tets")) {
    group.dim = 3;
    group.tets = read_ids(node["tets"], mesh.tet_count(), "tets");
  } else if (node.has("triangles")) {
    group.dim = 2;
    group.triangles = read_corners<Triangles>(node["triangles"], 3);
    check_ids(node["triangles"], group.triangles.data(), group.triangles.size(), mesh.vertex_count(), "vertices");
  } else {
    group.vertices = read_ids(node["vertices"], mesh.vertex_count(), "vertices");
    std::ranges::sort(group.vertices);
  }
  return group;
}

TriMesh read_triangles(const Node& node) {
  TriMesh result;
  result.vertices = read_points(node["vertices"]);
  result.triangles = read_corners<Triangles>(node["triangles"], 3);
  return result;
}

TriMesh read_heightfield(const Node& node) {
  const Node heights = node["heights"], axis = node["axis"];
  const InlineArray<double> array = read_reals(heights, {ArrayShape::any, ArrayShape::any});
  if (array.rows < 2 || array.columns < 2)
    heights.fail(code::scene_value, "found an array of shape ({}, {}), expected at least two rows and columns",
                 array.rows, array.columns);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const MatX grid = Eigen::Map<const RowMajor>(array.values.data(), array.rows, array.columns);
  if (!(grid.array().abs() <= largest_length).all())
    heights.fail(code::scene_value, "found a height that is not finite or beyond {:g} m", largest_length);
  const std::string up = axis.text();
  try {
    return make_heightfield(grid, {node["size"][0].number(), node["size"][1].number()},
                            up == "x"   ? Axis::x
                            : up == "y" ? Axis::y
                                        : Axis::z);
  } catch (const InputError& error) {
    node.fail(error.code(), "{}", error.what());
  }
}

}  // namespace

TetMesh read_inline_tets(const Node& mesh) {
  const Node node = mesh["tets"];
  TetMesh result;
  result.vertices = read_points(node["vertices"]);
  result.tets = read_corners<Tets>(node["tets"], 4);
  const Eigen::Index count = result.tets.cols();
  if (node.has("regions"))
    result.regions = read_integers(node["regions"], {count, 0}).values;
  else
    result.regions.assign(static_cast<std::size_t>(count), 0);
  if (node.has("fields")) {
    const Node fields = node["fields"];
    for (const auto& [name, values] : fields.json().items())
      result.cell_fields[name] = read_reals(fields[name], {count, ArrayShape::any}).values;
  }
  for (std::size_t g = 0; node.has("groups") && g < node["groups"].size(); ++g)
    result.groups.push_back(read_group(node["groups"][g], static_cast<int>(g) + 1, result));
  validate(result, node.place());
  return result;
}

bool is_inline_surface(const Node& mesh) {
  return mesh.has("triangles") || mesh.has("heightfield");
}

TriMesh read_inline_surface(const Node& mesh) {
  const bool terrain = mesh.has("heightfield");
  TriMesh result = terrain ? read_heightfield(mesh["heightfield"]) : read_triangles(mesh["triangles"]);
  validate(result, mesh[terrain ? "heightfield" : "triangles"].place());
  return result;
}

}  // namespace sinew
