#include "sinew/formats/labelled_mesh.h"

#include <limits>

#include "sinew/core/sort_unique.h"
#include "sinew/mesh/surface.h"

namespace sinew {

void LabelledPart::add_node(std::int64_t label, const Vec3& x, LinePlace place) {
  node_labels.push_back(label);
  coordinates.insert(coordinates.end(), x.begin(), x.end());
  node_places.push_back(place);
}

void LabelledPart::add_element(LabelledElement element, const std::vector<Index>& element_nodes) {
  element.first = connectivity.size();
  element.nodes = static_cast<std::uint8_t>(element_nodes.size());
  connectivity.insert(connectivity.end(), element_nodes.begin(), element_nodes.end());
  elements.push_back(element);
}

void LabelledPart::index(const IncludedLines& lines) {
  if (const auto repeated = nodes.assign(node_labels)) {
    lines.fail_at(node_places[*repeated], "found node {} twice, expected one node of each number",
                  node_labels[*repeated]);
  }
  std::vector<std::int64_t> labels;
  labels.reserve(elements.size());
  for (const LabelledElement& element : elements) labels.push_back(element.label);
  if (const auto repeated = element_index.assign(labels)) {
    lines.fail_at(elements[*repeated].place, "found element {} twice, expected one element of each number",
                  labels[*repeated]);
  }
}

void MeshAssembly::charge(std::size_t entries) {
  constexpr std::size_t allowance = std::size_t{1} << 26, per_byte = 16;
  entries_ += entries;
  if (entries_ > allowance + per_byte * lines_.bytes())
    lines_.fail("the sets and instances hold more than {} entries, too many for a file of {} bytes; split the file",
                allowance + per_byte * lines_.bytes(), lines_.bytes());
}

void MeshAssembly::add(const LabelledPart& part, const Eigen::Affine3d& motion) {
  charge(6 * part.node_labels.size() + part.connectivity.size() + 4 * part.elements.size());
  const Index first = node_count();
  for (std::size_t v = 0; v < part.node_labels.size(); ++v) {
    Vec3 x = Eigen::Map<const Vec3>(part.coordinates.data() + 3 * v);
    if (motion.matrix() != Eigen::Affine3d::Identity().matrix()) x = motion * x;
    coordinates_.insert(coordinates_.end(), x.begin(), x.end());
  }
  std::vector<Index> nodes;
  for (const LabelledElement& element : part.elements) {
    nodes.clear();
    for (std::size_t k = 0; k < element.nodes; ++k) {
      const Index label = part.connectivity[element.first + k];
      const Index node = part.nodes.find(label);
      if (node < 0 && (label != 0 || k < element.corners)) {
        lines_.fail_at(element.place, "element {} names node {}, which is not in the file", element.label, label);
      }
      nodes.push_back(node < 0 ? -1 : first + node);
    }
    for (std::size_t k = element.corners; k < nodes.size(); ++k)
      if (nodes[k] >= 0) file_.mid_nodes.push_back(nodes[k]);
    if (element.tet) {
      add_tet(element, nodes);
    } else {
      elements_.push_back({false, element.corners, static_cast<Index>(triangles_.size() / 3)});
      append_fan(nodes.data(), element.corners, triangles_);
      if (element.nodes > element.corners)
        ++file_.higher_order[element.corners == 3 ? "second-order triangles" : "second-order quadrangles"];
    }
  }
}

void MeshAssembly::add_tet(const LabelledElement& element, const std::vector<Index>& nodes) {
  elements_.push_back({true, 4, static_cast<Index>(tets_.size() / 4)});
  tets_.insert(tets_.end(), nodes.begin(), nodes.begin() + 4);
  regions_.push_back(element.property);
  if (element.nodes == 4) return;
  ++file_.higher_order["second-order tets"];
  SecondOrderTet all{};
  std::copy_n(nodes.begin(), std::min<std::size_t>(nodes.size(), 10), all.begin());
  if (nodes.size() == 10 && std::ranges::find(nodes, -1) == nodes.end()) file_.second_order.push_back(all);
}

std::vector<Index> MeshAssembly::corners(Index element) const {
  const Element& e = elements_[static_cast<std::size_t>(element)];
  std::vector<Index> corners;
  if (e.tet) {
    corners.assign(tets_.begin() + 4 * std::ptrdiff_t{e.first}, tets_.begin() + 4 * std::ptrdiff_t{e.first} + 4);
  } else {
    const auto begin = triangles_.begin() + 3 * std::ptrdiff_t{e.first};
    corners.assign(begin, begin + 3 * (e.corners - 2));
  }
  return corners;
}

ElementGroup& MeshAssembly::group(int dim, const std::string& name, int id) {
  int free = std::max(id, 1);
  if (id < 1 || groups_.contains({dim, id})) {
    const auto last = groups_.lower_bound({dim + 1, std::numeric_limits<int>::min()});
    if (last != groups_.begin() && std::prev(last)->first.first == dim) free = std::prev(last)->first.second + 1;
  }
  while (groups_.contains({dim, free})) free = free == std::numeric_limits<int>::max() ? 1 : free + 1;
  ElementGroup& made = groups_[{dim, free}];
  made.dim = dim;
  made.id = free;
  made.name = name;
  made.triangles.resize(3, 0);
  return made;
}

int MeshAssembly::add_nodes(const std::string& name, int id, std::vector<Index> nodes) {
  sort_unique(nodes);
  charge(nodes.size());
  ElementGroup& made = group(0, name, id);
  made.vertices = std::move(nodes);
  return made.id;
}

void MeshAssembly::append_triangles(const ElementFace& face, std::vector<Index>& out) const {
  const Element& e = elements_[static_cast<std::size_t>(face.element)];
  if (e.tet) {
    for (const int k : tet_faces[static_cast<std::size_t>(face.face)])
      out.push_back(tets_[4 * static_cast<std::size_t>(e.first) + static_cast<std::size_t>(k)]);
  } else {
    const std::vector<Index> all = corners(face.element);
    out.insert(out.end(), all.begin(), all.end());
  }
}

int MeshAssembly::add_elements(const std::string& name, int id, std::vector<Index> elements, int dim) {
  sort_unique(elements);
  charge(elements.size());
  std::vector<Index> tets, triangles;
  for (const Index e : elements) {
    if (is_tet(e))
      tets.push_back(elements_[static_cast<std::size_t>(e)].first);
    else
      append_triangles({e, -1}, triangles);
  }
  int given = id;
  if (!triangles.empty() || (tets.empty() && dim == 2)) {
    ElementGroup& made = group(2, name, id);
    made.triangles = triangles_of(triangles);
    given = made.id;
  }
  if (!tets.empty() || (triangles.empty() && dim == 3)) {
    ElementGroup& made = group(3, name, id);
    made.tets = std::move(tets);
    given = made.id;
  }
  return given;
}

int MeshAssembly::add_faces(const std::string& name, int id, const std::vector<ElementFace>& faces) {
  charge(3 * faces.size());
  std::vector<Index> triangles;
  for (const ElementFace& face : faces) append_triangles(face, triangles);
  ElementGroup& made = group(2, name, id);
  made.triangles = triangles_of(triangles);
  return made.id;
}

std::vector<ElementFace> MeshAssembly::free_faces(const std::vector<Index>& elements) {
  charge(8 * tets_.size());
  const Tets neighbours = tet_neighbours(tets_of(tets_));
  std::vector<ElementFace> faces;
  for (const Index e : elements) {
    const Element& element = elements_[static_cast<std::size_t>(e)];
    if (!element.tet) faces.push_back({e, -1});
    for (int k = 0; element.tet && k < 4; ++k)
      if (neighbours(k, element.first) < 0) faces.push_back({e, k});
  }
  return faces;
}

void MeshAssembly::set_region(const std::vector<Index>& elements, Index region) {
  for (const Index e : elements)
    if (is_tet(e)) regions_[static_cast<std::size_t>(elements_[static_cast<std::size_t>(e)].first)] = region;
}

MeshFile MeshAssembly::take(const char* nodes) {
  if (coordinates_.empty()) lines_.fail("found no {}; the file is truncated or not a mesh", nodes);
  file_.volume.vertices = points_of(coordinates_);
  file_.volume.tets = tets_of(tets_);
  file_.triangles = triangles_of(triangles_);
  file_.volume.regions = std::move(regions_);
  for (auto& [key, group] : groups_) file_.volume.groups.push_back(std::move(group));
  return std::move(file_);
}

}  // namespace sinew
