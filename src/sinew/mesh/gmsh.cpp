#include "sinew/mesh/gmsh.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "sinew/mesh/gmsh_parser.h"
#include "sinew/mesh/surface.h"

namespace sinew {
namespace {

// Version 2 repeats an element in each of its physical groups: for each tet the first of its copies (itself if single).
std::vector<Index> copies_of_earlier(const GmshContents& file) {
  const std::vector<Index>& corners = file.tets.corners;
  const std::size_t count = file.tets.labels.size();
  std::vector<Index> original(count);
  std::iota(original.begin(), original.end(), Index{0});
  std::set<int> ids;
  for (const GmshLabel& label : file.labels) ids.insert(label.physicals.begin(), label.physicals.end());
  if (ids.size() < 2) return original;

  std::vector<std::pair<std::array<Index, 4>, Index>> keys(count);
  for (std::size_t t = 0; t < count; ++t) {
    std::array<Index, 4> key;
    std::copy_n(corners.begin() + static_cast<std::ptrdiff_t>(4 * t), 4, key.begin());
    std::sort(key.begin(), key.end());
    keys[t] = {key, static_cast<Index>(t)};
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < count; ++i) {
    const Index before = keys[i - 1].second, now = keys[i].second;
    const GmshLabel& a = file.labels[file.tets.labels[before]];
    const GmshLabel& b = file.labels[file.tets.labels[now]];
    // Real duplicates (same groups) stay for validate() to report.
    if (keys[i].first == keys[i - 1].first && a.entity == b.entity && a.physicals != b.physicals) {
      original[now] = original[before];
    }
  }
  return original;
}

bool has_physicals(const GmshContents& file, const GmshSimplices& simplices) {
  std::vector<char> used(file.labels.size(), 0);
  for (const Index label : simplices.labels) used[label] = 1;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] && !file.labels[i].physicals.empty()) return true;
  }
  return false;
}

// The groups of a label in a dimension: its physical ones, or its entity where the dimension has no physical groups.
std::vector<int> group_ids(const GmshLabel& label, bool physical) {
  return physical ? label.physicals : std::vector<int>{label.entity};
}

class GroupTable {
 public:
  explicit GroupTable(const GmshContents& file) : file_(file) {
    for (const auto& [key, name] : file.names) groups_[key].name = name;
  }

  void add_triangles() {
    const bool physical = has_physicals(file_, file_.triangles);
    std::map<int, std::vector<Index>> corners;
    for (std::size_t f = 0; f < file_.triangles.labels.size(); ++f) {
      for (const int id : group_ids(file_.labels[file_.triangles.labels[f]], physical)) {
        auto& mine = corners[id];
        for (int k = 0; k < 3; ++k) mine.push_back(file_.triangles.corners[3 * f + k]);
      }
    }
    for (const auto& [id, list] : corners) {
      groups_[{2, id}].triangles =
          Eigen::Map<const Triangles>(list.data(), 3, static_cast<Eigen::Index>(list.size() / 3));
    }
  }

  void add_tet(Index tet, const GmshLabel& label, bool physical) {
    for (const int id : group_ids(label, physical)) groups_[{3, id}].tets.push_back(tet);
  }

  std::vector<ElementGroup> take() {
    std::vector<ElementGroup> list;
    for (auto& [key, group] : groups_) {
      group.dim = key.first;
      group.id = key.second;
      list.push_back(std::move(group));
    }
    return list;
  }

 private:
  const GmshContents& file_;
  std::map<std::pair<int, int>, ElementGroup> groups_;
};

Points points_of(const GmshContents& file) {
  return Eigen::Map<const Points>(file.coordinates.data(), 3, static_cast<Eigen::Index>(file.coordinates.size() / 3));
}

TetMesh to_mesh(const GmshContents& file) {
  TetMesh mesh;
  mesh.vertices = points_of(file);
  const std::vector<Index> original = copies_of_earlier(file);
  const bool physical = has_physicals(file, file.tets);
  GroupTable groups(file);
  groups.add_triangles();
  std::vector<Index> kept(original.size());
  Index count = 0;
  for (std::size_t t = 0; t < original.size(); ++t) {
    kept[t] = original[t] == static_cast<Index>(t) ? count++ : kept[original[t]];
  }
  mesh.tets.resize(4, count);
  mesh.regions.resize(count);
  for (std::size_t t = 0; t < original.size(); ++t) {
    const GmshLabel& label = file.labels[file.tets.labels[t]];
    groups.add_tet(kept[t], label, physical);
    if (original[t] != static_cast<Index>(t)) continue;
    mesh.tets.col(kept[t]) = Eigen::Map<const Eigen::Matrix<Index, 4, 1>>(file.tets.corners.data() + 4 * t);
    mesh.regions[kept[t]] = !physical ? label.entity : label.physicals.empty() ? 0 : label.physicals.front();
  }
  mesh.groups = groups.take();
  return mesh;
}

}  // namespace

TetMesh read_gmsh(const std::string& path) {
  ByteReader reader(path);
  const GmshContents file = GmshParser(reader).parse();
  if (file.tets.labels.empty()) {
    if (file.triangles.labels.empty()) fail_input("{}: found no tets in $Elements, expected a volume mesh", path);
    fail_input(
        "{}: found {} triangles and no tets: this is a surface, but a body needs tets; fill it first (with sinew-mesh, "
        "Gmsh or TetGen), or use it as an obstacle",
        path, file.triangles.labels.size());
  }
  return to_mesh(file);
}

TriMesh read_gmsh_surface(const std::string& path) {
  ByteReader reader(path);
  const GmshContents file = GmshParser(reader).parse();
  const Points points = points_of(file);
  if (!file.tets.labels.empty()) return compacted(points, boundary_triangles(to_mesh(file).tets));
  if (file.triangles.labels.empty()) fail_input("{}: found neither triangles nor tets in $Elements", path);
  const Triangles triangles = Eigen::Map<const Triangles>(file.triangles.corners.data(), 3,
                                                          static_cast<Eigen::Index>(file.triangles.labels.size()));
  return compacted(points, triangles);
}

}  // namespace sinew
