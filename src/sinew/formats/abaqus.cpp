#include "sinew/formats/abaqus.h"

#include <algorithm>
#include <set>

#include "sinew/core/sort_unique.h"
#include "sinew/formats/abaqus_deck.h"

namespace sinew {
namespace {

// Nodes 1-2-3, 1-4-2, 2-4-3 and 3-4-1 are the faces S1 to S4 of a tet: the vertices opposite.
constexpr int opposite[] = {3, 2, 0, 1};

// A part, or the model itself, in the assembled mesh.
struct Placed {
  const AbaqusScope* scope = nullptr;
  std::string name;  // of the instance; empty: the model
  Index first_node = 0, first_element = 0;
};

enum class SetKind { nodes, elements };

class DeckAssembly {
 public:
  DeckAssembly(AbaqusDeck& deck, const AbaqusLines& lines) : deck_(deck), lines_(lines), mesh_(lines.source()) {}

  MeshFile assemble() {
    place_instances();
    for (const Placed& placed : placed_) add_groups(placed);
    add_sections();
    MeshFile file = mesh_.take("*NODE");
    file.materials = std::move(deck_.materials);
    file.unread = std::move(deck_.unread);
    return file;
  }

 private:
  void place_instances() {
    for (const auto& part : deck_.parts) part->mesh.index(lines_.source());
    for (const auto& instance : deck_.instances) {
      const AbaqusScope& part = *deck_.parts[instance->part];
      if (!instance->own.empty() && !part.empty())
        fail(instance->place, "the instance '{}' adds to its part, expected a mesh in one of the two",
             printable(instance->name));
      if (!instance->own.empty()) instance->own.mesh.index(lines_.source());
      place(instance->own.empty() ? part : instance->own, instance->name, instance->motion);
    }
    if (deck_.instances.empty() && deck_.parts.size() == 1)  // a part that was exported alone
      place(*deck_.parts[0], deck_.parts[0]->name, Eigen::Affine3d::Identity());
    deck_.model.mesh.index(lines_.source());
    place(deck_.model, "", Eigen::Affine3d::Identity());
    for (std::size_t i = 0; i < placed_.size(); ++i) numbers_.emplace(abaqus_key(placed_[i].name), i);
  }

  void place(const AbaqusScope& scope, const std::string& name, const Eigen::Affine3d& motion) {
    placed_.push_back({&scope, name, mesh_.node_count(), mesh_.element_count()});
    mesh_.add(scope.mesh, motion);
  }

  template <class... Args>
  [[noreturn]] void fail(LinePlace place, fmt::format_string<Args...> format, Args&&... args) const {
    lines_.source().fail_at(place, format, std::forward<Args>(args)...);
  }

  // ---- members of sets

  const Placed* find_instance(std::string_view name) const {
    const auto at = numbers_.find(abaqus_key(name));
    return at == numbers_.end() ? nullptr : &placed_[at->second];
  }

  static const AbaqusSets& sets_of(const Placed& placed, SetKind kind) {
    return kind == SetKind::nodes ? placed.scope->node_sets : placed.scope->element_sets;
  }

  // A set by its name in a part or the model, or as INSTANCE.SET.
  std::pair<const Placed*, const AbaqusSet*> find_set(const Placed& from, SetKind kind, std::string_view name) const {
    if (const AbaqusSet* set = sets_of(from, kind).find(name)) return {&from, set};
    const std::size_t dot = name.find('.');
    const Placed* other = dot == std::string_view::npos ? nullptr : find_instance(name.substr(0, dot));
    return {other, other ? sets_of(*other, kind).find(name.substr(dot + 1)) : nullptr};
  }

  const std::vector<Index>& named_members(const Placed& from, SetKind kind, std::string_view name, LinePlace place) {
    const auto [placed, set] = find_set(from, kind, name);
    if (!set)
      fail(place, "found no {} '{}', expected one in the file", kind == SetKind::nodes ? "node set" : "element set",
           printable(name));
    return members(*placed, kind, *set);
  }

  // The numbers of a set's nodes or elements in the assembled mesh, ascending. Labels that the file does not have, such
  // as those of beams, do not count.
  const std::vector<Index>& members(const Placed& placed, SetKind kind, const AbaqusSet& set) {
    const auto key = std::pair(&placed, &set);
    if (const auto known = members_.find(key); known != members_.end()) return known->second;
    if (!open_.insert(key).second || open_.size() > 100)
      fail(set.members.front().place, "the set '{}' contains itself, or sets are nested more than 100 deep",
           printable(set.name));
    std::vector<Index> all;
    for (const AbaqusMembers& part : set.members) {
      const Placed* at = part.instance.empty() ? &placed : find_instance(part.instance);
      if (!at) fail(part.place, "found no instance '{}', expected one in the file", printable(part.instance));
      add_labels(*at, kind, part, all);
      for (const std::string& name : part.sets) {
        const std::vector<Index>& more = named_members(*at, kind, name, part.place);
        all.insert(all.end(), more.begin(), more.end());
        mesh_.charge(more.size());
      }
      if (part.nodes_of.empty()) continue;
      for (const Index e : named_members(*at, SetKind::elements, part.nodes_of, part.place)) {
        const std::vector<Index> corners = mesh_.corners(e);
        all.insert(all.end(), corners.begin(), corners.end());
      }
    }
    sort_unique(all);
    mesh_.charge(all.size());
    open_.erase(key);
    return members_[key] = std::move(all);
  }

  void add_labels(const Placed& at, SetKind kind, const AbaqusMembers& part, std::vector<Index>& all) {
    const LabelledPart& mesh = at.scope->mesh;
    const LabelIndex& index = kind == SetKind::nodes ? mesh.nodes : mesh.element_index;
    const Index first = kind == SetKind::nodes ? at.first_node : at.first_element;
    for (const Index label : part.labels)
      if (const Index item = index.find(label); item >= 0) all.push_back(first + item);
    for (const AbaqusMembers::Range& range : part.ranges) {
      const std::size_t before = all.size();
      index.for_range(range.first, range.last, range.step, [&](Index item) { all.push_back(first + item); });
      mesh_.charge(all.size() - before + 16);
    }
  }

  // ---- groups

  // The name of a set or surface of a part: with the instance where it would not be unique.
  template <class HasName>
  std::string group_name(const Placed& placed, const std::string& name, bool unnamed, HasName&& model_has) const {
    if (unnamed) return "";
    if (placed.name.empty()) return name;
    return deck_.instances.size() > 1 || model_has(name) ? placed.name + "." + name : name;
  }

  void add_groups(const Placed& placed) {
    const AbaqusScope& scope = *placed.scope;
    for (const AbaqusSet& set : scope.node_sets.list) {
      const std::vector<Index>& nodes = members(placed, SetKind::nodes, set);
      if (set.internal || same_as_elements(placed, set.name, nodes)) continue;
      const auto model_has = [&](const std::string& name) { return deck_.model.node_sets.find(name) != nullptr; };
      mesh_.add_nodes(group_name(placed, set.name, set.unnamed, model_has), set.id, nodes);
    }
    for (const AbaqusSet& set : scope.element_sets.list) {
      if (!set.internal) add_element_group(placed, set);
    }
    for (const AbaqusSurface& surface : scope.surfaces) add_surface(placed, surface);
  }

  int add_element_group(const Placed& placed, const AbaqusSet& set) {
    const auto known = group_ids_.find({&placed, &set});
    if (known != group_ids_.end()) return known->second;
    const auto model_has = [&](const std::string& name) { return deck_.model.element_sets.find(name) != nullptr; };
    const int id = mesh_.add_elements(group_name(placed, set.name, set.unnamed, model_has), set.id,
                                      members(placed, SetKind::elements, set));
    return group_ids_[{&placed, &set}] = id;
  }

  bool same_as_elements(const Placed& placed, const std::string& name, const std::vector<Index>& nodes) {
    const AbaqusSet* set = placed.scope->element_sets.find(name);
    if (!set) return false;
    std::vector<Index> corners;
    for (const Index e : members(placed, SetKind::elements, *set)) {
      const std::vector<Index> own = mesh_.corners(e);
      corners.insert(corners.end(), own.begin(), own.end());
    }
    sort_unique(corners);
    return std::ranges::includes(nodes, corners) && only_mid_nodes(nodes, corners);
  }

  // Whether `nodes` has no corners of elements besides `corners`.
  bool only_mid_nodes(const std::vector<Index>& nodes, const std::vector<Index>& corners) {
    if (nodes.size() == corners.size()) return true;
    if (is_corner_.empty()) {
      is_corner_.assign(static_cast<std::size_t>(mesh_.node_count()), 0);
      for (Index e = 0; e < mesh_.element_count(); ++e)
        for (const Index v : mesh_.corners(e)) is_corner_[static_cast<std::size_t>(v)] = 1;
    }
    const auto of_corner = [&](Index v) { return is_corner_[static_cast<std::size_t>(v)] != 0; };
    return static_cast<std::size_t>(std::ranges::count_if(nodes, of_corner)) == corners.size();
  }

  void add_surface(const Placed& placed, const AbaqusSurface& surface) {
    const auto model_has = [&](const std::string& name) {
      return std::ranges::any_of(deck_.model.surfaces,
                                 [&](const AbaqusSurface& s) { return abaqus_key(s.name) == abaqus_key(name); });
    };
    const std::string name = group_name(placed, surface.name, surface.unnamed, model_has);
    std::vector<Index> items;
    std::vector<ElementFace> faces;
    for (const AbaqusSurface::Row& row : surface.rows) {
      const SetKind kind = surface.of_nodes ? SetKind::nodes : SetKind::elements;
      items.clear();
      if (row.name.empty()) {
        const LabelledPart& mesh = placed.scope->mesh;
        const Index item = (surface.of_nodes ? mesh.nodes : mesh.element_index).find(row.label);
        if (item >= 0) items.push_back(item + (surface.of_nodes ? placed.first_node : placed.first_element));
      } else {
        items = named_members(placed, kind, row.name, surface.place);
      }
      mesh_.charge(3 * items.size());
      if (surface.of_nodes) {
        for (const Index v : items) nodes_of_surface_.push_back(v);
      } else {
        add_faces(items, row.face, surface, faces);
      }
    }
    if (surface.of_nodes)
      mesh_.add_nodes(name, surface.id, std::exchange(nodes_of_surface_, {}));
    else
      mesh_.add_faces(name, surface.id, faces);
  }

  void add_faces(const std::vector<Index>& items, int face, const AbaqusSurface& surface,
                 std::vector<ElementFace>& faces) {
    if (face == AbaqusSurface::all && std::ranges::any_of(items, [&](Index e) { return mesh_.is_tet(e); })) {
      const std::vector<ElementFace> free = mesh_.free_faces(items);
      faces.insert(faces.end(), free.begin(), free.end());
      return;
    }
    for (const Index e : items) {
      if (mesh_.is_tet(e)) {
        faces.push_back({e, opposite[face]});
      } else if (face == AbaqusSurface::all || face < 2) {
        faces.push_back({e, -1});
      } else {
        fail(surface.place, "the surface '{}' names face S{} of a shell, expected SPOS or SNEG",
             printable(surface.name), face + 1);
      }
    }
  }

  // ---- regions

  void add_sections() {
    std::vector<Index> all(static_cast<std::size_t>(mesh_.element_count()));
    for (std::size_t e = 0; e < all.size(); ++e) all[e] = static_cast<Index>(e);
    mesh_.set_region(all, 0);
    const auto has_sections = [](const Placed& placed) { return !placed.scope->sections.empty(); };
    if (std::ranges::none_of(placed_, has_sections)) return add_regions_of_elements();
    for (const Placed& placed : placed_) {
      for (const AbaqusSection& section : placed.scope->sections) {
        const auto [at, set] = find_set(placed, SetKind::elements, section.set);
        if (!set) fail(section.place, "found no element set '{}', expected one in the file", printable(section.set));
        const std::vector<Index>& elements = members(*at, SetKind::elements, *set);
        mesh_.charge(elements.size());
        mesh_.set_region(elements, add_element_group(*at, *set));
        for (FileMaterial& material : deck_.materials)
          if (abaqus_key(material.name) == abaqus_key(section.material)) material.groups.push_back(set->name);
      }
    }
  }

  // In files without sections, *ELEMENT names the regions.
  void add_regions_of_elements() {
    for (const Placed& placed : placed_) {
      const LabelledPart& mesh = placed.scope->mesh;
      std::map<Index, std::vector<Index>> by_set;
      for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
        if (mesh.elements[e].property > 0)
          by_set[mesh.elements[e].property].push_back(placed.first_element + static_cast<Index>(e));
      }
      for (const auto& [property, elements] : by_set) {
        const AbaqusSet& set = placed.scope->element_sets.list[static_cast<std::size_t>(property - 1)];
        mesh_.set_region(elements, add_element_group(placed, set));
      }
    }
  }

  using Key = std::pair<const Placed*, const AbaqusSet*>;

  AbaqusDeck& deck_;
  const AbaqusLines& lines_;
  MeshAssembly mesh_;
  std::vector<Placed> placed_;
  std::map<std::string, std::size_t> numbers_;  // of instances, by abaqus_key()
  std::map<Key, std::vector<Index>> members_;
  std::map<Key, int> group_ids_;
  std::set<Key> open_;  // sets whose members are being collected
  std::vector<char> is_corner_;
  std::vector<Index> nodes_of_surface_;
};

}  // namespace

MeshFile parse_abaqus(const MeshSource& source) {
  AbaqusLines lines(source);
  AbaqusDeck deck = read_abaqus_deck(lines);
  return DeckAssembly(deck, lines).assemble();
}

}  // namespace sinew
