#include "sinew/scene/selection.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <optional>
#include <set>

#include "sinew/core/suggest.h"
#include "sinew/mesh/surface.h"
#include "sinew/scene/face_patch.h"
#include "sinew/scene/selection_region.h"

namespace sinew {
namespace {

constexpr std::array<const char*, 13> selection_keys = {"box",        "sphere",  "cylinder", "halfspace", "plane",
                                                        "face_angle", "nearest", "group",    "vertices",  "all",
                                                        "any",        "every",   "not"};

// The one key of a selection that the node holds; "all" for the plain string.
std::string selection_key(const Node& selection) {
  for (const char* key : selection_keys) {
    if (selection.has(key)) return key;
  }
  return "all";
}

// Whether a part of the selection names faces themselves, not vertices.
bool names_faces(const Node& selection) {
  const std::string key = selection_key(selection);
  if (key == "group" || key == "face_angle" || key == "nearest") return true;
  if (key == "not") return names_faces(selection["not"]);
  if (key != "any" && key != "every") return false;
  const Node parts = selection[key];
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (names_faces(parts[i])) return true;
  }
  return false;
}

std::array<Index, 3> sorted_corners(const Triangles& triangles, Eigen::Index f) {
  std::array<Index, 3> corners = {triangles(0, f), triangles(1, f), triangles(2, f)};
  std::sort(corners.begin(), corners.end());
  return corners;
}

bool is_empty(const ElementGroup& group) {
  return group.triangles.cols() == 0 && group.tets.empty() && group.vertices.empty();
}

const char* elements_of(const ElementGroup& group) {
  return group.dim == 0 ? "vertices" : group.dim == 2 ? "triangles" : "tets";
}

std::string group_label(const ElementGroup& group) {
  const std::string id = fmt::format("{}:{}", group.dim, group.id);
  const std::string text = group.name.empty() ? id : fmt::format("{} ({})", group.name, id);
  return is_empty(group) ? text + " (empty)" : text;
}

}  // namespace

Selector::Selector(const TetMesh& mesh, std::string body)
    : mesh_(mesh), body_(std::move(body)), used_(mesh.vertex_count(), 0) {
  for (const Index v : used_vertices(mesh)) used_[v] = 1;
  const Vec3 extent = mesh.vertices.rowwise().maxCoeff() - mesh.vertices.rowwise().minCoeff();
  tolerance_ = 1e-9 * extent.norm();
  if (mesh.is_cloth()) {
    boundary_ = mesh.triangles;
    boundary_tet_.assign(static_cast<std::size_t>(boundary_.cols()), -1);
    return;
  }
  const Tets neighbours = tet_neighbours(mesh.tets);
  for (Eigen::Index i = 0; i < neighbours.size(); ++i) {
    if (neighbours.data()[i] < 0) boundary_tet_.push_back(static_cast<Index>(i / 4));
  }
  boundary_.resize(3, static_cast<Eigen::Index>(boundary_tet_.size()));
  Eigen::Index f = 0;
  for (Eigen::Index i = 0; i < neighbours.size(); ++i) {
    if (neighbours.data()[i] >= 0) continue;
    for (int k = 0; k < 3; ++k) boundary_(k, f) = mesh.tets(tet_faces[i % 4][k], i / 4);
    ++f;
  }
}

std::vector<Index> Selector::vertices(const Node& selection) const {
  const Mask mask = vertex_mask(selection);
  std::vector<Index> ids;
  for (std::size_t v = 0; v < mask.size(); ++v) {
    if (mask[v] && used_[v]) ids.push_back(static_cast<Index>(v));
  }
  if (ids.empty()) {
    selection.fail(
        code::selection,
        "the selection matches no vertex of body \"{}\"; it must hold some in the rest state after the transform{}",
        body_, nearest_outside(selection));
  }
  return ids;
}

Triangles Selector::faces(const Node& selection) const {
  Triangles faces = faces_or_none(selection);
  if (faces.cols() == 0) {
    selection.fail(
        code::selection,
        "the selection matches no face of body \"{}\"; a face is selected with its group or with all three vertices",
        body_);
  }
  return faces;
}

Triangles Selector::faces_or_none(const Node& selection) const {
  const Mask mask = face_mask(selection);
  const auto count = std::count(mask.begin(), mask.end(), 1);
  Triangles faces(3, count);
  Eigen::Index next = 0;
  for (std::size_t f = 0; f < mask.size(); ++f) {
    if (mask[f]) faces.col(next++) = boundary_.col(static_cast<Eigen::Index>(f));
  }
  return faces;
}

// Of a region of space without vertices: the vertex nearest to it, for the message.
std::string Selector::nearest_outside(const Node& selection) const {
  const std::string key = selection_key(selection);
  if (key == "all") return "";
  const std::optional<RegionDistance> region = selection_region(key, selection[key]);
  if (!region) return "";
  Index nearest = -1;
  double smallest = std::numeric_limits<double>::infinity();
  for (Index v = 0; v < mesh_.vertex_count(); ++v) {
    const double distance = used_[v] ? (*region)(mesh_.vertices.col(v)) : smallest;
    if (!(distance < smallest)) continue;
    smallest = distance;
    nearest = v;
  }
  if (nearest < 0) return "";
  const auto x = mesh_.vertices.col(nearest);
  return fmt::format("; vertex {} at ({:.6g}, {:.6g}, {:.6g}) is {:.3g} m outside", nearest, x[0], x[1], x[2],
                     smallest);
}

Selector::Mask Selector::vertex_mask(const Node& selection) const {
  const std::string key = selection_key(selection);
  if (key == "all") return Mask(mesh_.vertex_count(), 1);
  const Node node = selection[key];
  Mask mask(mesh_.vertex_count(), 0);
  if (const std::optional<RegionDistance> region = selection_region(key, node)) {
    for (std::size_t v = 0; v < mask.size(); ++v)
      mask[v] = (*region)(mesh_.vertices.col(static_cast<Eigen::Index>(v))) <= tolerance_;
  } else if (key == "nearest") {
    mask[nearest_vertex(node.vector())] = 1;
  } else if (key == "face_angle") {
    const Mask faces = face_mask(selection);
    for (std::size_t f = 0; f < faces.size(); ++f)
      for (int k = 0; k < 3; ++k) mask[boundary_(k, static_cast<Eigen::Index>(f))] |= faces[f];
  } else if (key == "vertices") {
    for (std::size_t i = 0; i < node.size(); ++i) {
      const double id = node[i].number();
      if (id >= mesh_.vertex_count())
        node[i].fail(code::selection, "found {}, expected a vertex of body \"{}\": 0 to {}", id, body_,
                     mesh_.vertex_count() - 1);
      mask[static_cast<std::size_t>(id)] = 1;
    }
  } else if (key == "group") {
    for (const ElementGroup* group : find_groups(node)) {
      for (const Index v : group->vertices) mask[v] = 1;
      for (Eigen::Index i = 0; i < group->triangles.size(); ++i) mask[group->triangles.data()[i]] = 1;
      for (const Index t : group->tets) {
        for (int k = 0; k < 4; ++k) mask[mesh_.tets(k, t)] = 1;
      }
    }
  } else {
    combine(key, node, mask, [this](const Node& part) { return vertex_mask(part); });
  }
  return mask;
}

// The union, intersection or complement of selections.
template <class MaskOf>
void Selector::combine(const std::string& key, const Node& node, Mask& mask, MaskOf&& mask_of) {
  if (key == "not") {
    mask = mask_of(node);
    for (char& m : mask) m = !m;
    return;
  }
  const bool every = key == "every";
  std::ranges::fill(mask, every);
  for (std::size_t i = 0; i < node.size(); ++i) {
    const Mask part = mask_of(node[i]);
    for (std::size_t k = 0; k < mask.size(); ++k) mask[k] = every ? mask[k] && part[k] : mask[k] || part[k];
  }
}

// Of equally near vertices the first.
Index Selector::nearest_vertex(const Vec3& p) const {
  Index nearest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (Index v = 0; v < mesh_.vertex_count(); ++v) {
    const double distance = (mesh_.vertices.col(v) - p).norm();
    if (!used_[v] || !(distance < smallest)) continue;
    smallest = distance;
    nearest = v;
  }
  return nearest;
}

Selector::Mask Selector::face_mask(const Node& selection) const {
  const std::string key = selection_key(selection);
  if (key == "group") return group_faces(selection["group"]);
  Mask mask(boundary_tet_.size(), 0);
  if (!names_faces(selection)) {
    const Mask vertices = vertex_mask(selection);
    for (std::size_t f = 0; f < mask.size(); ++f) {
      const auto t = boundary_.col(static_cast<Eigen::Index>(f));
      mask[f] = vertices[t[0]] && vertices[t[1]] && vertices[t[2]];
    }
    return mask;
  }
  const Node node = selection[key];
  if (key == "nearest" || key == "face_angle") {
    double distance = 0;
    const Vec3 point = key == "nearest" ? node.vector() : node["point"].vector();
    const Index seed = nearest_face(mesh_.vertices, boundary_, point, distance);
    if (seed < 0) return mask;
    mask[seed] = 1;
    constexpr double rounding = 1e-9;  // [rad]
    if (key == "face_angle")
      mask =
          smooth_patch(mesh_.vertices, boundary_, seed, node["degrees"].number() * std::numbers::pi / 180 + rounding);
  } else {
    combine(key, node, mask, [this](const Node& part) { return face_mask(part); });
  }
  return mask;
}

// Faces of a surface group, boundary faces of a volume group's tets, or faces with all vertices in a group of vertices.
Selector::Mask Selector::group_faces(const Node& name) const {
  std::set<std::array<Index, 3>> triangles;
  Mask tets(mesh_.tet_count(), 0), vertices(mesh_.vertex_count(), 0);
  for (const ElementGroup* group : find_groups(name)) {
    for (const Index v : group->vertices) vertices[v] = 1;
    for (Eigen::Index f = 0; f < group->triangles.cols(); ++f) triangles.insert(sorted_corners(group->triangles, f));
    for (const Index t : group->tets) tets[t] = 1;
  }
  Mask mask(boundary_tet_.size(), 0);
  for (std::size_t f = 0; f < mask.size(); ++f) {
    const bool of_tets = boundary_tet_[f] >= 0 && tets[boundary_tet_[f]];
    const auto corners = boundary_.col(static_cast<Eigen::Index>(f));
    const bool of_vertices = vertices[corners[0]] && vertices[corners[1]] && vertices[corners[2]];
    mask[f] = of_tets || of_vertices || triangles.contains(sorted_corners(boundary_, static_cast<Eigen::Index>(f)));
  }
  return mask;
}

// Groups of that name, which must be of one dimension, else those of "dim:id".
const std::vector<const ElementGroup*> Selector::find_groups(const Node& name) const {
  const std::string text = name.text();
  std::vector<const ElementGroup*> groups;
  for (const ElementGroup& group : mesh_.groups) {
    if (group.name == text) groups.push_back(&group);
  }
  if (groups.empty()) {
    for (const ElementGroup& group : mesh_.groups) {
      if (fmt::format("{}:{}", group.dim, group.id) == text) groups.push_back(&group);
    }
  }
  for (const ElementGroup* group : groups) {
    if (group->dim == groups[0]->dim) continue;
    name.fail(code::selection, "\"{}\" names {} and {} of body \"{}\"; give {}:{} or {}:{}", text,
              elements_of(*groups[0]), elements_of(*group), body_, groups[0]->dim, groups[0]->id, group->dim,
              group->id);
  }
  if (!groups.empty() && std::ranges::all_of(groups, [](const ElementGroup* g) { return is_empty(*g); })) {
    name.fail(code::selection,
              "the group \"{}\" of the mesh of body \"{}\" is empty: its name is in the file, but no {}; it has {}",
              text, body_, elements_of(*groups[0]), group_list());
  }
  if (!groups.empty()) return groups;
  std::vector<std::string> names;
  for (const ElementGroup& group : mesh_.groups) names.push_back(group.name);
  name.fail(code::selection,
            "found \"{}\", expected a group of the mesh of body \"{}\" by name or as \"dim:id\"{}it has {}", text,
            body_, did_you_mean_then(text, names), group_list());
}

std::string Selector::group_list() const {
  std::string known;
  for (const ElementGroup& group : mesh_.groups) known += (known.empty() ? "" : ", ") + group_label(group);
  return known.empty() ? "none" : known;
}

}  // namespace sinew
