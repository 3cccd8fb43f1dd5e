#include "sinew/formats/deck_content.h"

#include <algorithm>
#include <limits>

#include "sinew/formats/mid_nodes.h"

namespace sinew {

DeckContent::DeckContent(const MeshFile& mesh) : mesh_(mesh.volume), quadratic_(ten_node_tets(mesh.volume)) {
  if (quadratic_.cols() > 0) mid_node_count_ = static_cast<Index>(mesh_.mid_nodes.size());
  if (mesh_.tets.cols() == 0)
    for (Eigen::Index f = 0; f < mesh.triangles.cols(); ++f) number_of_triangle(mesh.triangles.col(f).data());
  for (const ElementGroup& group : mesh_.groups) {
    std::vector<Index>& numbers = group_triangles_.emplace_back();
    for (Eigen::Index f = 0; f < group.triangles.cols(); ++f)
      numbers.push_back(number_of_triangle(group.triangles.col(f).data()));
  }
  std::map<Index, std::size_t> sizes;
  for (const Index id : mesh_.regions) ++sizes[id];
  for (std::size_t g = 0; g < mesh_.groups.size(); ++g) {
    const ElementGroup& group = mesh_.groups[g];
    if (group.dim != 3 || group.tets.empty() || sizes[group.id] != group.tets.size()) continue;
    const auto inside = [&](Index t) { return region(t) == group.id; };
    if (std::ranges::all_of(group.tets, inside)) region_groups_.emplace(group.id, static_cast<int>(g));
  }
}

Index DeckContent::number_of_triangle(const Index* corners) {
  std::array<Index, 3> key{corners[0], corners[1], corners[2]};
  triangles_.push_back(key);
  std::ranges::sort(key);
  const auto [at, added] = numbers_.try_emplace(key, static_cast<Index>(triangles_.size() - 1));
  if (!added) triangles_.pop_back();
  return at->second;
}

Vec3 DeckContent::node(Index v) const {
  const Index mid = v - mesh_.vertex_count();
  return mid < 0 ? Vec3(mesh_.vertices.col(v)) : mesh_.mid_nodes[static_cast<std::size_t>(mid)].position;
}

std::vector<Index> DeckContent::tet_nodes(Index t) const {
  if (!has_ten_nodes()) return {mesh_.tets(0, t), mesh_.tets(1, t), mesh_.tets(2, t), mesh_.tets(3, t)};
  return {quadratic_.col(t).data(), quadratic_.col(t).data() + 10};
}

std::vector<Index> DeckContent::nodes_of(std::size_t g) const {
  const std::vector<Index>& vertices = mesh_.groups[g].vertices;
  return has_ten_nodes() ? with_nodes_between(mesh_, vertices) : vertices;
}

int DeckContent::group_of_region(Index region) const {
  const auto at = region_groups_.find(region);
  return at == region_groups_.end() ? -1 : at->second;
}

int free_number(int wanted, std::set<int>& used) {
  int number = wanted > 0 ? wanted : 1;
  if (used.contains(number) && *used.rbegin() < std::numeric_limits<int>::max()) number = *used.rbegin() + 1;
  while (!used.insert(number).second) number = number == std::numeric_limits<int>::max() ? 1 : number + 1;
  return number;
}

std::string plain_name(const std::string& name) {
  std::string plain = name;
  for (char& c : plain) {
    if (c == '"') c = '\'';
    if (static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return plain;
}

}  // namespace sinew
