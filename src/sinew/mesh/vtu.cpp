#include "sinew/mesh/vtu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sinew/core/log.h"
#include "sinew/mesh/byte_reader.h"
#include "sinew/mesh/surface.h"
#include "sinew/mesh/vtk_encoding.h"
#include "sinew/mesh/xml.h"

namespace sinew {
namespace {

struct NumberType {
  const char* name;
  int bytes;
  char kind;  // 'i' signed, 'u' unsigned, 'f' floating point
};
constexpr NumberType number_types[] = {{"Int8", 1, 'i'},    {"Int16", 2, 'i'},  {"Int32", 4, 'i'},  {"Int64", 8, 'i'},
                                       {"UInt8", 1, 'u'},   {"UInt16", 2, 'u'}, {"UInt32", 4, 'u'}, {"UInt64", 8, 'u'},
                                       {"Float32", 4, 'f'}, {"Float64", 8, 'f'}};

struct CellType {
  int type;
  int corners;  // 4 for tets, 3 for triangles
  bool higher_order;
  const char* name;
};
constexpr CellType simplex_types[] = {
    {10, 4, false, "tets"},     {24, 4, true, "second-order tets"},      {71, 4, true, "Lagrange tets"},
    {5, 3, false, "triangles"}, {22, 3, true, "second-order triangles"}, {69, 3, true, "Lagrange triangles"}};
// Volume cells that a body cannot have.
constexpr CellType refused_types[] = {{11, 0, false, "voxels"},
                                      {12, 0, false, "hexahedra"},
                                      {13, 0, false, "wedges"},
                                      {14, 0, false, "pyramids"},
                                      {15, 0, false, "pentagonal prisms"},
                                      {16, 0, false, "hexagonal prisms"},
                                      {25, 0, false, "second-order hexahedra"},
                                      {26, 0, false, "second-order wedges"},
                                      {27, 0, false, "second-order pyramids"},
                                      {29, 0, false, "second-order hexahedra"},
                                      {42, 0, false, "polyhedra"},
                                      {72, 0, false, "Lagrange hexahedra"},
                                      {73, 0, false, "Lagrange wedges"},
                                      {74, 0, false, "Lagrange pyramids"}};

template <std::size_t N>
const CellType* find_type(const CellType (&table)[N], std::int64_t type) {
  for (const CellType& row : table) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

template <class Out, class In>
void convert(const std::string& bytes, bool swapped, std::vector<Out>& out) {
  out.resize(bytes.size() / sizeof(In));
  for (std::size_t i = 0; i < out.size(); ++i) {
    char buffer[sizeof(In)];
    std::memcpy(buffer, bytes.data() + i * sizeof(In), sizeof(In));
    if (swapped) std::reverse(buffer, buffer + sizeof(In));
    In value;
    std::memcpy(&value, buffer, sizeof(In));
    if constexpr (std::is_integral_v<Out> && std::is_floating_point_v<In>) {
      if (!(std::abs(value) < In(9e18))) value = In(-1);  // no valid id either
    }
    out[i] = static_cast<Out>(value);
  }
}

template <class Out>
void convert(const NumberType& type, const std::string& bytes, bool swapped, std::vector<Out>& out) {
  switch (type.bytes * 256 + type.kind) {
    case 256 + 'i':
      return convert<Out, std::int8_t>(bytes, swapped, out);
    case 2 * 256 + 'i':
      return convert<Out, std::int16_t>(bytes, swapped, out);
    case 4 * 256 + 'i':
      return convert<Out, std::int32_t>(bytes, swapped, out);
    case 8 * 256 + 'i':
      return convert<Out, std::int64_t>(bytes, swapped, out);
    case 256 + 'u':
      return convert<Out, std::uint8_t>(bytes, swapped, out);
    case 2 * 256 + 'u':
      return convert<Out, std::uint16_t>(bytes, swapped, out);
    case 4 * 256 + 'u':
      return convert<Out, std::uint32_t>(bytes, swapped, out);
    case 8 * 256 + 'u':
      return convert<Out, std::uint64_t>(bytes, swapped, out);
    case 4 * 256 + 'f':
      return convert<Out, float>(bytes, swapped, out);
    default:
      return convert<Out, double>(bytes, swapped, out);
  }
}

struct Contents {
  std::vector<double> coordinates;
  std::vector<Index> tets, triangles;
  std::map<std::string, std::vector<double>> fields;  // values of each tet, one or more
};

// Names of the arrays that give regions, without case, blanks, '_', '-' and ':'; the first of them that a file has
// counts.
constexpr std::string_view region_names[] = {"region",      "regions",  "regionid",  "regionids",    "materialid",
                                             "materialids", "material", "materials", "gmshphysical", "cellentityids"};

std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (std::string_view(" _-:").find(c) == std::string_view::npos)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

bool holds_ids(const std::vector<double>& values) {
  return std::ranges::all_of(
      values, [](double v) { return std::abs(v) <= std::numeric_limits<Index>::max() && v == std::floor(v); });
}

// Of arrays of one whole number for each tet; zeros when there is none.
std::vector<Index> regions_of(const Contents& file) {
  const std::size_t tets = file.tets.size() / 4;
  for (const std::string_view wanted : region_names) {
    for (const auto& [name, values] : file.fields) {
      if (plain_name(name) == wanted && values.size() == tets && holds_ids(values)) {
        return std::vector<Index>(values.begin(), values.end());
      }
    }
  }
  return std::vector<Index>(tets, 0);
}

class VtuParser {
 public:
  explicit VtuParser(ByteReader& reader) : in_(reader), root_(parse_xml(reader, "AppendedData")) {}

  Contents parse() {
    if (root_.name != "VTKFile") fail(root_, "found <{}>, expected <VTKFile>", printable(root_.name));
    const std::string kind = root_.attribute("type");
    if (kind != "UnstructuredGrid") {
      fail(root_,
           "found VTK data of type '{}', expected 'UnstructuredGrid'; save the body as an unstructured grid of tets",
           printable(kind));
    }
    options_.swapped =
        (root_.attribute("byte_order", "LittleEndian") == "BigEndian") == (std::endian::native == std::endian::little);
    options_.header_64 = root_.attribute("header_type", "UInt32") == "UInt64";
    const std::string compressor = root_.attribute("compressor");
    options_.compressed = !compressor.empty();
    if (options_.compressed && compressor != "vtkZLibDataCompressor") {
      fail(root_,
           "found compressor '{}', expected vtkZLibDataCompressor or none; save again with zlib or no compression",
           printable(compressor));
    }
    const XmlElement* grid = root_.child("UnstructuredGrid");
    if (!grid) fail(root_, "found no <UnstructuredGrid>");
    appended_ = root_.child("AppendedData");
    for (const XmlElement& piece : grid->children) {
      if (piece.name == "Piece") parse_piece(piece);
    }
    if (higher_order_) {
      log::warning(
          "{}: {} higher-order cells were read by their corners only; export the mesh with order 1 to silence this",
          in_.source(), higher_order_);
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(const XmlElement& element, fmt::format_string<Args...> format, Args&&... args) {
    in_.seek(element.position);
    in_.fail(format, std::forward<Args>(args)...);
  }

  std::int64_t count_attribute(const XmlElement& element, std::string_view key) {
    const std::string text = element.attribute(key);
    std::int64_t value;
    if (!parse_integer(text, value) || value < 0) {
      fail(element, "found {}='{}', expected an integer of 0 or more", key, printable(text));
    }
    return value;
  }

  const XmlElement& child(const XmlElement& element, std::string_view name) {
    const XmlElement* found = element.child(name);
    if (!found) fail(element, "found no <{}> in <{}>", name, element.name);
    return *found;
  }

  const XmlElement& array(const XmlElement& element, std::string_view name) {
    for (const XmlElement& candidate : element.children) {
      if (candidate.name == "DataArray" && candidate.attribute("Name") == name) return candidate;
    }
    fail(element, "found no DataArray '{}' in <{}>", name, element.name);
  }

  const NumberType& number_type(const XmlElement& element) {
    const std::string name = element.attribute("type");
    for (const NumberType& type : number_types) {
      if (name == type.name) return type;
    }
    fail(element, "found a DataArray of type '{}', expected Int8 to UInt64, Float32 or Float64", printable(name));
  }

  template <class Out>
  std::vector<Out> values(const XmlElement& element) {
    const NumberType& type = number_type(element);
    const std::string format = element.attribute("format", "ascii");
    if (format == "ascii") return ascii_values<Out>(element);
    if (format != "binary" && format != "appended") {
      fail(element, "found format '{}', expected ascii, binary or appended", printable(format));
    }
    const std::string bytes = decoded(element, format == "appended");
    if (bytes.size() % type.bytes)
      fail(element, "found {} bytes of {}, which is no whole number of values", bytes.size(), type.name);
    std::vector<Out> out;
    convert(type, bytes, options_.swapped, out);
    return out;
  }

  template <class Out>
  std::vector<Out> ascii_values(const XmlElement& element) {
    std::vector<Out> out;
    std::string_view rest = element.text;
    for (std::string_view token = next_token(rest); !token.empty(); token = next_token(rest)) {
      double real;
      std::int64_t integer;
      if (std::is_integral_v<Out> ? !parse_integer(token, integer) : !parse_real(token, real)) {
        in_.seek(static_cast<std::size_t>(token.data() - in_.bytes().data()));
        in_.fail("found '{}' in DataArray '{}', expected a number", printable(token),
                 printable(element.attribute("Name")));
      }
      if constexpr (std::is_integral_v<Out>) {
        out.push_back(static_cast<Out>(integer));
      } else {
        out.push_back(real);
      }
    }
    return out;
  }

  std::string decoded(const XmlElement& element, bool appended) {
    VtkBlobOptions options = options_;
    std::string_view text = element.text;
    if (appended) {
      if (!appended_) fail(element, "found format 'appended', but the file has no <AppendedData>; it is truncated");
      options.encoding = appended_->attribute("encoding", "raw") == "base64" ? VtkEncoding::base64 : VtkEncoding::raw;
      const std::size_t start = appended_->text.find('_');
      const auto offset = static_cast<std::size_t>(count_attribute(element, "offset"));
      if (start == std::string_view::npos || offset >= appended_->text.size() - start - 1) {
        fail(element, "found offset {}, which is behind the appended data; the file is truncated", offset);
      }
      text = appended_->text.substr(start + 1 + offset);
    }
    try {
      return vtk_decode(text, options);
    } catch (const InputError& error) {
      fail(element, "in DataArray '{}': {}", printable(element.attribute("Name")), error.what());
    }
  }

  void parse_piece(const XmlElement& piece) {
    const std::int64_t points = count_attribute(piece, "NumberOfPoints");
    const std::int64_t cells = count_attribute(piece, "NumberOfCells");
    if (points == 0 && cells == 0) return;
    const XmlElement& position_array = child(child(piece, "Points"), "DataArray");
    const std::vector<double> positions = values<double>(position_array);
    if (points < 0 || positions.size() / 3 != static_cast<std::size_t>(points) || positions.size() % 3) {
      fail(position_array, "found {} coordinates, expected 3 for each of {} points", positions.size(), points);
    }
    const auto first = static_cast<std::int64_t>(out_.coordinates.size() / 3);
    if (first + points > std::numeric_limits<Index>::max()) fail(piece, "found more than 2^31 points");
    out_.coordinates.insert(out_.coordinates.end(), positions.begin(), positions.end());
    parse_fields(piece, cells, parse_cells(piece, cells, points, static_cast<Index>(first)));
  }

  // Returns the cells that are tets.
  std::vector<std::size_t> parse_cells(const XmlElement& piece, std::int64_t count, std::int64_t points, Index first) {
    const XmlElement& cells = child(piece, "Cells");
    const XmlElement& connectivity_array = array(cells, "connectivity");
    const auto connectivity = values<std::int64_t>(connectivity_array);
    const auto offsets = values<std::int64_t>(array(cells, "offsets"));
    const auto types = values<std::int64_t>(array(cells, "types"));
    if (offsets.size() != static_cast<std::size_t>(count) || types.size() != offsets.size()) {
      fail(cells, "found {} offsets and {} types, expected one for each of {} cells", offsets.size(), types.size(),
           count);
    }
    std::vector<std::size_t> tets;
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < offsets.size(); ++c) {
      const std::int64_t end = offsets[c];
      if (end < begin || end > static_cast<std::int64_t>(connectivity.size())) {
        fail(cells, "cell {} has offset {}, expected {} to {}", c, end, begin, connectivity.size());
      }
      const CellType* refused = find_type(refused_types, types[c]);
      if (refused) {
        fail(cells,
             "found {} (cell type {}), expected tets (cell type 10); convert the volume to tets, in ParaView with the "
             "filter Tetrahedralize",
             refused->name, types[c]);
      }
      if (const CellType* type = find_type(simplex_types, types[c])) {
        if (end - begin < type->corners)
          fail(cells, "cell {} has {} points, expected {}", c, end - begin, type->corners);
        higher_order_ += type->higher_order;
        auto& corners = type->corners == 4 ? out_.tets : out_.triangles;
        for (std::int64_t k = begin; k < begin + type->corners; ++k) {
          if (connectivity[k] < 0 || connectivity[k] >= points) {
            fail(connectivity_array, "cell {} names point {}, expected 0 to {}", c, connectivity[k], points - 1);
          }
          corners.push_back(first + static_cast<Index>(connectivity[k]));
        }
        if (type->corners == 4) tets.push_back(c);
      }
      begin = end;
    }
    return tets;
  }

  void parse_fields(const XmlElement& piece, std::int64_t cells, const std::vector<std::size_t>& tets) {
    const XmlElement* data = piece.child("CellData");
    const std::size_t before = out_.tets.size() / 4 - tets.size();
    if (data) {
      for (const XmlElement& element : data->children) {
        const std::string name = element.attribute("Name");
        if (element.name != "DataArray" || name.empty() || element.attribute("type") == "String") continue;
        add_field(element, name, cells, before, tets);
      }
    }
    for (const auto& [name, field] : out_.fields) {
      if (field.size() != (before + tets.size()) * components_[name])
        fail(piece, "cell array '{}' is missing in this piece", printable(name));
    }
  }

  // The values of the tets among the cells, after those of `before` tets of earlier pieces.
  void add_field(const XmlElement& element, const std::string& name, std::int64_t cells, std::size_t before,
                 const std::vector<std::size_t>& tets) {
    const std::size_t width = component_count(element);
    const std::vector<double> all = values<double>(element);
    if (all.size() / width != static_cast<std::size_t>(cells) || all.size() % width != 0) {
      fail(element, "found {} values of cell array '{}', expected {} for each of {} cells", all.size(), printable(name),
           width == 1 ? "one" : std::to_string(width), cells);
    }
    const auto [known, added] = components_.emplace(name, width);
    if (known->second != width) {
      fail(element, "found {} components of cell array '{}', expected {} as in the piece before", width,
           printable(name), known->second);
    }
    std::vector<double>& field = out_.fields[name];
    if (field.size() != before * width) {
      fail(element, "cell array '{}' is missing in an earlier piece", printable(name));
    }
    for (const std::size_t c : tets) {
      for (std::size_t k = 0; k < width; ++k) field.push_back(all[c * width + k]);
    }
  }

  std::size_t component_count(const XmlElement& element) {
    const std::string text = element.attribute("NumberOfComponents", "1");
    if (text.empty() || text == "0") return 1;
    std::int64_t count = 0;
    if (!parse_integer(text, count) || count < 1) {
      fail(element, "found NumberOfComponents='{}', expected an integer of 1 or more", printable(text));
    }
    return static_cast<std::size_t>(count);
  }

  ByteReader& in_;
  XmlElement root_;
  const XmlElement* appended_ = nullptr;
  VtkBlobOptions options_;
  Contents out_;
  std::map<std::string, std::size_t> components_;  // by field
  std::int64_t higher_order_ = 0;
};

template <class Elements>
Elements elements_of(const std::vector<Index>& corners) {
  constexpr int rows = Elements::RowsAtCompileTime;
  return Eigen::Map<const Elements>(corners.data(), rows, static_cast<Eigen::Index>(corners.size() / rows));
}

Points points_of(const Contents& file) {
  return Eigen::Map<const Points>(file.coordinates.data(), 3, static_cast<Eigen::Index>(file.coordinates.size() / 3));
}

}  // namespace

TetMesh read_vtu(const std::string& path) {
  ByteReader reader(path);
  Contents file = VtuParser(reader).parse();
  if (file.tets.empty()) {
    if (file.triangles.empty()) fail_input("{}: found no tets among the cells, expected a volume mesh", path);
    fail_input(
        "{}: found {} triangles and no tets: this is a surface, but a body needs tets; fill it first (with sinew-mesh, "
        "Gmsh or TetGen), or use it as an obstacle",
        path, file.triangles.size() / 3);
  }
  TetMesh mesh;
  mesh.vertices = points_of(file);
  mesh.tets = elements_of<Tets>(file.tets);
  mesh.regions = regions_of(file);
  mesh.cell_fields = std::move(file.fields);
  return mesh;
}

TriMesh read_vtu_surface(const std::string& path) {
  ByteReader reader(path);
  const Contents file = VtuParser(reader).parse();
  if (!file.tets.empty()) return compacted(points_of(file), boundary_triangles(elements_of<Tets>(file.tets)));
  if (file.triangles.empty()) fail_input("{}: found neither triangles nor tets among the cells", path);
  return compacted(points_of(file), elements_of<Triangles>(file.triangles));
}

}  // namespace sinew
