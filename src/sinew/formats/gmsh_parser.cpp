#include "sinew/formats/gmsh_parser.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

// Sections that are read by the version that $MeshFormat names; version 1 begins with the last two and has none.
bool needs_format(std::string_view section) {
  constexpr std::string_view sections[] = {"$PhysicalNames", "$Entities", "$PartitionedEntities", "$Nodes", "$Elements",
                                           "$NOD",           "$ELM"};
  return std::ranges::find(sections, section) != std::end(sections);
}

}  // namespace

GmshContents GmshParser::parse() {
  parse_format();
  while (!in_.at_end()) {
    const std::string name(in_.token());
    if (name.size() < 2 || name[0] != '$') in_.fail("found '{}', expected a section such as $Nodes", printable(name));
    const bool four = version_.major == 4;
    if (name == "$PhysicalNames") {
      parse_names();
    } else if (name == "$Entities" && four) {
      parse_entities();
    } else if (name == "$PartitionedEntities") {
      in_.fail(
          "found $PartitionedEntities: partitioned meshes are not read; in Gmsh unpartition the mesh and save again");
    } else if (name == "$Nodes") {
      four ? parse_nodes_4() : parse_nodes_2();
    } else if (name == "$Elements") {
      four ? parse_elements_4() : parse_elements_2();
    } else {
      skip_section(name);
      continue;
    }
    end_section(name);
  }
  if (!have_nodes_)
    fail_input(code::file_format, "{}: found no $Nodes section; the file is truncated or not a mesh", in_.source());
  if (!have_elements_)
    fail_input(code::file_format, "{}: found no $Elements section; the file is truncated or not a mesh", in_.source());
  return std::move(out_);
}

void GmshParser::parse_format() {
  // Sections that are not known, $Comments among them, may stand anywhere.
  std::string first(in_.token());
  while (first.starts_with('$') && first != "$MeshFormat" && !needs_format(first)) {
    skip_section(first);
    first = in_.token();
  }
  if (first != "$MeshFormat") {
    in_.fail("expected $MeshFormat at the start of a Gmsh file; version 1 files must be saved again as version 4.1");
  }
  const std::string text(in_.token());
  if (text == "2" || text == "2.0" || text == "2.1" || text == "2.2") {
    version_ = {2, 2};
  } else if (text == "4" || text == "4.0") {
    version_ = {4, 0};
  } else if (text == "4.1") {
    version_ = {4, 1};
  } else {
    in_.fail("found .msh version '{}', expected 2.2, 4.0 or 4.1; save again with: gmsh -0 -format msh41",
             printable(text));
  }
  const std::int64_t type = in_.integer("the file type");
  if (type != 0 && type != 1) in_.fail("found file type {}, expected 0 (ASCII) or 1 (binary)", type);
  binary_ = type == 1;
  const std::int64_t size = in_.integer("the data size");
  if (size != 8 && !(size == 4 && version_.major == 4)) in_.fail("found data size {}, expected 8", size);
  if (version_.major == 4) word_ = static_cast<int>(size);
  if (binary_) {
    begin_data();
    const auto one = in_.raw<std::int32_t>("the byte-order mark");
    if (one == 0x01000000) {
      in_.set_swapped(true);
    } else if (one != 1) {
      in_.fail("found byte-order mark {}, expected 1; the file is damaged", one);
    }
  }
  end_section("$MeshFormat");
}

// Binary data begin right after the line end of what precedes them.
void GmshParser::begin_data() {
  if (!binary_) return;
  in_.line();
  in_.set_binary(true);
}

void GmshParser::end_section(const std::string& name) {
  const std::string expected = "$End" + name.substr(1);
  const std::string_view found = in_.token();
  if (found.empty()) in_.fail("the file ends before {}; it is truncated, copy or export it again", expected);
  if (found != expected) in_.fail("found '{}', expected {}", printable(found), expected);
  in_.set_binary(false);
}

void GmshParser::skip_section(const std::string& name) {
  const std::string end = "$End" + name.substr(1);
  const std::size_t at = in_.bytes().find(end, in_.position());
  if (at == std::string_view::npos)
    in_.fail("section {} is not closed by {}; the file is truncated", printable(name), printable(end));
  in_.seek(at + end.size());
}

std::int64_t GmshParser::int_value(std::string_view what) {
  return binary_ ? in_.raw<std::int32_t>(what) : in_.integer(what);
}

std::int64_t GmshParser::size_value(std::string_view what) {
  if (!binary_) return in_.integer(what);
  if (word_ == 4) return in_.raw<std::uint32_t>(what);
  return in_.raw<std::int64_t>(what);
}

std::int64_t GmshParser::tag_value(std::string_view what) {
  return version_.major == 4 && version_.minor == 1 ? size_value(what) : int_value(what);
}

double GmshParser::real_value(std::string_view what) {
  return binary_ ? in_.raw<double>(what) : in_.real(what);
}

int GmshParser::checked_id(std::int64_t id, std::string_view what) {
  constexpr std::int64_t largest = std::numeric_limits<int>::max();
  if (id > largest || id < -largest) in_.fail("found {} {}, expected a 32-bit integer", what, id);
  return static_cast<int>(id);
}

void GmshParser::parse_names() {  // ASCII in binary files too
  const std::size_t count = in_.checked_count(in_.integer("the number of physical names"), 4, "physical names");
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t dim = in_.integer("the dimension of a physical group");
    const std::int64_t id = in_.integer("the id of a physical group");
    const std::string_view rest = in_.line();
    const std::size_t begin = rest.find('"'), end = rest.rfind('"');
    if (begin == std::string_view::npos || end == begin) {
      in_.fail("found '{}', expected the name of physical group {} in double quotes", printable(rest), id);
    }
    if (dim == 0 || dim == 2 || dim == 3) {
      out_.names[{static_cast<int>(dim), checked_id(id, "physical id")}] =
          std::string(rest.substr(begin + 1, end - begin - 1));
    }
  }
}

void GmshParser::parse_entities() {
  begin_data();
  std::int64_t counts[4];
  for (std::int64_t& count : counts) count = size_value("a number of entities");
  for (int dim = 0; dim < 4; ++dim) {
    const std::size_t entities = in_.checked_count(counts[dim], 8, "entities");
    for (std::size_t i = 0; i < entities; ++i) {
      const int tag = checked_id(int_value("an entity's tag"), "entity tag");
      const int reals = dim == 0 && version_.minor == 1 ? 3 : 6;  // a point, or a bounding box
      for (int k = 0; k < reals; ++k) real_value("an entity's bounding box");
      const std::size_t physicals = in_.checked_count(size_value("a number of physical groups"), 2, "physical groups");
      auto& mine = entity_physicals_[{dim, tag}];
      for (std::size_t k = 0; k < physicals; ++k) {
        // A negative tag means the entity is taken with reversed orientation.
        mine.push_back(std::abs(checked_id(int_value("a physical group's tag"), "physical tag")));
      }
      if (dim == 0) continue;
      const std::size_t bounding =
          in_.checked_count(size_value("a number of bounding entities"), 2, "bounding entities");
      for (std::size_t k = 0; k < bounding; ++k) int_value("a bounding entity's tag");
    }
  }
}

void GmshParser::read_nodes(std::vector<std::int64_t> tags) {
  if (tags.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max())) in_.fail("found more than 2^31 nodes");
  if (const auto repeated = nodes_.assign(tags))
    in_.fail("node tag {} occurs twice; number the nodes uniquely", tags[*repeated]);
  have_nodes_ = true;
}

void GmshParser::parse_nodes_2() {
  if (have_nodes_) in_.fail("found a second $Nodes section, expected one");
  const std::size_t count = in_.checked_count(in_.integer("the number of nodes"), binary_ ? 28 : 8, "nodes");
  begin_data();
  std::vector<std::int64_t> tags(count);
  out_.coordinates.resize(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    tags[i] = int_value("a node's tag");
    for (int k = 0; k < 3; ++k) out_.coordinates[3 * i + k] = real_value("a node's coordinate");
  }
  read_nodes(std::move(tags));
}

void GmshParser::parse_nodes_4() {
  if (have_nodes_) in_.fail("found a second $Nodes section, expected one");
  begin_data();
  const bool tags_first = version_.minor == 1;
  const std::int64_t blocks = size_value("the number of node blocks");
  const std::size_t total = in_.checked_count(size_value("the number of nodes"), 8, "nodes");
  if (tags_first) {
    size_value("the smallest node tag");
    size_value("the largest node tag");
  }
  std::vector<std::int64_t> tags;
  tags.reserve(total);
  out_.coordinates.reserve(3 * total);
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t first = int_value("a node block's entity");
    const std::int64_t second = int_value("a node block's entity");
    const std::int64_t dim = tags_first ? first : second;
    const bool parametric = int_value("a node block's parametric flag") != 0;
    const std::size_t count = in_.checked_count(size_value("a node block's size"), 8, "nodes");
    if (dim < 0 || dim > 3) in_.fail("found an entity of dimension {}, expected 0 to 3", dim);
    if (tags.size() + count > total) in_.fail("the node blocks hold more nodes than the {} announced", total);
    const auto extra = parametric ? dim : 0;
    if (tags_first) {
      for (std::size_t i = 0; i < count; ++i) tags.push_back(tag_value("a node's tag"));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!tags_first) tags.push_back(tag_value("a node's tag"));
      for (int k = 0; k < 3; ++k) out_.coordinates.push_back(real_value("a node's coordinate"));
      for (int k = 0; k < extra; ++k) real_value("a node's parameter");
    }
  }
  if (tags.size() != total) in_.fail("the node blocks hold {} nodes, but {} were announced", tags.size(), total);
  read_nodes(std::move(tags));
}

const GmshElementType& GmshParser::checked_type(std::int64_t number, std::int64_t count) {
  const GmshElementType* type = gmsh_element_type(number);
  if (!type) in_.fail("found element type {}, which is not known; expected tets (type 4)", number);
  if (type->dim == 3 && type->corners == 0) {
    in_.fail(
        "found {} (element type {}), expected tets (type 4); mesh the volume with tets, in Gmsh without Recombine and "
        "transfinite volumes",
        type->name, number);
  }
  if (type->corners && type->nodes > type->corners) out_.higher_order[type->name] += count;
  return *type;
}

void GmshParser::read_point(Index label) {
  const std::int64_t tag = tag_value("a point's node");
  const Index v = nodes_.find(tag);
  if (v < 0 || out_.labels[static_cast<std::size_t>(label)].physicals.empty()) return;
  out_.points.corners.push_back(v);
  out_.points.labels.push_back(label);
}

void GmshParser::read_element(const GmshElementType& type, Index label) {
  if (type.dim == 0) return read_point(label);
  Index corners[4] = {};
  SecondOrderTet second_order{};
  const bool has_second_order = type.dim == 3 && type.corners == 4 && type.nodes == 10;
  for (int k = 0; k < type.nodes; ++k) {
    const std::int64_t tag = tag_value("an element's node");
    if (k >= type.corners) {
      const bool between = type.corners > 0 || (type.dim == 1 && k >= 2);
      const Index v = between ? nodes_.find(tag) : -1;
      if (v >= 0) out_.mid_nodes.push_back(v);
      if (has_second_order) second_order[k] = v;
      continue;
    }
    corners[k] = nodes_.find(tag);
    if (corners[k] < 0) in_.fail("an element of {} names node {}, which is not in $Nodes", type.name, tag);
  }
  if (type.corners == 0) return;
  if (type.dim == 3) {
    if (has_second_order) {
      std::copy_n(corners, 4, second_order.begin());
      out_.second_order.push_back(second_order);
    }
    out_.tets.corners.insert(out_.tets.corners.end(), corners, corners + 4);
    out_.tets.labels.push_back(label);
    return;
  }
  const auto count = static_cast<std::size_t>(type.corners);
  append_fan(corners, count, out_.triangles.corners);
  out_.triangles.labels.insert(out_.triangles.labels.end(), count - 2, label);
}

Index GmshParser::label_of(int entity, int physical) {
  const auto [at, added] = label_ids_.try_emplace({entity, physical}, static_cast<Index>(out_.labels.size()));
  if (added) {
    out_.labels.push_back({entity, {}});
    if (physical != 0) out_.labels.back().physicals.push_back(std::abs(physical));
  }
  return at->second;
}

void GmshParser::parse_elements_2() {
  if (!have_nodes_) in_.fail("found $Elements before $Nodes, expected it after");
  if (have_elements_) in_.fail("found a second $Elements section, expected one");
  const std::int64_t total =
      static_cast<std::int64_t>(in_.checked_count(in_.integer("the number of elements"), 6, "elements"));
  begin_data();
  for (std::int64_t done = 0; done < total;) {
    // ASCII: number, type, tag count, tags, nodes. Binary: type, elements that follow, tag count; then number, tags,
    // nodes.
    if (!binary_) int_value("an element's number");
    const std::int64_t number = int_value("an element's type");
    const std::int64_t count = binary_ ? int_value("an element block's size") : 1;
    const std::int64_t tags = int_value("an element's number of tags");
    if (count < 1 || count > total - done)
      in_.fail("found a block of {} elements, expected at most the {} that remain", count, total - done);
    if (tags < 0 || tags > 1000) in_.fail("found {} tags of an element, expected 0 to 1000", tags);
    const GmshElementType& type = checked_type(number, count);
    for (std::int64_t i = 0; i < count; ++i) {
      if (binary_) int_value("an element's number");
      int tag[2] = {0, 0};
      for (std::int64_t k = 0; k < tags; ++k) {
        const int value = checked_id(int_value("an element's tag"), "element tag");
        if (k < 2) tag[k] = value;
      }
      read_element(type, label_of(tag[1], tag[0]));
    }
    done += count;
  }
  have_elements_ = true;
}

void GmshParser::parse_elements_4() {
  if (!have_nodes_) in_.fail("found $Elements before $Nodes, expected it after");
  if (have_elements_) in_.fail("found a second $Elements section, expected one");
  begin_data();
  const bool newest = version_.minor == 1;
  const std::int64_t blocks = size_value("the number of element blocks");
  const std::size_t total = in_.checked_count(size_value("the number of elements"), 4, "elements");
  if (newest) {
    size_value("the smallest element tag");
    size_value("the largest element tag");
  }
  std::size_t done = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t first = int_value("an element block's entity");
    const std::int64_t second = int_value("an element block's entity");
    const int dim = checked_id(newest ? first : second, "dimension");
    const int entity = checked_id(newest ? second : first, "entity tag");
    const std::int64_t number = int_value("an element block's type");
    const std::size_t count = in_.checked_count(size_value("an element block's size"), 4, "elements");
    if (done + count > total) in_.fail("the element blocks hold more elements than the {} announced", total);
    const GmshElementType& type = checked_type(number, static_cast<std::int64_t>(count));
    const auto at = entity_physicals_.find({dim, entity});
    out_.labels.push_back({entity, at == entity_physicals_.end() ? std::vector<int>{} : at->second});
    const auto label = static_cast<Index>(out_.labels.size() - 1);
    for (std::size_t i = 0; i < count; ++i) {
      tag_value("an element's tag");
      read_element(type, label);
    }
    done += count;
  }
  if (done != total) in_.fail("the element blocks hold {} elements, but {} were announced", done, total);
  have_elements_ = true;
}

}  // namespace sinew
