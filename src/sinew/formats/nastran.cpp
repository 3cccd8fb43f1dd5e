#include "sinew/formats/nastran.h"

#include <algorithm>

#include "sinew/formats/labelled_mesh.h"
#include "sinew/formats/nastran_cards.h"
#include "sinew/formats/nastran_systems.h"

namespace sinew {
namespace {

struct NastranElement {
  std::string_view card;
  bool tet;
  int corners;
  int nodes;  // at most
};
constexpr NastranElement element_cards[] = {
    {"CTETRA", true, 4, 10}, {"CTRIA3", false, 3, 3}, {"CTRIAR", false, 3, 3}, {"CTRIA6", false, 3, 6},
    {"CQUAD4", false, 4, 4}, {"CQUADR", false, 4, 4}, {"CQUAD8", false, 4, 8},
};
constexpr std::string_view refused_cards[] = {"CHEXA", "CPENTA", "CPYRAM", "CPYRA", "CHEX8", "CHEX20"};

// A set of nodes or elements, before the mesh is known.
struct NastranSet {
  Index id = 0;
  bool of_nodes = true;
  std::vector<Index> labels;
  std::vector<std::pair<Index, Index>> ranges;
};

// Names by kind ("PROP", "MAT", "SET") and number, from comments of preprocessors.
class NastranNames {
 public:
  void read(std::string_view comment) {
    std::string_view rest = comment;
    const std::string_view mark = next_token(rest);
    if (mark == "$HMNAME") return read_hypermesh(rest);
    if (mark == "$HMSET") return read_set(rest);
    if (comment.starts_with("$ANSA_NAME_COMMENT;")) read_ansa(comment.substr(19));
  }

  // The name of a property, material or set; empty if there is none.
  std::string find(const std::string& kind, Index id) const {
    const auto at = names_.find({kind, id});
    return at == names_.end() ? "" : at->second;
  }
  // Whether a comment says that a set holds elements, which SET1 does not tell.
  bool is_element_set(Index id) const { return element_sets_.contains(id); }

 private:
  void keep(const std::string& kind, std::string_view number, std::string_view name) {
    std::int64_t id;
    if (!parse_integer(trimmed(number), id) || id < 1 || id > largest_label || name.empty()) return;
    names_[{kind, static_cast<Index>(id)}] = name;
  }

  // $HMNAME PROP                   1"solid" 4
  void read_hypermesh(std::string_view rest) {
    const std::string kind(next_token(rest));
    const std::size_t begin = rest.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : rest.find('"', begin + 1);
    if (end == std::string_view::npos) return;
    keep(kind, rest.substr(0, begin), rest.substr(begin + 1, end - begin - 1));
  }

  // $HMSET         1         2 "elements"
  void read_set(std::string_view rest) {
    const std::string_view number = next_token(rest), type = next_token(rest);
    const std::size_t begin = rest.find('"');
    const std::size_t end = begin == std::string_view::npos ? begin : rest.find('"', begin + 1);
    if (end == std::string_view::npos) return;
    keep("SET", number, rest.substr(begin + 1, end - begin - 1));
    std::int64_t id;
    if (type == "2" && parse_integer(number, id)) element_sets_[static_cast<Index>(id)] = true;
  }

  // $ANSA_NAME_COMMENT;1;PSOLID;solid;
  void read_ansa(std::string_view rest) {
    std::string_view part[3];
    for (std::string_view& text : part) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      text = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const bool material = part[1].starts_with("MAT");
    keep(material ? "MAT" : part[1].starts_with("P") ? "PROP" : "SET", part[0], part[2]);
  }

  std::map<std::pair<std::string, Index>, std::string> names_;
  std::map<Index, bool> element_sets_;
};

class NastranParser {
 public:
  explicit NastranParser(const MeshSource& source)
      : cards_(source, [this](std::string_view comment) { names_.read(comment); }), mesh_(cards_.source()) {}

  MeshFile parse() {
    while (cards_.next()) {
      if (!read_card()) ++unread_[cards_.card().name];
    }
    for (std::size_t v = 0; v < part_.node_labels.size(); ++v) {
      Eigen::Map<Vec3> x(part_.coordinates.data() + 3 * v);
      const Index system = systems_of_nodes_[v] < 0 ? default_system_ : systems_of_nodes_[v];
      x = systems_.to_basic(cards_.source(), system, Vec3(x), part_.node_places[v]);
    }
    part_.index(cards_.source());
    mesh_.add(part_);
    add_property_groups();
    for (const NastranSet& set : sets_) add_set(set);
    MeshFile file = mesh_.take("GRID cards");
    file.materials = materials();
    file.unread = std::move(unread_);
    return file;
  }

 private:
  // False if the card is not one that sinew knows.
  bool read_card() {
    const std::string& name = cards_.card().name;
    const auto element = std::ranges::find(element_cards, name, &NastranElement::card);
    if (name == "GRID") {
      read_grid();
    } else if (element != std::end(element_cards)) {
      read_element(*element);
    } else if (std::ranges::find(refused_cards, name) != std::end(refused_cards)) {
      cards_.fail("found a {} card, expected CTETRA; mesh the volume with tets", name);
    } else if (name == "GRDSET") {
      if (!cards_.field(1).empty()) default_system_ = label(1, "a coordinate system");
    } else if (name == "PSOLID") {
      const bool given = !cards_.field(1).empty();
      material_of_[label(0, "a property's number")] = given ? label(1, "a material's number") : 0;
    } else if (name == "MAT1") {
      read_material();
    } else if (name == "SET1" || name == "SET3" || name == "SET") {
      return read_set(name);
    } else {
      return systems_.read(cards_);
    }
    return true;
  }

  Index label(std::size_t field, std::string_view what) const {
    return static_cast<Index>(cards_.integer(field, what, 1, largest_label));
  }

  void read_grid() {
    Vec3 x;
    for (std::size_t k = 0; k < 3; ++k) x[static_cast<Eigen::Index>(k)] = cards_.real(2 + k, "a coordinate", 0);
    part_.add_node(label(0, "a node's number"), x, cards_.card().place);
    systems_of_nodes_.push_back(
        cards_.field(1).empty() ? -1 : static_cast<Index>(cards_.integer(1, "a coordinate system", 0, largest_label)));
  }

  // Nodes on edges may be left out.
  void read_element(const NastranElement& type) {
    LabelledElement element;
    element.place = cards_.card().place;
    element.label = label(0, "an element's number");
    element.property = cards_.field(1).empty() ? element.label : label(1, "a property's number");
    element.tet = type.tet;
    element.corners = static_cast<std::uint8_t>(type.corners);
    std::vector<Index> nodes;
    for (std::size_t k = 0; k < static_cast<std::size_t>(type.corners); ++k)
      nodes.push_back(label(2 + k, "a node of an element"));
    bool mid = false;
    for (std::size_t k = nodes.size(); k < static_cast<std::size_t>(type.nodes); ++k) {
      const bool given = !cards_.field(2 + k).empty();
      nodes.push_back(given ? static_cast<Index>(cards_.integer(2 + k, "a node of an element", 0, largest_label)) : 0);
      mid = mid || nodes.back() != 0;
    }
    if (!mid) nodes.resize(element.corners);
    part_.add_element(element, nodes);
  }

  // ---- materials

  // MAT1, number, E, G, nu, rho: two of E, G and nu, of which G = E / (2 (1 + nu)) gives the third.
  void read_material() {
    const Index id = label(0, "a material's number");
    double young = cards_.real(1, "Young's modulus", 0), shear = cards_.real(2, "the shear modulus", 0);
    double poisson = cards_.real(3, "Poisson's ratio", 0);
    const double density = cards_.real(4, "the density", 0);
    if (young == 0) young = 2 * (1 + poisson) * shear;
    if (cards_.field(3).empty() && shear > 0) poisson = young / (2 * shear) - 1;
    FileMaterial material{"", "MAT1", {young, poisson}, {}};
    material.names = {"Young's modulus", "Poisson's ratio"};
    material.scene = fmt::format("{{\"model\": \"neo_hookean\", \"young\": {}, \"poisson\": {}", young, poisson);
    if (density > 0) {
      material.parameters.push_back(density);
      material.names.emplace_back("density");
      material.scene += fmt::format(", \"density\": {}", density);
    }
    material.scene += "}";
    materials_[id] = std::move(material);
  }

  std::vector<FileMaterial> materials() {
    for (const auto& [property, id] : material_of_) {
      const auto material = materials_.find(id);
      if (material == materials_.end()) continue;
      const std::string name = property_name(property);
      material->second.groups.push_back(name.empty() ? std::to_string(property) : name);
    }
    std::vector<FileMaterial> list;
    for (auto& [id, material] : materials_) {
      const std::string name = names_.find("MAT", id);
      material.name = name.empty() ? std::to_string(id) : name;
      list.push_back(std::move(material));
    }
    return list;
  }

  // ---- groups

  std::string property_name(Index id) const {
    const std::string name = names_.find("PROP", id);
    return name.empty() ? names_.find("COMP", id) : name;
  }

  void add_property_groups() {
    std::map<std::pair<bool, Index>, std::vector<Index>> elements;
    for (std::size_t e = 0; e < part_.elements.size(); ++e)
      elements[{part_.elements[e].tet, part_.elements[e].property}].push_back(static_cast<Index>(e));
    for (auto& [key, list] : elements) mesh_.add_elements(property_name(key.second), key.second, std::move(list));
  }

  // SET1,number,labels; SET3,number,GRID or ELEM,labels; SET,number,GRID or ELEM,LIST,labels.
  bool read_set(const std::string& card) {
    NastranSet set;
    set.id = label(0, "a set's number");
    std::size_t k = 1;
    if (card == "SET1") {
      set.of_nodes = !names_.is_element_set(set.id);
    } else {
      const std::string_view kind = cards_.field(k++);
      set.of_nodes = kind == "GRID" || kind == "POINT";
      if (!set.of_nodes && !kind.starts_with("ELEM")) return false;
      if (card == "SET" && cards_.field(k++) != "LIST") return false;
      while (card == "SET" && k < 8) ++k;  // the list begins in the next line
    }
    for (; k < cards_.card().fields.size(); ++k) {
      const std::string_view field = cards_.field(k);
      if (field.empty() || field == "SKIN") continue;
      if (field == "THRU" && !set.labels.empty()) {
        set.ranges.emplace_back(set.labels.back(), label(++k, "the end of a range"));
      } else {
        set.labels.push_back(label(k, "a member of a set"));
      }
    }
    sets_.push_back(std::move(set));
    return true;
  }

  void add_set(const NastranSet& set) {
    const LabelIndex& index = set.of_nodes ? part_.nodes : part_.element_index;
    std::vector<Index> items;
    for (const Index label : set.labels)
      if (const Index item = index.find(label); item >= 0) items.push_back(item);
    for (const auto& [first, last] : set.ranges) {
      const std::size_t before = items.size();
      index.for_range(first, last, 1, [&](Index item) { items.push_back(item); });
      mesh_.charge(items.size() - before + 16);
    }
    const std::string name = names_.find("SET", set.id);
    if (set.of_nodes)
      mesh_.add_nodes(name, set.id, std::move(items));
    else
      mesh_.add_elements(name, set.id, std::move(items));
  }

  NastranNames names_;
  NastranCards cards_;
  LabelledPart part_;
  MeshAssembly mesh_;
  NastranSystems systems_;
  std::vector<Index> systems_of_nodes_;  // -1: the default
  Index default_system_ = 0;
  std::map<Index, Index> material_of_;  // of each property
  std::map<Index, FileMaterial> materials_;
  std::vector<NastranSet> sets_;
  std::map<std::string, std::int64_t> unread_;
};

}  // namespace

MeshFile parse_nastran(const MeshSource& source) {
  return NastranParser(source).parse();
}

}  // namespace sinew
