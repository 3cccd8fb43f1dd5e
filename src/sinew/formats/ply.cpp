#include "sinew/formats/ply.h"

#include <bit>
#include <cmath>
#include <limits>

#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

struct ScalarType {
  const char* name;
  const char* alias;
  int bytes;
  char kind;  // 'i' signed, 'u' unsigned, 'f' floating point
};
constexpr ScalarType scalar_types[] = {
    {"char", "int8", 1, 'i'}, {"uchar", "uint8", 1, 'u'}, {"short", "int16", 2, 'i'},   {"ushort", "uint16", 2, 'u'},
    {"int", "int32", 4, 'i'}, {"uint", "uint32", 4, 'u'}, {"float", "float32", 4, 'f'}, {"double", "float64", 8, 'f'}};

struct Property {
  std::string name;
  const ScalarType* type = nullptr;
  const ScalarType* count_type = nullptr;  // of a list
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};

class PlyParser {
 public:
  explicit PlyParser(ByteReader& reader) : in_(reader) {}

  MeshFile parse() {
    parse_header();
    for (const Element& element : elements_) parse_element(element);
    if (triangles_.empty()) fail_input(code::mesh_empty, "{}: found no faces, expected a surface", in_.source());
    MeshFile file;
    file.volume.vertices = points_of(coordinates_);
    file.triangles = triangles_of(triangles_);
    return file;
  }

 private:
  void parse_header() {
    if (trimmed(in_.line()) != "ply") in_.fail("expected 'ply' on the first line of a PLY file");
    bool format = false;
    for (;;) {
      if (in_.remaining() == 0) in_.fail("the file ends before 'end_header'; it is truncated, copy or export it again");
      std::string_view rest = in_.line();
      const std::string_view word = next_token(rest);
      if (word == "end_header") break;
      if (word == "format") {
        parse_format(next_token(rest));
        format = true;
      } else if (word == "element") {
        Element element;
        element.name = next_token(rest);
        const std::string_view count = next_token(rest);
        if (!parse_integer(count, element.count) || element.count < 0) {
          in_.fail("found element count '{}', expected an integer from 0 to 2^63 - 1", printable(count));
        }
        elements_.push_back(std::move(element));
      } else if (word == "property") {
        parse_property(rest);
      } else if (word != "comment" && word != "obj_info" && !word.empty()) {
        in_.fail("found '{}' in the header, expected format, comment, element, property or end_header",
                 printable(word));
      }
    }
    if (!format) in_.fail("found no 'format' in the header");
    in_.set_binary(binary_);
  }

  void parse_format(std::string_view name) {
    const bool little = name == "binary_little_endian", big = name == "binary_big_endian";
    if (!little && !big && name != "ascii") {
      in_.fail("found format '{}', expected ascii, binary_little_endian or binary_big_endian", printable(name));
    }
    binary_ = little || big;
    in_.set_swapped(binary_ && little == (std::endian::native == std::endian::big));
  }

  void parse_property(std::string_view rest) {
    if (elements_.empty()) in_.fail("found a property before the first element");
    Property property;
    std::string_view word = next_token(rest);
    if (word == "list") {
      property.count_type = &scalar_type(next_token(rest));
      if (property.count_type->kind == 'f')
        in_.fail("found a list counted in '{}', expected an integer type", property.count_type->name);
      word = next_token(rest);
    }
    property.type = &scalar_type(word);
    property.name = next_token(rest);
    elements_.back().properties.push_back(std::move(property));
  }

  const ScalarType& scalar_type(std::string_view name) {
    for (const ScalarType& type : scalar_types) {
      if (name == type.name || name == type.alias) return type;
    }
    in_.fail("found property type '{}', expected char, uchar, short, ushort, int, uint, float or double",
             printable(name));
  }

  double value(const ScalarType& type, std::string_view what) {
    if (!binary_) return in_.real(what);
    switch (type.bytes * 256 + type.kind) {
      case 256 + 'i':
        return in_.raw<std::int8_t>(what);
      case 256 + 'u':
        return in_.raw<std::uint8_t>(what);
      case 512 + 'i':
        return in_.raw<std::int16_t>(what);
      case 512 + 'u':
        return in_.raw<std::uint16_t>(what);
      case 1024 + 'i':
        return in_.raw<std::int32_t>(what);
      case 1024 + 'u':
        return in_.raw<std::uint32_t>(what);
      case 1024 + 'f':
        return in_.raw<float>(what);
      default:
        return in_.raw<double>(what);
    }
  }

  std::size_t list_size(const Property& property) {
    const double count = value(*property.count_type, "a list's length");
    if (!(count >= 0 && count == std::floor(count) && count < 1e9))
      in_.fail("found {} as the length of a list, expected an integer from 0 to 999999999", count);
    return in_.checked_count(static_cast<std::int64_t>(count), binary_ ? property.type->bytes : 2, "list values");
  }

  void parse_element(const Element& element) {
    std::size_t least = 0;
    for (const Property& p : element.properties)
      least += binary_ ? (p.count_type ? p.count_type->bytes : p.type->bytes) : 2;
    // The last token of a file needs no blank after it.
    const std::size_t slack = binary_ || element.count == 0 ? 0 : 1;
    if (least == 0 && element.count > 0) in_.fail("element '{}' has no properties", printable(element.name));
    if (static_cast<std::uint64_t>(element.count) * std::max<std::size_t>(least, 1) > in_.remaining() + slack ||
        element.count > std::numeric_limits<Index>::max()) {
      in_.fail("found a count of {} '{}', but only {} bytes are left in the file; it is truncated or damaged",
               element.count, printable(element.name), in_.remaining());
    }
    if (element.name == "tristrips") in_.fail("found triangle strips, expected faces; export the surface as triangles");
    if (element.name == "vertex") return parse_vertices(element);
    if (element.name == "face") return parse_faces(element);
    for (std::int64_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) skip(property);
    }
  }

  void skip(const Property& property) {
    const std::size_t count = property.count_type ? list_size(property) : 1;
    for (std::size_t k = 0; k < count; ++k) value(*property.type, "a property");
  }

  void parse_vertices(const Element& element) {
    int found = 0;
    std::vector<int> axis;  // of each property, -1 for others
    for (const Property& property : element.properties) {
      const auto at = property.count_type ? std::string_view::npos : std::string_view("xyz").find(property.name);
      axis.push_back(property.name.size() == 1 && at != std::string_view::npos ? static_cast<int>(at) : -1);
      if (axis.back() >= 0) found |= 1 << axis.back();
    }
    if (found != 7) in_.fail("the vertices have no properties x, y and z");
    vertices_ = element.count;
    coordinates_.resize(static_cast<std::size_t>(3 * element.count));
    for (std::int64_t v = 0; v < element.count; ++v) {
      for (std::size_t p = 0; p < axis.size(); ++p) {
        if (axis[p] < 0) {
          skip(element.properties[p]);
        } else {
          coordinates_[3 * v + axis[p]] = value(*element.properties[p].type, "a vertex coordinate");
        }
      }
    }
  }

  void parse_faces(const Element& element) {
    const auto is_indices = [](const Property& p) {
      return p.count_type && (p.name == "vertex_indices" || p.name == "vertex_index");
    };
    bool any = false;
    for (const Property& property : element.properties) any = any || is_indices(property);
    if (!any && element.count > 0) in_.fail("the faces have no list vertex_indices");
    if (vertices_ < 0) in_.fail("found faces before vertices, expected them after");
    for (std::int64_t f = 0; f < element.count; ++f) {
      for (const Property& property : element.properties)
        is_indices(property) ? parse_face(property, f) : skip(property);
    }
  }

  void parse_face(const Property& property, std::int64_t face) {
    const std::size_t count = list_size(property);
    if (count < 3) in_.fail("face {} has {} vertices, expected 3 or more", face, count);
    std::vector<Index> corners;
    for (std::size_t k = 0; k < count; ++k) {
      const double id = value(*property.type, "a vertex of a face");
      if (!(id >= 0 && id < static_cast<double>(vertices_) && id == std::floor(id))) {
        in_.fail("face {} names vertex {}, expected 0 to {}", face, id, vertices_ - 1);
      }
      corners.push_back(static_cast<Index>(id));
    }
    append_fan(corners.data(), corners.size(), triangles_);
  }

  ByteReader& in_;
  bool binary_ = false;
  std::vector<Element> elements_;
  std::int64_t vertices_ = -1;
  std::vector<double> coordinates_;
  std::vector<Index> triangles_;
};

}  // namespace

MeshFile parse_ply(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  return PlyParser(reader).parse();
}

}  // namespace sinew
