#include "sinew/formats/abaqus_deck.h"

#include <algorithm>

#include "sinew/formats/abaqus_elements.h"
#include "sinew/formats/abaqus_materials.h"

namespace sinew {
namespace {

using Fields = std::vector<std::string_view>;

bool is_number(std::string_view field) {
  return !field.empty() && field.find_first_not_of("+-0123456789") == std::string_view::npos;
}

class DeckParser {
 public:
  explicit DeckParser(AbaqusLines& lines) : lines_(lines) {}

  AbaqusDeck parse() {
    AbaqusKeyword keyword;
    while (lines_.next_keyword(keyword)) {
      keyword_ = &keyword;
      if (material_ && material_->read(keyword, lines_)) continue;
      if (!read_keyword(keyword)) ++deck_.unread["*" + printable(keyword.name)];
    }
    end_material();
    return std::move(deck_);
  }

 private:
  using Reader = void (DeckParser::*)();
  struct Row {
    const char* name;
    Reader read;
  };

  // False for keywords that sinew does not know.
  bool read_keyword(const AbaqusKeyword& keyword) {
    static constexpr Row rows[] = {
        {"NODE", &DeckParser::read_nodes},         {"ELEMENT", &DeckParser::read_elements},
        {"NSET", &DeckParser::read_node_set},      {"ELSET", &DeckParser::read_element_set},
        {"SURFACE", &DeckParser::read_surface},    {"SOLID SECTION", &DeckParser::read_section},
        {"MATERIAL", &DeckParser::begin_material}, {"PART", &DeckParser::begin_part},
        {"END PART", &DeckParser::leave},          {"INSTANCE", &DeckParser::begin_instance},
        {"END INSTANCE", &DeckParser::leave},      {"ASSEMBLY", &DeckParser::leave},
        {"END ASSEMBLY", &DeckParser::leave},      {"END STEP", &DeckParser::nothing},
        {"HEADING", &DeckParser::nothing},         {"PREPRINT", &DeckParser::nothing}};
    // These make nodes and elements or move them, so the mesh would be wrong without them.
    static constexpr const char* refused[] = {"SYSTEM", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY"};
    for (const char* name : refused) {
      if (keyword.is(name))
        lines_.fail("found *{}, expected nodes and elements one by one; export the mesh as an orphan mesh", name);
    }
    const auto row = std::ranges::find_if(rows, [&](const Row& r) { return keyword.is(r.name); });
    if (row == std::end(rows)) return false;
    (this->*row->read)();
    return true;
  }

  void nothing() {}

  // ---- nodes and elements

  Index label(std::string_view field, std::string_view what) const {
    return static_cast<Index>(lines_.integer(field, what, 1, largest_label));
  }

  void read_nodes() {
    const std::string system = keyword_->value("SYSTEM");
    if (!system.empty() && abaqus_key(system) != "R")
      lines_.fail("found nodes with SYSTEM={}, expected rectangular coordinates", printable(system));
    AbaqusSet* set = own_set(scope_->node_sets, "NSET");
    for (Fields fields; lines_.next_data(fields);) {
      if (fields.size() > 7) lines_.fail("found {} numbers of a node, expected 4: number, x, y, z", fields.size());
      const Index number = label(fields.empty() ? "" : fields[0], "a node's number");
      Vec3 x = Vec3::Zero();  // coordinates that are left out are 0
      for (std::size_t k = 1; k < std::min<std::size_t>(fields.size(), 4); ++k)
        if (!fields[k].empty()) x[static_cast<Eigen::Index>(k - 1)] = lines_.real(fields[k], "a node's coordinate");
      scope_->mesh.add_node(number, x, lines_.place());
      if (set) set->members.back().labels.push_back(number);
    }
  }

  void read_elements() {
    const std::string type = abaqus_key(keyword_->value("TYPE"));
    if (type.empty()) lines_.fail("found *ELEMENT without TYPE, expected one such as TYPE=C3D4");
    const AbaqusElementType* row = abaqus_element_type(type);
    if (!row) return skip_elements(type);
    if (row->use == AbaqusElementType::Use::refused)
      lines_.fail("found elements of type {}, expected C3D4 or C3D10; mesh the volume with tets", printable(type));
    AbaqusSet* set = own_set(scope_->element_sets, "ELSET");
    const auto property =
        static_cast<Index>(set ? 1 + scope_->element_sets.numbers.at(abaqus_key(set->name)) : std::size_t{0});
    std::vector<Index> nodes;
    for (Fields fields; lines_.next_data(fields);) {
      LabelledElement element;
      element.place = lines_.place();
      element.label = label(fields.empty() ? "" : fields[0], "an element's number");
      element.property = property;
      element.tet = row->use == AbaqusElementType::Use::tet;
      element.corners = static_cast<std::uint8_t>(row->corners);
      read_element_nodes(*row, element.label, fields, nodes);
      scope_->mesh.add_element(element, nodes);
      if (set) set->members.back().labels.push_back(element.label);
    }
  }

  void read_element_nodes(const AbaqusElementType& type, Index number, Fields& fields, std::vector<Index>& nodes) {
    nodes.clear();
    for (std::size_t k = 1;; k = 0) {
      for (; k < fields.size(); ++k) nodes.push_back(label(fields[k], "a node of an element"));
      const auto found = static_cast<int>(nodes.size());
      if (found == type.nodes) return;
      if (found > type.nodes || !lines_.continued() || !lines_.next_data(fields))
        lines_.fail("element {} has {} nodes, expected {}", number, found, type.nodes);
    }
  }

  void skip_elements(const std::string& type) {
    std::int64_t count = 0;
    bool begins = true;
    for (Fields fields; lines_.next_data(fields); begins = !lines_.continued()) count += begins ? 1 : 0;
    deck_.unread["elements of type " + printable(type)] += std::max<std::int64_t>(count, 1);
  }

  // ---- sets

  // The set that the current keyword names as the one of its nodes or elements, with new members; null if it does not.
  AbaqusSet* own_set(AbaqusSets& sets, const char* parameter) {
    const std::string name = keyword_->value(parameter);
    return name.empty() ? nullptr : &extend(sets, name);
  }

  AbaqusSet& extend(AbaqusSets& sets, const std::string& name) {
    AbaqusSet& set = sets.get(name);
    if (keyword_->id > 0) set.id = keyword_->id;
    set.unnamed = set.unnamed || keyword_->unnamed;
    set.internal = set.internal || keyword_->has("INTERNAL");
    set.members.emplace_back();
    set.members.back().place = lines_.place();
    return set;
  }

  void read_node_set() {
    const std::string of = keyword_->value("ELSET");
    read_set(scope_->node_sets, "NSET");
    if (!of.empty()) current_members_->nodes_of = of;
  }
  void read_element_set() { read_set(scope_->element_sets, "ELSET"); }

  void read_set(AbaqusSets& sets, const char* parameter) {
    const std::string name = keyword_->value(parameter);
    if (name.empty()) lines_.fail("found *{0} without a name, expected {0}=NAME", parameter);
    const std::string instance = keyword_->value("INSTANCE");
    const bool generate = keyword_->has("GENERATE");
    AbaqusSet& set = extend(sets, name);
    const std::size_t first = set.members.size() - 1;
    set.members[first].instance = instance;
    for (Fields fields; lines_.next_data(fields);) {
      if (generate) {
        set.members[first].ranges.push_back(range(fields));
        continue;
      }
      for (const std::string_view field : fields) {
        if (!field.empty()) add_member(set, first, field);
      }
    }
    current_members_ = &set.members[first];
  }

  AbaqusMembers::Range range(const Fields& fields) const {
    if (fields.size() < 2) lines_.fail("found {} numbers of a range, expected first, last and step", fields.size());
    AbaqusMembers::Range range;
    range.first = label(fields[0], "the first number of a range");
    range.last = label(fields[1], "the last number of a range");
    if (fields.size() > 2 && !fields[2].empty()) range.step = label(fields[2], "the step of a range");
    return range;
  }

  // A label, a name, or either with an instance: 5, inner, Part-1-1.5, Part-1-1.inner.
  void add_member(AbaqusSet& set, std::size_t first, std::string_view field) {
    if (is_number(field)) {
      set.members[first].labels.push_back(label(field, "a member of a set"));
      return;
    }
    const std::size_t dot = field.find('.');
    if (dot != std::string_view::npos && is_number(field.substr(dot + 1))) {
      const std::string instance(field.substr(0, dot));
      if (set.members.size() == first + 1 || set.members.back().instance != instance) {
        set.members.emplace_back();
        set.members.back().instance = instance;
        set.members.back().place = lines_.place();
      }
      set.members.back().labels.push_back(label(field.substr(dot + 1), "a member of a set"));
    } else {
      set.members[first].sets.emplace_back(field);
    }
  }

  // ---- surfaces and sections

  void read_surface() {
    AbaqusSurface surface;
    surface.name = keyword_->value("NAME");
    surface.id = keyword_->id;
    surface.unnamed = keyword_->unnamed;
    surface.place = lines_.place();
    const std::string type = abaqus_key(keyword_->value("TYPE"));
    surface.of_nodes = type == "NODE";
    if (surface.name.empty()) lines_.fail("found *SURFACE without a name, expected NAME=...");
    if ((!type.empty() && type != "ELEMENT" && type != "NODE") || keyword_->has("COMBINE")) {
      ++deck_.unread["*SURFACE of type " + printable(keyword_->has("COMBINE") ? "COMBINE" : type)];
      return;
    }
    for (Fields fields; lines_.next_data(fields);) {
      if (fields.empty()) continue;
      AbaqusSurface::Row row;
      if (is_number(fields[0]))
        row.label = label(fields[0], "an element of a surface");
      else
        row.name = fields[0];
      if (!surface.of_nodes && fields.size() > 1) row.face = face(fields[1]);
      surface.rows.push_back(std::move(row));
    }
    scope_->surfaces.push_back(std::move(surface));
  }

  int face(std::string_view field) const {
    const std::string key = abaqus_key(field);
    if (key.empty() || key == "SPOS" || key == "SNEG") return AbaqusSurface::all;
    if (key.size() == 2 && key[0] == 'S' && key[1] >= '1' && key[1] <= '4') return key[1] - '1';
    lines_.fail("found '{}' as the face of an element, expected S1 to S4, SPOS or SNEG", printable(field));
  }

  void read_section() {
    const std::string set = keyword_->value("ELSET");
    if (set.empty()) lines_.fail("found *SOLID SECTION without ELSET, expected the set of its elements");
    scope_->sections.push_back({set, keyword_->value("MATERIAL"), lines_.place()});
  }

  void begin_material() {
    end_material();
    const std::string name = keyword_->value("NAME");
    if (name.empty()) lines_.fail("found *MATERIAL without a name, expected NAME=...");
    material_.emplace(name);
  }

  void end_material() {
    if (material_) deck_.materials.push_back(material_->result());
    material_.reset();
  }

  // ---- parts and instances

  void leave() { scope_ = &deck_.model; }

  void begin_part() {
    const std::string name = keyword_->value("NAME");
    if (name.empty()) lines_.fail("found *PART without a name, expected NAME=...");
    if (!part_numbers_.emplace(abaqus_key(name), deck_.parts.size()).second)
      lines_.fail("found the part '{}' twice, expected different names", printable(name));
    deck_.parts.push_back(std::make_unique<AbaqusScope>());
    scope_ = deck_.parts.back().get();
    scope_->name = name;
  }

  void begin_instance() {
    const std::string name = keyword_->value("NAME"), part = keyword_->value("PART");
    const auto known = part_numbers_.find(abaqus_key(part));
    if (name.empty()) lines_.fail("found *INSTANCE without a name, expected NAME=...");
    if (known == part_numbers_.end()) lines_.fail("found no part '{}' before this instance", printable(part));
    for (const auto& other : deck_.instances) {
      if (abaqus_key(other->name) == abaqus_key(name))
        lines_.fail("found the instance '{}' twice, expected different names", printable(name));
    }
    deck_.instances.push_back(std::make_unique<AbaqusInstance>());
    AbaqusInstance& instance = *deck_.instances.back();
    instance.name = name;
    instance.part = known->second;
    instance.place = lines_.place();
    scope_ = &instance.own;
    read_motion(instance.motion);
  }

  // A translation, then a line with two points of an axis and an angle in degrees, about which the instance turns after
  // the translation.
  void read_motion(Eigen::Affine3d& motion) {
    Fields fields;
    if (!lines_.next_data(fields)) return;
    Vec3 shift = Vec3::Zero();
    for (std::size_t k = 0; k < std::min<std::size_t>(fields.size(), 3); ++k)
      if (!fields[k].empty()) shift[static_cast<Eigen::Index>(k)] = lines_.real(fields[k], "a translation");
    motion.translation() = shift;
    if (!lines_.next_data(fields)) return;
    if (fields.size() != 7)
      lines_.fail("found {} numbers of a rotation, expected 7: two points and an angle", fields.size());
    double value[7];
    for (std::size_t k = 0; k < 7; ++k) value[k] = lines_.real(fields[k], "a number of a rotation");
    const Vec3 a(value[0], value[1], value[2]), axis = Vec3(value[3], value[4], value[5]) - a;
    if (!(axis.stableNorm() > 0)) lines_.fail("found two equal points of an axis, expected different ones");
    const double radians = value[6] * (EIGEN_PI / 180);
    const Eigen::Affine3d turn =
        Eigen::Translation3d(a) * Eigen::AngleAxisd(radians, axis.stableNormalized()) * Eigen::Translation3d(-a);
    motion = turn * motion;
  }

  AbaqusLines& lines_;
  const AbaqusKeyword* keyword_ = nullptr;
  AbaqusDeck deck_;
  AbaqusScope* scope_ = &deck_.model;
  AbaqusMembers* current_members_ = nullptr;
  std::optional<AbaqusMaterial> material_;
  std::map<std::string, std::size_t> part_numbers_;
};

}  // namespace

const AbaqusSet* AbaqusSets::find(std::string_view name) const {
  const auto at = numbers.find(abaqus_key(name));
  return at == numbers.end() ? nullptr : &list[at->second];
}

AbaqusSet& AbaqusSets::get(const std::string& name) {
  const auto [at, added] = numbers.try_emplace(abaqus_key(name), list.size());
  if (added) {
    list.emplace_back();
    list.back().name = name;
  }
  return list[at->second];
}

AbaqusDeck read_abaqus_deck(AbaqusLines& lines) {
  return DeckParser(lines).parse();
}

}  // namespace sinew
