#include "sinew/formats/write_vtu.h"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>

#include "sinew/formats/mid_nodes.h"
#include "sinew/formats/vtk_cells.h"
#include "sinew/formats/vtk_encoding.h"

namespace sinew {
namespace {

constexpr std::uint8_t vtk_triangle_cell = 5, vtk_tet_cell = 10, vtk_ten_node_tet_cell = 24;

std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    switch (c) {
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '&':
        text += "&amp;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

class VtuDocument {
 public:
  explicit VtuDocument(bool ascii) : ascii_(ascii) {}

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  template <class T>
  void array(std::string_view name, const char* type, std::size_t components, std::span<const T> values) {
    line("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\">", type, escaped(name), components,
         ascii_ ? "ascii" : "binary");
    if (ascii_) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        fmt::format_to(std::back_inserter(text_), "{}{}", +values[i], (i + 1) % components == 0 ? '\n' : ' ');
      }
    } else {
      const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size_bytes());
      text_ += vtk_encode(bytes, {});
      text_ += '\n';
    }
    line("</DataArray>");
  }

  std::string take() { return std::move(text_); }

 private:
  bool ascii_;
  std::string text_;
};

// The regions say the same as this group.
bool is_region(const TetMesh& mesh, const ElementGroup& group) {
  if (group.dim != 3 || !group.name.empty()) return false;
  const auto inside = [&](Index t) { return mesh.regions[static_cast<std::size_t>(t)] == group.id; };
  return std::ranges::all_of(group.tets, inside) &&
         std::ranges::count(mesh.regions, group.id) == static_cast<std::ptrdiff_t>(group.tets.size());
}

void write_cell_data(const TetMesh& mesh, VtuDocument& out, WrittenMesh& written) {
  constexpr const char* region = "region";
  const auto count = static_cast<std::size_t>(mesh.tets.cols());
  const bool in_field = regions_of(mesh.cell_fields, count) == mesh.regions;
  out.line("<CellData>");
  if (!in_field) out.array(region, "Int32", 1, std::span(mesh.regions));
  for (const auto& [name, values] : mesh.cell_fields) {
    if (!in_field && plain_array_name(name) == region) {
      written.dropped.push_back(fmt::format("the cell array {}, whose name means the regions", name));
      continue;
    }
    out.array(name, "Float64", values.size() / count, std::span(values));
  }
  out.line("</CellData>");
}

template <class Elements>
void write_cells(const Elements& elements, std::uint8_t type, VtuDocument& out) {
  constexpr std::size_t corners = Elements::RowsAtCompileTime;
  const auto count = static_cast<std::size_t>(elements.cols());
  std::vector<std::int64_t> offsets(count);
  for (std::size_t c = 0; c < count; ++c) offsets[c] = static_cast<std::int64_t>(corners * (c + 1));
  const std::vector<std::uint8_t> types(count, type);
  out.line("<Cells>");
  out.array("connectivity", "Int32", 1, std::span(elements.data(), corners * count));
  out.array("offsets", "Int64", 1, std::span<const std::int64_t>(offsets));
  out.array("types", "UInt8", 1, std::span<const std::uint8_t>(types));
  out.line("</Cells>");
}

}  // namespace

WrittenMesh vtu_bytes(const MeshFile& mesh, MeshEncoding encoding) {
  const TetMesh& volume = mesh.volume;
  const bool tets = volume.tets.cols() > 0;
  VtuDocument out(encoding == MeshEncoding::ascii);
  WrittenMesh written;
  out.line("<?xml version=\"1.0\"?>");
  out.line("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">",
           std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
  const QuadraticTets quadratic = ten_node_tets(volume);
  Points points = volume.vertices;
  if (quadratic.cols() > 0) {
    points.conservativeResize(3, volume.vertices.cols() + static_cast<Eigen::Index>(volume.mid_nodes.size()));
    for (std::size_t k = 0; k < volume.mid_nodes.size(); ++k)
      points.col(volume.vertices.cols() + static_cast<Eigen::Index>(k)) = volume.mid_nodes[k].position;
  }
  out.line("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>", points.cols(),
           tets ? volume.tets.cols() : mesh.triangles.cols());
  out.array("Points", "Float64", 3, std::span<const double>(points.data(), static_cast<std::size_t>(points.size())));
  out.line("</Points>");
  if (tets) {
    if (quadratic.cols() > 0)
      write_cells(quadratic, vtk_ten_node_tet_cell, out);
    else
      write_cells(volume.tets, vtk_tet_cell, out);
    write_cell_data(volume, out, written);
  } else {
    write_cells(mesh.triangles, vtk_triangle_cell, out);
  }
  out.line("</Piece>\n</UnstructuredGrid>\n</VTKFile>");
  for (const ElementGroup& group : volume.groups) {
    if (!is_region(volume, group)) written.drop(group);
  }
  written.bytes = out.take();
  return written;
}

}  // namespace sinew
