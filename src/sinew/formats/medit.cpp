#include "sinew/formats/medit.h"

#include <cctype>
#include <limits>

#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

enum class Kind { vertices, tets, triangles, quadrilaterals, refused };

struct Section {
  const char* keyword;  // of the text
  int code;             // of the binary layout
  Kind kind;
  int nodes;
  const char* higher_order;  // what is counted where corners alone are kept
};
constexpr Section sections[] = {{"Vertices", 4, Kind::vertices, 0, nullptr},
                                {"Triangles", 6, Kind::triangles, 3, nullptr},
                                {"Quadrilaterals", 7, Kind::quadrilaterals, 4, nullptr},
                                {"Tetrahedra", 8, Kind::tets, 4, nullptr},
                                {"Prisms", 9, Kind::refused, 6, nullptr},
                                {"Hexahedra", 10, Kind::refused, 8, nullptr},
                                {"TrianglesP2", 24, Kind::triangles, 6, "second-order triangles"},
                                {"TetrahedraP2", 30, Kind::tets, 10, "second-order tets"},
                                {"Pyramids", 49, Kind::refused, 5, nullptr}};
constexpr int dimension_code = 3, end_code = 54;

template <class Matches>
const Section* find_section(Matches&& matches) {
  for (const Section& row : sections) {
    if (matches(row)) return &row;
  }
  return nullptr;
}

class MeditParser {
 public:
  explicit MeditParser(ByteReader& reader) : in_(reader) {}

  MeshFile parse() {
    if (is_binary()) {
      parse_binary();
    } else {
      parse_text();
    }
    if (!have_vertices_)
      fail_input(code::file_format, "{}: found no Vertices; the file is truncated or not a mesh", in_.source());
    MeshFile file;
    file.volume.vertices = points_of(coordinates_);
    file.volume.tets = tets_of(tets_);
    file.volume.regions.assign(tet_labels_.begin(), tet_labels_.end());
    file.triangles = triangles_of(triangles_);
    file.volume.groups = triangle_groups(file.triangles, triangle_labels_);
    for (ElementGroup& group : tet_groups(tet_labels_)) file.volume.groups.push_back(std::move(group));
    file.higher_order = higher_order_;
    file.mid_nodes = mid_nodes_;
    file.second_order = second_order_;
    return file;
  }

 private:
  // A binary file begins with the integer 1 in its own byte order.
  bool is_binary() const {
    const std::string_view bytes = in_.bytes();
    using std::string_view_literals::operator""sv;
    return bytes.starts_with("\1\0\0\0"sv) || bytes.starts_with("\0\0\0\1"sv);
  }

  void parse_text() {
    in_.set_comment('#');
    bool have_version = false;
    while (!in_.at_end()) {
      const std::string keyword(in_.token());
      if (!is_keyword(keyword))
        in_.fail("found '{}', expected a keyword such as Vertices or Tetrahedra", printable(keyword));
      if (keyword == "MeshVersionFormatted") {
        in_.integer("the version of the format");
        have_version = true;
      } else if (keyword == "Dimension") {
        check_dimension(in_.integer("the dimension"));
      } else if (keyword == "End") {
        return;
      } else if (!have_version) {
        in_.fail("found '{}', expected MeshVersionFormatted at the start of a Medit file", printable(keyword));
      } else if (const Section* section = find_section([&](const Section& row) { return keyword == row.keyword; })) {
        parse_section(*section, in_.integer("a number of elements"));
      } else {
        skip_section();
      }
    }
  }

  static bool is_keyword(std::string_view token) {
    double number;
    return !token.empty() && std::isalpha(static_cast<unsigned char>(token.front())) && !parse_real(token, number);
  }

  void skip_section() {
    while (!in_.at_end()) {
      const std::size_t before = in_.position();
      if (!is_keyword(in_.token())) continue;
      in_.seek(before);
      return;
    }
  }

  void parse_binary() {
    in_.set_binary(true);
    in_.set_swapped(in_.raw<std::int32_t>("the byte-order mark") != 1);
    version_ = in_.raw<std::int32_t>("the version of the format");
    if (version_ < 1 || version_ > 4) in_.fail("found version {} of the binary format, expected 1 to 4", version_);
    while (in_.remaining() > 0) {
      const auto code = in_.raw<std::int32_t>("a keyword");
      if (code == end_code) return;
      const std::int64_t next = version_ < 3 ? in_.raw<std::int32_t>("the position of the next keyword")
                                             : in_.raw<std::int64_t>("the position of the next keyword");
      if (next != 0 &&
          (next < static_cast<std::int64_t>(in_.position()) || next > static_cast<std::int64_t>(in_.bytes().size()))) {
        in_.fail("found {} as the position of the next keyword, expected {} to {}; the file is truncated or damaged",
                 next, in_.position(), in_.bytes().size());
      }
      if (code == dimension_code) {
        check_dimension(in_.raw<std::int32_t>("the dimension"));
      } else if (const Section* section = find_section([&](const Section& row) { return code == row.code; })) {
        parse_section(*section, integer("a number of elements", version_ > 3));
      }
      if (next == 0) return;
      in_.seek(static_cast<std::size_t>(next));
    }
  }

  void check_dimension(std::int64_t dimension) {
    if (dimension != 3) in_.fail("found dimension {}, expected 3", dimension);
  }

  std::int64_t integer(std::string_view what, bool wide) {
    if (!in_.binary()) return in_.integer(what);
    return wide ? in_.raw<std::int64_t>(what) : in_.raw<std::int32_t>(what);
  }
  std::int64_t integer(std::string_view what) { return integer(what, version_ > 3); }

  double real(std::string_view what) {
    if (!in_.binary()) return in_.real(what);
    return version_ == 1 ? in_.raw<float>(what) : in_.raw<double>(what);
  }

  int reference(std::string_view what) {
    const std::int64_t value = integer(what);
    constexpr std::int64_t largest = std::numeric_limits<int>::max();
    if (value > largest || value < -largest) in_.fail("found reference {}, expected a 32-bit integer", value);
    return static_cast<int>(value);
  }

  void parse_section(const Section& section, std::int64_t count) {
    const std::size_t word = !in_.binary() ? 2 : version_ > 3 ? 8 : 4;
    const std::size_t coordinate = !in_.binary() ? 2 : version_ == 1 ? 4 : 8;
    const bool vertices = section.kind == Kind::vertices;
    const std::size_t least = vertices ? 3 * coordinate + word : word * static_cast<std::size_t>(section.nodes + 1);
    // The last number of a text needs no blank after it.
    in_.checked_count(count, in_.binary() ? least : least - 1, section.keyword);
    if (section.kind == Kind::refused && count > 0)
      in_.fail("found {} {}, expected Tetrahedra; mesh the volume with tets", count, section.keyword);
    if (vertices) return parse_vertices(count);
    if (!have_vertices_ && count > 0) in_.fail("found {} before Vertices, expected it after", section.keyword);
    for (std::int64_t e = 0; e < count; ++e) parse_element(section, e);
    if (section.higher_order && count > 0) higher_order_[section.higher_order] += count;
  }

  void parse_vertices(std::int64_t count) {
    if (have_vertices_) in_.fail("found Vertices twice, expected them once");
    if (count > std::numeric_limits<Index>::max()) in_.fail("found more than 2^31 vertices");
    have_vertices_ = true;
    vertices_ = count;
    coordinates_.reserve(3 * static_cast<std::size_t>(count));
    for (std::int64_t v = 0; v < count; ++v) {
      for (int k = 0; k < 3; ++k) coordinates_.push_back(real("a vertex coordinate"));
      integer("a vertex reference");
    }
  }

  void parse_element(const Section& section, std::int64_t number) {
    Index corners[4] = {};
    SecondOrderTet nodes{};
    const int used = section.kind == Kind::triangles ? 3 : 4;
    for (int k = 0; k < section.nodes; ++k) {
      const std::int64_t vertex = integer("a vertex of an element");
      if (vertex < 1 || vertex > vertices_)
        in_.fail("element {} of {} names vertex {}, expected 1 to {}", number + 1, section.keyword, vertex, vertices_);
      if (k < 10) nodes[k] = static_cast<Index>(vertex - 1);
      if (k < used)
        corners[k] = static_cast<Index>(vertex - 1);
      else
        mid_nodes_.push_back(static_cast<Index>(vertex - 1));
    }
    const int label = reference("the reference of an element");
    if (section.kind == Kind::tets) {
      if (section.nodes == 10) second_order_.push_back(nodes);
      tets_.insert(tets_.end(), corners, corners + 4);
      tet_labels_.push_back(label);
    } else {
      append_fan(corners, static_cast<std::size_t>(used), triangles_);
      triangle_labels_.insert(triangle_labels_.end(), static_cast<std::size_t>(used - 2), label);
    }
  }

  ByteReader& in_;
  int version_ = 2;
  bool have_vertices_ = false;
  std::int64_t vertices_ = 0;
  std::vector<double> coordinates_;
  std::vector<Index> tets_, triangles_;
  std::vector<int> tet_labels_, triangle_labels_;
  std::map<std::string, std::int64_t> higher_order_;
  std::vector<Index> mid_nodes_;
  std::vector<SecondOrderTet> second_order_;
};

}  // namespace

MeshFile parse_medit(const MeshSource& source) {
  ByteReader reader(source.name, source.bytes);
  return MeditParser(reader).parse();
}

}  // namespace sinew
