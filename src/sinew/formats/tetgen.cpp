#include "sinew/formats/tetgen.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "sinew/formats/byte_reader.h"

namespace sinew {
namespace {

class TextFile {
 public:
  TextFile(std::string name, std::string bytes) : bytes_(std::move(bytes)), in_(std::move(name), bytes_) {
    in_.set_comment('#');
  }
  ByteReader& reader() { return in_; }

 private:
  std::string bytes_;
  ByteReader in_;
};

class TetgenParser {
 public:
  explicit TetgenParser(const MeshSource& source) : source_(source) {}

  MeshFile parse() {
    TextFile nodes(name_of(".node"), required(".node"));
    parse_nodes(nodes.reader());
    TextFile tets(name_of(".ele"), required(".ele"));
    parse_tets(tets.reader());
    if (std::optional<std::string> bytes = other(".face")) {
      TextFile faces(name_of(".face"), std::move(*bytes));
      parse_faces(faces.reader());
    }
    return std::move(file_);
  }

 private:
  std::filesystem::path path_of(const char* extension) const {
    return std::filesystem::path(source_.name).replace_extension(extension);
  }
  std::string name_of(const char* extension) const { return path_of(extension).string(); }

  std::optional<std::string> other(const char* extension) const {
    if (lower_case(std::filesystem::path(source_.name).extension().string()) == extension)
      return std::string(source_.bytes);
    return source_.other(path_of(extension).filename().string());
  }

  std::string required(const char* extension) const {
    std::optional<std::string> bytes = other(extension);
    if (!bytes) {
      fail_input(code::file_read, "cannot open '{}', which belongs to '{}': no such file; TetGen writes both",
                 name_of(extension), source_.name);
    }
    return std::move(*bytes);
  }

  // A first number of the file; the rest of its line may be left out.
  static std::string_view header(ByteReader& in) {
    in.at_end();
    std::string_view line = in.line();
    return line.substr(0, line.find('#'));
  }

  static std::int64_t header_value(ByteReader& in, std::string_view& rest, std::string_view what,
                                   std::int64_t otherwise, std::int64_t largest) {
    const std::string_view token = next_token(rest);
    if (token.empty()) return otherwise;
    std::int64_t value;
    if (!parse_integer(token, value) || value < 0 || value > largest)
      in.fail("found '{}', expected {} (an integer from 0 to {})", printable(token), what, largest);
    return value;
  }

  static constexpr std::int64_t most = std::numeric_limits<Index>::max();

  void parse_nodes(ByteReader& in) {
    std::string_view rest = header(in);
    nodes_ = header_value(in, rest, "the number of nodes", 0, most);
    const std::int64_t dimension = header_value(in, rest, "the dimension", 3, most);
    if (dimension != 3) in.fail("found nodes of dimension {}, expected 3", dimension);
    const std::int64_t attributes = header_value(in, rest, "the number of attributes", 0, 1000);
    const std::int64_t markers = header_value(in, rest, "the number of markers", 0, 1);
    if (nodes_ == 0)
      in.fail(
          "found 0 nodes, expected 1 or more; sinew does not read nodes from .poly or .smesh files: copy them to this "
          "file");
    in.checked_count(nodes_, 7, "nodes");
    file_.volume.vertices.resize(3, nodes_);
    for (std::int64_t v = 0; v < nodes_; ++v) {
      const std::int64_t number = in.integer("a node's number");
      if (v == 0 && number != 0 && number != 1) in.fail("found {} as the first node's number, expected 0 or 1", number);
      if (v == 0) first_ = number;
      if (number != v + first_) in.fail("found node {}, expected {}: number the nodes in order", number, v + first_);
      for (int k = 0; k < 3; ++k) file_.volume.vertices(k, v) = in.real("a node's coordinate");
      for (std::int64_t k = 0; k < attributes; ++k) in.real("a node's attribute");
      if (markers > 0) in.integer("a node's marker");
    }
    expect_end(in, "nodes", nodes_);
  }

  Index node(ByteReader& in, const char* kind, std::int64_t element) {
    const std::int64_t number = in.integer("a node of an element");
    if (number < first_ || number >= first_ + nodes_)
      in.fail("{} {} names node {}, expected {} to {}", kind, element, number, first_, first_ + nodes_ - 1);
    return static_cast<Index>(number - first_);
  }

  void parse_tets(ByteReader& in) {
    std::string_view rest = header(in);
    const std::int64_t count = header_value(in, rest, "the number of tets", 0, most);
    const std::int64_t corners = header_value(in, rest, "the nodes of a tet", 4, most);
    if (corners != 4 && corners != 10) in.fail("found {} nodes a tet, expected 4 or 10", corners);
    const std::int64_t attributes = header_value(in, rest, "the number of attributes", 0, 1000);
    in.checked_count(count, 9, "tets");
    std::vector<Index> tets;
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(count > 0 ? attributes : 0));
    for (std::int64_t t = 0; t < count; ++t) {
      const std::int64_t number = in.integer("a tet's number");
      SecondOrderTet nodes{};
      for (std::int64_t k = 0; k < corners; ++k) {
        const Index vertex = node(in, "tet", number);
        nodes[k] = vertex;
        if (k < 4)
          tets.push_back(vertex);
        else
          file_.mid_nodes.push_back(vertex);
      }
      if (corners == 10) file_.second_order.push_back(nodes);
      for (std::vector<double>& column : columns) column.push_back(in.real("a tet's attribute"));
    }
    expect_end(in, "tets", count);
    file_.volume.tets = tets_of(tets);
    assign_regions(columns, static_cast<std::size_t>(count));
    if (corners == 10 && count > 0) file_.higher_order["second-order tets"] = count;
  }

  // The first attribute is TetGen's region where it is a whole number; all of them stay as fields.
  void assign_regions(std::vector<std::vector<double>>& columns, std::size_t count) {
    const auto is_id = [](double v) { return std::abs(v) <= most && v == std::floor(v); };
    std::vector<int> regions;
    if (!columns.empty() && std::ranges::all_of(columns[0], is_id))
      regions.assign(columns[0].begin(), columns[0].end());
    file_.volume.groups = tet_groups(regions);
    regions.resize(count, 0);
    file_.volume.regions.assign(regions.begin(), regions.end());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      file_.volume.cell_fields[fmt::format("attribute{}", k + 1)] = std::move(columns[k]);
    }
  }

  // A line holds the number of the face, its nodes (3, or 6 of second-order meshes), a marker where the header says so,
  // and perhaps the tets beside it.
  void parse_faces(ByteReader& in) {
    std::string_view rest = header(in);
    const std::int64_t count = header_value(in, rest, "the number of faces", 0, most);
    const std::int64_t markers = header_value(in, rest, "the number of markers", 0, 1);
    in.checked_count(count, 7, "faces");
    const bool second_order = !file_.higher_order.empty();
    std::vector<Index> triangles;
    std::vector<int> labels;
    for (std::int64_t f = 0; f < count; ++f) {
      const std::int64_t number = in.integer("a face's number");
      for (int k = 0; k < 3; ++k) triangles.push_back(node(in, "face", number));
      std::string_view more = in.line();
      more = more.substr(0, more.find('#'));
      for (int k = 0; second_order && k < 3; ++k) next_token(more);
      std::int64_t marker = 0;
      const std::string_view token = next_token(more);
      if (markers > 0 && (!parse_integer(token, marker) || std::abs(marker) > most))
        in.fail("found '{}', expected the marker of face {} ({})", printable(token), number, integer_words(token));
      labels.push_back(static_cast<int>(marker));
    }
    file_.triangles = triangles_of(triangles);
    if (markers == 0) return;
    std::vector<ElementGroup> groups = triangle_groups(file_.triangles, labels);
    for (ElementGroup& group : file_.volume.groups) groups.push_back(std::move(group));
    file_.volume.groups = std::move(groups);
  }

  static void expect_end(ByteReader& in, const char* kind, std::int64_t count) {
    if (!in.at_end())
      in.fail("found '{}' after the last of {} {}; check the count", printable(in.token()), count, kind);
  }

  const MeshSource& source_;
  std::int64_t nodes_ = 0, first_ = 0;
  MeshFile file_;
};

}  // namespace

MeshFile parse_tetgen(const MeshSource& source) {
  return TetgenParser(source).parse();
}

}  // namespace sinew
