#include "sinew/formats/vtk_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

enum class Shape { tet, triangle, polygon, strip, refused };

struct CellType {
  int type;
  Shape shape;
  bool higher_order;
  const char* name;
};
// VTK file formats, "cell types"; higher-order simplices list their corners first.
constexpr CellType cell_types[] = {{5, Shape::triangle, false, "triangles"},
                                   {6, Shape::strip, false, "triangle strips"},
                                   {7, Shape::polygon, false, "polygons"},
                                   {9, Shape::polygon, false, "quadrangles"},
                                   {10, Shape::tet, false, "tets"},
                                   {11, Shape::refused, false, "voxels"},
                                   {12, Shape::refused, false, "hexahedra"},
                                   {13, Shape::refused, false, "wedges"},
                                   {14, Shape::refused, false, "pyramids"},
                                   {15, Shape::refused, false, "pentagonal prisms"},
                                   {16, Shape::refused, false, "hexagonal prisms"},
                                   {22, Shape::triangle, true, "second-order triangles"},
                                   {24, Shape::tet, true, "second-order tets"},
                                   {25, Shape::refused, false, "second-order hexahedra"},
                                   {26, Shape::refused, false, "second-order wedges"},
                                   {27, Shape::refused, false, "second-order pyramids"},
                                   {29, Shape::refused, false, "second-order hexahedra"},
                                   {42, Shape::refused, false, "polyhedra"},
                                   {69, Shape::triangle, true, "Lagrange triangles"},
                                   {71, Shape::tet, true, "Lagrange tets"},
                                   {72, Shape::refused, false, "Lagrange hexahedra"},
                                   {73, Shape::refused, false, "Lagrange wedges"},
                                   {74, Shape::refused, false, "Lagrange pyramids"}};

const CellType* find_type(std::int64_t type) {
  for (const CellType& row : cell_types) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

void append_strip(const std::vector<Index>& corners, std::vector<Index>& triangles) {
  for (std::size_t k = 2; k < corners.size(); ++k) {
    const bool turned = k % 2 == 1;  // every other triangle is wound the other way
    triangles.insert(triangles.end(), {corners[k - 2], corners[turned ? k : k - 1], corners[turned ? k - 1 : k]});
  }
}

constexpr std::string_view region_names[] = {"region",      "regions",  "regionid",  "regionids",    "materialid",
                                             "materialids", "material", "materials", "gmshphysical", "cellentityids"};

bool holds_ids(const std::vector<double>& values) {
  return std::ranges::all_of(
      values, [](double v) { return std::abs(v) <= std::numeric_limits<Index>::max() && v == std::floor(v); });
}

}  // namespace

std::string plain_array_name(const std::string& name) {
  std::string plain;
  for (const char c : lower_case(name)) {
    if (std::string_view(" _-:").find(c) == std::string_view::npos) plain += c;
  }
  return plain;
}

std::vector<Index> regions_of(const std::map<std::string, std::vector<double>>& fields, std::size_t tets) {
  for (const std::string_view wanted : region_names) {
    for (const auto& [name, values] : fields) {
      if (plain_array_name(name) == wanted && values.size() == tets && holds_ids(values)) {
        return std::vector<Index>(values.begin(), values.end());
      }
    }
  }
  return std::vector<Index>(tets, 0);
}

void VtkCells::add_cell(std::size_t cell, std::int64_t type, std::span<const std::int64_t> ids, std::int64_t points,
                        Index first) {
  const CellType* kind = find_type(type);
  if (!kind) return;
  if (kind->shape == Shape::refused) {
    fail_input(
        code::mesh_surface,
        "found {} (cell type {}), expected tets (cell type 10); convert the volume to tets, in ParaView with the "
        "filter Tetrahedralize",
        kind->name, type);
  }
  const bool exact = kind->shape == Shape::tet || kind->shape == Shape::triangle;
  const std::size_t least = kind->shape == Shape::tet ? 4 : 3;
  if (ids.size() < least) fail_input(code::file_format, "cell {} has {} points, expected {}", cell, ids.size(), least);
  std::vector<Index> corners(exact ? least : ids.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (ids[k] < 0 || ids[k] >= points)
      fail_input(code::file_format, "cell {} names point {}, expected 0 to {}", cell, ids[k], points - 1);
    corners[k] = first + static_cast<Index>(ids[k]);
  }
  if (kind->higher_order) {
    ++higher_order_[kind->name];
    for (const std::int64_t id : ids.subspan(least))
      if (id >= 0 && id < points) mid_nodes_.push_back(first + static_cast<Index>(id));
  }
  if (kind->shape == Shape::tet && ids.size() == 10) {
    SecondOrderTet& tet = second_order_.emplace_back();
    for (std::size_t k = 0; k < 10; ++k)
      tet[k] = ids[k] >= 0 && ids[k] < points ? first + static_cast<Index>(ids[k]) : -1;
  }
  if (kind->shape == Shape::tet) {
    tets_.insert(tets_.end(), corners.begin(), corners.end());
    piece_tets_.push_back(cell);
  } else if (kind->shape == Shape::strip) {
    append_strip(corners, triangles_);
  } else {
    append_fan(corners.data(), corners.size(), triangles_);
  }
}

void VtkCells::add_field(const std::string& name, std::size_t width, const std::vector<double>& values) {
  const std::size_t before = tets_.size() / 4 - piece_tets_.size();
  const auto [at, added] = fields_.try_emplace(name, Field{width, {}});
  Field& field = at->second;
  if (added && pieces_ > 0 && before > 0)
    fail_input(code::file_format, "cell array '{}' is missing in an earlier piece", printable(name));
  if (field.width != width) {
    fail_input(code::file_format, "found {} components of cell array '{}', expected {} as in the piece before", width,
               printable(name), field.width);
  }
  if (field.values.size() != before * width)
    fail_input(code::file_format, "found cell array '{}' twice", printable(name));
  for (const std::size_t c : piece_tets_) {
    for (std::size_t k = 0; k < width; ++k) field.values.push_back(values[c * width + k]);
  }
}

void VtkCells::end_piece() {
  for (const auto& [name, field] : fields_) {
    if (field.values.size() != tets_.size() / 4 * field.width)
      fail_input(code::file_format, "cell array '{}' is missing in this piece", printable(name));
  }
  piece_tets_.clear();
  ++pieces_;
}

MeshFile VtkCells::finish(const std::vector<double>& coordinates) {
  MeshFile file;
  file.volume.vertices = points_of(coordinates);
  file.volume.tets = tets_of(tets_);
  file.triangles = triangles_of(triangles_);
  file.higher_order = higher_order_;
  file.mid_nodes = mid_nodes_;
  file.second_order = second_order_;
  for (auto& [name, field] : fields_) file.volume.cell_fields[name] = std::move(field.values);
  file.volume.regions = regions_of(file.volume.cell_fields, tets_.size() / 4);
  return file;
}

}  // namespace sinew
