#include "sinew/formats/unv.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/formats/labelled_mesh.h"

namespace sinew {
namespace {

// Elements by their descriptor. Those of second order go around: the corners stand at corner_places.
struct UnvElement {
  int descriptor;
  bool tet;
  int corners, nodes;  // 0 corners: refused
};
constexpr UnvElement unv_elements[] = {
    {41, false, 3, 3},  {42, false, 3, 6},   {44, false, 4, 4},   {45, false, 4, 8},    // plane stress
    {51, false, 3, 3},  {52, false, 3, 6},   {54, false, 4, 4},   {55, false, 4, 8},    // plane strain
    {61, false, 3, 3},  {62, false, 3, 6},   {64, false, 4, 4},   {65, false, 4, 8},    // plate
    {71, false, 4, 4},  {72, false, 3, 6},   {74, false, 3, 3},   {75, false, 4, 8},    // membrane
    {81, false, 3, 3},  {82, false, 3, 6},   {84, false, 4, 4},   {85, false, 4, 8},    // axisymmetric
    {91, false, 3, 3},  {92, false, 3, 6},   {94, false, 4, 4},   {95, false, 4, 8},    // thin shell
    {101, false, 0, 6}, {102, false, 0, 15}, {104, false, 0, 8},  {105, false, 0, 20},  // thick shell
    {111, true, 4, 4},  {118, true, 4, 10},  {112, false, 0, 6},  {113, false, 0, 15},
    {114, false, 0, 0}, {115, false, 0, 8},  {116, false, 0, 20}, {117, false, 0, 0}};

// Corners, then nodes on edges, of the nodes 1, 12, 2, 23, 3, 31, 14, 24, 34, 4 of a parabolic tet.
constexpr int tet_order[] = {0, 2, 4, 9, 1, 3, 5, 6, 7, 8};

// Beams and rods have a line of orientation before their nodes.
bool has_orientation(std::int64_t descriptor) {
  constexpr std::int64_t beams[] = {11, 21, 22, 23, 24, 31, 32};
  return std::ranges::find(beams, descriptor) != std::end(beams);
}

struct UnvGroup {
  int id = 0;
  std::string name;
  std::vector<Index> nodes, elements;
};

class UnvParser {
 public:
  explicit UnvParser(const MeshSource& source) : lines_(source, "include"), mesh_(lines_) {}

  MeshFile parse() {
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) continue;
      if (!at_end()) lines_.fail("found '{}', expected -1 before a dataset", printable(trimmed(lines_.line())));
      if (!lines_.next()) break;
      read_dataset();
    }
    if (!foreign_systems_.empty()) require_global_nodes();
    scale();
    part_.index(lines_);
    mesh_.add(part_);
    add_groups();
    MeshFile file = mesh_.take("nodes (dataset 2411)");
    file.unread = std::move(unread_);
    file.notes = std::move(notes_);
    return file;
  }

 private:
  bool at_end() const { return trimmed(lines_.line()) == "-1"; }

  void read_dataset() {
    const std::string line(lines_.line());
    std::string_view rest = line;
    const std::string number(next_token(rest));
    if (number == "15" || number == "781" || number == "2411") {
      read_nodes(number != "15");
    } else if (number == "780" || number == "2412") {
      read_elements(number == "780");
    } else if (number == "164") {
      read_units();
    } else if (number == "2420") {
      read_systems();
    } else if (number == "2435" || number == "2452" || number == "2467" || number == "2477") {
      read_groups(4);
    } else if (number == "2417" || number == "2429" || number == "2430" || number == "2432") {
      read_groups(2);
    } else {
      if (number != "151") ++unread_["dataset " + printable(number)];  // 151: a header without data
      while (lines_.next() && !at_end()) {
      }
    }
  }

  // ---- values

  // The numbers of the current line.
  std::vector<std::int64_t> integers(std::size_t least, std::string_view what) const {
    std::vector<std::int64_t> values;
    for (std::string_view rest = lines_.line(); !trimmed(rest).empty();) {
      const std::string_view token = next_token(rest);
      std::int64_t value;
      if (!parse_integer(token, value))
        lines_.fail("found '{}', expected {} ({})", printable(token), what, integer_words(token));
      values.push_back(value);
    }
    if (values.size() < least) lines_.fail("found {} numbers, expected {}: {}", values.size(), least, what);
    return values;
  }

  double real(std::string_view& rest, std::string_view what) const {
    const std::string_view token = next_token(rest);
    double value;
    if (!parse_real(token, value)) lines_.fail("found '{}', expected {} (a number)", printable(token), what);
    return value;
  }

  Index label(std::int64_t value, std::string_view what) const {
    if (value < 1 || value > largest_label) lines_.fail("found {} as {}, expected 1 to {}", value, what, largest_label);
    return static_cast<Index>(value);
  }

  // Whether the dataset goes on with the line that begins.
  bool next_record(std::string_view what) {
    lines_.require(what);
    return !at_end();
  }

  // ---- datasets

  void read_nodes(bool two_lines) {
    while (next_record("the end of the nodes")) {
      const LinePlace place = lines_.place();
      std::string_view rest = lines_.line();
      std::int64_t head[4];
      for (std::int64_t& value : head) {
        const std::string_view token = next_token(rest);
        if (!parse_integer(token, value))
          lines_.fail("found '{}', expected the number, systems and color of a node", printable(token));
      }
      if (two_lines) {
        lines_.require("a node's coordinates");
        rest = lines_.line();
      }
      Vec3 x;
      for (double& coordinate : x) coordinate = real(rest, "a node's coordinate");
      part_.add_node(label(head[0], "a node's number"), x, place);
      systems_of_nodes_.push_back(head[1]);
    }
  }

  void read_elements(bool old) {
    while (next_record("the end of the elements")) {
      const LinePlace place = lines_.place();
      const std::vector<std::int64_t> head = integers(old ? 8 : 6, "an element's number, kind, property and material");
      const std::int64_t descriptor = head[1], count = head[old ? 7 : 5], material = head[old ? 5 : 3];
      const auto type = std::ranges::find(unv_elements, descriptor, &UnvElement::descriptor);
      const bool known = type != std::end(unv_elements);
      if (known && type->corners == 0)
        lines_.fail("found a volume element of kind {}, expected tets (111 or 118); mesh the volume with tets",
                    descriptor);
      if (count < 1 || count > 1000) lines_.fail("found {} nodes of an element, expected 1 to 1000", count);
      if (has_orientation(descriptor)) lines_.require("a beam's orientation");
      std::vector<Index> nodes;
      while (nodes.size() < static_cast<std::size_t>(count)) {
        lines_.require("an element's nodes");
        for (const std::int64_t value : integers(1, "an element's nodes"))
          nodes.push_back(known ? label(value, "a node of an element") : 0);
      }
      if (!known) {
        ++unread_[fmt::format("elements of kind {}", descriptor)];
        continue;
      }
      if (count != type->nodes || nodes.size() != static_cast<std::size_t>(count))
        lines_.fail("element {} of kind {} has {} nodes, expected {}", head[0], descriptor,
                    std::max<std::size_t>(nodes.size(), static_cast<std::size_t>(count)), type->nodes);
      LabelledElement element;
      element.place = place;
      element.label = label(head[0], "an element's number");
      element.property = material > 0 && material <= largest_label ? static_cast<Index>(material) : 0;
      element.tet = type->tet;
      element.corners = static_cast<std::uint8_t>(type->corners);
      part_.add_element(element, corners_first(*type, nodes));
    }
  }

  static std::vector<Index> corners_first(const UnvElement& type, const std::vector<Index>& nodes) {
    if (type.nodes == type.corners) return nodes;
    std::vector<Index> ordered;
    if (type.tet) {
      for (const int k : tet_order) ordered.push_back(nodes[static_cast<std::size_t>(k)]);
    } else {
      for (std::size_t k = 0; k < nodes.size(); k += 2) ordered.push_back(nodes[k]);
      for (std::size_t k = 1; k < nodes.size(); k += 2) ordered.push_back(nodes[k]);
    }
    return ordered;
  }

  // Coordinates divided by the factor are in meters.
  void read_units() {
    lines_.require("the units");
    lines_.require("the factors of units");
    std::string_view rest = lines_.line();
    length_ = real(rest, "the factor of lengths");
    if (!(length_ > 0) || !std::isfinite(length_))
      lines_.fail("found {} as the factor of lengths, expected a number above 0", length_);
    while (lines_.next() && !at_end()) {
    }
  }

  void scale() {
    if (length_ == 1) return;
    for (double& x : part_.coordinates) x /= length_;
    notes_.push_back(fmt::format("coordinates were divided by {} to get meters, as dataset 164 says", length_));
  }

  // Numbers of systems that are not the global one: of each, a label, a name and four rows of a matrix.
  void read_systems() {
    lines_.require("the part of coordinate systems");
    if (at_end() || !next_record("the name of a part")) return;
    while (next_record("the end of the coordinate systems")) {
      const std::vector<std::int64_t> head = integers(2, "a system's number and kind");
      lines_.require("the name of a system");
      bool global = head[1] == 0;
      for (int row = 0; row < 4; ++row) {
        lines_.require("the matrix of a system");
        std::string_view rest = lines_.line();
        for (int k = 0; k < 3; ++k) global = (real(rest, "a number of a matrix") == (row == k ? 1 : 0)) && global;
      }
      if (!global) foreign_systems_.insert(head[0]);
    }
  }

  void require_global_nodes() const {
    for (std::size_t v = 0; v < systems_of_nodes_.size(); ++v) {
      if (!foreign_systems_.contains(systems_of_nodes_[v])) continue;
      lines_.fail_at(part_.node_places[v],
                     "found a node in coordinate system {}, expected the global one; export again",
                     systems_of_nodes_[v]);
    }
  }

  // A head of 8 numbers, a name, then `width` numbers for each entity: its kind, its number, and two others.
  void read_groups(std::size_t width) {
    while (next_record("the end of the groups")) {
      const std::vector<std::int64_t> head = integers(8, "a group's number and size");
      UnvGroup group;
      group.id = head[0] > 0 && head[0] < largest_label ? static_cast<int>(head[0]) : 0;
      lines_.require("the name of a group");
      group.name = trimmed(lines_.line());
      for (std::int64_t done = 0; done < head[7];) {
        if (!next_record("the entities of a group"))
          lines_.fail("found {} entities of group {}, but {} were announced", done, head[0], head[7]);
        const std::vector<std::int64_t> values = integers(width, "the kind and number of an entity");
        for (std::size_t k = 0; k + 1 < values.size() && done < head[7]; k += width, ++done) {
          if (values[k] == 7) group.nodes.push_back(label(values[k + 1], "a node of a group"));
          if (values[k] == 8) group.elements.push_back(label(values[k + 1], "an element of a group"));
        }
      }
      groups_.push_back(std::move(group));
    }
  }

  // ---- groups

  std::vector<Index> items(const LabelIndex& index, const std::vector<Index>& labels) const {
    std::vector<Index> found;
    for (const Index label : labels)
      if (const Index item = index.find(label); item >= 0) found.push_back(item);
    return found;
  }

  void add_groups() {
    std::vector<std::pair<int, std::vector<Index>>> of_tets;
    for (const UnvGroup& group : groups_) {
      const std::vector<Index> members = items(part_.element_index, group.elements);
      if (!group.nodes.empty() || group.elements.empty())
        mesh_.add_nodes(group.name, group.id, items(part_.nodes, group.nodes));
      if (group.elements.empty()) continue;
      const int id = mesh_.add_elements(group.name, group.id, members);
      if (std::ranges::any_of(members, [&](Index e) { return mesh_.is_tet(e); })) of_tets.emplace_back(id, members);
    }
    if (of_tets.empty()) return add_material_groups();
    std::vector<Index> materials(part_.elements.size()), region(part_.elements.size(), 0);
    for (std::size_t e = 0; e < materials.size(); ++e) materials[e] = part_.elements[e].property;
    std::vector<char> settled(materials.size(), 0);
    for (const auto& [id, members] : of_tets) {
      for (const Index e : members) {
        const auto at = static_cast<std::size_t>(e);
        if (settled[at]) continue;
        if (region[at] == 0) region[at] = id;
        if (materials[at] == id) region[at] = id, settled[at] = 1;  // as sinew writes it
      }
    }
    for (std::size_t e = 0; e < region.size(); ++e) mesh_.set_region({static_cast<Index>(e)}, region[e]);
  }

  void add_material_groups() {
    std::map<Index, std::vector<Index>> by_material;
    for (std::size_t e = 0; e < part_.elements.size(); ++e) {
      if (part_.elements[e].tet) by_material[part_.elements[e].property].push_back(static_cast<Index>(e));
    }
    for (auto& [material, members] : by_material)
      if (material > 0) mesh_.add_elements("", material, std::move(members));
  }

  IncludedLines lines_;
  MeshAssembly mesh_;
  LabelledPart part_;
  std::vector<std::int64_t> systems_of_nodes_;
  std::set<std::int64_t> foreign_systems_;
  double length_ = 1;
  std::vector<UnvGroup> groups_;
  std::map<std::string, std::int64_t> unread_;
  std::vector<std::string> notes_;
};

}  // namespace

MeshFile parse_unv(const MeshSource& source) {
  return UnvParser(source).parse();
}

}  // namespace sinew
