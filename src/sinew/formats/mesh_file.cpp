#include "sinew/formats/mesh_file.h"

namespace sinew {
namespace {

template <class Elements>
Elements elements_of(const std::vector<Index>& corners) {
  constexpr int rows = Elements::RowsAtCompileTime;
  return Eigen::Map<const Elements>(corners.data(), rows, static_cast<Eigen::Index>(corners.size() / rows));
}

}  // namespace

Points points_of(const std::vector<double>& coordinates) {
  return Eigen::Map<const Points>(coordinates.data(), 3, static_cast<Eigen::Index>(coordinates.size() / 3));
}

Tets tets_of(const std::vector<Index>& corners) {
  return elements_of<Tets>(corners);
}

Triangles triangles_of(const std::vector<Index>& corners) {
  return elements_of<Triangles>(corners);
}

std::vector<ElementGroup> triangle_groups(const Triangles& triangles, const std::vector<int>& labels) {
  std::map<int, std::vector<Index>> corners;
  for (std::size_t f = 0; f < labels.size(); ++f) {
    const auto corner = triangles.col(static_cast<Eigen::Index>(f));
    corners[labels[f]].insert(corners[labels[f]].end(), corner.begin(), corner.end());
  }
  std::vector<ElementGroup> groups;
  for (const auto& [id, list] : corners) groups.push_back({2, id, "", triangles_of(list), {}});
  return groups;
}

std::vector<ElementGroup> tet_groups(const std::vector<int>& labels) {
  std::map<int, std::vector<Index>> tets;
  for (std::size_t t = 0; t < labels.size(); ++t) tets[labels[t]].push_back(static_cast<Index>(t));
  std::vector<ElementGroup> groups;
  for (auto& [id, list] : tets) groups.push_back({3, id, "", Triangles(3, 0), std::move(list)});
  return groups;
}

void append_fan(const Index* corners, std::size_t count, std::vector<Index>& triangles) {
  for (std::size_t k = 2; k < count; ++k) {
    triangles.insert(triangles.end(), {corners[0], corners[k - 1], corners[k]});
  }
}

}  // namespace sinew
