#include "sinew/formats/vtu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "sinew/formats/byte_reader.h"
#include "sinew/formats/vtk_cells.h"
#include "sinew/formats/vtk_encoding.h"
#include "sinew/formats/xml.h"

namespace sinew {
namespace {

struct NumberType {
  const char* name;
  int bytes;
  char kind;  // 'i' signed, 'u' unsigned, 'f' floating point
};
constexpr NumberType vtu_types[] = {{"Int8", 1, 'i'},    {"Int16", 2, 'i'},  {"Int32", 4, 'i'},  {"Int64", 8, 'i'},
                                    {"UInt8", 1, 'u'},   {"UInt16", 2, 'u'}, {"UInt32", 4, 'u'}, {"UInt64", 8, 'u'},
                                    {"Float32", 4, 'f'}, {"Float64", 8, 'f'}};

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

class VtuParser {
 public:
  explicit VtuParser(ByteReader& reader) : in_(reader), root_(parse_xml(reader, "AppendedData")) {}

  MeshFile parse() {
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
    return cells_.finish(coordinates_);
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
      fail(element, "found {}='{}', expected an integer from 0 to 2^63 - 1", key, printable(text));
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
    for (const NumberType& type : vtu_types) {
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
    const auto size = static_cast<std::size_t>(type.bytes);
    const std::string bytes = decoded(element, format == "appended", budget_ / sizeof(Out) * size);
    budget_ -= bytes.size() / size * sizeof(Out);
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

  std::string decoded(const XmlElement& element, bool appended, std::size_t largest) {
    VtkBlobOptions options = options_;
    std::string_view text = element.text;
    if (appended) {
      if (!appended_) fail(element, "found format 'appended', but the file has no <AppendedData>; it is truncated");
      const std::string encoding = appended_->attribute("encoding", "raw");
      if (encoding != "raw" && encoding != "base64")
        fail(*appended_, "found encoding '{}', expected raw or base64", printable(encoding));
      options.encoding = encoding == "base64" ? VtkEncoding::base64 : VtkEncoding::raw;
      const std::size_t start = appended_->text.find('_');
      const auto offset = static_cast<std::size_t>(count_attribute(element, "offset"));
      if (start == std::string_view::npos || offset >= appended_->text.size() - start - 1) {
        fail(element, "found offset {}, which is beyond the appended data; the file is truncated", offset);
      }
      text = appended_->text.substr(start + 1 + offset);
    }
    options.largest = largest;
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
    const auto first = static_cast<std::int64_t>(coordinates_.size() / 3);
    if (first + points > std::numeric_limits<Index>::max()) fail(piece, "found more than 2^31 points");
    coordinates_.insert(coordinates_.end(), positions.begin(), positions.end());
    parse_cells(piece, cells, points, static_cast<Index>(first));
    parse_fields(piece, cells);
  }

  // What `work` finds wrong gets the place of the element.
  template <class Work>
  void located(const XmlElement& element, Work&& work) {
    try {
      work();
    } catch (const InputError& error) {
      fail(element, "{}", error.what());
    }
  }

  void parse_cells(const XmlElement& piece, std::int64_t count, std::int64_t points, Index first) {
    const XmlElement& cells = child(piece, "Cells");
    const XmlElement& connectivity_array = array(cells, "connectivity");
    const auto connectivity = values<std::int64_t>(connectivity_array);
    const auto offsets = values<std::int64_t>(array(cells, "offsets"));
    const auto types = values<std::int64_t>(array(cells, "types"));
    if (offsets.size() != static_cast<std::size_t>(count) || types.size() != offsets.size()) {
      fail(cells, "found {} offsets and {} types, expected one for each of {} cells", offsets.size(), types.size(),
           count);
    }
    std::int64_t begin = 0;
    for (std::size_t c = 0; c < offsets.size(); ++c) {
      const std::int64_t end = offsets[c];
      if (end < begin || end > static_cast<std::int64_t>(connectivity.size())) {
        fail(cells, "cell {} has offset {}, expected {} to {}", c, end, begin, connectivity.size());
      }
      const auto ids =
          std::span(connectivity).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
      located(connectivity_array, [&] { cells_.add_cell(c, types[c], ids, points, first); });
      begin = end;
    }
  }

  void parse_fields(const XmlElement& piece, std::int64_t cells) {
    if (const XmlElement* data = piece.child("CellData")) {
      for (const XmlElement& element : data->children) {
        const std::string name = element.attribute("Name");
        if (element.name != "DataArray" || name.empty() || element.attribute("type") == "String") continue;
        add_field(element, name, cells);
      }
    }
    located(piece, [&] { cells_.end_piece(); });
  }

  void add_field(const XmlElement& element, const std::string& name, std::int64_t cells) {
    const std::size_t width = component_count(element);
    const std::vector<double> all = values<double>(element);
    if (all.size() / width != static_cast<std::size_t>(cells) || all.size() % width != 0) {
      fail(element, "found {} values of cell array '{}', expected {} for each of {} cells", all.size(), printable(name),
           width == 1 ? "one" : std::to_string(width), cells);
    }
    located(element, [&] { cells_.add_field(name, width, all); });
  }

  std::size_t component_count(const XmlElement& element) {
    const std::string text = element.attribute("NumberOfComponents", "1");
    if (text.empty() || text == "0") return 1;
    std::int64_t count = 0;
    if (!parse_integer(text, count) || count < 1) {
      fail(element, "found NumberOfComponents='{}', expected an integer from 1 to 2^63 - 1", printable(text));
    }
    return static_cast<std::size_t>(count);
  }

  ByteReader& in_;
  XmlElement root_;
  const XmlElement* appended_ = nullptr;
  VtkBlobOptions options_;
  // Bytes that the values may still take: zlib packs some data a thousandfold and several arrays may name the same
  // data, so that a small file could claim any amount.
  std::size_t budget_ = (std::size_t{1} << 28) + 64 * in_.bytes().size();
  std::vector<double> coordinates_;
  VtkCells cells_;
};

}  // namespace

MeshFile parse_vtu(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  return VtuParser(reader).parse();
}

}  // namespace sinew
