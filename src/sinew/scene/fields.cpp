#include "sinew/scene/fields.h"

#include <cmath>

#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/formats/npy.h"

namespace sinew {
namespace {

// A named cell array of the mesh; one of several components comes as consecutive values.
NumberArray mesh_field(const Node& node, const std::string& name, const TetMesh& mesh) {
  const auto found = mesh.cell_fields.find(name);
  if (found == mesh.cell_fields.end()) {
    std::vector<std::string> names;
    for (const auto& [known, values] : mesh.cell_fields) names.push_back(known);
    const std::string has = names.empty() ? "the mesh has none" : "the mesh has " + quoted_list(names);
    node.fail(code::scene_name, "found \"{}\", expected a .npy file or a cell array of the mesh{}{}", shortened(name),
              did_you_mean_then(name, names), has);
  }
  NumberArray array;
  array.rows = static_cast<std::size_t>(mesh.element_count());
  array.columns = array.rows ? found->second.size() / array.rows : 0;
  array.values = found->second;
  return array;
}

NumberArray read_field(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir,
                       std::size_t columns) {
  const std::string name = node.text();
  NumberArray array;
  if (name.ends_with(".npy")) {
    try {
      array = read_npy((base_dir / name).string());
    } catch (const InputError& error) {
      node.fail(error.code(), "{}", error.what());
    }
  } else {
    array = mesh_field(node, name, mesh);
  }
  const auto tets = static_cast<std::size_t>(mesh.element_count());
  const char* element = mesh.is_cloth() ? "triangle" : "tet";
  if (array.rows != tets || array.columns != columns) {
    node.fail(code::field, "found {} x {} values in \"{}\", expected {} x {}: {} for each {} of the mesh", array.rows,
              array.columns, name, tets, columns,
              columns == 1   ? "one"
              : columns == 3 ? "three"
                             : "six",
              element);
  }
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    if (!std::isfinite(array.values[i])) {
      node.fail(code::field, "found {} for {} {} in \"{}\", expected finite numbers", array.values[i], element,
                i / columns, name);
    }
    if (std::abs(array.values[i]) > largest_number) {
      node.fail(code::field, "found {} for {} {} in \"{}\", expected a magnitude of at most {:g}", array.values[i],
                element, i / columns, name, largest_number);
    }
  }
  return array;
}

}  // namespace

std::vector<double> tet_values(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir) {
  if (!node.has("field")) return {node.number()};
  return read_field(node["field"], mesh, base_dir, 1).values;
}

MatX tet_matrices(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir) {
  if (node.has("field")) {
    const NumberArray array = read_field(node["field"], mesh, base_dir, 6);
    return Eigen::Map<const MatX>(array.values.data(), 6, static_cast<Eigen::Index>(array.rows));
  }
  MatX one(6, 1);
  for (int k = 0; k < 6; ++k) one(k, 0) = node[k].number();
  return one;
}

Points tet_directions(const Node& node, const TetMesh& mesh, const std::filesystem::path& base_dir) {
  Points directions;
  if (node.has("field")) {
    const NumberArray array = read_field(node["field"], mesh, base_dir, 3);
    directions = Eigen::Map<const Points>(array.values.data(), 3, static_cast<Eigen::Index>(array.rows));
  } else {
    directions.resize(3, 1);
    for (int k = 0; k < 3; ++k) directions(k, 0) = node[k].number();
  }
  for (Eigen::Index t = 0; t < directions.cols(); ++t) {
    const double length = directions.col(t).stableNorm();
    if (!(length > 0))
      node.fail(code::field, "found a direction of length zero{}, expected a length above 0",
                node.has("field") ? fmt::format(" for tet {}", t) : "");
    directions.col(t) /= length;
  }
  return directions;
}

}  // namespace sinew
